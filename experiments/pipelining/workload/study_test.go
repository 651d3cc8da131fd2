package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"fieldbook-experiments/iiop"
)

// asProgram makes a copy of the test binary be the program itself.
const asProgram = "PIPELINING_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// serve runs a server in this process until the end of the test.
func serve(t *testing.T) *server {
	t.Helper()
	s, err := newServer("127.0.0.1:0", iiop.Concurrent)
	if err != nil {
		t.Fatal(err)
	}
	serveUntilTheEnd(t, s.Server)
	return s
}

func serveUntilTheEnd(t *testing.T, s *iiop.Server) {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	t.Cleanup(func() {
		end()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}

// client runs a client in this process and gives its report.
func client(t *testing.T, args ...string) report {
	t.Helper()
	var stdout bytes.Buffer
	if err := run(t.Context(), append([]string{"client"}, args...), &stdout); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return readReport(t, stdout.Bytes())
}

func readReport(t *testing.T, b []byte) report {
	t.Helper()
	var r report
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return r
}

func TestEveryTreatmentReadsEveryDocumentOnce(t *testing.T) {
	s := serve(t)
	for _, communication := range []string{"queue", "batched", "threaded", "sequential"} {
		for _, sessions := range []uint32{1, 2} {
			for _, workers := range []int{1, 2, 8, 32} {
				opened, read := s.sessions.Load(), s.read.Load()
				r := client(t, "--server", s.Address(), "--communication", communication, "--sessions",
					fmt.Sprint(sessions), "--workers", fmt.Sprint(workers), "--calls", "333")
				name := fmt.Sprintf("%s, %d sessions, %d workers", communication, sessions, workers)
				if r.Errors != 0 || r.Calls != 333 || s.read.Load()-read != 333 {
					t.Errorf("%s: %d errors, %d calls reported, %d served, want 0, 333, 333", name, r.Errors, r.Calls, s.read.Load()-read)
				}
				if n := s.sessions.Load() - opened; n != sessions {
					t.Errorf("%s: %d sessions were opened", name, n)
				}
				if r.Elapsed <= 0 || r.Connect <= 0 || r.Call <= 0 || r.Call > r.Elapsed {
					t.Errorf("%s: %+v, want positive times, and a call within the whole", name, r)
				}
			}
		}
	}
}

func TestSessionReadsItsDatabasesInOrderAndAnew(t *testing.T) {
	s := serve(t)
	l, err := openLink(t.Context(), s.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer l.conn.Close()
	for i := range uint32(2*documents + 1) {
		for db := range uint32(databases) {
			var number uint32
			var body []byte
			err := l.session.Call(t.Context(), operation, func(e *iiop.Encoder) { e.ULong(db) }, func(d *iiop.Decoder) {
				d.ULong()
				number, body = d.ULong(), d.Octets()
			})
			if err != nil || number != i%documents || len(body) != documentSize || !isDocument(db, number, body) {
				t.Fatalf("reading %d of database %d gives document %d of %d bytes, error %v", i, db, number, len(body), err)
			}
		}
	}
	err = l.session.Call(t.Context(), operation, func(e *iiop.Encoder) { e.ULong(databases) }, nil)
	if err == nil || !strings.Contains(err.Error(), "BAD_PARAM") {
		t.Errorf("database %d: error %v, want BAD_PARAM", databases, err)
	}
}

func TestWrongDocumentsAreCountedAsErrors(t *testing.T) {
	s := fake(t, func(db uint32, out *iiop.Encoder) {
		out.ULong(db)
		out.ULong(7)
		out.Octets(library[db][8])
	})
	for _, communication := range []string{"queue", "batched", "threaded"} {
		r := client(t, "--server", s.Address(), "--communication", communication, "--calls", "10")
		if r.Errors != 10 {
			t.Errorf("%s: %d errors of 10 wrong documents", communication, r.Errors)
		}
	}
}

func TestServerThatGoesAwayGivesErrorsAndNoHang(t *testing.T) {
	for _, communication := range []string{"queue", "batched", "threaded"} {
		s, err := newServer("127.0.0.1:0", iiop.Concurrent)
		if err != nil {
			t.Fatal(err)
		}
		ctx, end := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- s.Serve(ctx) }()
		go func() {
			for s.read.Load() < 100 {
				time.Sleep(time.Millisecond)
			}
			end()
		}()
		r := client(t, "--server", s.Address(), "--communication", communication, "--sessions", "2", "--workers", "8", "--calls", "100000")
		<-served
		if r.Errors == 0 || r.Errors > 100000-100 {
			t.Errorf("%s: %d errors of 100000 calls, want some and not all", communication, r.Errors)
		}
	}
}

func TestJitteredWorkersPauseOutsideOfTheirCalls(t *testing.T) {
	s := serve(t)
	r := client(t, "--server", s.Address(), "--workers", "2", "--calls", "40", "--arrival", "jittered", "--think", "10ms")
	if r.Elapsed < 50 {
		t.Errorf("40 calls of 2 workers with 10 ms between took %v ms, want more than 50", r.Elapsed)
	}
	if r.Call > r.Elapsed/20 {
		t.Errorf("a call took %v of %v ms: the pauses are in it", r.Call, r.Elapsed)
	}
}

func TestWorkersTakeTurnsOverServersSessionsAndDatabases(t *testing.T) {
	a, b := serve(t), serve(t)
	for _, queues := range []string{"one", "each"} {
		r := client(t, "--server", a.Address(), "--server", b.Address(), "--sessions", "2", "--workers", "8", "--calls", "400", "--queues", queues)
		if r.Errors != 0 {
			t.Errorf("%s: %d errors", queues, r.Errors)
		}
	}
	if a.read.Load() != 400 || b.read.Load() != 400 || a.sessions.Load() != 4 || b.sessions.Load() != 4 {
		t.Errorf("%d and %d documents over %d and %d sessions, want 400 and 4 each",
			a.read.Load(), b.read.Load(), a.sessions.Load(), b.sessions.Load())
	}
	s := setup{sessions: 2, workers: 8, calls: 100, servers: []string{"a", "b"}}
	links := [][]*link{{{}, {}}, {{}, {}}}
	calls := 0
	for _, w := range s.hire(links, make([]access, 2)) {
		calls += w.calls
		for server := range links {
			for session, l := range links[server] {
				if w.job.link == l && w.job.database != uint32(session) {
					t.Errorf("session %d of server %d reads database %d as well", session, server, w.job.database)
				}
			}
		}
	}
	if calls != 100 {
		t.Errorf("the workers make %d calls in all, want 100", calls)
	}
}

func TestServerAndClientAsProcesses(t *testing.T) {
	free, err := iiop.Listen("127.0.0.1:0", iiop.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	address := free.Address()
	free.Close()
	server := program("serve", "--listen", address)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	var out []byte
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if out, err = program("client", "--server="+address, "--workers=8", "--communication=batched").Output(); err == nil {
			break
		}
	}
	if r := readReport(t, out); r.Calls != 4000 || r.Errors != 0 {
		t.Errorf("report %+v, want 4000 calls without error", r)
	}
	server.Process.Signal(os.Interrupt)
	if err := server.Wait(); err != nil {
		t.Errorf("server after an interrupt: %v", err)
	}
}

// program gives a command that runs this program in a process of its own.
func program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

func TestWhatIsRefused(t *testing.T) {
	s := serve(t)
	at := "--server=" + s.Address()
	for _, args := range [][]string{
		{}, {"bench"}, {"serve", "--dispatcher", "parallel"}, {"serve", "now"}, {"serve", "--listen", s.Address()},
		{"client"}, {"client", "--server", "127.0.0.1:1"},
		{"client", at, "--communication", "pipelined"}, {"client", at, "--arrival", "late"}, {"client", at, "--queues", "two"},
		{"client", at, "--sessions", "0"}, {"client", at, "--workers", "0"}, {"client", at, "--calls", "0"},
		{"client", at, "--arrival", "jittered", "--think", "-1ms"},
	} {
		if err := run(t.Context(), args, io.Discard); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
