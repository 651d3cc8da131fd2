package main

import (
	"context"
	"sync"
	"time"
)

// A report is what a client prints. Times are in milliseconds.
type report struct {
	Elapsed float64 `json:"elapsed_ms"` // from the start of the workers to the end of the last
	Connect float64 `json:"connect_ms"` // opening the sessions, before that
	Call    float64 `json:"call_ms"`    // mean time of a call, as the worker sees it
	Calls   int     `json:"calls"`
	Errors  int     `json:"errors"` // calls that failed or gave the wrong document
}

// A setup is one treatment of the study.
type setup struct {
	server        string // host:port
	communication string
	sessions      int
	workers       int
	calls         int // of all workers together
}

// measure opens the sessions, lets the workers make their calls, and gives the
// times.
func (s *setup) measure(ctx context.Context) (report, error) {
	begin := time.Now()
	sessions, err := s.connect(ctx)
	defer hangUp(sessions)
	if err != nil {
		return report{}, err
	}
	r := report{Connect: milliseconds(time.Since(begin)), Calls: s.calls}

	access, end := s.access(ctx)
	workers := s.hire(sessions)
	r.Elapsed = milliseconds(work(workers, access))
	end()

	var spent time.Duration
	for _, w := range workers {
		r.Errors += w.errors
		spent += w.spent
	}
	r.Call = milliseconds(spent) / float64(s.calls)
	return r, nil
}

func milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }

// connect opens the sessions. Those that were opened are given with an error,
// too.
func (s *setup) connect(ctx context.Context) (sessions []session, err error) {
	for range s.sessions {
		one, err := openSession(ctx, s.server)
		if err != nil {
			return sessions, err
		}
		sessions = append(sessions, one)
	}
	return sessions, nil
}

func hangUp(sessions []session) {
	for _, s := range sessions {
		s.Close()
	}
}

// An access is how a job gets done; it returns when it is.
type access func(*job) error

// access gives the way of communication, and what ends it.
func (s *setup) access(ctx context.Context) (a access, end func()) {
	if s.communication == "threaded" {
		return func(j *job) error { return j.call(ctx) }, func() {}
	}
	q := startQueue(ctx, s.communication == "batched")
	return q.do, q.end
}

// A worker makes its calls one after the other.
type worker struct {
	job   job
	calls int

	errors int
	spent  time.Duration // in its calls
}

// hire makes the workers. They take turns over sessions and over databases, so
// that with two sessions each has a database of its own.
func (s *setup) hire(sessions []session) []*worker {
	workers := make([]*worker, s.workers)
	for i := range workers {
		workers[i] = &worker{
			job:   job{session: sessions[i%len(sessions)], database: i % databases, done: make(chan struct{}, 1)},
			calls: s.calls / s.workers,
		}
		if i < s.calls%s.workers {
			workers[i].calls++
		}
	}
	return workers
}

// work lets the workers go all at once, and gives the time until the last has
// ended.
func work(workers []*worker, a access) time.Duration {
	var all sync.WaitGroup
	released := make(chan struct{})
	for _, w := range workers {
		all.Go(func() {
			<-released
			w.run(a)
		})
	}
	start := time.Now()
	close(released)
	all.Wait()
	return time.Since(start)
}

func (w *worker) run(a access) {
	for range w.calls {
		start := time.Now()
		if a(&w.job) != nil {
			w.errors++
		}
		w.spent += time.Since(start)
	}
}
