package analysis

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fieldbook/internal/session"
)

// Gaps count the trials that gave no number of a metric, by what stood in
// its place.
type Gaps struct {
	Of     int              // trials that ran
	By     Kinds            // the value was there, and was no number
	Beside map[string]Kinds // another metric's was, by its name, and the trial failed
	Other  int              // all else: failed, timed out, no value at all
}

// Kinds count values that are no numbers.
type Kinds struct{ NaN, Infinite, Empty int }

// add counts a value of one of the kinds that a session tells.
func (k Kinds) add(kind string) Kinds {
	switch kind {
	case session.ValueNaN:
		k.NaN++
	case session.ValueInfinite:
		k.Infinite++
	default:
		k.Empty++
	}
	return k
}

// All is the sum.
func (k Kinds) All() int { return k.NaN + k.Infinite + k.Empty }

// texts are such as "2 NaN", and of another metric "2 NaN of metric elapsed".
func (k Kinds) texts(of string) []string {
	return slices.Concat(counted(k.NaN, "NaN"+of), counted(k.Infinite, "infinite"+of), counted(k.Empty, "empty"+of))
}

func counted(n int, what string) []string {
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d %s", n, what)}
}

// GapsIn counts the observations of a metric without a number. What stood
// in its place is known from the reason that the session recorded. A trial
// fails as a whole, so that the reason may tell it of another metric. One that
// is invalid has a number, which does not count.
func (r *Result) GapsIn(metric string, all []Observation) Gaps {
	m := Gaps{Of: len(all), Beside: map[string]Kinds{}}
	for _, o := range all {
		if o.Status == session.Invalid || o.Status == session.OK && !math.IsNaN(o.Value) {
			continue
		}
		switch of, kind := r.noNumber(metric, o); of {
		case "":
			m.Other++
		case metric:
			m.By = m.By.add(kind)
		default:
			m.Beside[of] = m.Beside[of].add(kind)
		}
	}
	return m
}

// problem is what a reason says of one metric.
type problem struct{ metric, text string }

// kind is what stood in the place of a number; empty where it is not told.
func (p problem) kind() string {
	for _, kind := range []string{session.ValueNaN, session.ValueInfinite, session.ValueEmpty, session.ValueNull} {
		if strings.HasSuffix(p.text, kind) { // before it, which sample or client
			return kind
		}
	}
	return ""
}

// noNumber is the metric whose value was no number in a failed attempt, and
// what it was: the metric itself, that which it is computed from, or, where
// nothing is said of it, the first other. Empty: the reason tells of none.
func (r *Result) noNumber(metric string, o Observation) (of, kind string) {
	said := r.problems(o)
	if i := slices.IndexFunc(said, func(p problem) bool { return p.metric == metric }); i >= 0 {
		if from, ok := session.CutNoValue(said[i].text); ok {
			metric = from
		}
		said = slices.DeleteFunc(said, func(p problem) bool { return p.metric != metric })
	}
	for _, p := range said {
		if kind := p.kind(); kind != "" {
			return p.metric, kind
		}
	}
	return "", ""
}

// problems are what a failed attempt's reason says of metrics. Where it begins
// with something else, such as an exit, there are none: the rest may be what a
// program said.
func (r *Result) problems(o Observation) []problem {
	var all []problem
	for text := range strings.SplitSeq(o.Reason, "; ") {
		name, what, _ := strings.Cut(text, ": ")
		if o.Status == session.Failed && r.recorded(name) {
			all = append(all, problem{name, what})
		} else if len(all) == 0 {
			return nil
		}
	}
	return all
}

// recorded says whether a session has a metric of that name.
func (r *Result) recorded(metric string) bool {
	return slices.ContainsFunc(r.Data.Sessions, func(s *session.Session) bool {
		return slices.ContainsFunc(s.Metrics, func(m session.Metric) bool { return m.Name == metric })
	})
}

// Text is "5 of 9 left out: 2 NaN, 2 infinite, 1 empty", and of trials that
// failed with another metric's value "6 of 9 left out: 6 NaN of metric
// elapsed". It is empty where every value that a trial gave was a number,
// whatever else became of trials.
func (m Gaps) Text() string {
	n, parts := m.By.All(), m.By.texts("")
	for _, name := range slices.Sorted(maps.Keys(m.Beside)) {
		n += m.Beside[name].All()
		parts = append(parts, m.Beside[name].texts(" of metric "+name)...)
	}
	if n == 0 {
		return ""
	}
	parts = append(parts, counted(m.Other, "without a value")...)
	return fmt.Sprintf("%d of %d left out: %s", n+m.Other, m.Of, strings.Join(parts, ", "))
}
