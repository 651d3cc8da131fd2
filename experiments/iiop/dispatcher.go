package iiop

import (
	"fmt"
	"strings"
)

// A Dispatcher is how a server reads, decodes and executes requests. Under
// all of them a connection without a request costs the others nothing: what
// is serialized begins when the first byte of a request has come.
//
// A thread is a goroutine here.
type Dispatcher int

const (
	// Concurrent serves each connection independently of the others and
	// executes each request in a thread of its own.
	Concurrent Dispatcher = iota
	// Serial reads and decodes one request at a time over all connections
	// and executes each in a thread of its own. A request that comes slowly
	// keeps the others waiting until it is there. Arguments are read by the
	// operation, so they are decoded in its thread.
	Serial
	// OneThread reads, decodes, executes and answers one request at a time.
	OneThread
)

// dispatchers are the names of all dispatchers.
var dispatchers = [...]string{Concurrent: "concurrent", Serial: "serial", OneThread: "one-thread"}

func (d Dispatcher) String() string {
	if d >= 0 && int(d) < len(dispatchers) {
		return dispatchers[d]
	}
	return fmt.Sprintf("Dispatcher(%d)", int(d))
}

// ParseDispatcher reads a dispatcher's name.
func ParseDispatcher(name string) (Dispatcher, error) {
	for d, known := range dispatchers {
		if name == known {
			return Dispatcher(d), nil
		}
	}
	return 0, fmt.Errorf("dispatcher is %q, want one of %s", name, strings.Join(dispatchers[:], ", "))
}

// A token is held by whoever may read and decode, and under OneThread
// execute. It is handed on in the order in which it was asked for, since a
// mutex would favour the one that has just let go. The nil token is free for
// all.
type token chan struct{}

func newToken(d Dispatcher) token {
	if d == Concurrent {
		return nil
	}
	return make(token, 1)
}

func (t token) take() {
	if t != nil {
		t <- struct{}{}
	}
}

func (t token) giveBack() {
	if t != nil {
		<-t
	}
}
