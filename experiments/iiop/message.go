package iiop

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// messageType is what a GIOP message is.
type messageType byte

const (
	msgRequest messageType = iota
	msgReply
	msgCancelRequest
	msgLocateRequest
	msgLocateReply
	msgCloseConnection
	msgMessageError
)

func (t messageType) String() string {
	names := [...]string{"Request", "Reply", "CancelRequest", "LocateRequest", "LocateReply", "CloseConnection", "MessageError"}
	if int(t) < len(names) {
		return names[t]
	}
	return fmt.Sprintf("message of type %d", byte(t))
}

const (
	// headerSize is the length of the header that each message begins with.
	// Alignment in the message counts from the header's beginning.
	headerSize = 12

	// DefaultMaxMessage is the limit on a message's length, header included,
	// where options name none: 16 MiB.
	DefaultMaxMessage = 16 << 20

	// firstPart is how much of a message is allocated on the word of its
	// header alone; beyond it memory grows only as bytes arrive.
	firstPart = 64 << 10
)

// ErrTooLarge is the error for a message above the limit, ours or a peer's.
var ErrTooLarge = errors.New("iiop: message too large")

// A header is a message's first twelve bytes, read.
type header struct {
	order byteOrder
	kind  messageType
	size  int // bytes that follow the header
}

// parseHeader reads a header. Any version but 1.0 and any message longer than
// limit bytes in all are errors.
func parseHeader(b []byte, limit int) (header, error) {
	if len(b) < headerSize {
		return header{}, fmt.Errorf("%w: header of %d bytes, want %d", ErrMalformed, len(b), headerSize)
	}
	if string(b[:4]) != "GIOP" {
		return header{}, fmt.Errorf("%w: message begins with %q, want GIOP", ErrMalformed, b[:4])
	}
	if b[4] != 1 || b[5] != 0 {
		return header{}, fmt.Errorf("%w: GIOP version %d.%d, only 1.0 is spoken here", ErrMalformed, b[4], b[5])
	}
	if b[6] > 1 {
		return header{}, fmt.Errorf("%w: byte order %d, want 0 or 1", ErrMalformed, b[6])
	}
	h := header{order: orderOf(b[6] == 1), kind: messageType(b[7])}
	if h.kind > msgMessageError {
		return header{}, fmt.Errorf("%w: %v", ErrMalformed, h.kind)
	}
	size := h.order.Uint32(b[8:])
	if uint64(size)+headerSize > uint64(limit) {
		return header{}, fmt.Errorf("%w: %v of %d bytes, the limit is %d", ErrTooLarge, h.kind, uint64(size)+headerSize, limit)
	}
	h.size = int(size)
	return h, nil
}

// peekHeader waits for the next message's header without consuming it, so
// that an interrupted wait leaves the stream where it was. The end of the
// stream between two messages is [io.EOF].
func peekHeader(r *bufio.Reader, limit int) (header, error) {
	b, err := r.Peek(headerSize)
	if err != nil {
		if err == io.EOF && len(b) > 0 {
			err = io.ErrUnexpectedEOF
		}
		return header{}, err
	}
	return parseHeader(b, limit)
}

// readMessage consumes the message that h heads, in the space of buf where it
// fits, and gives a Decoder that stands behind the header.
func readMessage(r *bufio.Reader, h header, buf []byte) (*Decoder, error) {
	total := headerSize + h.size
	buf = buf[:0]
	for len(buf) < total {
		part := min(total-len(buf), max(firstPart, len(buf)))
		buf = slices.Grow(buf, part)
		n, err := io.ReadFull(r, buf[len(buf):len(buf)+part])
		buf = buf[:len(buf)+n]
		if err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return nil, fmt.Errorf("%v cut short after %d of %d bytes: %w", h.kind, len(buf), total, err)
		}
	}
	d := newDecoder(buf, h.order)
	d.pos = headerSize
	return d, nil
}

// begin starts a message behind what the Encoder holds already.
func (e *Encoder) begin(kind messageType) {
	e.base = len(e.buf)
	e.buf = append(e.buf, 'G', 'I', 'O', 'P', 1, 0, 0, byte(kind), 0, 0, 0, 0)
	if e.order == binary.LittleEndian {
		e.buf[e.base+6] = 1
	}
}

// end closes the message that begin started, and refuses one above limit.
func (e *Encoder) end(limit int) error {
	if e.err != nil {
		return e.err
	}
	total := len(e.buf) - e.base
	if total > limit {
		return fmt.Errorf("%w: %d bytes, the limit is %d", ErrTooLarge, total, limit)
	}
	e.order.PutUint32(e.buf[e.base+8:], uint32(total-headerSize))
	return nil
}

// bare gives a message that is a header alone, such as CloseConnection.
func bare(kind messageType) []byte {
	e := newEncoder(orderOf(false))
	e.begin(kind)
	return e.buf
}
