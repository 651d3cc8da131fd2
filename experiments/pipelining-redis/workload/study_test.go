package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// serve starts a Redis of its own until the end of the test, filled, and gives
// its address.
func serve(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("redis-server is not installed")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(address)
	cmd := exec.Command("redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for range 200 {
		if err = run(t.Context(), []string{"fill", "--server", address}, nil); err == nil {
			return address
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal(err)
	return ""
}

func client(t *testing.T, args ...string) report {
	t.Helper()
	var stdout bytes.Buffer
	if err := run(t.Context(), append([]string{"client"}, args...), &stdout); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	var r report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatalf("%s: %v", stdout.Bytes(), err)
	}
	return r
}

// served is how many GETs and connections a server has seen.
func served(t *testing.T, address string) (gets, connections int) {
	t.Helper()
	c := redis.NewClient(&redis.Options{Addr: address})
	defer c.Close()
	for _, section := range []string{"commandstats", "stats"} {
		info, err := c.Info(t.Context(), section).Result()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(info) {
			fmt.Sscanf(line, "cmdstat_get:calls=%d", &gets)
			fmt.Sscanf(line, "total_connections_received:%d", &connections)
		}
	}
	return gets, connections
}

func TestEveryTreatmentReadsEveryDocumentOnceOverItsSessions(t *testing.T) {
	address := serve(t)
	for _, communication := range []string{"queue", "batched", "threaded"} {
		for _, sessions := range []int{1, 2} {
			for _, workers := range []int{1, 2, 32} {
				gets, connections := served(t, address)
				r := client(t, "--server", address, "--communication", communication,
					"--sessions", fmt.Sprint(sessions), "--workers", fmt.Sprint(workers), "--calls", "333")
				name := fmt.Sprintf("%s, %d sessions, %d workers", communication, sessions, workers)
				nowGets, nowConnections := served(t, address)
				if r.Errors != 0 || r.Calls != 333 || nowGets-gets != 333 {
					t.Errorf("%s: %d errors, %d calls reported, %d served, want 0, 333, 333", name, r.Errors, r.Calls, nowGets-gets)
				}
				if n := nowConnections - connections - 1; n != sessions { // one asked for these numbers
					t.Errorf("%s: %d connections were made", name, n)
				}
				if r.Elapsed <= 0 || r.Connect <= 0 || r.Call <= 0 || r.Call > r.Elapsed {
					t.Errorf("%s: %+v, want positive times, and a call within the whole", name, r)
				}
			}
		}
	}
}

func TestWrongAndMissingDocumentsAreErrors(t *testing.T) {
	address := serve(t)
	c := redis.NewClient(&redis.Options{Addr: address})
	defer c.Close()
	if err := c.Set(t.Context(), key(0, 3), "something else", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if err := c.Del(t.Context(), key(1, 4)).Err(); err != nil {
		t.Fatal(err)
	}
	for _, communication := range []string{"queue", "batched", "threaded"} {
		r := client(t, "--server", address, "--communication", communication, "--sessions", "2", "--workers", "2", "--calls", "200")
		if r.Errors != 4 { // each worker reads its database twice
			t.Errorf("%s: %d errors, want 4", communication, r.Errors)
		}
	}
}

func TestRefusesWhatNoTreatmentCanMean(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "no verb"},
		{"serve", `verb is "serve"`},
		{"fill", "no --server"},
		{"client --communication queue", "no --server"},
		{"client --server 127.0.0.1:1 --communication pipelined", `communication is "pipelined", want queue, batched or threaded`},
		{"client --server 127.0.0.1:1 --workers 0", "want at least 1 each"},
		{"client --server 127.0.0.1:1 queue", `found "queue"`},
	} {
		err := run(context.Background(), strings.Fields(c.args), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.args, err, c.want)
		}
	}
}
