package analysis

import (
	"fmt"
	"math"
	"slices"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// Shift is one estimate made on two sets of data that were recorded apart,
// and how far the second lies from the first.
type Shift struct {
	Of     string   // a treatment, or a comparison of two, as a selection
	A, B   Estimate // on each set alone
	Change Estimate // B over A, or B less A where no ratio can be had; I95
	P      float64  // two-sided, of no change; NaN where not computable
	Holm   float64  // P adjusted for all shifts that were looked at together
	Others int      // alike sessions whose differences count as noise too; 0: it is that within A and B alone
	Spread float64  // standard deviation of those sessions' estimates, of the logarithms where Change is a ratio; NaN: not known
}

// Moved says whether the change is beyond the noise: the adjusted P is below
// 0.05, or neither the estimates nor those of alike sessions vary at all and
// the two differ.
func (s Shift) Moved() bool {
	constant := s.A.Lo == s.A.Hi && s.B.Lo == s.B.Hi && !(s.Spread > 0)
	return s.Holm < 1-confidence || constant && s.A.Value != s.B.Value
}

// Alike are further sessions of the work that two results hold, each analysed
// by itself: those of the first result's work and machine, and those of the
// second's. Where both are the same they stand under A alone. What all trials
// of a session have in common, such as the layout of memory or a neighbour's
// load, shows only between sessions.
type Alike struct{ A, B []*Result }

// MetricShifts are the shifts of one metric between two results.
type MetricShifts struct {
	Metric  session.Metric
	Refused string  // why nothing is set side by side; empty: it is
	Values  []Shift // of the mean of each treatment that both have
	Ratios  []Shift // of each such treatment over the first of them
	OnlyA   []string
	OnlyB   []string // treatments with data on one side only
}

// Shifts sets two results side by side, metric by metric: all that both have
// and that only names, or all for nil. Treatments are matched by the names
// and levels of their factors, which must be the same ones. The adjustment is
// Holm's, over everything returned. Where alike sessions are enough, what they
// differ by is noise too.
func Shifts(a, b *Result, alike Alike, only []string) ([]MetricShifts, error) {
	if x, y := session.FactorNames(a.Factors), session.FactorNames(b.Factors); !slices.Equal(x, y) {
		return nil, fmt.Errorf("the factors are %q on one side and %q on the other", x, y)
	}
	var all []MetricShifts
	for _, m := range a.Metrics {
		if only == nil || slices.Contains(only, m.Name) {
			all = append(all, shiftsOf(a, b, alike, m))
		}
	}
	adjustShifts(all)
	return all, nil
}

// shiftsOf is one metric's.
func shiftsOf(a, b *Result, alike Alike, m session.Metric) MetricShifts {
	out := MetricShifts{Metric: m}
	i := slices.IndexFunc(b.Metrics, func(n session.Metric) bool { return n.Name == m.Name })
	switch {
	case i < 0:
		out.Refused = "the other side has no such metric"
	case b.Metrics[i].Unit != m.Unit:
		out.Refused = fmt.Sprintf("its unit is %s on one side and %s on the other", m.Unit, b.Metrics[i].Unit)
	}
	if out.Refused != "" {
		return out
	}
	var first expr.Selection
	for _, levels := range a.Treatments() {
		s := a.selectionOf(levels)
		switch inA, inB := a.hasNumbers(m.Name, s), b.hasNumbers(m.Name, s); {
		case inA && inB:
			out.Values = append(out.Values, valueShift(a, b, alike, m.Name, s))
			if first == nil {
				first = s
				continue
			}
			out.Ratios = append(out.Ratios, ratioShift(a, b, alike, m.Name, expr.Comparison{Left: s, Right: first}))
		case inA:
			out.OnlyA = append(out.OnlyA, s.String())
		}
	}
	for _, levels := range b.Treatments() {
		if s := b.selectionOf(levels); b.hasNumbers(m.Name, s) && !a.hasNumbers(m.Name, s) {
			out.OnlyB = append(out.OnlyB, s.String())
		}
	}
	return out
}

// hasNumbers says whether there is a number of a metric for a treatment,
// which need not be one of the experiment.
func (r *Result) hasNumbers(metric string, s expr.Selection) bool {
	n, err := r.Value(Query{Metric: metric, Stat: "n", Selection: s})
	return err == nil && n.Value > 0
}

// valueShift is that of the geometric mean, or of the mean where a number on
// either side is not positive.
func valueShift(a, b *Result, alike Alike, metric string, s expr.Selection) Shift {
	of := func(name string) Shift {
		return between(s.String(), a, b, alike, func(r *Result) Estimate {
			v, err := r.Value(Query{Metric: metric, Stat: name, Selection: s})
			if err != nil {
				v.Estimate = refused("%v", err)
			}
			return v
		})
	}
	if shift := of("geomean"); shift.A.Refused == "" && shift.B.Refused == "" {
		return shift
	}
	return of("mean")
}

func ratioShift(a, b *Result, alike Alike, metric string, c expr.Comparison) Shift {
	return between(c.String(), a, b, alike, func(r *Result) Estimate {
		out, err := r.Compare(metric, c)
		if err != nil {
			out.Ratio.Estimate = refused("%v", err)
		}
		return out.Ratio
	})
}

// between sets two independent estimates side by side: the difference of
// their t intervals' centres with Welch's degrees of freedom (Biometrika 34,
// 1947), on the log scale for ratios and geometric means. Where alike sessions
// are enough, the difference of two of them, √2 times their standard deviation
// with its degrees of freedom, has to be exceeded as well: the larger P and the
// wider interval hold.
func between(of string, a, b *Result, alike Alike, estimate func(*Result) Estimate) Shift {
	s := Shift{Of: of, A: estimate(a), B: estimate(b), Holm: math.NaN()}
	s.Change = Estimate{Metric: s.A.Metric, Selection: of, Kind: Difference, Stat: "difference", Unit: s.A.Unit}
	to, back := identical, identical
	if s.A.Kind == Ratio || s.A.Stat == "geomean" {
		to, back = math.Log, math.Exp
		s.Change.Kind, s.Change.Stat, s.Change.Unit = Ratio, "ratio", "1"
	}
	l := apart(s.A, s.B, to)
	within := l.interval(confidence)
	s.Change.Estimate, s.P = through(within, back), l.p(0)
	var df float64
	if s.Spread, df, s.Others = alike.spread(estimate, to); l.refused != "" || !(s.Spread > 0) {
		return s
	}
	l.se, l.df, l.bare, l.warnings = math.Sqrt2*s.Spread, df, false, nil
	l.method = fmt.Sprintf("t of how far %d other sessions differ", s.Others)
	if apart := l.interval(confidence); !(within.Hi-within.Lo > apart.Hi-apart.Lo) {
		s.Change.Estimate = through(apart, back)
	}
	if p := l.p(0); !(s.P > p) {
		s.P = p
	}
	return s
}

// fewestAlike is how many degrees of freedom the spread of alike sessions has
// at least, of four sessions of one work: with fewer hardly anything would
// ever exceed it.
const fewestAlike = 3

// spread is the standard deviation of an estimate over alike sessions, pooled
// over the two kinds of them, its degrees of freedom, and how many sessions it
// is of; NaN and 0 where they are too few.
func (k Alike) spread(estimate func(*Result) Estimate, to func(float64) float64) (sd, df float64, n int) {
	squares := 0.0
	for _, group := range [][]*Result{k.A, k.B} {
		var ys []float64
		for _, r := range group {
			if y := to(estimate(r).Value); !math.IsNaN(y) && !math.IsInf(y, 0) {
				ys = append(ys, y)
			}
		}
		if len(ys) < 2 {
			continue
		}
		mean := average(ys)
		for _, y := range ys {
			squares += (y - mean) * (y - mean)
		}
		df, n = df+float64(len(ys)-1), n+len(ys)
	}
	if df < fewestAlike {
		return math.NaN(), 0, 0
	}
	return math.Sqrt(squares / df), df, n
}

// apart is b less a on the scale of to.
func apart(a, b Estimate, to func(float64) float64) line {
	l := line{method: "Welch t of two estimates", n: a.N + b.N}
	for _, e := range []Estimate{a, b} {
		if e.Refused != "" {
			l.refused = e.Refused
			return l
		}
	}
	l.value = to(b.Value) - to(a.Value)
	x, y := varianceBehind(a, to), varianceBehind(b, to)
	switch sum := x + y; {
	case math.IsNaN(sum):
		l.bare = true
		l.warnings = []stat.Warning{{Code: stat.NoInterval, Text: "a side has no t interval"}}
	case sum == 0:
		l.df, l.flipped = float64(l.n-2), 2/choose(l.n, a.N)
		l.warnings = []stat.Warning{{Code: stat.ConstantData, Text: "degenerate interval: no variation on either side"}}
	default:
		l.se = math.Sqrt(sum)
		l.df = 1 / (math.Pow(x/sum, 2)/max(a.DF, 1) + math.Pow(y/sum, 2)/max(b.DF, 1))
	}
	return l
}

// varianceBehind is the squared standard error behind a t interval; NaN where the
// estimate has none.
func varianceBehind(e Estimate, to func(float64) float64) float64 {
	if e.Lo == e.Hi {
		return 0
	}
	if !(e.DF > 0) {
		return math.NaN()
	}
	half := (to(e.Hi) - to(e.Lo)) / 2
	return math.Pow(half/stat.TQuantile((1+e.Confidence)/2, e.DF), 2)
}

// adjustShifts adjusts the P of all shifts for having been looked at
// together.
func adjustShifts(all []MetricShifts) {
	var shifts []*Shift
	for i := range all {
		for k := range all[i].Values {
			shifts = append(shifts, &all[i].Values[k])
		}
		for k := range all[i].Ratios {
			shifts = append(shifts, &all[i].Ratios[k])
		}
	}
	ps := make([]float64, len(shifts))
	for i, s := range shifts {
		ps[i] = s.P
	}
	for i, p := range stat.Holm(ps) {
		shifts[i].Holm = p
	}
}
