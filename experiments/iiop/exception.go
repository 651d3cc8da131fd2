package iiop

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Completion says whether an operation had been done when it failed.
type Completion uint32

// The three answers, in CORBA's numbering.
const (
	CompletedYes Completion = iota
	CompletedNo
	CompletedMaybe
)

func (c Completion) String() string {
	switch c {
	case CompletedYes:
		return "done"
	case CompletedNo:
		return "not done"
	case CompletedMaybe:
		return "perhaps done"
	}
	return fmt.Sprintf("completion %d", uint32(c))
}

// A SystemException is a failure in CORBA's own terms. A client gets it as an
// error of a call, and an operation may return it.
type SystemException struct {
	Name      string // such as OBJECT_NOT_EXIST; or a whole repository id where it is not one of CORBA's
	Minor     uint32
	Completed Completion
}

// The system exceptions that this package itself raises.
const (
	badOperation   = "BAD_OPERATION"
	marshal        = "MARSHAL"
	objectNotExist = "OBJECT_NOT_EXIST"
	unknown        = "UNKNOWN"
)

const corbaPrefix, corbaSuffix = "IDL:omg.org/CORBA/", ":1.0"

func (s *SystemException) Error() string {
	return fmt.Sprintf("%s (minor %#x, %v)", s.Name, s.Minor, s.Completed)
}

// readSystemException reads what follows the status of a Reply.
func readSystemException(d *Decoder) (*SystemException, error) {
	id := d.String()
	s := &SystemException{Name: id, Minor: d.ULong(), Completed: Completion(d.ULong())}
	if name, ok := strings.CutPrefix(id, corbaPrefix); ok && strings.HasSuffix(name, corbaSuffix) {
		s.Name = strings.TrimSuffix(name, corbaSuffix)
	}
	if d.err == nil && s.Completed > CompletedMaybe {
		d.fail("%v, want 0 to 2", s.Completed)
	}
	return s, d.err
}

func (e *Encoder) systemException(s *SystemException) {
	id := s.Name
	if !strings.Contains(id, ":") {
		id = corbaPrefix + id + corbaSuffix
	}
	e.String(id)
	e.ULong(s.Minor)
	e.ULong(uint32(s.Completed))
}

// A UserException is an exception that an operation declares, as a client
// gets it.
type UserException struct {
	ID      string   // repository id
	Members *Decoder // its members, to be read in the order of its IDL
}

func (u *UserException) Error() string { return "user exception " + u.ID }

// readUserException reads what follows the status of a Reply, as a copy that
// outlives the message.
func readUserException(d *Decoder) (*UserException, error) {
	u := &UserException{ID: d.String()}
	members := *d
	members.buf = slices.Clone(d.buf)
	u.Members = &members
	return u, d.err
}

// Raise gives the error by which an operation raises a user exception.
// Members writes its members and may be nil.
func Raise(id string, members func(*Encoder)) error {
	return &raised{id, members}
}

type raised struct {
	id      string
	members func(*Encoder)
}

func (r *raised) Error() string { return "raise " + r.id }

// A Forward is the answer that an object is somewhere else. A call follows it
// on its own connection and returns it as an error where it leads elsewhere.
type Forward struct{ To IOR }

func (f *Forward) Error() string {
	at, err := f.To.Address()
	if err != nil {
		return "forwarded to a reference without an address"
	}
	return "forwarded to " + at.HostPort()
}

// asSystem gives the system exception by which an operation's error is told
// to its caller: its own where it has one, MARSHAL where its arguments could
// not be read, else UNKNOWN.
func asSystem(err error) *SystemException {
	if s, ok := errors.AsType[*SystemException](err); ok {
		return s
	}
	if errors.Is(err, ErrMalformed) {
		return &SystemException{Name: marshal, Completed: CompletedNo}
	}
	if errors.Is(err, ErrUnencodable) || errors.Is(err, ErrTooLarge) {
		return &SystemException{Name: marshal, Completed: CompletedYes}
	}
	return &SystemException{Name: unknown, Completed: CompletedMaybe}
}
