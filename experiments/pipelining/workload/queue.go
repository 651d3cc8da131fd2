package main

import (
	"context"
	"runtime"

	"fieldbook-experiments/iiop"
)

// maxBatch is how many jobs go out together, at most.
const maxBatch = 64

// A queue is a thread that does all I/O for the workers, which wait until it
// has seen to their jobs.
type queue struct {
	jobs  chan *job
	ended chan struct{}
}

// startQueue starts a queue's thread: one that makes call after call, or
// one that sends the jobs that wait together before it reads the replies.
func startQueue(batched bool) *queue {
	q := &queue{make(chan *job, maxBatch), make(chan struct{})}
	go func() {
		defer close(q.ended)
		for j := range q.jobs {
			if batched {
				exchange(q.gather(j))
				continue
			}
			j.err = j.call()
			j.done <- struct{}{}
		}
	}()
	return q
}

// do has a job done by the queue's thread.
func (q *queue) do(j *job) error {
	q.jobs <- j
	<-j.done
	return j.err
}

func (q *queue) end() {
	close(q.jobs)
	<-q.ended
}

// gather takes the jobs that wait, after the first. Workers that can run are
// let run before, so that what they want is there, too.
func (q *queue) gather(first *job) []*job {
	runtime.Gosched()
	jobs := []*job{first}
	for len(jobs) < maxBatch {
		select {
		case j, open := <-q.jobs:
			if !open {
				return jobs
			}
			jobs = append(jobs, j)
		default:
			return jobs
		}
	}
	return jobs
}

// A sending is what goes to one session of a batch.
type sending struct {
	link    *link
	batch   *iiop.Batch
	jobs    []*job
	pending []*iiop.Pending
	err     error
}

// exchange sends all jobs, session by session, and then reads all replies.
func exchange(jobs []*job) {
	ctx := context.Background()
	sendings := split(jobs)
	for _, s := range sendings {
		s.err = s.batch.Send(ctx)
	}
	for _, s := range sendings {
		if s.err == nil {
			s.batch.Receive(ctx) // an error is in each pending, too
		}
		for i, j := range s.jobs {
			j.err = j.outcome(s.pending[i].Err)
			j.done <- struct{}{}
		}
	}
}

// split puts the jobs of each session together, in their order.
func split(jobs []*job) []*sending {
	var sendings []*sending
	for _, j := range jobs {
		s := find(sendings, j.link)
		if s == nil {
			s = &sending{link: j.link, batch: j.link.conn.Batch()}
			sendings = append(sendings, s)
		}
		s.jobs = append(s.jobs, j)
		s.pending = append(s.pending, s.batch.Add(j.link.session, operation, j.args, j.results))
	}
	return sendings
}

func find(sendings []*sending, l *link) *sending {
	for _, s := range sendings {
		if s.link == l {
			return s
		}
	}
	return nil
}
