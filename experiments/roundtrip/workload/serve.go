package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"fieldbook-experiments/iiop"
)

// factoryKey is the key under which a client finds the factory.
const factoryKey = "RTTFactory"

func serveVerb(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	listen := flags.String("listen", "127.0.0.1:0", "`host:port` to serve on")
	dispatcher := flags.String("dispatcher", "serial", "serial, one-thread or concurrent")
	body := flags.String("body", "empty", "what each call does: empty, or work of a `duration`")
	if err := parse(flags, args); err != nil {
		return err
	}
	d, err := iiop.ParseDispatcher(*dispatcher)
	if err != nil {
		return err
	}
	work, err := parseBody(*body)
	if err != nil {
		return err
	}
	s, err := newServer(*listen, d, work, func() {})
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	return s.Serve(ctx)
}

// parseBody reads how long each call works.
func parseBody(s string) (time.Duration, error) {
	if s == "empty" {
		return 0, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("body is %q, want empty or a duration such as 2ms", s)
	}
	return d, nil
}

// A server is the study's: objects, and the factory that makes them.
type server struct {
	*iiop.Server
	body    time.Duration
	creates func() // runs in each createRTT
	objects atomic.Uint32
	calls   atomic.Uint64
}

// newServer opens the server's socket and makes the factory and the shared
// object known.
func newServer(listen string, d iiop.Dispatcher, body time.Duration, creates func()) (*server, error) {
	opened, err := iiop.Listen(listen, iiop.ServerOptions{Dispatcher: d})
	if err != nil {
		return nil, err
	}
	if body > 0 {
		runtime.GOMAXPROCS(threads)
	}
	s := &server{Server: opened, body: body, creates: creates}
	shared, err := s.newRTT()
	if err != nil {
		opened.Close()
		return nil, err
	}
	_, err = s.Activate(factoryKey, iiop.Servant{Type: "IDL:RTTFactory:1.0", Operations: map[string]iiop.Operation{
		"sharedRTT": func(_ *iiop.Decoder, out *iiop.Encoder) error { out.Reference(shared); return nil },
		"createRTT": s.createRTT,
		"counters":  s.counters,
	}})
	return s, err
}

func (s *server) createRTT(_ *iiop.Decoder, out *iiop.Encoder) error {
	s.creates()
	ref, err := s.newRTT()
	out.Reference(ref)
	return err
}

func (s *server) counters(_ *iiop.Decoder, out *iiop.Encoder) error {
	out.ULong(s.objects.Load())
	out.ULongLong(s.calls.Load())
	return nil
}

// newRTT makes one more object known and gives its reference.
func (s *server) newRTT() (iiop.IOR, error) {
	key := fmt.Sprintf("RTT-%d", s.objects.Add(1))
	operations := map[string]iiop.Operation{}
	for name, m := range methods {
		operations[name] = func(in *iiop.Decoder, out *iiop.Encoder) error {
			s.calls.Add(1)
			occupy(s.body)
			m.echo(in, out)
			return nil
		}
	}
	return s.Activate(key, iiop.Servant{Type: "IDL:RTT:1.0", Operations: operations})
}

// threads is how many calls with a body can be worked on at once.
const threads = 64

// occupy keeps its thread busy for a time by the clock. It spins, since a
// sleep of 2 ms may last 3, and gives the processor away at every turn: like
// work that waits for something else, two at once take no longer than one,
// even on one CPU. The system's own threads take turns here and not
// goroutines, which would keep their fellow that reads requests from running.
func occupy(d time.Duration) {
	if d == 0 {
		return
	}
	for start := time.Now(); time.Since(start) < d; {
		yield()
	}
}
