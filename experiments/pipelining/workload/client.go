package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// A report is what a client prints. Times are in milliseconds.
type report struct {
	Elapsed float64 `json:"elapsed_ms"` // from the start of the workers to the end of the last
	Connect float64 `json:"connect_ms"` // connecting and opening the sessions, before that
	Call    float64 `json:"call_ms"`    // mean time of a call, as the worker sees it; time between calls is not in it
	Calls   int     `json:"calls"`
	Errors  int     `json:"errors"` // calls that failed or gave the wrong document
}

// A setup is one treatment of the study.
type setup struct {
	servers       []string // host:port
	communication string
	sessions      int // on each server
	workers       int
	calls         int           // of all workers together
	think         time.Duration // mean time of a worker between two calls
	queueEach     bool          // one queue for each server instead of one for all
}

func clientVerb(ctx context.Context, args []string, stdout io.Writer) error {
	s, err := parseSetup(args)
	if err != nil {
		return err
	}
	r, err := s.measure(ctx)
	if err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(r)
}

func parseSetup(args []string) (setup, error) {
	var s setup
	flags := flag.NewFlagSet("client", flag.ContinueOnError)
	flags.Func("server", "`host:port` of a server; may be repeated, workers then take turns", func(address string) error {
		s.servers = append(s.servers, address)
		return nil
	})
	flags.StringVar(&s.communication, "communication", "queue", "queue, batched, threaded or sequential")
	flags.IntVar(&s.sessions, "sessions", 1, "`sessions` on each server, over which its workers are spread")
	flags.IntVar(&s.workers, "workers", 2, "how many `workers` read documents")
	flags.IntVar(&s.calls, "calls", 4000, "how many `calls` all workers make together")
	arrival := flags.String("arrival", "exact", "exact: call after call; jittered: with a time at random between calls")
	flags.DurationVar(&s.think, "think", 2*time.Millisecond, "mean `time` between two calls of a worker, where arrival is jittered")
	queues := flags.String("queues", "one", "one queue for all servers, or each its own: one, each")
	if err := parse(flags, args); err != nil {
		return setup{}, err
	}
	if *arrival == "exact" {
		s.think = 0
	}
	s.queueEach = *queues == "each"
	return s, s.check(*arrival, *queues)
}

// check refuses what no treatment can mean.
func (s *setup) check(arrival, queues string) error {
	if len(s.servers) == 0 {
		return errors.New("no --server")
	}
	for _, c := range []struct{ flag, value, allowed string }{
		{"communication", s.communication, "queue batched threaded sequential"},
		{"arrival", arrival, "exact jittered"},
		{"queues", queues, "one each"},
	} {
		if allowed := strings.Fields(c.allowed); !slices.Contains(allowed, c.value) {
			return fmt.Errorf("%s is %q, want one of %s", c.flag, c.value, strings.Join(allowed, ", "))
		}
	}
	if s.sessions < 1 || s.workers < 1 || s.calls < 1 || s.think < 0 {
		return fmt.Errorf("sessions, workers and calls are %d, %d and %d, want at least 1 each; think is %v, want at least 0",
			s.sessions, s.workers, s.calls, s.think)
	}
	return nil
}
