package iiop

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"testing"
	"time"
)

// The servants and the client of testdata/omni/interop.idl, as that folder
// has them in C++.

// echoType and factoryType are the repository ids of the IDL's interfaces.
const (
	echoType    = "IDL:Interop/Echo:1.0"
	factoryType = "IDL:Interop/EchoFactory:1.0"
	refusedType = "IDL:Interop/Refused:1.0"
)

// newEcho gives a servant of Interop::Echo that will be known under key.
func newEcho(s *Server, key string) Servant {
	var notes atomic.Uint32
	ops := map[string]Operation{
		"text": func(in *Decoder, out *Encoder) error {
			out.String(in.String())
			return nil
		},
		"octets": func(in *Decoder, out *Encoder) error {
			out.Octets(in.Octets())
			return nil
		},
		"sums": sums,
		"refuse": func(in *Decoder, _ *Encoder) error {
			reason, code := in.String(), in.Long()
			return Raise(refusedType, func(e *Encoder) { e.String(reason); e.Long(code) })
		},
		"note": func(in *Decoder, _ *Encoder) error {
			_ = in.String()
			notes.Add(1)
			return nil
		},
		"notes": func(_ *Decoder, out *Encoder) error {
			out.ULong(notes.Load())
			return nil
		},
	}
	echo := Servant{Type: echoType, Operations: ops}
	ops["self"] = func(_ *Decoder, out *Encoder) error {
		ref, err := s.Activate(key, echo)
		out.Reference(ref)
		return err
	}
	return echo
}

func sums(in *Decoder, out *Encoder) error {
	v := readNumbers(in)
	n := in.Octet()
	v = numbers{!v.flag, v.letter + 1, v.small + n, v.s + int16(n), v.us + uint16(n), v.l + int32(n),
		v.ul + uint32(n), v.ll + int64(n), v.ull + uint64(n), v.f + float32(n), v.d + float64(n)}
	v.write(out)
	return nil
}

// numbers is Interop::Numbers.
type numbers struct {
	flag          bool
	letter, small byte
	s             int16
	us            uint16
	l             int32
	ul            uint32
	ll            int64
	ull           uint64
	f             float32
	d             float64
}

func (v numbers) write(e *Encoder) {
	e.Boolean(v.flag)
	e.Char(v.letter)
	e.Octet(v.small)
	e.Short(v.s)
	e.UShort(v.us)
	e.Long(v.l)
	e.ULong(v.ul)
	e.LongLong(v.ll)
	e.ULongLong(v.ull)
	e.Float(v.f)
	e.Double(v.d)
}

func readNumbers(d *Decoder) numbers {
	return numbers{d.Boolean(), d.Char(), d.Octet(), d.Short(), d.UShort(), d.Long(), d.ULong(),
		d.LongLong(), d.ULongLong(), d.Float(), d.Double()}
}

// activateFactory makes Interop::EchoFactory known under its own name.
func activateFactory(t testing.TB, s *Server) IOR {
	t.Helper()
	var created atomic.Int64
	activate := func(key string) (IOR, error) { return s.Activate(key, newEcho(s, key)) }
	shared, err := activate("shared")
	if err != nil {
		t.Fatal(err)
	}
	ref, err := s.Activate("EchoFactory", Servant{Type: factoryType, Operations: map[string]Operation{
		"createEcho": func(in *Decoder, out *Encoder) error {
			ref, err := activate(fmt.Sprintf("%s-%d", in.String(), created.Add(1)))
			out.Reference(ref)
			return err
		},
		"sharedEcho": func(_ *Decoder, out *Encoder) error {
			out.Reference(shared)
			return nil
		},
		"same": func(in *Decoder, out *Encoder) error {
			one, other := in.Reference(), in.Reference()
			out.Boolean(one.String() == other.String())
			return nil
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// tryFactory goes through all operations of the IDL.
func tryFactory(t *testing.T, factory IOR, options ClientOptions) {
	t.Helper()
	conn, object, err := DialReference(t.Context(), factory, options)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if here, err := object.Locate(t.Context()); !here || err != nil {
		t.Errorf("Locate of the factory: %v, %v, want true", here, err)
	}
	if here, err := conn.Object("nowhere").Locate(t.Context()); here || err != nil {
		t.Errorf("Locate of an unknown key: %v, %v, want false", here, err)
	}
	own := create(t, object, "own")
	tryStrings(t, own)
	tryOctets(t, own)
	tryNumbers(t, own)
	tryExceptions(t, own)
	tryOneWay(t, own)
	tryReferences(t, object, own)
}

// create calls the factory and gives the new object.
func create(t testing.TB, factory *Object, name string) *Object {
	t.Helper()
	ref := askReference(t, factory, "createEcho", func(e *Encoder) { e.String(name) })
	object, err := factory.conn.Resolve(ref)
	if err != nil {
		t.Fatal(err)
	}
	return object
}

func askReference(t testing.TB, o *Object, operation string, args func(*Encoder)) IOR {
	t.Helper()
	var ref IOR
	mustCall(t, o, operation, args, func(d *Decoder) { ref = d.Reference() })
	return ref
}

func mustCall(t testing.TB, o *Object, operation string, args func(*Encoder), results func(*Decoder)) {
	t.Helper()
	if err := o.Call(context.Background(), operation, args, results); err != nil {
		t.Fatal(err)
	}
}

func tryNumbers(t *testing.T, echo *Object) {
	t.Helper()
	in := numbers{false, 'a', 1, -2, 3, -4, 5, -6, 7, -8.5, 9.25}
	want := numbers{true, 'b', 11, 8, 13, 6, 15, 4, 17, 1.5, 19.25}
	var got numbers
	mustCall(t, echo, "sums", func(e *Encoder) { in.write(e); e.Octet(10) }, func(d *Decoder) { got = readNumbers(d) })
	check(t, "sums", got, want)

	in = numbers{true, 0xfe, 0xff, math.MaxInt16, 0, math.MinInt32, math.MaxUint32, math.MaxInt64, 0, float32(math.Inf(1)), math.MaxFloat64}
	mustCall(t, echo, "sums", func(e *Encoder) { in.write(e); e.Octet(0) }, func(d *Decoder) { got = readNumbers(d) })
	in.flag, in.letter = false, 0xff
	check(t, "sums of extremes", got, in)
}

// soonTrue asks until the answer is true or a few seconds have passed.
func soonTrue(ask func() bool) bool {
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ask() {
			return true
		}
	}
	return ask()
}
