package iiop

import (
	"encoding/hex"
	"fmt"
	"net"
	"strconv"
	"strings"
)

// tagIIOP marks a profile that says where an object is reached by IIOP.
const tagIIOP = 0

// An IOR is an interoperable object reference: an interface and where an
// object of it is reached. The zero IOR is CORBA's nil reference.
type IOR struct {
	Type     string // repository id such as IDL:RTTFactory:1.0; empty: not known
	Profiles []Profile
}

// A Profile is one way to reach an object. Profiles that are not IIOP are
// carried along unread.
type Profile struct {
	Tag  uint32
	Data []byte
}

// An Address is where an object is reached by IIOP.
type Address struct {
	Host string
	Port uint16
	Key  []byte // the object's name on that server, which only the server understands
}

// NewIOR makes a reference with one IIOP 1.0 profile. A host, type or key
// that cannot be encoded is an error.
func NewIOR(typeID string, at Address) (IOR, error) {
	data, err := encapsulate(orderOf(true), func(e *Encoder) {
		e.Octet(1)
		e.Octet(0)
		e.String(at.Host)
		e.UShort(at.Port)
		e.Octets(at.Key)
	})
	if err != nil {
		return IOR{}, err
	}
	if _, err := toLatin1(typeID); err != nil {
		return IOR{}, fmt.Errorf("%w: type %.40q: %v", ErrUnencodable, typeID, err)
	}
	return IOR{Type: typeID, Profiles: []Profile{{Tag: tagIIOP, Data: data}}}, nil
}

// IsNil reports whether the reference points to no object.
func (r IOR) IsNil() bool { return len(r.Profiles) == 0 }

// Address gives where the object is reached by IIOP: its first profile of
// that kind, of any version 1.x. What a later version adds is passed over.
func (r IOR) Address() (Address, error) {
	for _, p := range r.Profiles {
		if p.Tag == tagIIOP {
			return readProfile(p.Data)
		}
	}
	if r.IsNil() {
		return Address{}, fmt.Errorf("iiop: the nil reference has no address")
	}
	return Address{}, fmt.Errorf("iiop: reference to %q has no IIOP profile", r.Type)
}

func readProfile(data []byte) (Address, error) {
	d := openEncapsulation(data)
	if major, minor := d.Octet(), d.Octet(); d.err == nil && major != 1 {
		d.fail("IIOP version %d.%d, want 1.x", major, minor)
	}
	at := Address{Host: d.String(), Port: d.UShort(), Key: d.Octets()}
	if d.err == nil && at.Host == "" {
		d.fail("empty host")
	}
	if d.err != nil {
		return Address{}, fmt.Errorf("IIOP profile: %w", d.err)
	}
	return at, nil
}

// HostPort gives host and port in the form that [net.Dial] takes.
func (a Address) HostPort() string {
	return net.JoinHostPort(a.Host, strconv.Itoa(int(a.Port)))
}

// String gives the reference in its exchangeable form, "IOR:" and hexadecimal
// digits. [ParseReference] reads it back.
func (r IOR) String() string {
	b, err := encapsulate(orderOf(true), func(e *Encoder) { e.Reference(r) })
	if err != nil {
		return "IOR:(" + err.Error() + ")"
	}
	return "IOR:" + hex.EncodeToString(b)
}

// ParseReference reads a reference from "IOR:" and hexadecimal digits, or
// from a corbaloc address such as corbaloc:iiop:1.0@127.0.0.1:2809/RTTFactory.
func ParseReference(s string) (IOR, error) {
	s = strings.TrimSpace(s)
	scheme, rest, _ := strings.Cut(s, ":")
	switch strings.ToLower(scheme) {
	case "ior":
		return parseHex(rest)
	case "corbaloc":
		return parseCorbaloc(rest)
	}
	return IOR{}, fmt.Errorf("%w: reference %.40q, want the scheme IOR or corbaloc", ErrMalformed, s)
}

func parseHex(digits string) (IOR, error) {
	b, err := hex.DecodeString(digits)
	if err != nil {
		return IOR{}, fmt.Errorf("%w: IOR: %v", ErrMalformed, err)
	}
	d := openEncapsulation(b)
	r := d.Reference()
	if d.err != nil {
		return IOR{}, fmt.Errorf("IOR: %w", d.err)
	}
	return r, nil
}

// Reference writes an object reference.
func (e *Encoder) Reference(r IOR) {
	e.String(r.Type)
	e.Sequence(len(r.Profiles))
	for _, p := range r.Profiles {
		e.ULong(p.Tag)
		e.Octets(p.Data)
	}
}

// Reference reads an object reference.
func (d *Decoder) Reference() IOR {
	r := IOR{Type: d.String()}
	n := d.Sequence(8) // a tag and a length each
	for range n {
		r.Profiles = append(r.Profiles, Profile{Tag: d.ULong(), Data: d.Octets()})
	}
	if d.err != nil {
		return IOR{}
	}
	return r
}
