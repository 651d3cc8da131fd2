package analysis

import (
	"fmt"
	"slices"
	"strings"

	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
)

// scopes are the words of a selection that are no factors: they choose rows,
// not treatments. "control" is the label of an A/A control.
var scopes = []string{"experiment", "machine", "session", "control"}

func isScope(factor string) bool { return slices.Contains(scopes, factor) }

// metricIndex is the place of a metric in Input.Metrics, or an error that
// says what there is.
func (r *Result) metricIndex(name string) (int, error) {
	names := make([]string, len(r.Metrics))
	for i, m := range r.Metrics {
		if m.Name == name {
			return i, nil
		}
		names[i] = m.Name
	}
	if name == "" {
		return 0, fmt.Errorf("no metric is named; %s", diag.Meant("", names))
	}
	return 0, fmt.Errorf("unknown metric %q; %s", name, firstOf(diag.MeantMetric(name, names), "there is none"))
}

// metricWithin is the place of a metric, where a selection can be looked at.
func (r *Result) metricWithin(name string, where expr.Selection) (int, error) {
	m, err := r.metricIndex(name)
	if err == nil {
		err = r.check(where)
	}
	return m, err
}

func unknown(what, name string, known []string) error {
	if hint := diag.Meant(name, known); hint != "" {
		return fmt.Errorf("unknown %s %q; %s", what, name, hint)
	}
	return fmt.Errorf("unknown %s %q; there is none", what, name)
}

func unknownLevel(factor, level string, known []string) error {
	if isScope(factor) {
		return unknown(factor, level, known)
	}
	return fmt.Errorf("unknown level %q of %s; %s", level, factor, firstOf(diag.Meant(level, known), "it has none"))
}

// check says what a selection names that does not exist.
func (r *Result) check(s expr.Selection) error {
	for _, t := range s {
		if err := r.checkTerm(t); err != nil {
			return err
		}
	}
	return nil
}

func (r *Result) checkTerm(t expr.Term) error {
	if len(t.Levels) == 0 {
		return fmt.Errorf("%s names no level", t.Factor)
	}
	var known []string
	switch t.Factor {
	case "experiment":
		known = []string{r.Experiment}
	case "machine":
		known = r.Machines()
	case "session":
		known = r.sessionsWithData()
	case "control":
		known = []string{"A", "B"}
	default:
		i, err := r.factorIndex(t.Factor)
		if err != nil {
			return err
		}
		known = r.levelsOf(i)
	}
	for _, l := range t.Levels {
		if !slices.Contains(known, l) {
			if why := r.leftOut(l); t.Factor == "session" && why != "" {
				return fmt.Errorf("session %s is not used: %s", l, why)
			}
			if isScope(t.Factor) && len(known) == 0 {
				continue // no data yet: nothing can be known
			}
			return unknownLevel(t.Factor, l, known)
		}
	}
	return nil
}

// leftOut is why a session is not used; empty where there is none of that id.
func (r *Result) leftOut(id string) string {
	if r.Data == nil {
		return ""
	}
	for _, s := range r.Data.LeftOut {
		if s.Session == id {
			return s.Reason
		}
	}
	return ""
}

func (r *Result) factorNames() []string {
	var names []string
	for _, f := range r.Factors {
		names = append(names, f.Name)
	}
	return append(names, scopes...)
}

// levelsOf are the levels of a factor: those declared, and those that only
// treatments have.
func (r *Result) levelsOf(i int) []string {
	known := slices.Clone(r.Factors[i].Levels)
	for _, levels := range r.treatments {
		if i < len(levels) && !slices.Contains(known, levels[i]) {
			known = append(known, levels[i])
		}
	}
	return known
}

func (r *Result) sessionsWithData() []string {
	var ids []string
	for _, t := range r.trials {
		if !slices.Contains(ids, t.session.Session) {
			ids = append(ids, t.session.Session)
		}
	}
	return ids
}

