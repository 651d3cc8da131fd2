package main

import (
	"context"
	"errors"

	"fieldbook-experiments/iiop"
)

// A link is an open session on a connection of its own.
type link struct {
	conn    *iiop.Conn
	session *iiop.Object
}

// openLink connects to a server and opens a session there.
func openLink(ctx context.Context, address string) (*link, error) {
	conn, err := iiop.Dial(ctx, address, iiop.ClientOptions{})
	if err != nil {
		return nil, err
	}
	var ref iiop.IOR
	err = conn.Object(factoryKey).Call(ctx, "createSession", nil, func(d *iiop.Decoder) { ref = d.Reference() })
	if err != nil {
		conn.Close()
		return nil, err
	}
	session, err := conn.Resolve(ref)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &link{conn, session}, nil
}

// errWrongDocument is the error of a call that gave something else than a
// document of its database.
var errWrongDocument = errors.New("wrong document")

// A job is one document that a worker wants: each worker has one job, and
// uses it again and again.
type job struct {
	link     *link
	database uint32
	wrong    bool
	err      error
	done     chan struct{} // told when a queue has seen to it
}

// args and results are what goes to the session and what comes back.
func (j *job) args(e *iiop.Encoder) { e.ULong(j.database) }

func (j *job) results(d *iiop.Decoder) {
	db, number, body := d.ULong(), d.ULong(), d.Octets()
	j.wrong = db != j.database || !isDocument(db, number, body)
}

const operation = "getNextDocument"

// call reads the next document, and returns when it is there.
func (j *job) call() error {
	return j.outcome(j.link.session.Call(context.Background(), operation, j.args, j.results))
}

func (j *job) outcome(err error) error {
	if err == nil && j.wrong {
		err = errWrongDocument
	}
	return err
}
