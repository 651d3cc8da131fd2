package figure

import (
	"math"
	"slices"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
)

// statistic is the one that a figure shows beside the trials: the one asked
// for, else the geometric mean, which ratios are made of; the median where a
// value is not positive and there is none.
func (w *wish) statistic() string {
	if w.Stat != "" {
		return w.Stat
	}
	if slices.ContainsFunc(values(w.trials), func(v float64) bool { return v <= 0 }) {
		return "median"
	}
	return "geomean"
}

// statWords are statistics that a figure names by what they are of; others
// have the words of the analysis.
var statWords = map[string]string{"min": "smallest trial", "max": "largest trial", "n": "number of trials"}

func statName(stat string) string {
	if words, ok := statWords[stat]; ok {
		return words
	}
	return analysis.StatWords(stat)
}

// spreads says whether the statistic tells of trials something else than
// where they lie.
func (w *wish) spreads() bool { return slices.Contains([]string{"cv", "n", "sd"}, w.Stat) }

// estimate is the statistic of a group, with its interval; scope is a
// selection of session, or empty.
func (g *group) estimate(scope expr.Selection) (analysis.Estimate, error) {
	return g.w.r.Value(analysis.Query{Metric: g.w.Metric, Stat: g.w.statistic(), Selection: append(scope, g.selection()...)})
}

// scopeOf is what a facet's panel of one session asks for beside the
// treatment.
func (w *wish) scopeOf(facet string) expr.Selection {
	if w.Facet != bySession {
		return nil
	}
	return expr.Selection{{Factor: bySession, Levels: []string{facet}}}
}

// markOf is an estimate as a mark, in the unit shown; false where there is no
// number.
func (w *wish) markOf(e analysis.Estimate, place float64, name string) (mark, bool) {
	if e.Refused != "" || math.IsNaN(e.Value) {
		return mark{}, false
	}
	factor := w.scaleBy
	if e.Kind == analysis.Ratio || e.Unit != w.unit {
		factor = 1
	}
	m := mark{Place: place, Value: e.Value * factor, Look: mean, Stale: len(e.Stale) > 0}
	if e.NoInterval() == "" && !math.IsNaN(e.Lo) && !math.IsNaN(e.Hi) {
		m.Interval = &interval{Lo: e.Lo * factor, Hi: e.Hi * factor}
	}
	m.Tip = within(name) + ": " + statName(e.Stat) + " " + w.text(e) + ", " + count(e.N, "trial")
	if e.Kind == analysis.Ratio {
		m.Tip = within(name) + ": " + clean(e.Text()) + ", n = " + groupInt(e.N)
	}
	if m.Stale {
		m.Tip += ", stale"
	}
	return m, true
}

// text is an estimate in the unit of the figure, in which all others are.
func (w *wish) text(e analysis.Estimate) string {
	if !w.ownUnits {
		e = e.In(w.plainUnit)
	}
	return clean(e.Text())
}

// confidence is that of the intervals shown, in percent: "95 %".
func confidence(es []analysis.Estimate) string {
	for _, e := range es {
		if e.Confidence > 0 {
			return number(math.Round(e.Confidence*1000)/10, 0) + " %"
		}
	}
	return "95 %"
}

// publishedMachines are the machines of an earlier study, where it is to be
// shown.
func (w *wish) publishedMachines() []string {
	if !w.Published || w.spreads() {
		return nil
	}
	return w.r.PublishedMachines()
}

// publishedMarks are an earlier study's numbers of a treatment, one for each
// machine that states it, never with an interval.
func (g *group) publishedMarks(place float64) []mark {
	var ms []mark
	w := g.w
	treatment := slices.DeleteFunc(g.selection(), func(t expr.Term) bool { return w.factor(t.Factor) < 0 })
	for _, m := range w.publishedMachines() {
		e, ok := w.perRun(append(expr.Selection{{Factor: byMachine, Levels: []string{m}}}, treatment...))
		if !ok {
			continue // not stated
		}
		if one, ok := w.markOf(e, place, g.fullName()); ok {
			one.Look, one.Interval = published, nil
			one.Tip = "published, " + within(m) + ": " + within(g.fullName()) + ", " + clean(e.In(w.plainUnit).ValueText())
			ms = append(ms, one)
		}
	}
	return ms
}

// perRun is a published number of one run in the metric's unit, so that it
// can stand beside a trial: a mean, a sum by its number of runs, or a value.
func (w *wish) perRun(s expr.Selection) (analysis.Estimate, bool) {
	for _, stat := range []string{"mean", "value"} {
		e, err := w.r.PublishedValue(analysis.Query{Metric: w.Metric, Stat: stat, Selection: s})
		// A sum whose number of runs is not stated is printed as it is; it is
		// no number of one run.
		if err == nil && e.Refused == "" && e.Unit == w.unit && (stat == "mean" || e.Method == "a value") {
			return e, true
		}
	}
	return analysis.Estimate{}, false
}