// matches says whether a selection holds of a trial.
func (r *Result) matches(t *trial, s expr.Selection) bool {
	return s.Matches(func(name string) (string, bool) {
		switch name {
		case "experiment":
			return r.Experiment, true
		case "machine":
			return t.session.Machine, true
		case "session":
			return t.session.Session, true
		case "control":
			return t.Control, true
		}
		return r.level(t.levels, name)
	})
}

// level is a treatment's level of a factor.
func (r *Result) level(levels []string, factor string) (string, bool) {
	for i, f := range r.Factors {
		if f.Name == factor && i < len(levels) {
			return levels[i], true
		}
	}
	return "", false
}

// treatmentsIn are the levels of the treatments that a selection's factors
// match, whether they have data or not.
func (r *Result) treatmentsIn(s expr.Selection) [][]string {
	factors := factorTerms(s)
	var in [][]string
	for _, levels := range r.treatments {
		if factors.Matches(func(name string) (string, bool) { return r.level(levels, name) }) {
			in = append(in, levels)
		}
	}
	return in
}

// factorTerms is the part of a selection that chooses treatments, scopeTerms
// the part that chooses rows.
func factorTerms(s expr.Selection) expr.Selection {
	return slices.DeleteFunc(slices.Clone(s), func(t expr.Term) bool { return isScope(t.Factor) })
}

func scopeTerms(s expr.Selection) expr.Selection {
	return slices.DeleteFunc(slices.Clone(s), func(t expr.Term) bool { return !isScope(t.Factor) })
}

// placeTerms are the scope terms that choose where and when rows come from,
// not the label of an A/A control.
func placeTerms(s expr.Selection) expr.Selection {
	return slices.DeleteFunc(scopeTerms(s), func(t expr.Term) bool { return t.Factor == "control" })
}

// both is the selection of what two selections have in common. Levels of a
// factor that stands in both are intersected; where nothing is left the
// result matches nothing.
func both(a, b expr.Selection) expr.Selection {
	out := slices.Clone(a)
	for _, t := range b {
		i := slices.IndexFunc(out, func(o expr.Term) bool { return o.Factor == t.Factor })
		if i < 0 {
			out = append(out, t)
			continue
		}
		common := slices.DeleteFunc(slices.Clone(out[i].Levels), func(l string) bool { return !slices.Contains(t.Levels, l) })
		out[i] = expr.Term{Factor: t.Factor, Levels: common, Off: out[i].Off}
	}
	return out
}

// open are the factors in which the treatments differ and that the selection
// does not name, with the levels found.
func (r *Result) open(treatments [][]string, named expr.Selection) []expr.Term {
	var terms []expr.Term
	for i, f := range r.Factors {
		if named.Levels(f.Name) != nil {
			continue
		}
		if levels := distinct(treatments, i); len(levels) > 1 {
			terms = append(terms, expr.Term{Factor: f.Name, Levels: levels})
		}
	}
	return terms
}

// distinct are the levels of factor i among treatments, in their order.
func distinct(treatments [][]string, i int) []string {
	var levels []string
	for _, t := range treatments {
		if i < len(t) && !slices.Contains(levels, t[i]) {
			levels = append(levels, t[i])
		}
	}
	return levels
}

// nameThem asks a reader to close what is open: "sessions is open: name
// sessions=1 or sessions=2".
func nameThem(open []expr.Term) string {
	var asks []string
	for _, t := range open {
		var choices []string
		for _, l := range t.Levels {
			choices = append(choices, t.Factor+"="+expr.QuoteLevel(l))
		}
		asks = append(asks, t.Factor+" is open: name "+orList(choices))
	}
	return strings.Join(asks, "; ")
}

// orList is "a", "a or b", "a, b or c".
func orList(words []string) string { return joinLast(words, " or ") }

// andList is "a", "a and b", "a, b and c".
func andList(words []string) string { return joinLast(words, " and ") }

func joinLast(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + last + words[n]
}

// scopeOf selects a machine; "" none.
func (r *Result) scopeOf(machine string) expr.Selection {
	if machine == "" {
		return nil
	}
	return expr.Selection{{Factor: "machine", Levels: []string{machine}}}
}
