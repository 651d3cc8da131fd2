package iiop

import (
	"context"
	"errors"
	"fmt"
	"net"
)

// maxBatch is how many bytes of requests one batch may hold, so that they fit
// into the sockets' buffers: else a server that waits to get rid of replies
// and a client that waits to get rid of requests would wait for each other.
const maxBatch = 64 << 10

// ErrBatchTooLarge is the error for a batch of more than 64 KiB of requests.
// A single request may be larger.
var ErrBatchTooLarge = errors.New("iiop: batch too large")

// A Batch is a number of requests that are sent together, in one write,
// before the first reply is read. The server may execute them at once and in
// any order. A Batch is used once.
type Batch struct {
	conn    *Conn
	entries []*Pending
	first   uint32 // number of the first entry; the others count on from it
	waiting int    // entries that have no answer yet
	used    bool   // has been sent, or could not be
	sent    bool   // by Send, and Receive has not been called
}

// A Pending is a request of a batch.
type Pending struct {
	// Err is how the request ended, once [Batch.Receive] has returned: nil,
	// an exception, a [*Forward] (which a batch does not follow), or what
	// went wrong on the connection.
	Err error

	object    *Object
	operation string
	args      func(*Encoder)
	results   func(*Decoder)
	oneWay    bool
	here      *bool // where the answer to a LocateRequest goes; nil for a request
	settled   bool
}

// Batch starts an empty batch.
func (c *Conn) Batch() *Batch { return &Batch{conn: c} }

// Add adds a call; args and results are as in [Object.Call]. They are run by
// Send and by Receive.
func (b *Batch) Add(o *Object, operation string, args func(*Encoder), results func(*Decoder)) *Pending {
	return b.add(&Pending{object: o, operation: operation, args: args, results: results})
}

// Post adds a one-way request.
func (b *Batch) Post(o *Object, operation string, args func(*Encoder)) {
	b.add(&Pending{object: o, operation: operation, args: args, oneWay: true, settled: true})
}

func (b *Batch) locate(o *Object, here *bool) *Pending {
	return b.add(&Pending{object: o, here: here})
}

func (b *Batch) add(p *Pending) *Pending {
	b.entries = append(b.entries, p)
	return p
}

// Do sends the batch and reads all its replies. An error means that the
// connection failed or ctx ended; how each request ended is in its Pending.
func (b *Batch) Do(ctx context.Context) error {
	if err := b.conn.acquire(ctx); err != nil {
		return b.abort(err)
	}
	defer b.conn.release()
	defer b.conn.watch(ctx)()
	if err := b.send(ctx); err != nil {
		return err
	}
	return b.receive(ctx)
}

// Send sends the batch. Where it returns nil, the connection belongs to this
// batch until Receive has been called.
func (b *Batch) Send(ctx context.Context) error {
	if err := b.conn.acquire(ctx); err != nil {
		return b.abort(err)
	}
	unwatch := b.conn.watch(ctx)
	err := b.send(ctx)
	unwatch()
	if err != nil {
		b.conn.release()
	}
	b.sent = err == nil
	return err
}

// Receive reads all replies of a batch that Send has sent.
func (b *Batch) Receive(ctx context.Context) error {
	if !b.sent {
		return b.abort(errors.New("iiop: batch has not been sent"))
	}
	b.sent = false
	defer b.conn.release()
	defer b.conn.watch(ctx)()
	return b.receive(ctx)
}

// send encodes all requests and writes them. A request that cannot be encoded
// keeps the whole batch from being sent.
func (b *Batch) send(ctx context.Context) error {
	c := b.conn
	if b.used {
		return errors.New("iiop: batch has been used before")
	}
	b.used, b.first = true, c.next
	c.out.buf, c.out.err = c.out.buf[:0], nil
	for _, p := range b.entries {
		if err := b.encode(p); err != nil {
			return b.abort(err)
		}
	}
	if len(b.entries) > 1 && len(c.out.buf) > maxBatch {
		return b.abort(fmt.Errorf("%w: %d bytes, the limit is %d", ErrBatchTooLarge, len(c.out.buf), maxBatch))
	}
	if err := c.write(); err != nil {
		return b.abort(c.reason(ctx, err))
	}
	return nil
}

func (b *Batch) encode(p *Pending) error {
	c := b.conn
	if p.object.conn != c {
		return fmt.Errorf("iiop: the object of %s belongs to another connection", p.operation)
	}
	if p.here != nil {
		c.out.locateRequest(c.next, p.object.key)
	} else {
		c.out.request(c.next, !p.oneWay, p.object.key, p.operation)
		if p.args != nil {
			p.args(&c.out)
		}
	}
	c.next++
	if !p.oneWay {
		b.waiting++
	}
	return c.out.end(c.options.MaxMessage)
}

// receive reads messages until every request has its answer.
func (b *Batch) receive(ctx context.Context) error {
	for b.waiting > 0 {
		kind, d, err := b.conn.read()
		if err == nil {
			err = b.take(kind, d)
		}
		if err != nil {
			if ne, ok := errors.AsType[net.Error](err); ok && ne.Timeout() && b.conn.broken == nil {
				b.cancel()
			}
			return b.abort(b.conn.reason(ctx, err))
		}
	}
	return nil
}

// cancel tells the server that nobody waits for the replies any more. They
// may still come, and are then passed over.
func (b *Batch) cancel() {
	c := b.conn
	c.out.buf, c.out.err = c.out.buf[:0], nil
	for i, p := range b.entries {
		if !p.settled {
			c.out.cancelRequest(b.first + uint32(i))
			c.out.end(c.options.MaxMessage)
		}
	}
	c.socket.SetWriteDeadline(soon())
	c.write()
}

// abort gives all requests without an answer the error, and returns it.
func (b *Batch) abort(err error) error {
	for _, p := range b.entries {
		if !p.settled || p.oneWay {
			p.Err, p.settled = err, true
		}
	}
	return err
}
