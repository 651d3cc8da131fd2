package iiop

import "sync"

// An Operation reads its arguments from in and writes its results to out, in
// the order of its IDL. An error is told to the caller: a [*SystemException]
// as it is, one made by [Raise] as a user exception, an error of in as
// MARSHAL (it need not be returned: in is asked after each operation), any
// other as UNKNOWN; what was written to out is then dropped. In and out are
// good until the operation returns. A panic is not caught.
type Operation func(in *Decoder, out *Encoder) error

// A Servant is what executes the operations of an object.
type Servant struct {
	Type       string // repository id of its interface, such as IDL:RTT:1.0
	Operations map[string]Operation
}

// An Adapter keeps a server's objects by their keys. All of it may be used
// while the server serves, by operations too.
type Adapter struct {
	host string // what references say
	port uint16

	mu      sync.RWMutex
	objects map[string]entry
}

// An entry is what is known under a key: a servant, or where to ask instead.
type entry struct {
	servant Servant
	forward IOR
}

// Activate makes an object known under a key and gives the reference to it.
// What was known under the key before is replaced.
func (a *Adapter) Activate(key string, s Servant) (IOR, error) {
	ref, err := NewIOR(s.Type, Address{Host: a.host, Port: a.port, Key: []byte(key)})
	if err != nil {
		return IOR{}, err
	}
	a.put(key, entry{servant: s})
	return ref, nil
}

// Redirect answers whoever asks for a key with a LOCATION_FORWARD to another
// object.
func (a *Adapter) Redirect(key string, to IOR) {
	a.put(key, entry{forward: to})
}

// Deactivate forgets an object. Requests that execute go on.
func (a *Adapter) Deactivate(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.objects, key)
}

// Objects is the number of keys that are known.
func (a *Adapter) Objects() int {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return len(a.objects)
}

func (a *Adapter) put(key string, e entry) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.objects[key] = e
}

func (a *Adapter) find(key []byte) (entry, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	e, ok := a.objects[string(key)]
	return e, ok
}

// operation finds an operation of the servant, or one of those that every
// CORBA object has. The standard calls the last _not_existent before GIOP 1.2
// and _non_existent from then on; omniORB always calls it by the second name.
func (s *Servant) operation(name []byte) Operation {
	if op, ok := s.Operations[string(name)]; ok {
		return op
	}
	switch string(name) {
	case "_is_a":
		return s.isA
	case "_not_existent", "_non_existent":
		return exists
	}
	return nil
}

func (s *Servant) isA(in *Decoder, out *Encoder) error {
	id := in.String()
	out.Boolean(id == s.Type || id == "IDL:omg.org/CORBA/Object:1.0")
	return nil
}

func exists(_ *Decoder, out *Encoder) error {
	out.Boolean(false)
	return nil
}
