package iiop

// requestHeader is what a Request says before its arguments.
type requestHeader struct {
	id        uint32
	expected  bool   // whether a reply is expected; a one-way request has none
	key       []byte // part of the message, not a copy
	operation []byte // likewise
}

// readRequest reads a Request's header; the arguments follow in d.
func readRequest(d *Decoder) (requestHeader, error) {
	skipContexts(d)
	h := requestHeader{
		id:        d.ULong(),
		expected:  d.Boolean(),
		key:       d.octets(),
		operation: d.text(),
	}
	d.octets() // the requesting principal, long out of use
	return h, d.err
}

// request writes a Request's header; its arguments follow.
func (e *Encoder) request(id uint32, expected bool, key []byte, operation string) {
	e.begin(msgRequest)
	e.Sequence(0) // no service contexts
	e.ULong(id)
	e.Boolean(expected)
	e.Octets(key)
	e.String(operation)
	e.Octets(nil) // no principal
}

// skipContexts passes over service contexts: none of them concerns GIOP 1.0
// without transactions, code sets or security.
func skipContexts(d *Decoder) {
	for range d.Sequence(8) {
		d.ULong()
		d.octets()
	}
}

// readLocateRequest reads the number of a LocateRequest and the key that it
// asks for.
func readLocateRequest(d *Decoder) (id uint32, key []byte, err error) {
	id, key = d.ULong(), d.octets()
	return id, key, d.err
}

func (e *Encoder) locateRequest(id uint32, key []byte) {
	e.begin(msgLocateRequest)
	e.ULong(id)
	e.Octets(key)
}

func (e *Encoder) cancelRequest(id uint32) {
	e.begin(msgCancelRequest)
	e.ULong(id)
}
