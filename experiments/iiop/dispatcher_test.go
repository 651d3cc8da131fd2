package iiop

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A meter counts how many of its operations execute at once.
type meter struct {
	inside, most atomic.Int32
	met          chan struct{} // closed when two are inside
	once         sync.Once
}

// activate makes the meter's operations known: work takes a millisecond, meet
// lasts until two are inside, or two seconds.
func (m *meter) activate(t *testing.T, s *Server) {
	m.met = make(chan struct{})
	_, err := s.Activate("meter", Servant{Type: "IDL:Meter:1.0", Operations: map[string]Operation{
		"work": m.during(func() { time.Sleep(time.Millisecond) }),
		"meet": m.during(func() {
			select {
			case <-m.met:
			case <-time.After(2 * time.Second):
			}
		}),
	}})
	if err != nil {
		t.Fatal(err)
	}
}

func (m *meter) during(work func()) Operation {
	return func(_ *Decoder, _ *Encoder) error {
		n := m.inside.Add(1)
		defer m.inside.Add(-1)
		for most := m.most.Load(); n > most && !m.most.CompareAndSwap(most, n); most = m.most.Load() {
		}
		if n == 2 {
			m.once.Do(func() { close(m.met) })
		}
		work()
		return nil
	}
}

// atOnce makes n clients call an operation, each on its own connection, times
// times.
func atOnce(t *testing.T, address, key, operation string, n, times int) {
	t.Helper()
	var clients sync.WaitGroup
	for range n {
		conn := dial(t, address)
		clients.Go(func() {
			for range times {
				if err := conn.Object(key).Call(context.Background(), operation, nil, nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	clients.Wait()
}

func dial(t testing.TB, address string) *Conn {
	t.Helper()
	conn, err := Dial(context.Background(), address, ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func TestThreadsExecuteTogetherExceptUnderOneThread(t *testing.T) {
	for _, dispatcher := range []Dispatcher{Serial, Concurrent} {
		server, _ := serve(t, ServerOptions{Dispatcher: dispatcher})
		var m meter
		m.activate(t, server)
		atOnce(t, server.Address(), "meter", "meet", 2, 1)
		if m.most.Load() != 2 {
			t.Errorf("%v: at most %d requests executed at once, want 2", dispatcher, m.most.Load())
		}
	}
}

func TestOneThreadExecutesOneRequestAtATime(t *testing.T) {
	server, _ := serve(t, ServerOptions{Dispatcher: OneThread})
	var m meter
	m.activate(t, server)
	atOnce(t, server.Address(), "meter", "work", 4, 25)
	if m.most.Load() != 1 {
		t.Errorf("%d requests executed at once, want 1", m.most.Load())
	}
}

func TestRequestsOfOneConnectionExecuteTogetherInABatch(t *testing.T) {
	for _, dispatcher := range []Dispatcher{Serial, Concurrent} {
		server, _ := serve(t, ServerOptions{Dispatcher: dispatcher})
		var m meter
		m.activate(t, server)
		conn := dial(t, server.Address())
		b := conn.Batch()
		for range 2 {
			b.Add(conn.Object("meter"), "meet", nil, nil)
		}
		if err := b.Do(t.Context()); err != nil {
			t.Fatal(err)
		}
		if m.most.Load() != 2 {
			t.Errorf("%v: at most %d requests of the batch executed at once, want 2", dispatcher, m.most.Load())
		}
	}
}

func TestNoMoreRequestsOfAConnectionThanAllowedExecuteAtOnce(t *testing.T) {
	server, _ := serve(t, ServerOptions{MaxRequests: 3})
	var m meter
	m.activate(t, server)
	conn := dial(t, server.Address())
	b := conn.Batch()
	for range 30 {
		b.Add(conn.Object("meter"), "work", nil, nil)
	}
	if err := b.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	if most := m.most.Load(); most > 3 {
		t.Errorf("%d requests executed at once, want at most 3", most)
	}
}

// TestOneRequestIsReadAtATime sends half a request on one connection and
// looks whether another connection is served meanwhile.
func TestOneRequestIsReadAtATime(t *testing.T) {
	for _, tt := range []struct {
		dispatcher Dispatcher
		waits      bool
	}{{Serial, true}, {OneThread, true}, {Concurrent, false}} {
		server, _ := serve(t, ServerOptions{Dispatcher: tt.dispatcher})
		slow, err := net.Dial("tcp", server.Address())
		if err != nil {
			t.Fatal(err)
		}
		defer slow.Close()
		request := rawRequest(1, "shared", "notes")
		slow.Write(request[:20])
		time.Sleep(50 * time.Millisecond) // until the server waits for the rest

		answered := make(chan error, 1)
		other := dial(t, server.Address())
		go func() { answered <- other.Object("shared").Call(context.Background(), "notes", nil, nil) }()
		if tt.waits {
			select {
			case err := <-answered:
				t.Errorf("%v: answered (error %v) while another request was being read", tt.dispatcher, err)
				continue
			case <-time.After(200 * time.Millisecond):
			}
			slow.Write(request[20:])
		}
		if err := within(answered, 10*time.Second); err != nil {
			t.Errorf("%v: %v", tt.dispatcher, err)
		}
	}
}

// within waits for an outcome, and not for ever.
func within(outcome <-chan error, d time.Duration) error {
	select {
	case err := <-outcome:
		return err
	case <-time.After(d):
		return errors.New("nothing came within " + d.String())
	}
}

func TestConnectionWithoutARequestKeepsNobodyWaiting(t *testing.T) {
	for _, dispatcher := range allDispatchers {
		server, _ := serve(t, ServerOptions{Dispatcher: dispatcher})
		dial(t, server.Address())
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		if err := dial(t, server.Address()).Object("shared").Call(ctx, "notes", nil, nil); err != nil {
			t.Errorf("%v: %v", dispatcher, err)
		}
		cancel()
	}
}

func TestDispatcherNames(t *testing.T) {
	for _, d := range allDispatchers {
		if got, err := ParseDispatcher(d.String()); got != d || err != nil {
			t.Errorf("ParseDispatcher(%q) = %v, %v, want %v", d.String(), got, err, d)
		}
	}
	if _, err := ParseDispatcher("parallel"); err == nil {
		t.Error("ParseDispatcher(parallel) has no error")
	}
}

// rawRequest gives the bytes of a request without arguments.
func rawRequest(id uint32, key, operation string) []byte {
	e := newEncoder(orderOf(true))
	e.request(id, true, []byte(key), operation)
	e.end(DefaultMaxMessage)
	return e.buf
}
