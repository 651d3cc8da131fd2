package iiop

import (
	"errors"
	"runtime"
	"testing"
)

func TestDecoderRefusesBytesThatAreNotTheType(t *testing.T) {
	tests := []struct {
		name string
		b    []byte
		read func(*Decoder)
	}{
		{"long cut short", []byte{0, 0, 0}, func(d *Decoder) { d.Long() }},
		{"padding cut short", []byte{1, 0}, func(d *Decoder) { d.Octet(); d.Long() }},
		{"nothing at all", nil, func(d *Decoder) { d.Octet() }},
		{"boolean of 2", []byte{2}, func(d *Decoder) { d.Boolean() }},
		{"string longer than what is there", []byte{0, 0, 0, 9, 'a', 0}, func(d *Decoder) { _ = d.String() }},
		{"string of 4 GiB", []byte{0xff, 0xff, 0xff, 0xff, 'a', 0}, func(d *Decoder) { _ = d.String() }},
		{"string of length 0", []byte{0, 0, 0, 0}, func(d *Decoder) { _ = d.String() }},
		{"string without its zero", []byte{0, 0, 0, 2, 'a', 'b'}, func(d *Decoder) { _ = d.String() }},
		{"string with a zero inside", []byte{0, 0, 0, 3, 'a', 0, 0}, func(d *Decoder) { _ = d.String() }},
		{"octets of 4 GiB", []byte{0xff, 0xff, 0xff, 0xff, 1}, func(d *Decoder) { d.Octets() }},
		{"sequence that could not fit", []byte{0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7}, func(d *Decoder) { d.Sequence(4) }},
		{"reference with 2^29 profiles", []byte{0, 0, 0, 1, 0, 0, 0, 0, 0x20, 0, 0, 0}, func(d *Decoder) { d.Reference() }},
	}
	for _, tt := range tests {
		d := newDecoder(tt.b, orderOf(false))
		tt.read(d)
		if !errors.Is(d.Err(), ErrMalformed) {
			t.Errorf("%s: error %v, want %v", tt.name, d.Err(), ErrMalformed)
		}
	}
}

func TestDecoderGivesZeroValuesAfterItsFirstError(t *testing.T) {
	d := newDecoder([]byte{2, 0, 0, 0, 0, 0, 0, 9}, orderOf(false))
	d.Boolean()
	first := d.Err()
	if v := d.Long(); v != 0 {
		t.Errorf("Long after an error is %d, want 0", v)
	}
	if d.Err() != first {
		t.Errorf("error became %v, want the first one, %v", d.Err(), first)
	}
}

func TestHostileLengthAllocatesNothing(t *testing.T) {
	b := []byte{0x7f, 0xff, 0xff, 0xff, 1, 2, 3, 4}
	for name, read := range map[string]func(*Decoder){
		"string":   func(d *Decoder) { _ = d.String() },
		"octets":   func(d *Decoder) { d.Octets() },
		"sequence": func(d *Decoder) { _ = make([]int64, d.Sequence(8)) },
	} {
		const times = 100
		bytes := allocated(func() {
			for range times {
				read(newDecoder(b, orderOf(false)))
			}
		})
		if bytes/times > 4096 {
			t.Errorf("%s of 2 GiB in 8 bytes: %d bytes allocated, want an error only", name, bytes/times)
		}
	}
}

// allocated gives the bytes that are allocated while do runs, by whatever
// goroutine.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// FuzzDecoder reads the bytes by a program of types; nothing may panic, and
// what was read must fit into the bytes.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte{0, 0, 0, 3, 'h', 'i', 0}, []byte{11}, false)
	f.Add([]byte{2, 0, 0, 0, 9, 8}, []byte{12, 0, 3}, true)
	f.Add([]byte{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, []byte{13, 14}, false)
	f.Fuzz(func(t *testing.T, b, program []byte, little bool) {
		d := newDecoder(b, orderOf(little))
		for _, step := range program {
			before := d.Left()
			size := readAny(d, step)
			if size > before || d.Left() < 0 || d.Left() > before {
				t.Fatalf("step %d read a value of %d bytes, %d of %d are left", step, size, d.Left(), before)
			}
		}
	})
}

// readAny reads one value of the type that step names and gives its size in
// memory, at least.
func readAny(d *Decoder, step byte) int {
	switch step % 15 {
	case 0:
		d.Octet()
	case 1:
		d.Boolean()
	case 2:
		d.Char()
	case 3:
		d.Short()
	case 4:
		d.UShort()
	case 5:
		d.Long()
	case 6:
		d.ULong()
	case 7:
		d.LongLong()
	case 8:
		d.ULongLong()
	case 9:
		d.Float()
	case 10:
		d.Double()
	case 11:
		return len(d.text())
	case 12:
		return len(d.Octets())
	case 13:
		return d.Sequence(int(step))
	case 14:
		n := 0
		for _, p := range d.Reference().Profiles {
			n += len(p.Data)
		}
		return n
	}
	return 0
}
