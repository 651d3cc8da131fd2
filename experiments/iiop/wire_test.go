package iiop

import (
	"bytes"
	"encoding/hex"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// unhex reads bytes written as hexadecimal digits with blanks, and text in
// quotes.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	var b []byte
	for i, part := range strings.Split(s, `"`) {
		if i%2 == 1 {
			b = append(b, part...)
			continue
		}
		digits, err := hex.DecodeString(strings.Join(strings.Fields(part), ""))
		if err != nil {
			t.Fatalf("%q: %v", part, err)
		}
		b = append(b, digits...)
	}
	return b
}

// messageError is what a peer gets for what cannot be read.
const messageError = `"GIOP" 01 00 00 06 00000000`

// exchanges are requests and what must come back, byte by byte, written out
// by hand from CORBA 2.0, sections 12.3 and 12.4.
var exchanges = []struct{ name, request, answer string }{
	{"request in big-endian order",
		`"GIOP" 01 00 00 00 0000002f
		 00000000 00000007 01 000000 00000006 "shared" 0000 00000005 "text" 00 000000 00000000 00000003 "hi" 00`,
		`"GIOP" 01 00 01 01 13000000
		 00000000 07000000 00000000 03000000 "hi" 00`},
	{"request in little-endian order, with a service context and a principal",
		`"GIOP" 01 00 01 00 3f000000
		 01000000 05000000 03000000 aabbcc 00 08000000 01 000000 06000000 "shared" 0000 05000000 "text" 00 000000 04000000 "root" 03000000 "hi" 00`,
		`"GIOP" 01 00 01 01 13000000
		 00000000 08000000 00000000 03000000 "hi" 00`},
	{"one-way request, then one with a reply",
		`"GIOP" 01 00 00 00 0000002f
		 00000000 00000001 00 000000 00000006 "shared" 0000 00000005 "note" 00 000000 00000000 00000003 "hi" 00
		 "GIOP" 01 00 00 00 00000030
		 00000000 00000002 01 000000 00000006 "shared" 0000 0000000e "_non_existent" 00 0000 00000000`,
		`"GIOP" 01 00 01 01 0d000000
		 00000000 02000000 00000000 00`},
	{"user exception",
		`"GIOP" 01 00 00 00 00000034
		 00000000 00000001 01 000000 00000006 "shared" 0000 00000007 "refuse" 00 00 00000000 00000002 "n" 00 0000 ffffffff`,
		`"GIOP" 01 00 01 01 34000000
		 00000000 01000000 01000000 18000000 "IDL:Interop/Refused:1.0" 00 02000000 "n" 00 0000 ffffffff`},
	{"unknown object",
		`"GIOP" 01 00 00 00 00000020
		 00000000 00000001 01 000000 00000001 "x" 000000 00000002 "y" 00 0000 00000000`,
		`"GIOP" 01 00 01 01 40000000
		 00000000 01000000 02000000 27000000 "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0" 00 00 00000000 01000000`},
	{"locate request for a known key",
		`"GIOP" 01 00 00 03 0000000e 00000009 00000006 "shared"`,
		`"GIOP" 01 00 01 04 08000000 09000000 01000000`},
	{"locate request for an unknown key",
		`"GIOP" 01 00 00 03 00000009 00000009 00000001 "x"`,
		`"GIOP" 01 00 01 04 08000000 09000000 00000000`},
	{"cancel request, which is advice only, then a locate request",
		`"GIOP" 01 00 00 02 00000004 00000005
		 "GIOP" 01 00 00 03 00000009 00000009 00000001 "x"`,
		`"GIOP" 01 00 01 04 08000000 09000000 00000000`},

	{"other protocol", `"GET / HTTP/1.0" 0d0a 0d0a`, messageError},
	{"GIOP 1.1", `"GIOP" 01 01 00 00 00000000`, messageError},
	{"GIOP 1.2 with a body", `"GIOP" 01 02 01 00 04000000 00000000`, messageError},
	{"GIOP 2.0", `"GIOP" 02 00 00 00 00000000`, messageError},
	{"byte order 2", `"GIOP" 01 00 02 00 00000000`, messageError},
	{"message type 7", `"GIOP" 01 00 00 07 00000000`, messageError},
	{"message of 4 GiB", `"GIOP" 01 00 00 00 ffffffff`, messageError},
	{"reply from a client", `"GIOP" 01 00 00 01 0000000c 00000000 00000001 00000000`, messageError},
	{"empty request", `"GIOP" 01 00 00 00 00000000`, messageError},
	{"request with 2^28 service contexts", `"GIOP" 01 00 00 00 00000008 10000000 00000000`, messageError},
	{"request whose key is longer than the message",
		`"GIOP" 01 00 00 00 00000014 00000000 00000001 01 000000 7fffffff 00000000`, messageError},
	{"locate request without a key", `"GIOP" 01 00 00 03 00000004 00000001`, messageError},
	{"cancel request without a number", `"GIOP" 01 00 00 02 00000000`, messageError},
}

func TestServerAnswersByteByByte(t *testing.T) {
	for _, dispatcher := range allDispatchers {
		server, _ := serve(t, ServerOptions{Dispatcher: dispatcher})
		for _, tt := range exchanges {
			request, want := unhex(t, tt.request), unhex(t, tt.answer)
			got := exchange(t, server.Address(), request)
			if !bytes.Equal(got, want) {
				t.Errorf("%v, %s:\n got %q\nwant %q", dispatcher, tt.name, got, want)
			}
		}
	}
}

// exchange sends bytes on a connection of their own, ends it, and gives all
// that came back.
func exchange(t *testing.T, address string, request []byte) []byte {
	t.Helper()
	socket, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	socket.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := socket.Write(request); err != nil {
		t.Fatal(err)
	}
	socket.(*net.TCPConn).CloseWrite()
	got, err := io.ReadAll(socket)
	if err != nil {
		t.Errorf("answer to %q: %v", request, err)
	}
	return got
}

func TestMessageCutShortAtAnyByteEndsTheConnectionAlone(t *testing.T) {
	server, _ := serve(t, ServerOptions{})
	request := rawRequest(1, "shared", "notes")
	for n := range request {
		if got := exchange(t, server.Address(), request[:n]); len(got) > 0 {
			t.Errorf("cut after %d bytes: answer %q, want none", n, got)
		}
	}
	if got := exchange(t, server.Address(), request); len(got) != headerSize+16 {
		t.Errorf("whole request: answer of %d bytes, want %d", len(got), headerSize+16)
	}
}

func TestRequestsArriveByteByByte(t *testing.T) {
	for _, dispatcher := range allDispatchers {
		server, _ := serve(t, ServerOptions{Dispatcher: dispatcher})
		socket, err := net.Dial("tcp", server.Address())
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range append(rawRequest(1, "shared", "notes"), rawRequest(2, "shared", "notes")...) {
			socket.Write([]byte{b})
		}
		got := make([]byte, 2*(headerSize+16))
		socket.SetDeadline(time.Now().Add(10 * time.Second))
		if _, err := io.ReadFull(socket, got); err != nil {
			t.Errorf("%v: %v", dispatcher, err)
		}
		socket.Close()
	}
}
