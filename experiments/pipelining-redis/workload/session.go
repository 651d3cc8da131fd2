package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

const (
	databases    = 2
	documents    = 50      // in each database
	documentSize = 2 << 10 // bytes of each body
)

// body is the document with this number in this database, the same in every
// process, so that a client can tell a wrong document from a right one.
func body(db, number int) []byte {
	line := fmt.Appendf(nil, "database %d, document %02d. ", db, number)
	return bytes.Repeat(line, documentSize/len(line)+1)[:documentSize]
}

var bodies = func() (all [databases][documents][]byte) {
	for db := range all {
		for n := range all[db] {
			all[db][n] = body(db, n)
		}
	}
	return all
}()

func key(db, number int) string { return fmt.Sprintf("database:%d:document:%d", db, number) }

var keys = func() (all [databases][documents]string) {
	for db := range all {
		for n := range all[db] {
			all[db][n] = key(db, n)
		}
	}
	return all
}()

// A session is a client of the library with a pool of one connection. Those
// who share it wait for the connection in the pool's own queue, which is the
// lock of a shared session.
type session struct{ *redis.Client }

// patience is how long anything may take before it counts as an error. A
// worker waits for the pool while 31 others have their turn, also on a machine
// that is busy with other things.
const patience = 30 * time.Second

// openSession connects; the library would else do so at the first call.
func openSession(ctx context.Context, address string) (session, error) {
	s := session{redis.NewClient(&redis.Options{
		Addr:                     address,
		PoolSize:                 1,
		PipelinePoolSize:         -1, // or pipelines would go over connections of their own
		MaxRetries:               -1, // what fails is counted and not hidden
		DialTimeout:              patience,
		ReadTimeout:              patience,
		WriteTimeout:             patience,
		PoolTimeout:              patience,
		DisableIdentity:          true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})}
	if err := s.Ping(ctx).Err(); err != nil {
		s.Close()
		return session{}, err
	}
	return s, nil
}

// fill puts the documents there.
func fill(ctx context.Context, address string) error {
	s, err := openSession(ctx, address)
	if err != nil {
		return err
	}
	defer s.Close()
	_, err = s.Pipelined(ctx, func(p redis.Pipeliner) error {
		for db := range databases {
			for n := range documents {
				p.Set(ctx, keys[db][n], bodies[db][n], 0)
			}
		}
		return nil
	})
	return err
}

// errWrongDocument is the error of a call that gave something else than the
// document that was asked for.
var errWrongDocument = errors.New("wrong document")

// A job is one document that a worker wants: each worker has one job, and uses
// it again and again.
type job struct {
	session  session
	database int
	next     int // the number of the document
	err      error
	done     chan struct{} // told when a queue has seen to it
}

// call reads the next document.
func (j *job) call(ctx context.Context) error {
	return j.outcome(j.session.Get(ctx, keys[j.database][j.next]))
}

// outcome looks at what came, and turns to the next document.
func (j *job) outcome(got *redis.StringCmd) error {
	number := j.next
	j.next = (number + 1) % documents
	b, err := got.Bytes()
	if err == nil && !bytes.Equal(b, bodies[j.database][number]) {
		err = errWrongDocument
	}
	return err
}
