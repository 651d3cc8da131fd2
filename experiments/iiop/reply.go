package iiop

// replyStatus says what a Reply carries.
type replyStatus uint32

const (
	noException replyStatus = iota
	userException
	systemException
	locationForward
)

// replyHeader is what a Reply says before its results.
type replyHeader struct {
	id     uint32
	status replyStatus
}

// readReply reads a Reply's header; what its status promises follows in d.
func readReply(d *Decoder) (replyHeader, error) {
	skipContexts(d)
	h := replyHeader{id: d.ULong(), status: replyStatus(d.ULong())}
	if d.err == nil && h.status > locationForward {
		d.fail("reply status %d, want 0 to 3", h.status)
	}
	return h, d.err
}

func (e *Encoder) reply(h replyHeader) {
	e.begin(msgReply)
	e.Sequence(0) // no service contexts
	e.ULong(h.id)
	e.ULong(uint32(h.status))
}

// locateStatus says what a server knows of a key.
type locateStatus uint32

const (
	unknownObject locateStatus = iota
	objectHere
	objectForward // a reference follows
)

// readLocateReply reads a LocateReply; a reference follows in d where the
// object is elsewhere.
func readLocateReply(d *Decoder) (id uint32, status locateStatus, err error) {
	id, status = d.ULong(), locateStatus(d.ULong())
	if d.err == nil && status > objectForward {
		d.fail("locate status %d, want 0 to 2", status)
	}
	return id, status, d.err
}

func (e *Encoder) locateReply(id uint32, status locateStatus) {
	e.begin(msgLocateReply)
	e.ULong(id)
	e.ULong(uint32(status))
}
