package iiop

import (
	"fmt"
	"time"
)

// soon is the deadline for a last word that is not waited for long.
func soon() time.Time { return time.Now().Add(time.Second) }

// take gives a message from the server to the request that it answers. An
// error is the connection's.
func (b *Batch) take(kind messageType, d *Decoder) error {
	c := b.conn
	switch kind {
	case msgReply:
		h, err := readReply(d)
		if err != nil {
			return c.reject(err)
		}
		return b.settle(kind, h.id, func(p *Pending) { p.Err = p.reply(h.status, d) })
	case msgLocateReply:
		id, status, err := readLocateReply(d)
		if err != nil {
			return c.reject(err)
		}
		return b.settle(kind, id, func(p *Pending) { p.Err = p.located(status, d) })
	case msgCloseConnection:
		return c.fail(ErrClosed)
	case msgMessageError:
		return c.fail(ErrRejected)
	}
	return c.reject(fmt.Errorf("%w: %v from a server", ErrMalformed, kind))
}

// settle finds the request with that number and ends it. An answer to an
// earlier, abandoned request is passed over; one to a request that was never
// made, or of the wrong kind, is the end of the connection.
func (b *Batch) settle(kind messageType, id uint32, end func(*Pending)) error {
	if int32(id-b.conn.next) >= 0 {
		return b.conn.reject(fmt.Errorf("%w: answer to request %d, which was never made", ErrMalformed, id))
	}
	i := id - b.first
	if i >= uint32(len(b.entries)) || b.entries[i].settled {
		return nil
	}
	p := b.entries[i]
	if (p.here != nil) != (kind == msgLocateReply) {
		return b.conn.reject(fmt.Errorf("%w: %v to a request of another kind", ErrMalformed, kind))
	}
	end(p)
	p.settled = true
	b.waiting--
	return nil
}

// reply reads what a Reply's status promises and gives the request's error.
func (p *Pending) reply(status replyStatus, d *Decoder) error {
	err := readOutcome(status, p.results, d)
	if err != nil {
		return fmt.Errorf("calling %s: %w", p.operation, err)
	}
	return nil
}

func readOutcome(status replyStatus, results func(*Decoder), d *Decoder) error {
	switch status {
	case noException:
		if results != nil {
			results(d)
		}
		return d.err
	case userException:
		u, err := readUserException(d)
		if err != nil {
			return err
		}
		return u
	case systemException:
		s, err := readSystemException(d)
		if err != nil {
			return err
		}
		return s
	}
	return readForward(d)
}

func readForward(d *Decoder) error {
	to := d.Reference()
	if d.err != nil {
		return d.err
	}
	return &Forward{To: to}
}

// located notes the answer to a LocateRequest.
func (p *Pending) located(status locateStatus, d *Decoder) error {
	*p.here = status == objectHere
	if status == objectForward {
		return readForward(d)
	}
	return nil
}
