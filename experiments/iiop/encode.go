package iiop

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// byteOrder is one of CDR's two byte orders: a sender uses its own and says
// so, a receiver follows.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// orderOf gives the byte order for CDR's flag, where true is little-endian.
func orderOf(little bool) byteOrder {
	if little {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

// ErrUnencodable is the error for a value that CDR cannot carry here, such as
// a string with characters beyond ISO 8859-1.
var ErrUnencodable = errors.New("iiop: value cannot be encoded")

// An Encoder writes values in CDR, one after the other, each aligned to its
// own size. It keeps its first error and ignores what follows; who hands the
// Encoder out looks at the error when all is written.
type Encoder struct {
	buf   []byte
	base  int // where the current message or encapsulation begins in buf: alignment counts from there
	order byteOrder
	err   error
}

func newEncoder(order byteOrder) *Encoder {
	return &Encoder{order: order}
}

// Err gives the first error: a value that could not be encoded.
func (e *Encoder) Err() error { return e.err }

func (e *Encoder) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf("%w: %s", ErrUnencodable, fmt.Sprintf(format, args...))
	}
}

// align pads with zeros to a multiple of n, a power of two.
func (e *Encoder) align(n int) {
	for (len(e.buf)-e.base)%n != 0 {
		e.buf = append(e.buf, 0)
	}
}

// Octet writes one uninterpreted byte.
func (e *Encoder) Octet(v byte) { e.buf = append(e.buf, v) }

// Char writes one character of ISO 8859-1.
func (e *Encoder) Char(v byte) { e.Octet(v) }

// Boolean writes true as 1 and false as 0.
func (e *Encoder) Boolean(v bool) {
	if v {
		e.Octet(1)
	} else {
		e.Octet(0)
	}
}

// Short writes IDL's short.
func (e *Encoder) Short(v int16) { e.UShort(uint16(v)) }

// UShort writes IDL's unsigned short.
func (e *Encoder) UShort(v uint16) {
	e.align(2)
	e.buf = e.order.AppendUint16(e.buf, v)
}

// Long writes IDL's long, which has 32 bits.
func (e *Encoder) Long(v int32) { e.ULong(uint32(v)) }

// ULong writes IDL's unsigned long, which has 32 bits. Enumerations are
// written by it, too.
func (e *Encoder) ULong(v uint32) {
	e.align(4)
	e.buf = e.order.AppendUint32(e.buf, v)
}

// LongLong writes IDL's long long.
func (e *Encoder) LongLong(v int64) { e.ULongLong(uint64(v)) }

// ULongLong writes IDL's unsigned long long.
func (e *Encoder) ULongLong(v uint64) {
	e.align(8)
	e.buf = e.order.AppendUint64(e.buf, v)
}

// Float writes an IEEE number of 32 bits.
func (e *Encoder) Float(v float32) { e.ULong(math.Float32bits(v)) }

// Double writes an IEEE number of 64 bits.
func (e *Encoder) Double(v float64) { e.ULongLong(math.Float64bits(v)) }

// String writes a string in ISO 8859-1 with its closing zero. One that holds
// a zero or another character beyond ISO 8859-1 is an error.
func (e *Encoder) String(s string) {
	latin, err := toLatin1(s)
	if err != nil {
		e.fail("string %.40q: %v", s, err)
		return
	}
	if !e.length(len(latin) + 1) {
		return
	}
	e.buf = append(e.buf, latin...)
	e.buf = append(e.buf, 0)
}

// Octets writes a sequence<octet>.
func (e *Encoder) Octets(b []byte) {
	if e.length(len(b)) {
		e.buf = append(e.buf, b...)
	}
}

// Sequence writes the length of a sequence; its n elements follow.
func (e *Encoder) Sequence(n int) { e.length(n) }

// length writes a length and says whether it could.
func (e *Encoder) length(n int) bool {
	if n < 0 || n > math.MaxInt32 {
		e.fail("length %d is not within 0..%d", n, math.MaxInt32)
		return false
	}
	e.ULong(uint32(n))
	return true
}

// encapsulate gives what write writes as an encapsulation: a byte order and
// values aligned from there.
func encapsulate(order byteOrder, write func(*Encoder)) ([]byte, error) {
	e := newEncoder(order)
	e.Boolean(order == binary.LittleEndian)
	write(e)
	return e.buf, e.err
}

// toLatin1 gives s in ISO 8859-1, in the same bytes where s is ASCII.
func toLatin1(s string) (string, error) {
	if isASCII(s) {
		return s, nil
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == 0:
			return "", fmt.Errorf("zero at byte %d, where CDR ends a string", i)
		case r > 0xff:
			return "", fmt.Errorf("character %U at byte %d is not in ISO 8859-1", r, i)
		}
		b.WriteByte(byte(r))
	}
	return b.String(), nil
}

// isASCII reports whether s holds ASCII alone, and no zero.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] == 0 || s[i] > 0x7f {
			return false
		}
	}
	return true
}

// fromLatin1 gives the string that b holds in ISO 8859-1.
func fromLatin1(b []byte) string {
	if s := string(b); isASCII(s) {
		return s
	}
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}
