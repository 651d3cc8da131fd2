package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"

	"fieldbook-experiments/iiop"
)

// factoryKey is the key under which a client finds the factory.
const factoryKey = "SessionFactory"

func serveVerb(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	listen := flags.String("listen", "127.0.0.1:0", "`host:port` to serve on")
	dispatcher := flags.String("dispatcher", "concurrent", "serial, one-thread or concurrent")
	if err := parse(flags, args); err != nil {
		return err
	}
	d, err := iiop.ParseDispatcher(*dispatcher)
	if err != nil {
		return err
	}
	s, err := newServer(*listen, d)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	return s.Serve(ctx)
}

// A server has the databases, which never change, and the factory of
// sessions.
type server struct {
	*iiop.Server
	sessions atomic.Uint32
	read     atomic.Uint64 // documents
}

func newServer(listen string, d iiop.Dispatcher) (*server, error) {
	opened, err := iiop.Listen(listen, iiop.ServerOptions{Dispatcher: d})
	if err != nil {
		return nil, err
	}
	s := &server{Server: opened}
	_, err = s.Activate(factoryKey, iiop.Servant{Type: "IDL:SessionFactory:1.0", Operations: map[string]iiop.Operation{
		"createSession": s.createSession,
		"counters":      s.counters,
	}})
	return s, err
}

func (s *server) createSession(_ *iiop.Decoder, out *iiop.Encoder) error {
	key := fmt.Sprintf("Session-%d", s.sessions.Add(1))
	open := &session{server: s}
	ref, err := s.Activate(key, iiop.Servant{Type: "IDL:Session:1.0", Operations: map[string]iiop.Operation{
		"getNextDocument": open.getNextDocument,
	}})
	out.Reference(ref)
	return err
}

func (s *server) counters(_ *iiop.Decoder, out *iiop.Encoder) error {
	out.ULong(s.sessions.Load())
	out.ULongLong(s.read.Load())
	return nil
}

// A session remembers which document of each database comes next.
type session struct {
	server *server
	mu     sync.Mutex
	next   [databases]int
}

func (s *session) getNextDocument(in *iiop.Decoder, out *iiop.Encoder) error {
	db := in.ULong()
	if in.Err() != nil {
		return in.Err()
	}
	if db >= databases {
		return &iiop.SystemException{Name: "BAD_PARAM", Completed: iiop.CompletedNo}
	}
	number := s.advance(db)
	s.server.read.Add(1)
	out.ULong(db)
	out.ULong(uint32(number))
	out.Octets(library[db][number])
	return nil
}

// advance gives the number of the next document and moves the cursor on.
func (s *session) advance(db uint32) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	number := s.next[db]
	s.next[db] = (number + 1) % documents
	return number
}
