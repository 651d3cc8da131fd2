package analysis

import (
	"fmt"
	"math"
	"strings"

	"fieldbook/internal/session"
)

// Gaps count the trials that gave no number of a metric, by what stood in
// its place.
type Gaps struct {
	Of                   int // trials that ran
	NaN, Infinite, Empty int // the value was there, and was no number
	Other                int // all else: failed, timed out, no value at all
}

// GapsIn counts the observations of a metric without a number. What stood
// in its place is known from the reason that the session recorded. One that
// is invalid has a number, which does not count.
func GapsIn(metric string, all []Observation) Gaps {
	m := Gaps{Of: len(all)}
	for _, o := range all {
		if o.Status == session.Invalid || o.Status == session.OK && !math.IsNaN(o.Value) {
			continue
		}
		switch n := noNumber(metric, o); n {
		case session.ValueNaN:
			m.NaN++
		case session.ValueInfinite:
			m.Infinite++
		case session.ValueEmpty, session.ValueNull:
			m.Empty++
		default:
			m.Other++
		}
	}
	return m
}

// noNumber is what the reason of a failed attempt says of one metric's value;
// empty where it says nothing of it.
func noNumber(metric string, o Observation) string {
	if o.Status != session.Failed {
		return ""
	}
	for problem := range strings.SplitSeq(o.Reason, "; ") {
		said, ok := strings.CutPrefix(problem, metric+": ")
		if !ok {
			continue
		}
		for _, kind := range []string{session.ValueNaN, session.ValueInfinite, session.ValueEmpty, session.ValueNull} {
			if strings.HasSuffix(said, kind) { // before it, which sample or client
				return kind
			}
		}
	}
	return ""
}

// Text is "5 of 9 left out: 2 NaN, 2 infinite, 1 empty". It is empty where
// every value that a trial gave was a number, whatever else became of trials.
func (m Gaps) Text() string {
	kinds := m.NaN + m.Infinite + m.Empty
	if kinds == 0 {
		return ""
	}
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{m.NaN, "NaN"}, {m.Infinite, "infinite"}, {m.Empty, "empty"}, {m.Other, "without a value"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	return fmt.Sprintf("%d of %d left out: %s", kinds+m.Other, m.Of, strings.Join(parts, ", "))
}
