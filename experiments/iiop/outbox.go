package iiop

import (
	"net"
	"runtime"
	"sync"
	"time"
)

// maxBacklog is how many bytes of messages wait for a client that does not
// read; who has more to say to it waits, too.
const maxBacklog = 64 << 10

// An outbox writes the server's messages to one client. Messages that come
// while another is being written go out together in the next write: that is
// what makes a batch of requests cheap, whose replies come all at once.
type outbox struct {
	socket  net.Conn
	timeout time.Duration // of one write

	mu      sync.Mutex
	room    sync.Cond // waiting has been taken, or err is set
	waiting []byte    // whole messages, not yet given to the socket
	spare   []byte    // space of the last write
	writing bool      // somebody is, and will take along what waits
	err     error     // of the first write that failed
}

func newOutbox(socket net.Conn, timeout time.Duration) *outbox {
	o := &outbox{socket: socket, timeout: timeout}
	o.room.L = &o.mu
	return o
}

// send writes a message, or leaves it to the one who is writing; then an
// error shows to that one. Where more is about to come, it lets the other
// threads have their say first.
func (o *outbox) send(message []byte, more bool) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.waiting) > maxBacklog && o.err == nil {
		o.room.Wait()
	}
	o.waiting = append(o.waiting, message...)
	if o.writing || o.err != nil {
		return o.err
	}
	o.writing = true
	if more {
		o.mu.Unlock()
		runtime.Gosched()
		o.mu.Lock()
	}
	for len(o.waiting) > 0 && o.err == nil {
		o.flush()
	}
	o.writing = false
	return o.err
}

// flush writes what waits; the lock is held before and after, not during.
func (o *outbox) flush() {
	taken := o.waiting
	o.waiting = o.spare[:0]
	o.room.Broadcast()
	o.mu.Unlock()
	o.socket.SetWriteDeadline(time.Now().Add(o.timeout))
	_, err := o.socket.Write(taken)
	o.mu.Lock()
	o.spare = taken
	if err != nil {
		o.err = err
		o.room.Broadcast()
	}
}
