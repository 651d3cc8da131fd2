package iiop

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

// ErrClosed is the error of a connection that is no longer usable because the
// server closed it in good order: what it had not answered it has not done.
var ErrClosed = errors.New("iiop: connection closed by the server")

// ErrRejected is the error where the peer answered with a MessageError: it
// could not read what it was sent.
var ErrRejected = errors.New("iiop: the peer could not read our message")

// DefaultTimeout bounds a call, a write or the rest of a message where
// options name no other time.
const DefaultTimeout = 30 * time.Second

// longAgo is a deadline that has passed: set on a socket, it ends what waits
// there.
var longAgo = time.Unix(1, 0)

// ClientOptions are a connection's limits; the zero value has the defaults.
type ClientOptions struct {
	// Timeout bounds dialling, and each call, batch or write, where its
	// context does not end sooner. 0 is DefaultTimeout.
	Timeout time.Duration
	// MaxMessage is the longest message, in bytes, that is sent or accepted.
	// 0 is DefaultMaxMessage.
	MaxMessage int
	// BigEndian sends in big-endian order instead of little-endian.
	BigEndian bool
}

// A Conn is a client's connection to one server. It may be shared: callers
// have their turns in the order in which they asked. No goroutine belongs to
// it, so that a caller itself waits on the socket for its reply.
type Conn struct {
	address string
	options ClientOptions
	socket  net.Conn

	// The holder of turn owns all that follows.
	turn   chan struct{}
	reader *bufio.Reader
	in     []byte // space for the message being read
	out    Encoder
	next   uint32 // number of the next request
	broken error  // why the connection is of no use any more
}

// Dial connects to the server at address, a host and a port.
func Dial(ctx context.Context, address string, options ClientOptions) (*Conn, error) {
	if options.Timeout == 0 {
		options.Timeout = DefaultTimeout
	}
	if options.MaxMessage == 0 {
		options.MaxMessage = DefaultMaxMessage
	}
	dialer := net.Dialer{Timeout: options.Timeout}
	socket, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return &Conn{
		address: address,
		options: options,
		socket:  socket,
		turn:    make(chan struct{}, 1),
		reader:  bufio.NewReader(socket),
		out:     Encoder{order: orderOf(!options.BigEndian)},
	}, nil
}

// DialReference connects to where a reference points and gives its object.
func DialReference(ctx context.Context, to IOR, options ClientOptions) (*Conn, *Object, error) {
	at, err := to.Address()
	if err != nil {
		return nil, nil, err
	}
	c, err := Dial(ctx, at.HostPort(), options)
	if err != nil {
		return nil, nil, err
	}
	return c, c.Object(string(at.Key)), nil
}

// Close ends the connection at once; calls that wait for replies fail.
func (c *Conn) Close() error { return c.socket.Close() }

// Object gives the object of that key on this connection's server. Nothing is
// sent: whether the object exists shows in the first call.
func (c *Conn) Object(key string) *Object {
	return &Object{conn: c, key: []byte(key)}
}

// Resolve gives the object that a reference points to. A reference to another
// server than this connection's is an error, a [Forward]: [DialReference]
// leads there.
func (c *Conn) Resolve(to IOR) (*Object, error) {
	at, err := to.Address()
	if err != nil {
		return nil, err
	}
	if !c.leadsTo(at) {
		return nil, &Forward{To: to}
	}
	return c.Object(string(at.Key)), nil
}

// leadsTo reports whether this connection's server is the one at a, by the
// name that was dialled or the address that it led to.
func (c *Conn) leadsTo(a Address) bool {
	if a.HostPort() == c.address {
		return true
	}
	remote, ok := c.socket.RemoteAddr().(*net.TCPAddr)
	if !ok || remote.Port != int(a.Port) {
		return false
	}
	dialled, _, _ := net.SplitHostPort(c.address)
	return a.Host == dialled || remote.IP.Equal(net.ParseIP(a.Host))
}

// acquire waits for this caller's turn.
func (c *Conn) acquire(ctx context.Context) error {
	select {
	case c.turn <- struct{}{}:
	default:
		select {
		case c.turn <- struct{}{}:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	if c.broken != nil {
		<-c.turn
		return c.broken
	}
	return nil
}

func (c *Conn) release() { <-c.turn }

// watch bounds what follows on the socket by ctx and by the connection's
// time-out, until the function that it returns is called.
func (c *Conn) watch(ctx context.Context) (unwatch func()) {
	c.socket.SetDeadline(time.Now().Add(c.options.Timeout))
	if ctx.Done() == nil {
		return func() {}
	}
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		c.socket.SetDeadline(longAgo)
		close(interrupted)
	})
	return func() {
		if !stop() {
			<-interrupted // lest it falls into the next call
		}
	}
}

// write sends what out holds. A write that fails may have sent a part, so the
// connection is of no use after it.
func (c *Conn) write() error {
	_, err := c.socket.Write(c.out.buf)
	if err != nil {
		return c.fail(err)
	}
	return nil
}

// read waits for the next message. An error in the middle of a message, or
// of its content, makes the connection useless; an interrupted wait for a
// message does not, and is a time-out.
func (c *Conn) read() (messageType, *Decoder, error) {
	h, err := peekHeader(c.reader, c.options.MaxMessage)
	if ne, ok := errors.AsType[net.Error](err); ok && ne.Timeout() {
		return 0, nil, err
	}
	if errors.Is(err, ErrMalformed) || errors.Is(err, ErrTooLarge) {
		return 0, nil, c.reject(err)
	}
	if err != nil {
		return 0, nil, c.fail(err)
	}
	d, err := readMessage(c.reader, h, c.in)
	if err != nil {
		return 0, nil, c.fail(err)
	}
	c.in = d.buf
	return h.kind, d, nil
}

// fail closes the connection for good and gives the error that says why.
func (c *Conn) fail(err error) error {
	c.broken = fmt.Errorf("connection to %s: %w", c.address, err)
	c.socket.Close()
	return c.broken
}

// reject tells the server that its message could not be read, and fails.
func (c *Conn) reject(err error) error {
	c.socket.Write(bare(msgMessageError))
	return c.fail(err)
}

// reason puts in the place of a time-out on the socket what it stands for:
// the end of ctx, or the connection's own time-out.
func (c *Conn) reason(ctx context.Context, err error) error {
	if ne, ok := errors.AsType[net.Error](err); !ok || !ne.Timeout() {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("nothing moved within %v: %w", c.options.Timeout, err)
}
