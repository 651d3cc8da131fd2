package iiop

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

// What tryFactory asks of one object of Interop::Echo.

func tryStrings(t *testing.T, echo *Object) {
	t.Helper()
	for _, value := range []string{"", "a", "naïve café", strings.Repeat("x", 70000)} {
		var got string
		mustCall(t, echo, "text", func(e *Encoder) { e.String(value) }, func(d *Decoder) { got = d.String() })
		check(t, "text", got, value)
	}
	err := echo.Call(t.Context(), "text", func(e *Encoder) { e.String("π") }, nil)
	if !errors.Is(err, ErrUnencodable) {
		t.Errorf("text of π: error %v, want %v", err, ErrUnencodable)
	}
}

func tryOctets(t *testing.T, echo *Object) {
	t.Helper()
	for _, n := range []int{0, 1, 2048, 100000} {
		value := make([]byte, n)
		for i := range value {
			value[i] = byte(i * 7)
		}
		var got []byte
		mustCall(t, echo, "octets", func(e *Encoder) { e.Octets(value) }, func(d *Decoder) { got = d.Octets() })
		if !bytes.Equal(got, value) {
			t.Errorf("%d octets came back changed", n)
		}
	}
}

func tryExceptions(t *testing.T, echo *Object) {
	t.Helper()
	err := echo.Call(t.Context(), "refuse", func(e *Encoder) { e.String("because"); e.Long(-7) }, nil)
	user, ok := errors.AsType[*UserException](err)
	if !ok {
		t.Fatalf("refuse: error %v, want a user exception", err)
	}
	check(t, "exception", user.ID, refusedType)
	check(t, "its reason", user.Members.String(), "because")
	check(t, "its code", user.Members.Long(), -7)
	check(t, "error of its members", user.Members.Err(), nil)

	for operation, args := range map[string]func(*Encoder){
		badOperation: nil,
		marshal:      func(e *Encoder) { e.ULong(1 << 30) }, // a string of 1 GiB
	} {
		name := "text"
		if operation == badOperation {
			name = "no_such_thing"
		}
		checkSystem(t, echo.Call(t.Context(), name, args, nil), operation)
	}
	checkSystem(t, echo.conn.Object("nowhere").Call(t.Context(), "text", nil, nil), objectNotExist)
}

func checkSystem(t *testing.T, err error, want string) {
	t.Helper()
	s, ok := errors.AsType[*SystemException](err)
	if !ok || s.Name != want {
		t.Errorf("error %v, want system exception %s", err, want)
	}
}

func tryOneWay(t *testing.T, echo *Object) {
	t.Helper()
	for range 20 {
		if err := echo.Send(t.Context(), "note", func(e *Encoder) { e.String("noted") }); err != nil {
			t.Fatal(err)
		}
	}
	if !soonTrue(func() bool { return askULong(t, echo, "notes") == 20 }) {
		t.Errorf("%d of 20 one-way calls arrived", askULong(t, echo, "notes"))
	}
}

func askULong(t testing.TB, o *Object, operation string) (n uint32) {
	t.Helper()
	mustCall(t, o, operation, nil, func(d *Decoder) { n = d.ULong() })
	return n
}

func askBoolean(t *testing.T, o *Object, operation string, args func(*Encoder)) (v bool) {
	t.Helper()
	mustCall(t, o, operation, args, func(d *Decoder) { v = d.Boolean() })
	return v
}

func tryReferences(t *testing.T, factory, own *Object) {
	t.Helper()
	self := askReference(t, own, "self", nil)
	shared := askReference(t, factory, "sharedEcho", nil)
	check(t, "type of self", self.Type, echoType)
	same := func(one, other IOR) bool {
		return askBoolean(t, factory, "same", func(e *Encoder) { e.Reference(one); e.Reference(other) })
	}
	check(t, "same(self, self)", same(self, self), true)
	check(t, "same(self, shared)", same(self, shared), false)

	is := func(id string) bool {
		return askBoolean(t, own, "_is_a", func(e *Encoder) { e.String(id) })
	}
	check(t, "own is an Echo", is(echoType), true)
	check(t, "own is an Object", is("IDL:omg.org/CORBA/Object:1.0"), true)
	check(t, "own is an EchoFactory", is(factoryType), false)
	check(t, "own does not exist", askBoolean(t, own, "_non_existent", nil), false)

	ref, err := ParseReference(shared.String())
	if err != nil {
		t.Fatal(err)
	}
	conn, again, err := DialReference(context.Background(), ref, ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	check(t, "notes of the shared object", askULong(t, again, "notes"), 0)
}
