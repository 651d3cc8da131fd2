package iiop

import (
	"bytes"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// socketPair gives two ends of a connection over loopback.
func socketPair(t *testing.T) (ours, theirs net.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if theirs, err = net.Dial("tcp", listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if ours, err = listener.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ours.Close(); theirs.Close() })
	return ours, theirs
}

func TestOutboxKeepsMessagesWhole(t *testing.T) {
	ours, theirs := socketPair(t)
	out := newOutbox(ours, DefaultTimeout)
	var senders sync.WaitGroup
	const each, size = 200, 1000
	for i := range 8 {
		senders.Go(func() {
			for range each {
				if err := out.send(bytes.Repeat([]byte{'a' + byte(i)}, size), true); err != nil {
					t.Error(err)
				}
			}
		})
	}
	got := make([]byte, 8*each*size)
	if _, err := io.ReadFull(theirs, got); err != nil {
		t.Fatal(err)
	}
	senders.Wait()
	for at := 0; at < len(got); at += size {
		if !bytes.Equal(got[at:at+size], bytes.Repeat(got[at:at+1], size)) {
			t.Fatalf("message at byte %d is torn", at)
		}
	}
}

// TestOutboxHoldsLittleForAClientThatDoesNotRead counts what is taken in
// until the sockets' buffers and the backlog are full.
func TestOutboxHoldsLittleForAClientThatDoesNotRead(t *testing.T) {
	ours, _ := socketPair(t)
	out := newOutbox(ours, 500*time.Millisecond)
	var senders sync.WaitGroup
	failed := 0
	var mu sync.Mutex
	for range 4 {
		senders.Go(func() {
			for range 10_000 {
				if out.send(make([]byte, 16<<10), false) != nil {
					mu.Lock()
					failed++
					mu.Unlock()
					return
				}
			}
		})
	}
	senders.Wait()
	if failed != 4 {
		t.Errorf("%d of 4 senders got an error, want all", failed)
	}
	if held := len(out.waiting); held > 4*maxBacklog {
		t.Errorf("%d bytes wait, want at most %d", held, 4*maxBacklog)
	}
}
