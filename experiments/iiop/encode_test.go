package iiop

import (
	"bytes"
	"errors"
	"math"
	"testing"
)

// wireCases are values and the bytes that CDR gives them, written out by hand
// from the alignment and representation rules of CORBA 2.0, section 12.3.
var wireCases = []struct {
	name   string
	write  func(*Encoder)
	big    []byte
	little []byte
}{
	{"octet then long pads to 4",
		func(e *Encoder) { e.Octet(7); e.Long(-2) },
		[]byte{7, 0, 0, 0, 0xff, 0xff, 0xff, 0xfe},
		[]byte{7, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff}},
	{"octet then short pads to 2",
		func(e *Encoder) { e.Octet(7); e.Short(0x0102) },
		[]byte{7, 0, 1, 2},
		[]byte{7, 0, 2, 1}},
	{"unsigned long then double pads to 8",
		func(e *Encoder) { e.ULong(1); e.Double(1) },
		[]byte{0, 0, 0, 1, 0, 0, 0, 0, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0},
		[]byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
	{"long long",
		func(e *Encoder) { e.LongLong(-1); e.ULongLong(0x0102030405060708) },
		[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4, 5, 6, 7, 8},
		[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 8, 7, 6, 5, 4, 3, 2, 1}},
	{"float",
		func(e *Encoder) { e.Float(-2.5) },
		[]byte{0xc0, 0x20, 0, 0},
		[]byte{0, 0, 0x20, 0xc0}},
	{"booleans and chars are not aligned",
		func(e *Encoder) { e.Boolean(true); e.Boolean(false); e.Char('x'); e.UShort(5) },
		[]byte{1, 0, 'x', 0, 0, 5},
		[]byte{1, 0, 'x', 0, 5, 0}},
	{"string counts its closing zero",
		func(e *Encoder) { e.String("hi"); e.String("") },
		[]byte{0, 0, 0, 3, 'h', 'i', 0, 0, 0, 0, 0, 1, 0},
		[]byte{3, 0, 0, 0, 'h', 'i', 0, 0, 1, 0, 0, 0, 0}},
	{"string is ISO 8859-1",
		func(e *Encoder) { e.String("né") },
		[]byte{0, 0, 0, 3, 'n', 0xe9, 0},
		[]byte{3, 0, 0, 0, 'n', 0xe9, 0}},
	{"sequence of octets",
		func(e *Encoder) { e.Octets([]byte{9, 8}) },
		[]byte{0, 0, 0, 2, 9, 8},
		[]byte{2, 0, 0, 0, 9, 8}},
	{"sequence of shorts",
		func(e *Encoder) { e.Sequence(2); e.Short(1); e.Short(2) },
		[]byte{0, 0, 0, 2, 0, 1, 0, 2},
		[]byte{2, 0, 0, 0, 1, 0, 2, 0}},
}

func TestEncoderWritesTheBytesOfCDR(t *testing.T) {
	for _, tt := range wireCases {
		for _, little := range []bool{false, true} {
			want := tt.big
			if little {
				want = tt.little
			}
			e := newEncoder(orderOf(little))
			tt.write(e)
			if e.Err() != nil || !bytes.Equal(e.buf, want) {
				t.Errorf("%s, little-endian %v: % x (error %v), want % x", tt.name, little, e.buf, e.Err(), want)
			}
		}
	}
}

func TestEncoderRefusesWhatCDRCannotCarry(t *testing.T) {
	for _, s := range []string{"a\x00b", "Ωmega", "\xff"} {
		e := newEncoder(orderOf(true))
		e.String(s)
		e.Long(1)
		if !errors.Is(e.Err(), ErrUnencodable) {
			t.Errorf("String(%q): error %v, want %v", s, e.Err(), ErrUnencodable)
		}
	}
	e := newEncoder(orderOf(true))
	e.Sequence(-1)
	if !errors.Is(e.Err(), ErrUnencodable) {
		t.Errorf("Sequence(-1): error %v, want %v", e.Err(), ErrUnencodable)
	}
}

func TestDecoderReadsBackEveryType(t *testing.T) {
	for _, little := range []bool{false, true} {
		e := newEncoder(orderOf(little))
		e.Boolean(true)
		e.Char('c')
		e.Octet(0xfe)
		e.Short(math.MinInt16)
		e.UShort(math.MaxUint16)
		e.Long(math.MinInt32)
		e.ULong(math.MaxUint32)
		e.LongLong(math.MinInt64)
		e.ULongLong(math.MaxUint64)
		e.Float(math.SmallestNonzeroFloat32)
		e.Double(math.Inf(-1))
		e.String("ça va")
		e.Octets([]byte("bytes"))
		d := newDecoder(e.buf, e.order)
		check(t, "boolean", d.Boolean(), true)
		check(t, "char", d.Char(), 'c')
		check(t, "octet", d.Octet(), 0xfe)
		check(t, "short", d.Short(), math.MinInt16)
		check(t, "unsigned short", d.UShort(), math.MaxUint16)
		check(t, "long", d.Long(), math.MinInt32)
		check(t, "unsigned long", d.ULong(), math.MaxUint32)
		check(t, "long long", d.LongLong(), math.MinInt64)
		check(t, "unsigned long long", d.ULongLong(), math.MaxUint64)
		check(t, "float", d.Float(), math.SmallestNonzeroFloat32)
		check(t, "double", d.Double(), math.Inf(-1))
		check(t, "string", d.String(), "ça va")
		check(t, "octets", string(d.Octets()), "bytes")
		check(t, "bytes left", d.Left(), 0)
		check(t, "error", d.Err(), nil)
	}
}

func check[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
