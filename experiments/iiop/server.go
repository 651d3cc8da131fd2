package iiop

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// DefaultMaxRequests is how many requests of one connection execute at once
// where options name no other number.
const DefaultMaxRequests = 256

// DefaultGrace is how long a server that ends waits for the requests that
// execute, where options name no other time.
const DefaultGrace = 5 * time.Second

// ServerOptions are a server's dispatcher and limits; the zero value has the
// defaults.
type ServerOptions struct {
	Dispatcher Dispatcher
	// Host is the host that references name. Empty is the host that the
	// server listens on, which must then be a particular one.
	Host string
	// MaxMessage is the longest message, in bytes, that is accepted or sent.
	// 0 is DefaultMaxMessage; the least is 1 KiB, which holds an exception.
	MaxMessage int
	// MaxRequests is how many requests of one connection execute at once;
	// further ones stay unread in the socket. 0 is DefaultMaxRequests.
	MaxRequests int
	// IdleTimeout is how long a connection may be without a request. 0 is
	// for ever.
	IdleTimeout time.Duration
	// MessageTimeout bounds reading a message that has begun, and writing
	// one. 0 is DefaultTimeout.
	MessageTimeout time.Duration
	// Grace is how long the end of the server waits for requests that
	// execute. 0 is DefaultGrace.
	Grace time.Duration
	// BigEndian answers in big-endian order instead of little-endian.
	BigEndian bool
}

func (o *ServerOptions) setDefaults() {
	if o.MaxMessage == 0 {
		o.MaxMessage = DefaultMaxMessage
	}
	o.MaxMessage = max(o.MaxMessage, 1<<10)
	if o.MaxRequests <= 0 {
		o.MaxRequests = DefaultMaxRequests
	}
	if o.MessageTimeout == 0 {
		o.MessageTimeout = DefaultTimeout
	}
	if o.Grace == 0 {
		o.Grace = DefaultGrace
	}
}

// A Server answers requests for the objects of its [Adapter].
type Server struct {
	*Adapter
	options  ServerOptions
	listener net.Listener
	token    token

	connections sync.WaitGroup
	executing   atomic.Int64 // requests
}

// Listen opens the server's socket at address, a host and a port, where port
// 0 is any that is free. Objects can be activated from then on; requests are
// answered once [Server.Serve] runs.
func Listen(address string, options ServerOptions) (*Server, error) {
	options.setDefaults()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	at := listener.Addr().(*net.TCPAddr)
	host := options.Host
	if host == "" && at.IP.IsUnspecified() {
		listener.Close()
		return nil, fmt.Errorf("iiop: listening on all addresses (%s) needs the host that references shall name", at)
	}
	if host == "" {
		host = at.IP.String()
	}
	return &Server{
		Adapter:  &Adapter{host: host, port: uint16(at.Port), objects: map[string]entry{}},
		options:  options,
		listener: listener,
		token:    newToken(options.Dispatcher),
	}, nil
}

// Address is where the server listens, as host and port.
func (s *Server) Address() string { return s.listener.Addr().String() }

// Close gives the socket up. A server that serves is ended by its context.
func (s *Server) Close() error { return s.listener.Close() }

// Serve answers requests until ctx ends. Then it accepts and reads no more,
// lets the requests that execute come to their end and be answered, takes
// leave of each client with a CloseConnection, and returns nil. Requests that
// take longer than the grace lose their connections, and are an error.
// Serve returns earlier, with the error, where the socket fails.
func (s *Server) Serve(ctx context.Context) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	defer context.AfterFunc(ctx, func() { s.listener.Close() })()
	// Closing is told to connections first by ctx, then by aborted.
	aborted, abort := context.WithCancel(context.Background())
	defer abort()
	err := s.accept(ctx, aborted)
	end()
	return errors.Join(err, s.drain(abort))
}

// accept serves each connection in a goroutine of its own, until the socket
// is closed because ctx has ended.
func (s *Server) accept(ctx, aborted context.Context) error {
	for {
		socket, err := s.listener.Accept()
		if ctx.Err() != nil {
			if err == nil {
				socket.Close()
			}
			return nil
		}
		if err != nil {
			return err
		}
		s.connections.Go(func() { newServing(s, socket).run(ctx, aborted) })
	}
}

// drain waits for the connections to end, and after the grace cuts them off.
func (s *Server) drain(abort func()) error {
	ended := make(chan struct{})
	go func() {
		s.connections.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-time.After(s.options.Grace):
	}
	executing := s.executing.Load()
	abort()
	if executing > 0 {
		return fmt.Errorf("iiop: %d requests still execute after %v; their connections were closed", executing, s.options.Grace)
	}
	<-ended
	return nil
}
