package main

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"fieldbook-experiments/iiop"
)

// A method is an operation of the objects: what a client sends and what the
// server does with it.
type method struct {
	oneWay bool
	args   func(*iiop.Encoder) // nil: none
	result func(*iiop.Decoder) // nil: none
	echo   func(*iiop.Decoder, *iiop.Encoder)
}

// payload is what sync_OO sends and gets back: 1 KiB.
var payload = bytes.Repeat([]byte("0123456789abcdef"), 64)

// methods are the operations. The old study's is sync_VV.
var methods = map[string]method{
	"sync_VV":  {echo: nothing},
	"async_VV": {echo: nothing, oneWay: true},
	"sync_LL": {
		args:   func(e *iiop.Encoder) { e.Long(42) },
		result: func(d *iiop.Decoder) { d.Long() },
		echo:   func(in *iiop.Decoder, out *iiop.Encoder) { out.Long(in.Long()) },
	},
	"sync_SS": {
		args:   func(e *iiop.Encoder) { e.String("round trip") },
		result: func(d *iiop.Decoder) { _ = d.String() },
		echo:   func(in *iiop.Decoder, out *iiop.Encoder) { out.String(in.String()) },
	},
	"sync_OO": {
		args:   func(e *iiop.Encoder) { e.Octets(payload) },
		result: func(d *iiop.Decoder) { d.Octets() },
		echo:   func(in *iiop.Decoder, out *iiop.Encoder) { out.Octets(in.Octets()) },
	},
}

func nothing(*iiop.Decoder, *iiop.Encoder) {}

func methodNames() string {
	return strings.Join(slices.Sorted(maps.Keys(methods)), ", ")
}
