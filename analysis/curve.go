package analysis

import (
	"fmt"
	"math"
	"slices"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// Curve is a metric over the levels of a numeric factor.
type Curve struct {
	Metric, Unit string // of the metric
	X, XUnit     string // of the factor
	Series       []CurveSeries
}

// CurveSeries is the curve of one combination of the other factors, on one
// machine.
type CurveSeries struct {
	Selection expr.Selection // of the factors that vary besides, and the machine where there are several
	Points    []CurvePoint   // by level, ascending
	Line      CurveLine
	// Fits are the line and its competitors over the same blocks: the best
	// by AICc first, those that are refused at the end.
	Fits []CurveFit
	// Exponent is the slope of logarithm on logarithm, with its interval over
	// blocks. It is an exponent only where a power law fits, and no power law
	// fits a line with an intercept: W_INTERCEPT says which it is.
	Exponent    Estimate
	PerDoubling Estimate // the mean ratio per doubling of the factor, t over blocks
	Steps       []Step   // each level over the one before
	ladder      *ladder  // nil where nothing is fitted
	better      string   // of the metric
	kneeLabel   Estimate // what a knee is of
}

// CurvePoint is a level with its geometric mean over trials.
type CurvePoint struct {
	Level    string
	X        float64
	Estimate Estimate
}

// CurveLine is ln y = block + ln(A + B·x), fitted to complete blocks, in the
// metric's unit. A large LackP is no proof of a line; small deviations are.
type CurveLine struct {
	A, B       float64
	LackP      float64    // lack of fit, against a mean of its own for each level
	X          []float64  // the levels fitted, ascending; it says nothing beyond them
	Deviations []Estimate // by level: level over line, less one, t over blocks
	Refused    string
}

// At is the line at x; x must lie between the first and the last level.
func (l CurveLine) At(x float64) float64 { return l.A + l.B*x }

// LineText is the fitted line as every page and figure writes it,
// "31.8 + 10.0·clients", with the digits that the intervals of its parameters
// leave: x is the name of the factor, unit that of the metric, and shown the
// one to write it in. Empty where no line is fitted.
func (s CurveSeries) LineText(x, unit, shown string) string {
	if s.Line.Refused != "" {
		return ""
	}
	a, b := Estimate{}, Estimate{}
	a.Estimate, b.Estimate = bare(s.Line.A, 0, ""), bare(s.Line.B, 0, "")
	for _, f := range s.Fits {
		if f.Model == linearModel && len(f.Parameters) == 2 {
			a, b = f.Parameters[0], f.Parameters[1]
		}
	}
	sign := " + "
	if b.Value < 0 {
		sign = " − "
		b.Value, b.Lo, b.Hi = -b.Value, -b.Hi, -b.Lo
	}
	number := func(e Estimate) string {
		e.Unit = unit
		e = e.In(shown)
		return e.scaled().number(e.Value)
	}
	return number(a) + sign + number(b) + "·" + x
}

// Curve is the metric over the levels of x within where: a series for each
// combination of the other factors, and for each machine. The error is for a
// question that makes no sense; a level or fit without a number says why.
func (r *Result) Curve(metric, x string, where expr.Selection) (Curve, error) {
	m, at, own, err := r.curvesIn(metric, x, where)
	if err != nil {
		return Curve{}, err
	}
	c := Curve{Metric: metric, Unit: r.Metrics[m].Unit, X: x, XUnit: r.Factors[at].Unit}
	for _, s := range own {
		c.Series = append(c.Series, r.curveSeries(m, x, at, where, s))
	}
	return c, nil
}

// curvesIn are the places of a metric and a factor, and what selects each
// curve within where.
func (r *Result) curvesIn(metric, x string, where expr.Selection) (m, at int, own []expr.Selection, err error) {
	if m, err = r.metricIndex(metric); err != nil {
		return 0, 0, nil, err
	}
	if at, err = r.factorIndex(x); err != nil {
		return 0, 0, nil, err
	}
	if err = r.check(where); err != nil {
		return 0, 0, nil, err
	}
	in := r.treatmentsIn(where)
	if _, _, err = numbersOf(x, distinct(in, at)); err != nil {
		return 0, 0, nil, err
	}
	return m, at, r.curveSelections(in, x, where), nil
}

// curveSelections are the combinations of what varies beside x, and the
// machines where there are several.
func (r *Result) curveSelections(in [][]string, x string, where expr.Selection) []expr.Selection {
	machines := []expr.Selection{nil}
	if all := r.machinesIn(where); len(all) > 1 {
		machines = nil
		for _, m := range all {
			machines = append(machines, r.scopeOf(m))
		}
	}
	var combos []expr.Selection
	seen := map[string]bool{}
	for _, levels := range in {
		combo := expr.Selection{}
		for i, f := range r.Factors {
			if f.Name != x && i < len(levels) && len(distinct(in, i)) > 1 {
				combo = append(combo, expr.Term{Factor: f.Name, Levels: []string{levels[i]}})
			}
		}
		if !seen[combo.String()] {
			seen[combo.String()] = true
			combos = append(combos, combo)
		}
	}
	var all []expr.Selection
	for _, m := range machines {
		for _, combo := range combos {
			all = append(all, append(slices.Clone(m), combo...))
		}
	}
	return all
}

// curveSeries is one series: its points, and the fits through those that have
// a number.
func (r *Result) curveSeries(metric int, x string, at int, where, own expr.Selection) CurveSeries {
	within := both(where, own)
	s := CurveSeries{Selection: own, Points: r.curvePoints(metric, x, at, within)}
	measured := expr.Term{Factor: x, Levels: levelsWithNumbers(s.Points)}
	if len(measured.Levels) == 0 {
		s.refuse(s.Points[0].Estimate.Refused)
		return s
	}
	l, err := r.newLadder(metric, x, both(within, expr.Selection{measured}), nil)
	switch {
	case err != nil:
		s.refuse(err.Error())
	case l.refused() != "":
		s.refuse(l.refused())
	case len(l.xs) < minFitLevels:
		s.refuse(fmt.Sprintf("a fit takes %d levels of %s, and there are %d", minFitLevels, x, len(l.xs)))
		r.courseOf(&s, l)
	case len(l.con.blocks) < 2:
		s.refuse("a fit takes two blocks")
		r.courseOf(&s, l)
	default:
		r.fitSeries(&s, l)
		r.courseOf(&s, l)
	}
	return s
}

// curvePoints are the levels of x within a selection that curvesIn checked,
// ascending.
func (r *Result) curvePoints(metric int, x string, at int, within expr.Selection) []CurvePoint {
	var points []CurvePoint
	levels, xs, _ := numbersOf(x, distinct(r.treatmentsIn(within), at))
	for i, l := range levels {
		e, err := r.Value(Query{Metric: r.Metrics[metric].Name, Stat: "geomean", Selection: both(within, expr.Selection{{Factor: x, Levels: []string{l}}})})
		if err != nil {
			e.Estimate = refused("%s", err)
		}
		points = append(points, CurvePoint{Level: l, X: xs[i], Estimate: e})
	}
	return points
}

// levelsWithNumbers are the levels of points that have a number.
func levelsWithNumbers(points []CurvePoint) []string {
	var levels []string
	for _, p := range points {
		if p.Estimate.Refused == "" {
			levels = append(levels, p.Level)
		}
	}
	return levels
}

// refuse says of all fits why there is none.
func (s *CurveSeries) refuse(why string) {
	s.Line = CurveLine{Refused: why}
	s.Exponent.Estimate = refused("%s", why)
	s.Exponent.Stat, s.Exponent.Unit = "exponent", "1"
	s.PerDoubling = Estimate{Estimate: s.Exponent.Estimate, Kind: Ratio, Stat: "slope", Unit: "1"}
}

// fitSeries fits the line, its competitors and the exponent.
func (r *Result) fitSeries(s *CurveSeries, l *ladder) {
	fit := l.fitLine()
	s.Line = CurveLine{A: fit.A, B: fit.B, LackP: fit.LackP, X: slices.Clone(l.xs), Refused: fit.Refused}
	if fit.Refused == "" {
		s.Line.Deviations = r.lineDeviations(l, fit)
	}
	s.better = r.Metrics[l.con.metric].Better
	s.Fits = l.curveData(s.better).compete()
	s.Exponent = r.exponent(l, s.Fits)
	s.ladder = l
	s.kneeLabel = r.ladderFinding(l, "knee", l.where(), line{refused: "not computed"}).Estimate
	s.kneeLabel.Unit = r.unitOfFactor(l.factor)
}

// courseOf is what takes two levels and no fit: slope and steps.
func (r *Result) courseOf(s *CurveSeries, l *ladder) {
	if len(l.xs) >= 2 {
		s.PerDoubling, s.Steps = r.ratioPerDoubling(l), r.steps(l)
	}
}

// where is what all levels of the ladder have in common.
func (l *ladder) where() string {
	return slices.DeleteFunc(slices.Clone(l.con.sides[0].sel), func(t expr.Term) bool { return t.Factor == l.factor }).String()
}

// unitOfFactor is a factor's unit; "1" where it has none.
func (r *Result) unitOfFactor(name string) string {
	if i, err := r.factorIndex(name); err == nil {
		return firstOf(r.Factors[i].Unit, "1")
	}
	return "1"
}

// lineDeviations are the deviations with their intervals, level by level.
func (r *Result) lineDeviations(l *ladder, fit stat.MultiplicativeLine) []Estimate {
	var all []Estimate
	for j, of := range l.deviations(fit) {
		e := r.ladderFinding(l, "deviation", l.con.sides[j].sel.String(), of).Estimate
		e.Estimate = through(e.Estimate, math.Expm1)
		all = append(all, e)
	}
	return all
}
