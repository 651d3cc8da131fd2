package iiop

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrMalformed is the error for bytes that are not what they should be: cut
// short, longer than what is there, or of an impossible value.
var ErrMalformed = errors.New("iiop: malformed")

// A Decoder reads values in CDR, one after the other. It keeps its first
// error, and from then on gives zero values: a reader of many values asks
// [Decoder.Err] once, at the end. No length makes it allocate more than the
// bytes that are really there.
type Decoder struct {
	buf   []byte // from the beginning of the message or encapsulation: alignment counts from there
	pos   int
	order byteOrder
	err   error
}

func newDecoder(buf []byte, order byteOrder) *Decoder {
	return &Decoder{buf: buf, order: order}
}

// Err gives the first error.
func (d *Decoder) Err() error { return d.err }

// Left is the number of bytes that have not been read.
func (d *Decoder) Left() int { return len(d.buf) - d.pos }

func (d *Decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: byte %d: %s", ErrMalformed, d.pos, fmt.Sprintf(format, args...))
	}
}

// take gives the next n bytes, or nil where they are not there.
func (d *Decoder) take(n int) []byte {
	if d.err != nil {
		return nil
	}
	if n > d.Left() {
		d.fail("want %d bytes, %d are left", n, d.Left())
		return nil
	}
	b := d.buf[d.pos : d.pos+n : d.pos+n]
	d.pos += n
	return b
}

// aligned gives the next n bytes after padding to a multiple of n, which is
// 2, 4 or 8.
func (d *Decoder) aligned(n int) []byte {
	if padding := -d.pos & (n - 1); padding > 0 {
		d.take(padding)
	}
	return d.take(n)
}

// Octet reads one uninterpreted byte.
func (d *Decoder) Octet() byte {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

// Char reads one character of ISO 8859-1.
func (d *Decoder) Char() byte { return d.Octet() }

// Boolean reads a boolean; a byte that is neither 0 nor 1 is an error.
func (d *Decoder) Boolean() bool {
	v := d.Octet()
	if v > 1 {
		d.pos--
		d.fail("boolean is %d, want 0 or 1", v)
		return false
	}
	return v == 1
}

// Short reads IDL's short.
func (d *Decoder) Short() int16 { return int16(d.UShort()) }

// UShort reads IDL's unsigned short.
func (d *Decoder) UShort() uint16 {
	if b := d.aligned(2); b != nil {
		return d.order.Uint16(b)
	}
	return 0
}

// Long reads IDL's long, which has 32 bits.
func (d *Decoder) Long() int32 { return int32(d.ULong()) }

// ULong reads IDL's unsigned long, which has 32 bits. Enumerations are read
// by it, too.
func (d *Decoder) ULong() uint32 {
	if b := d.aligned(4); b != nil {
		return d.order.Uint32(b)
	}
	return 0
}

// LongLong reads IDL's long long.
func (d *Decoder) LongLong() int64 { return int64(d.ULongLong()) }

// ULongLong reads IDL's unsigned long long.
func (d *Decoder) ULongLong() uint64 {
	if b := d.aligned(8); b != nil {
		return d.order.Uint64(b)
	}
	return 0
}

// Float reads an IEEE number of 32 bits.
func (d *Decoder) Float() float32 { return math.Float32frombits(d.ULong()) }

// Double reads an IEEE number of 64 bits.
func (d *Decoder) Double() float64 { return math.Float64frombits(d.ULongLong()) }

// String reads a string.
func (d *Decoder) String() string { return fromLatin1(d.text()) }

// text reads a string without its closing zero, as part of the message.
func (d *Decoder) text() []byte {
	n := d.Sequence(1)
	if d.err != nil {
		return nil
	}
	if n == 0 {
		d.fail("string of length 0, want at least its closing zero")
		return nil
	}
	b := d.take(n)
	if at := bytes.IndexByte(b, 0); at != n-1 {
		d.fail("string does not end with its first zero")
		return nil
	}
	return b[:n-1]
}

// Octets reads a sequence<octet>, as a copy that the caller may keep.
func (d *Decoder) Octets() []byte { return slices.Clone(d.octets()) }

// octets reads a sequence<octet> as part of the message.
func (d *Decoder) octets() []byte { return d.take(d.Sequence(1)) }

// Sequence reads the length of a sequence whose elements take at least
// smallest bytes each. A length that what is left cannot hold is an error
// and gives 0, so that a caller may allocate for it without fear.
func (d *Decoder) Sequence(smallest int) int {
	n := d.ULong()
	if d.err != nil {
		return 0
	}
	if uint64(n)*uint64(max(smallest, 1)) > uint64(d.Left()) {
		d.fail("%d elements of at least %d bytes, %d bytes are left", n, max(smallest, 1), d.Left())
		return 0
	}
	return int(n)
}

// openEncapsulation gives a Decoder over an encapsulation, after its byte
// order.
func openEncapsulation(b []byte) *Decoder {
	d := newDecoder(b, orderOf(false))
	d.order = orderOf(d.Boolean())
	return d
}
