package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// Step is a level of a curve over the one before it.
type Step struct {
	From, To string
	Ratio    Estimate // paired t over blocks, log scale
	P        float64  // two-sided, of ratio 1, Holm over the steps of the curve
}

// course is 1 where a step rises for certain, -1 where it falls, and 0 where
// neither is shown.
func (s Step) course() int {
	switch {
	case !(s.P < alpha):
		return 0
	case s.Ratio.Value > 1:
		return 1
	}
	return -1
}

// ratioPerDoubling is the mean ratio per doubling of the factor: exp of the slope
// that a claim of `slope` is judged by.
func (r *Result) ratioPerDoubling(l *ladder) Estimate {
	e := Estimate{Metric: r.Metrics[l.con.metric].Name, Kind: Ratio, Stat: "slope", Unit: "1", Selection: "per doubling of " + l.factor}
	of, why := r.doublingLine(l)
	if why != "" {
		e.Estimate = refused("%s", why)
		return e
	}
	e = r.ladderFinding(l, "slope", "per doubling of "+l.factor, of).Estimate
	e.Kind, e.Estimate = Ratio, through(e.Estimate, math.Exp)
	return e
}

// steps are the ratios of neighbouring levels.
func (r *Result) steps(l *ladder) []Step {
	rows := l.rows()
	var all []Step
	var ps []float64
	for j := 1; j < len(l.xs); j++ {
		d := make([]float64, len(rows))
		for i, row := range rows {
			d[i] = row[j] - row[j-1]
		}
		of := pairedLine(d, "paired t over blocks, log scale"+r.plotsNote(l.con))
		e := r.ladderFinding(l, "ratio", fmt.Sprintf("%s=%s / %s=%s", l.factor, l.levels[j], l.factor, l.levels[j-1]), of).Estimate
		e.Kind, e.Estimate = Ratio, through(e.Estimate, math.Exp)
		all = append(all, Step{From: l.levels[j-1], To: l.levels[j], Ratio: e})
		ps = append(ps, of.p(0))
	}
	for i, p := range stat.Holm(ps) {
		all[i].P = p
	}
	return all
}

// Course says where a curve rises and where it falls: "rises from 1 to 8",
// "falls from 1 to 4, rises from 4 to 16", "rises from 1 to 4, no change shown
// from 4 to 8". Each step counts by its p-value after Holm; empty where there
// are none.
func (s CurveSeries) Course() string {
	verbs := map[int]string{1: "rises", -1: "falls", 0: "no change shown"}
	var words []string
	for i := 0; i < len(s.Steps); {
		j := i
		for j+1 < len(s.Steps) && s.Steps[j+1].course() == s.Steps[i].course() {
			j++
		}
		words = append(words, verbs[s.Steps[i].course()]+" from "+s.Steps[i].From+" to "+s.Steps[j].To)
		i = j + 1
	}
	return strings.Join(words, ", ")
}

// SlopeWords say of a ratio per doubling whether the curve rises or falls over
// its levels as a whole: "rises by 62 % [58, 66] per doubling".
func (e Estimate) SlopeWords() string {
	switch {
	case e.Refused != "":
		return e.ValueText()
	case !e.bounded():
		return e.ValueText() + " per doubling, without an interval: nothing can be said of its direction"
	}
	c := Comparison{Ratio: e}
	switch {
	case e.Lo == 1 && e.Hi == 1:
		return "is flat in every block"
	case e.Hi < 1:
		return "falls by " + c.change() + " per doubling" + e.caution()
	case e.Lo > 1:
		return "rises by " + c.change() + " per doubling" + e.caution()
	}
	return "neither rises nor falls for certain: between " + e.sided(e.Lo) + " and " + e.sided(e.Hi) + " per doubling" + e.caution()
}

// curveStats are the statistics of a single curve.
var curveStats = []string{"exponent", "knee", "slope"}

// CurveValue is a number of one curve, the metric over the levels of x within
// the query's selection, which must fix every other factor and the machine:
// "slope", the ratio per doubling of x; "exponent", the slope of logarithm on
// logarithm; "knee", the x at which the scalability law turns. The error is
// for a question that makes no sense; what the data does not carry is
// refused.
func (r *Result) CurveValue(q Query, x string) (Estimate, error) {
	if !slices.Contains(curveStats, q.Stat) {
		return Estimate{}, unknown("statistic", q.Stat, curveStats)
	}
	s, err := r.oneCurve(q.Metric, x, q.Selection)
	if err != nil {
		return Estimate{}, err
	}
	e := s.PerDoubling
	switch q.Stat {
	case "exponent":
		e = s.Exponent
	case "knee":
		e = s.Knee()
	}
	e.Selection = strings.TrimSpace(x + ", " + q.Selection.String())
	return e, nil
}

// oneCurve is the only curve of a selection.
func (r *Result) oneCurve(metric, x string, where expr.Selection) (CurveSeries, error) {
	m, at, own, err := r.oneCurveIn(metric, x, where)
	if err != nil {
		return CurveSeries{}, err
	}
	return r.curveSeries(m, x, at, where, own), nil
}

// oneCurveIn is curvesIn of a selection with one curve.
func (r *Result) oneCurveIn(metric, x string, where expr.Selection) (m, at int, own expr.Selection, err error) {
	m, at, all, err := r.curvesIn(metric, x, where)
	if err != nil {
		return 0, 0, nil, err
	}
	named := expr.Selection{{Factor: x, Levels: r.levelsOf(at)}}
	switch open := r.open(r.treatmentsIn(where), named); {
	case len(open) > 0:
		return 0, 0, nil, fmt.Errorf("%s", nameThem(open))
	case len(all) > 1:
		return 0, 0, nil, fmt.Errorf("%s", askMachine(r.countingTrials(where)))
	case len(all) == 0:
		return 0, 0, nil, fmt.Errorf("no treatment is %s", where)
	}
	return m, at, all[0], nil
}
