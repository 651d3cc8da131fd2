package iiop

import "errors"

// prepare finds what a request asks for and gives the function that executes
// it and writes the reply, if one is expected.
func (s *Server) prepare(h requestHeader, d *Decoder, write func([]byte) error) func() error {
	found, known := s.find(h.key)
	var op Operation
	if known && found.forward.IsNil() {
		op = found.servant.operation(h.operation)
	}
	return func() error {
		out := newEncoder(orderOf(!s.options.BigEndian))
		switch {
		case !known:
			out.failed(h.id, &SystemException{Name: objectNotExist, Completed: CompletedNo})
		case !found.forward.IsNil():
			out.reply(replyHeader{h.id, locationForward})
			out.Reference(found.forward)
		case op == nil:
			out.failed(h.id, &SystemException{Name: badOperation, Completed: CompletedNo})
		default:
			out.outcome(h.id, op, d)
		}
		s.seal(out, h.id)
		if !h.expected {
			return nil
		}
		return write(out.buf)
	}
}

// outcome runs the operation and writes the whole reply.
func (e *Encoder) outcome(id uint32, op Operation, in *Decoder) {
	e.reply(replyHeader{id, noException})
	err := op(in, e)
	if in.err != nil {
		err = in.err
	}
	if err != nil {
		e.failed(id, err)
	}
}

// seal closes the reply; one that cannot be sent becomes an exception.
func (s *Server) seal(out *Encoder, id uint32) {
	if err := out.end(s.options.MaxMessage); err != nil {
		out.failed(id, err)
		out.end(s.options.MaxMessage)
	}
}

// failed replaces what was written by a reply that tells the error.
func (e *Encoder) failed(id uint32, err error) {
	e.buf, e.err = e.buf[:0], nil
	if r, ok := errors.AsType[*raised](err); ok {
		e.reply(replyHeader{id, userException})
		e.String(r.id)
		if r.members != nil {
			r.members(e)
		}
		return
	}
	e.reply(replyHeader{id, systemException})
	e.systemException(asSystem(err))
}

// locate gives the answer to a LocateRequest.
func (s *Server) locate(id uint32, key []byte) []byte {
	e := newEncoder(orderOf(!s.options.BigEndian))
	switch found, known := s.find(key); {
	case !known:
		e.locateReply(id, unknownObject)
	case found.forward.IsNil():
		e.locateReply(id, objectHere)
	default:
		e.locateReply(id, objectForward)
		e.Reference(found.forward)
	}
	e.end(s.options.MaxMessage)
	return e.buf
}
