package analysis

import (
	"testing"

	"fieldbook/internal/session"
)

func TestStoppingHistory(t *testing.T) {
	look := func(block int, width float64, stop bool) session.Look {
		return session.Look{Block: block, HalfWidth: width, Stop: stop}
	}
	many := []session.Look{look(10, 0.051, false)}
	for b := 11; b < 18; b++ {
		many = append(many, look(b, 0.04, false))
	}
	for _, tt := range []struct {
		blocks int
		looks  []session.Look
		want   string
	}{
		{11, []session.Look{look(10, 0.051, false), look(11, 0.029, true)}, "after block 10 ±5.1 %, went on; after block 11 ±2.9 %, stopped"},
		{12, []session.Look{look(10, -1, false), look(11, 0.04, false)}, "after block 10 no interval, went on; after block 11 ±4 %, went on; ended with block 12, the last one allowed"},
		{11, []session.Look{look(10, 0.051, false)}, "after block 10 ±5.1 %, went on; ended after block 11 for another reason"},
		{4, nil, "it was never looked at; ended after block 4 for another reason"},
		{18, append(many, look(18, 0.03, true)), "after block 10 ±5.1 %, went on; after block 11 ±4 %, went on; after block 12 ±4 %, went on; " +
			"3 more looks, and went on; after block 16 ±4 %, went on; after block 17 ±4 %, went on; after block 18 ±3 %, stopped"},
	} {
		s := newStudy(elapsedMS, "version: a b")
		one := s.run(ids(1), "m", "randomized-blocks", tt.blocks, func(trialAt) outcome { return outcome{value: 1} })
		one.Stopping = &session.Stopping{Claim: "c", HalfWidth: 0.03, Min: 10, Max: 12, Looks: tt.looks}
		if got := StoppingHistory(one); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
