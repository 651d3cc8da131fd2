package main

import (
	"context"
	"runtime"

	"github.com/redis/go-redis/v9"
)

// maxBatch is how many jobs go out together, at most.
const maxBatch = 64

// A queue is a thread that does all I/O for the workers, which wait until it
// has seen to their jobs.
type queue struct {
	jobs  chan *job
	ended chan struct{}
}

// startQueue starts a queue's thread: one that makes call after call, or one
// that sends the jobs that wait together, as pipelines of the library.
func startQueue(ctx context.Context, batched bool) *queue {
	q := &queue{make(chan *job, maxBatch), make(chan struct{})}
	go func() {
		defer close(q.ended)
		for j := range q.jobs {
			if batched {
				exchange(ctx, q.gather(j))
				continue
			}
			j.err = j.call(ctx)
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

// exchange sends the jobs of each session as one pipeline, session after
// session: the library gives no way to send to all before reading from any.
func exchange(ctx context.Context, jobs []*job) {
	for len(jobs) > 0 {
		var own, rest []*job
		for _, j := range jobs {
			if j.session == jobs[0].session {
				own = append(own, j)
			} else {
				rest = append(rest, j)
			}
		}
		pipeline(ctx, own)
		jobs = rest
	}
}

// pipeline sends the jobs of one session together and reads all replies.
func pipeline(ctx context.Context, jobs []*job) {
	p := jobs[0].session.Pipeline()
	replies := make([]*redis.StringCmd, len(jobs))
	for i, j := range jobs {
		replies[i] = p.Get(ctx, keys[j.database][j.next])
	}
	p.Exec(ctx) // an error is in the replies, too
	for i, j := range jobs {
		j.err = j.outcome(replies[i])
		j.done <- struct{}{}
	}
}
