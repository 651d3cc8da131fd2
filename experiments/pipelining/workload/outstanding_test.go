package main

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"fieldbook-experiments/iiop"
)

// fake runs a server whose sessions answer by document, in a thread each.
func fake(t *testing.T, document func(db uint32, out *iiop.Encoder)) *iiop.Server {
	t.Helper()
	s, err := iiop.Listen("127.0.0.1:0", iiop.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	session, err := s.Activate("Session", iiop.Servant{Operations: map[string]iiop.Operation{
		operation: func(in *iiop.Decoder, out *iiop.Encoder) error { document(in.ULong(), out); return nil },
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Activate(factoryKey, iiop.Servant{Operations: map[string]iiop.Operation{
		"createSession": func(_ *iiop.Decoder, out *iiop.Encoder) error { out.Reference(session); return nil },
	}})
	if err != nil {
		t.Fatal(err)
	}
	serveUntilTheEnd(t, s)
	return s
}

// TestHowManyRequestsAreOutstanding counts at the server how many requests of
// eight workers it has at once: that is what the communications differ in.
func TestHowManyRequestsAreOutstanding(t *testing.T) {
	for _, tt := range []struct {
		communication string
		sessions      int
		least, most   int32
	}{
		{"queue", 1, 1, 1},
		{"queue", 2, 1, 1},
		{"batched", 1, 3, 8},
		{"batched", 2, 3, 8},
		{"threaded", 1, 1, 1},
		{"threaded", 2, 2, 2},
		{"sequential", 2, 1, 1},
	} {
		var inside, most atomic.Int32
		s := fake(t, func(db uint32, out *iiop.Encoder) {
			n := inside.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(2 * time.Millisecond)
			inside.Add(-1)
			out.ULong(db)
			out.ULong(0)
			out.Octets(library[db][0])
		})
		r := client(t, "--server", s.Address(), "--communication", tt.communication,
			"--sessions", fmt.Sprint(tt.sessions), "--workers", "8", "--calls", "64")
		if n := most.Load(); n < tt.least || n > tt.most || r.Errors != 0 {
			t.Errorf("%s over %d sessions: up to %d requests at once and %d errors, want %d to %d and none",
				tt.communication, tt.sessions, n, r.Errors, tt.least, tt.most)
		}
	}
}
