package iiop

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"testing"
)

func TestHeadersThatAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name, header string
		want         error
	}{
		{"short", `"GIOP" 01 00 00`, ErrMalformed},
		{"magic", `"GIOQ" 01 00 00 00 00000000`, ErrMalformed},
		{"version 1.2", `"GIOP" 01 02 00 00 00000000`, ErrMalformed},
		{"byte order 3, which is 1.1's little-endian with a fragment", `"GIOP" 01 00 03 00 00000000`, ErrMalformed},
		{"type 7, which is 1.1's fragment", `"GIOP" 01 00 00 07 00000000`, ErrMalformed},
		{"one byte above the limit", `"GIOP" 01 00 00 00 000003f5`, ErrTooLarge},
		{"4 GiB in little-endian order", `"GIOP" 01 00 01 00 ffffffff`, ErrTooLarge},
	} {
		if h, err := parseHeader(unhex(t, tt.header), 1024); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, error %v, want %v", tt.name, h, err, tt.want)
		}
	}
	h, err := parseHeader(unhex(t, `"GIOP" 01 00 00 05 000003f4`), 1024)
	if err != nil || h.kind != msgCloseConnection || h.size != 1012 {
		t.Errorf("header at the limit: %v, %v, want a CloseConnection of 1012 bytes", h, err)
	}
}

// TestLongMessageThatNeverComesTakesLittleMemory announces 16 MiB and sends
// a few bytes.
func TestLongMessageThatNeverComesTakesLittleMemory(t *testing.T) {
	announced := append(unhex(t, `"GIOP" 01 00 00 00 00fffff0`), make([]byte, 100)...)
	r := bufio.NewReader(bytes.NewReader(announced))
	h, err := peekHeader(r, DefaultMaxMessage)
	if err != nil {
		t.Fatal(err)
	}
	bytes := allocated(func() {
		if _, err := readMessage(r, h, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("error %v, want %v", err, io.ErrUnexpectedEOF)
		}
	})
	if bytes > 4*firstPart {
		t.Errorf("%d bytes allocated, want at most %d", bytes, 4*firstPart)
	}
}

func TestLongMessageIsReadWhole(t *testing.T) {
	e := newEncoder(orderOf(true))
	e.begin(msgRequest)
	e.Octets(bytes.Repeat([]byte("0123456789"), 100_000))
	if err := e.end(DefaultMaxMessage); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(bytes.NewReader(e.buf))
	h, err := peekHeader(r, DefaultMaxMessage)
	if err != nil {
		t.Fatal(err)
	}
	d, err := readMessage(r, h, make([]byte, 5))
	if err != nil || !bytes.Equal(d.buf, e.buf) {
		t.Errorf("a message of %d bytes came out changed, error %v", len(e.buf), err)
	}
}

// FuzzHeader holds that a header that is accepted is within the limit and
// means the same when it is written again.
func FuzzHeader(f *testing.F) {
	f.Add([]byte("GIOP\x01\x00\x01\x00\x04\x00\x00\x00"), uint16(100))
	f.Add([]byte("GIOP\x01\x02\x00\x06\x00\x00\x00\x00"), uint16(12))
	f.Fuzz(func(t *testing.T, b []byte, limit uint16) {
		h, err := parseHeader(b, int(limit))
		if err != nil {
			return
		}
		if headerSize+h.size > int(limit) {
			t.Fatalf("accepted %d bytes, the limit is %d", headerSize+h.size, limit)
		}
		e := newEncoder(h.order)
		e.begin(h.kind)
		e.buf = append(e.buf, make([]byte, h.size)...)
		e.end(int(limit))
		if !bytes.Equal(e.buf[:headerSize], b[:headerSize]) {
			t.Errorf("% x is written again as % x", b[:headerSize], e.buf[:headerSize])
		}
	})
}

// FuzzRequest gives a server's decoder a stream of messages and executes what
// it takes for requests; what comes back must be a readable reply.
func FuzzRequest(f *testing.F) {
	for _, x := range exchanges {
		f.Add(unhex(f, x.request))
	}
	server, err := Listen("127.0.0.1:0", ServerOptions{MaxMessage: 1 << 16})
	if err != nil {
		f.Fatal(err)
	}
	defer server.Close()
	activateFactory(f, server)
	f.Fuzz(func(t *testing.T, stream []byte) {
		r := bufio.NewReader(bytes.NewReader(stream))
		for {
			h, err := peekHeader(r, 1<<16)
			if err != nil {
				return
			}
			d, err := readMessage(r, h, nil)
			if err != nil {
				return
			}
			request, err := readRequest(d)
			if h.kind != msgRequest || err != nil {
				d.pos, d.err = headerSize, nil
				readLocateRequest(d)
				continue
			}
			server.prepare(request, d, func(reply []byte) error { readable(t, request.id, reply); return nil })()
		}
	})
}

// readable reads a reply as a client does.
func readable(t *testing.T, id uint32, reply []byte) {
	t.Helper()
	r := bufio.NewReader(bytes.NewReader(reply))
	h, err := peekHeader(r, len(reply))
	if err != nil {
		t.Fatalf("reply %q: %v", reply, err)
	}
	d, err := readMessage(r, h, nil)
	if err != nil {
		t.Fatalf("reply %q: %v", reply, err)
	}
	got, err := readReply(d)
	if err != nil || got.id != id {
		t.Fatalf("reply %q to request %d: %v, %v", reply, id, got, err)
	}
	if err := readOutcome(got.status, nil, d); errors.Is(err, ErrMalformed) {
		t.Errorf("reply %q: %v", reply, err)
	}
}

// FuzzReply gives a client's decoder what a server might send.
func FuzzReply(f *testing.F) {
	for _, x := range exchanges {
		f.Add(unhex(f, x.answer), uint32(1))
	}
	f.Add(unhex(f, `"GIOP" 01 00 00 01 00000018 00000000 00000001 00000003 00000001 00 000000 00000000`), uint32(1))
	f.Fuzz(func(t *testing.T, b []byte, id uint32) {
		r := bufio.NewReader(bytes.NewReader(b))
		h, err := peekHeader(r, 1<<16)
		if err != nil {
			return
		}
		d, err := readMessage(r, h, nil)
		if err != nil {
			return
		}
		locate := *d
		if reply, err := readReply(d); err == nil {
			if err := readOutcome(reply.status, func(d *Decoder) { d.Octets() }, d); err != nil {
				_ = err.Error()
			}
		}
		if _, status, err := readLocateReply(&locate); err == nil {
			var here bool
			p := Pending{here: &here}
			p.located(status, &locate)
		}
	})
}
