package report

import (
	"testing"

	"fieldbook/internal/session"
)

// A level that is a number, a letter or a bare yes says nothing without its
// factor; a word does.
func TestALevelHasItsFactorWhereItSaysNothingAlone(t *testing.T) {
	plain := session.Factor{Name: "way"}
	size := session.Factor{Name: "size", Unit: "kB", Numeric: true, Levels: []string{"0", "4"}}
	count := session.Factor{Name: "n", Unit: "1", Numeric: true, Levels: []string{"1"}}
	labelled := session.Factor{Name: "size", Unit: "kB", Numeric: true, Levels: []string{"0", "4"}, Labels: []string{"nothing", "4 KiB"}}
	for _, tt := range []struct {
		of          session.Factor
		level, want string
	}{
		{plain, "queue", "queue"}, {plain, "by hand", "by hand"}, {plain, "go1.26", "go1.26"}, {plain, "日本", "日本"},
		{plain, "a", "way = a"}, {plain, "1 0 a", "way = 1 0 a"}, {plain, "", "way = (empty)"}, {plain, "Off", "way = Off"}, {plain, "x=y", "way = x=y"},
		{size, "0", "size = 0 kB"}, {count, "1", "n = 1"}, {labelled, "0", "nothing"}, {labelled, "4", "4 KiB"},
	} {
		if got := levelWithFactor(tt.of, tt.level); got != tt.want {
			t.Errorf("level %q of %s reads %q, want %q", tt.level, tt.of.Name, got, tt.want)
		}
	}
}

// The head over ratios to the first treatment says which that is.
func TestTheBaseOfRatiosIsNamedWithItsFactors(t *testing.T) {
	s := twoVersions("one")
	s.factors = []session.Factor{{Name: "n", Levels: []string{"1", "2"}, Numeric: true}, {Name: "delay", Levels: []string{"0", "3"}, Numeric: true, Unit: "s"}, {Name: "x", Levels: []string{"a", "1 0 a"}}}
	s.claims = nil
	wantIn(t, text(t, s.input()), "| of n = 1, delay = 0 s, x = a |")
	s.factors = []session.Factor{{Name: "way", Levels: []string{"queue", "threads"}}, {Name: "place", Levels: []string{"near", "far"}}}
	s.of = func(l []string) float64 {
		return map[bool]float64{true: 50, false: 100}[l[0] == "queue" && l[1] == "near"]
	}
	wantIn(t, text(t, s.input()), "| of queue, near |")
	s.factors[1] = session.Factor{Name: "n", Levels: []string{"1", "2"}, Numeric: true}
	wantIn(t, text(t, s.input()), "| of way = queue, n = 1 |")
}
