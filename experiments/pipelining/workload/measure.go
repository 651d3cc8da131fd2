package main

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

// measure opens the sessions, lets the workers make their calls, and gives
// the times.
func (s *setup) measure(ctx context.Context) (report, error) {
	begin := time.Now()
	links, err := s.connect(ctx)
	defer hangUp(links)
	if err != nil {
		return report{}, err
	}
	r := report{Connect: milliseconds(time.Since(begin)), Calls: s.calls}

	accesses, end := s.accesses()
	workers := s.hire(links, accesses)
	r.Elapsed = milliseconds(s.work(workers))
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

// connect opens the sessions of each server in turn. Those that were opened
// are given with an error, too.
func (s *setup) connect(ctx context.Context) (links [][]*link, err error) {
	links = make([][]*link, len(s.servers))
	for i, address := range s.servers {
		for range s.sessions {
			l, err := openLink(ctx, address)
			if err != nil {
				return links, err
			}
			links[i] = append(links[i], l)
		}
	}
	return links, nil
}

func hangUp(links [][]*link) {
	for _, sessions := range links {
		for _, l := range sessions {
			l.conn.Close()
		}
	}
}

// An access is how a job gets done; it returns when it is.
type access func(*job) error

// accesses gives the access to each server, and what ends them all.
func (s *setup) accesses() (accesses []access, end func()) {
	accesses = make([]access, len(s.servers))
	if s.communication == "threaded" || s.communication == "sequential" {
		for i := range accesses {
			accesses[i] = (*job).call
		}
		return accesses, func() {}
	}
	var queues []*queue
	for i := range accesses {
		if i == 0 || s.queueEach {
			queues = append(queues, startQueue(s.communication == "batched"))
		}
		accesses[i] = queues[len(queues)-1].do
	}
	return accesses, func() {
		for _, q := range queues {
			q.end()
		}
	}
}

// A worker makes its calls one after the other.
type worker struct {
	access access
	job    job
	calls  int
	think  time.Duration // mean time between two calls; 0: none
	random *rand.Rand

	errors int
	spent  time.Duration // in its calls
}

// hire makes the workers. They take turns over servers; those of one server
// take turns over its sessions, and over its databases, so that with two
// sessions each has a database of its own.
func (s *setup) hire(links [][]*link, accesses []access) []*worker {
	workers := make([]*worker, s.workers)
	for i := range workers {
		server, turn := i%len(links), i/len(links)
		workers[i] = &worker{
			access: accesses[server],
			job: job{
				link:     links[server][turn%s.sessions],
				database: uint32(turn % databases),
				done:     make(chan struct{}, 1),
			},
			calls:  s.calls / s.workers,
			think:  s.think,
			random: rand.New(rand.NewPCG(uint64(i), uint64(s.workers))),
		}
		if i < s.calls%s.workers {
			workers[i].calls++
		}
	}
	return workers
}

// work lets the workers go, all at once or, in sequential communication, one
// after the other, and gives the time until the last has ended.
func (s *setup) work(workers []*worker) time.Duration {
	if s.communication == "sequential" {
		start := time.Now()
		for _, w := range workers {
			w.run()
		}
		return time.Since(start)
	}
	var all sync.WaitGroup
	released := make(chan struct{})
	for _, w := range workers {
		all.Go(func() {
			<-released
			w.run()
		})
	}
	start := time.Now()
	close(released)
	all.Wait()
	return time.Since(start)
}

func (w *worker) run() {
	for range w.calls {
		w.pause()
		start := time.Now()
		if w.access(&w.job) != nil {
			w.errors++
		}
		w.spent += time.Since(start)
	}
}

// pause waits between two calls: evenly distributed from nothing to twice the
// mean. The numbers are the same in every trial; the waits are as exact as
// sleeping is, which does for times that shall be inexact.
func (w *worker) pause() {
	if w.think > 0 {
		time.Sleep(time.Duration(w.random.Int64N(2*int64(w.think) + 1)))
	}
}
