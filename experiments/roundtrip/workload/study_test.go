package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fieldbook-experiments/iiop"
)

// serve runs a server in this process until the end of the test.
func serve(t *testing.T, d iiop.Dispatcher, body time.Duration, creates func()) *server {
	t.Helper()
	s, err := newServer("127.0.0.1:0", d, body, creates)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	t.Cleanup(func() {
		end()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestClientsTogetherMakeTheCallsThatTheServerCounts(t *testing.T) {
	for _, dispatcher := range []iiop.Dispatcher{iiop.Serial, iiop.OneThread, iiop.Concurrent} {
		s := serve(t, dispatcher, 0, func() {})
		for _, tt := range []struct {
			object  string
			objects uint32 // on the server afterwards, from 1 on
		}{{"shared", 1}, {"per-client", 5}} {
			before := s.calls.Load()
			reports := released(t, 4, "--server", s.Address(), "--object", tt.object, "--calls", "250")
			if n := s.calls.Load() - before; n != 1000 {
				t.Errorf("%v, %s: the server counts %d calls, want 1000", dispatcher, tt.object, n)
			}
			if n := s.objects.Load(); n != tt.objects {
				t.Errorf("%v, %s: the server counts %d objects, want %d", dispatcher, tt.object, n, tt.objects)
			}
			checkBounds(t, reports)
		}
	}
}

// checkBounds holds that accumulated <= clients x completion, and that each
// client's time is the one from its start to its finish. (That completion <=
// accumulated needs clients whose times overlap, which nobody promises here.)
func checkBounds(t *testing.T, reports []report) {
	t.Helper()
	start, finish := reports[0].Start, reports[0].Finish
	accumulated := 0.0
	for _, r := range reports {
		start, finish = min(start, r.Start), max(finish, r.Finish)
		accumulated += r.RTT
		if r.Calls != 250 || r.Start <= 0 || r.RTT != float64(r.Finish-r.Start)/1e6 {
			t.Errorf("report %+v, want 250 calls and the time from start to finish", r)
		}
	}
	completion := float64(finish-start) / 1e6
	if limit := float64(len(reports)) * completion * 1.0001; accumulated > limit {
		t.Errorf("accumulated %v ms is more than %v ms, clients times completion", accumulated, limit)
	}
}

func TestOneClientsCompletionIsItsAccumulatedTime(t *testing.T) {
	s := serve(t, iiop.Serial, 0, func() {})
	r := released(t, 1, "--server", s.Address(), "--calls", "10")[0]
	if span := float64(r.Finish-r.Start) / 1e6; span != r.RTT {
		t.Errorf("completion %v ms, accumulated %v ms, want the same", span, r.RTT)
	}
}

func TestCreatingTheObjectIsNotTimed(t *testing.T) {
	const creation = time.Second
	s := serve(t, iiop.Serial, 0, func() { time.Sleep(creation) })
	r := inProcess(t, "--server", s.Address(), "--object", "per-client", "--calls", "20")
	if r.RTT >= creation.Seconds()*1e3 {
		t.Errorf("20 calls took %v ms: the creation, %v, is in it", r.RTT, creation)
	}
}

func TestWaitingForTheOthersIsNotTimed(t *testing.T) {
	s := serve(t, iiop.Serial, 0, func() {})
	c := startClient(t, "--server", s.Address(), "--calls", "1")
	c.line(t)
	time.Sleep(300 * time.Millisecond)
	before := now()
	io.WriteString(c.stdin, "go\n")
	var r report
	if err := json.Unmarshal([]byte(c.line(t)), &r); err != nil {
		t.Fatal(err)
	}
	c.cmd.Wait()
	if r.Start < before {
		t.Errorf("the client's time began %d ns before it was released", before-r.Start)
	}
}

func TestEveryMethodGoesRound(t *testing.T) {
	s := serve(t, iiop.Serial, 0, func() {})
	for name := range methods {
		before := s.calls.Load()
		inProcess(t, "--server", s.Address(), "--calls", "50", "--method", name)
		for end := time.Now().Add(5 * time.Second); s.calls.Load()-before < 50 && time.Now().Before(end); {
			time.Sleep(time.Millisecond) // one-way calls may still be on their way
		}
		if n := s.calls.Load() - before; n != 50 {
			t.Errorf("%s: the server counts %d calls, want 50", name, n)
		}
	}
}

// TestThreadsOverlapTheBodiesOfCalls compares what four clients need with
// what the bodies of all their calls take one after the other.
func TestThreadsOverlapTheBodiesOfCalls(t *testing.T) {
	const clients, calls, body = 4, 5, 40 * time.Millisecond
	const serially = clients * calls * body
	for _, tt := range []struct {
		dispatcher iiop.Dispatcher
		overlaps   bool
	}{{iiop.Serial, true}, {iiop.Concurrent, true}, {iiop.OneThread, false}} {
		s := serve(t, tt.dispatcher, body, func() {})
		start := time.Now()
		var all sync.WaitGroup
		for range clients {
			all.Go(func() { inProcess(t, "--server", s.Address(), "--calls", fmt.Sprint(calls)) })
		}
		all.Wait()
		if took := time.Since(start); (took < serially*3/4) != tt.overlaps {
			t.Errorf("%v: %v for bodies of %v in all, want an overlap: %v", tt.dispatcher, took, serially, tt.overlaps)
		}
	}
}

func TestServerEndsWhenItIsToldTo(t *testing.T) {
	free, err := iiop.Listen("127.0.0.1:0", iiop.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	address := free.Address()
	free.Close()
	cmd := program("serve", "--listen", address, "--dispatcher", "serial", "--body", "1ms")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	counters := func() error {
		stdout.Reset()
		return run(t.Context(), []string{"counters", "--server", address}, nil, &stdout)
	}
	for end := time.Now().Add(10 * time.Second); counters() != nil && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	if got := stdout.String(); got != "{\"objects\":1,\"calls\":0}\n" {
		t.Errorf("counters prints %q, want one object and no call", got)
	}
	cmd.Process.Signal(os.Interrupt)
	if err := cmd.Wait(); err != nil {
		t.Errorf("server after an interrupt: %v", err)
	}
}

func TestWhatIsRefused(t *testing.T) {
	s := serve(t, iiop.Serial, 0, func() {})
	for _, args := range [][]string{
		{}, {"bench"},
		{"serve", "--dispatcher", "parallel"}, {"serve", "--body", "2"}, {"serve", "--body", "-1s"}, {"serve", "now"},
		{"serve", "--listen", s.Address()},
		{"client", "--server", s.Address(), "--object", "own"},
		{"client", "--server", s.Address(), "--method", "sync_XX"},
		{"client", "--server", s.Address(), "--calls", "-1"},
		{"client", "--server", "127.0.0.1:1"},
		{"counters", "--server", "127.0.0.1:1"},
	} {
		if err := run(t.Context(), args, strings.NewReader("go\n"), io.Discard); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
	for _, stdin := range []string{"", "stop\n"} {
		err := run(t.Context(), []string{"client", "--server", s.Address()}, strings.NewReader(stdin), io.Discard)
		if err == nil {
			t.Errorf("client that reads %q has no error", stdin)
		}
	}
}

func TestIDLNamesTheMethods(t *testing.T) {
	idl, err := os.ReadFile("rtt.idl")
	if err != nil {
		t.Fatal(err)
	}
	for name := range methods {
		if !slices.ContainsFunc(strings.Split(string(idl), "\n"), func(line string) bool { return strings.Contains(line, " "+name+"(") }) {
			t.Errorf("rtt.idl does not have %s", name)
		}
	}
}
