package iiop

import (
	"context"
	"errors"
	"fmt"
)

// maxForwards is how often one call follows a forward before it takes the
// servers to be sending it round in a circle.
const maxForwards = 8

// An Object is an object on a connection's server.
type Object struct {
	conn *Conn
	key  []byte
}

// Call executes an operation and waits for its reply. Args writes the
// arguments and results reads the results, each in the order of the
// operation's IDL; nil is none. The Decoder of results is only good until
// results returns.
//
// An exception of the operation is a [*UserException] or a
// [*SystemException]. When ctx ends first, the server is told that nobody
// waits any more, and the connection stays usable where the reply had not
// begun to arrive.
func (o *Object) Call(ctx context.Context, operation string, args func(*Encoder), results func(*Decoder)) error {
	for range maxForwards {
		b := o.conn.Batch()
		call := b.Add(o, operation, args, results)
		if err := b.Do(ctx); err != nil {
			return fmt.Errorf("calling %s: %w", operation, err)
		}
		forward, forwarded := errors.AsType[*Forward](call.Err)
		if !forwarded {
			return call.Err
		}
		next, err := o.conn.Resolve(forward.To)
		if err != nil {
			return fmt.Errorf("calling %s: %w", operation, err)
		}
		o = next
	}
	return fmt.Errorf("calling %s: forwarded more than %d times", operation, maxForwards)
}

// Send sends a one-way request: it returns when the request has been written,
// and nothing tells whether it was executed.
func (o *Object) Send(ctx context.Context, operation string, args func(*Encoder)) error {
	b := o.conn.Batch()
	b.Post(o, operation, args)
	if err := b.Do(ctx); err != nil {
		return fmt.Errorf("sending %s: %w", operation, err)
	}
	return nil
}

// Locate asks whether the server knows the object, without calling it. Where
// the object is elsewhere the error is a [*Forward].
func (o *Object) Locate(ctx context.Context) (here bool, err error) {
	b := o.conn.Batch()
	question := b.locate(o, &here)
	if err := b.Do(ctx); err != nil {
		return false, fmt.Errorf("locating an object: %w", err)
	}
	return here, question.Err
}
