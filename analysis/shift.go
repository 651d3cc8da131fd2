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
}

// Moved says whether the change is beyond the noise within the two sets: the
// adjusted P is below 0.05, or neither estimate varies at all and they
// differ. What all trials of one session have in common, such as the layout
// of memory or a neighbour's load, is not in this noise.
func (s Shift) Moved() bool {
	constant := s.A.Lo == s.A.Hi && s.B.Lo == s.B.Hi
	return s.Holm < 1-confidence || constant && s.A.Value != s.B.Value
}

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
// Holm's, over everything returned.
func Shifts(a, b *Result, only []string) ([]MetricShifts, error) {
	if x, y := session.FactorNames(a.Factors), session.FactorNames(b.Factors); !slices.Equal(x, y) {
		return nil, fmt.Errorf("the factors are %q on one side and %q on the other", x, y)
	}
	var all []MetricShifts
	for _, m := range a.Metrics {
		if only == nil || slices.Contains(only, m.Name) {
			all = append(all, shiftsOf(a, b, m))
		}
	}
	adjustShifts(all)
	return all, nil
}

// shiftsOf is one metric's.
func shiftsOf(a, b *Result, m session.Metric) MetricShifts {
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
			out.Values = append(out.Values, valueShift(a, b, m.Name, s))
			if first == nil {
				first = s
				continue
			}
			out.Ratios = append(out.Ratios, ratioShift(a, b, m.Name, expr.Comparison{Left: s, Right: first}))
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
func valueShift(a, b *Result, metric string, s expr.Selection) Shift {
	of := func(name string) Shift {
		x, err := a.Value(Query{Metric: metric, Stat: name, Selection: s})
		if err != nil {
			x.Estimate = refused("%v", err)
		}
		y, err := b.Value(Query{Metric: metric, Stat: name, Selection: s})
		if err != nil {
			y.Estimate = refused("%v", err)
		}
		return between(s.String(), x, y)
	}
	if shift := of("geomean"); shift.A.Refused == "" && shift.B.Refused == "" {
		return shift
	}
	return of("mean")
}

func ratioShift(a, b *Result, metric string, c expr.Comparison) Shift {
	ratio := func(r *Result) Estimate {
		out, err := r.Compare(metric, c)
		if err != nil {
			out.Ratio.Estimate = refused("%v", err)
		}
		return out.Ratio
	}
	return between(c.String(), ratio(a), ratio(b))
}

// between sets two independent estimates side by side: the difference of
// their t intervals' centres with Welch's degrees of freedom (Biometrika 34,
// 1947), on the log scale for ratios and geometric means.
func between(of string, a, b Estimate) Shift {
	s := Shift{Of: of, A: a, B: b, Holm: math.NaN()}
	s.Change = Estimate{Metric: a.Metric, Selection: of, Kind: Difference, Stat: "difference", Unit: a.Unit}
	to, back := identical, identical
	if a.Kind == Ratio || a.Stat == "geomean" {
		to, back = math.Log, math.Exp
		s.Change.Kind, s.Change.Stat, s.Change.Unit = Ratio, "ratio", "1"
	}
	l := apart(a, b, to)
	s.Change.Estimate = through(l.interval(confidence), back)
	s.P = l.p(0)
	return s
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
