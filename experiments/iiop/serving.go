package iiop

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// A serving is the server's side of one connection.
type serving struct {
	server   *Server
	socket   net.Conn
	reader   *bufio.Reader
	slots    chan struct{} // one for each request that executes
	requests sync.WaitGroup
	out      *outbox
}

func newServing(s *Server, socket net.Conn) *serving {
	return &serving{
		server: s,
		socket: socket,
		reader: bufio.NewReader(socket),
		slots:  make(chan struct{}, s.options.MaxRequests),
		out:    newOutbox(socket, s.options.MessageTimeout),
	}
}

// run reads messages until the client leaves, something goes wrong or ctx
// ends; then it waits for the requests that execute. Aborted cuts all off.
func (v *serving) run(ctx, aborted context.Context) {
	defer context.AfterFunc(ctx, func() { v.socket.SetReadDeadline(longAgo) })()
	defer context.AfterFunc(aborted, func() { v.socket.Close() })()
	defer v.socket.Close()
	var err error
	for err == nil {
		err = v.next(ctx)
	}
	v.requests.Wait()
	switch {
	case ctx.Err() != nil:
		v.leave(msgCloseConnection)
	case errors.Is(err, ErrMalformed), errors.Is(err, ErrTooLarge):
		v.leave(msgMessageError)
	case errors.Is(err, errIdle):
		v.leave(msgCloseConnection)
	}
}

// errIdle ends a connection on which nothing was asked for too long.
var errIdle = errors.New("iiop: idle connection")

// next waits for a message, reads it and sees to it, with the token as the
// dispatcher wants it.
func (v *serving) next(ctx context.Context) error {
	if err := v.await(ctx); err != nil {
		return err
	}
	v.slots <- struct{}{}
	v.server.token.take()
	execute, err := v.read(ctx)
	if err != nil || execute == nil {
		v.server.token.giveBack()
		<-v.slots
		return err
	}
	v.execute(execute)
	return nil
}

// execute runs a request while the token is held or after it is given back.
func (v *serving) execute(request func() error) {
	v.server.executing.Add(1)
	if v.server.options.Dispatcher == OneThread {
		v.finish(request)
		v.server.token.giveBack()
		return
	}
	v.server.token.giveBack()
	v.requests.Go(func() { v.finish(request) })
}

// finish runs a request to its end. A reply that cannot be written closes the
// connection, which its reader then notices.
func (v *serving) finish(request func() error) {
	if err := request(); err != nil {
		v.socket.Close()
	}
	v.server.executing.Add(-1)
	<-v.slots
}

// await waits for the first byte of a message.
func (v *serving) await(ctx context.Context) error {
	if v.reader.Buffered() > 0 {
		return ctx.Err()
	}
	if err := v.setReadDeadline(ctx, v.server.options.IdleTimeout); err != nil {
		return err
	}
	_, err := v.reader.Peek(1)
	if ne, ok := errors.AsType[net.Error](err); ok && ne.Timeout() && ctx.Err() == nil {
		return errIdle
	}
	return err
}

// setReadDeadline bounds reading by a time from now, 0 being none. The end of
// ctx sets a deadline that has passed; asking for it afterwards makes sure
// that ours has not replaced that one.
func (v *serving) setReadDeadline(ctx context.Context, within time.Duration) error {
	var deadline time.Time
	if within > 0 {
		deadline = time.Now().Add(within)
	}
	v.socket.SetReadDeadline(deadline)
	return ctx.Err()
}

// message reads one message whose first byte is there.
func (v *serving) message(ctx context.Context) (messageType, *Decoder, error) {
	limits := &v.server.options
	if !v.arrived() {
		if err := v.setReadDeadline(ctx, limits.MessageTimeout); err != nil {
			return 0, nil, err
		}
	}
	h, err := peekHeader(v.reader, limits.MaxMessage)
	if err != nil {
		return 0, nil, err
	}
	d, err := readMessage(v.reader, h, nil)
	return h.kind, d, err
}

// arrived reports whether the next message can be read, or refused, without
// waiting for more of it.
func (v *serving) arrived() bool {
	if v.reader.Buffered() < headerSize {
		return false
	}
	h, err := peekHeader(v.reader, v.server.options.MaxMessage)
	return err != nil || v.reader.Buffered() >= headerSize+h.size
}

// read reads one message. It answers what needs no servant itself; for a
// request it gives the function that executes it.
func (v *serving) read(ctx context.Context) (execute func() error, err error) {
	kind, d, err := v.message(ctx)
	if err != nil {
		return nil, err
	}
	switch kind {
	case msgRequest:
		h, err := readRequest(d)
		if err != nil {
			return nil, err
		}
		return v.server.prepare(h, d, v.write), nil
	case msgLocateRequest:
		id, key, err := readLocateRequest(d)
		if err != nil {
			return nil, err
		}
		return nil, v.write(v.server.locate(id, key))
	case msgCancelRequest:
		d.ULong()
		return nil, d.err // advice only: the reply is sent all the same
	case msgMessageError:
		return nil, fmt.Errorf("iiop: the client could not read our message")
	}
	return nil, fmt.Errorf("%w: %v from a client", ErrMalformed, kind)
}

// write sends one message; where other requests of this client execute, their
// replies may come along.
func (v *serving) write(message []byte) error {
	return v.out.send(message, len(v.slots) > 1)
}

// leave says a last word and gives the client a moment to read it: a socket
// closed with bytes unread would be reset, and the word be lost.
func (v *serving) leave(word messageType) {
	if v.write(bare(word)) != nil {
		return
	}
	if tcp, ok := v.socket.(*net.TCPConn); ok {
		tcp.CloseWrite()
	}
	v.socket.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
	io.Copy(io.Discard, io.LimitReader(v.reader, 1<<20))
}
