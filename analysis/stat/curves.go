package stat

import (
	"math"
	"slices"
)

// MultiplicativeLine is y = a + b·x with noise in proportion to y, in blocks.
type MultiplicativeLine struct {
	A, B       float64
	RSS        float64 // of logarithms
	RSSFull    float64 // of the model with a mean of its own for each x
	DFError    float64
	LackF      float64 // lack of fit; a large P is no proof of linearity
	LackP      float64
	Deviations []Estimate // per x, ascending: level over line, less one, with a t interval
	X          []float64  // the distinct x
	Converged  bool
	Warnings   []Warning
	Refused    string
}

// FitMultiplicativeLine fits ln y = block + ln(a + b·x) and compares it with
// one mean per x. Blocks must hold each x once. conf is that of the
// deviations: the line holds within a margin where all of their 90 % intervals
// do. It refuses fewer than four distinct x.
func FitMultiplicativeLine(x, y []float64, block []int, conf float64) MultiplicativeLine {
	rows, distinct, why := curveRows(x, y, block)
	if why = firstOf(why, badConfidence(conf)); why != "" {
		return MultiplicativeLine{Refused: why}
	}
	levels := columnMeans(rows) // geometric means, logarithms
	fit := FitCurve(func(p []float64, x float64) float64 { return math.Log(p[0] + p[1]*x) },
		distinct, levels, lineStarts(distinct, levels)...)
	if why := firstOf(fit.Refused, unless(fit.Converged, "the line did not converge to values above zero")); why != "" {
		return MultiplicativeLine{Refused: why}
	}
	m := MultiplicativeLine{A: fit.Coef[0], B: fit.Coef[1], X: distinct, Converged: true, Warnings: fit.Warnings}
	m.lackOfFit(rows, fit.RSS)
	for j, x := range distinct {
		m.Deviations = append(m.Deviations, m.deviation(rows, j, math.Log(m.A+m.B*x), conf))
	}
	return m
}

// unless is the reason where the condition fails.
func unless(ok bool, why string) string {
	if ok {
		return ""
	}
	return why
}

// curveRows are the logarithms of y by block and distinct x.
func curveRows(x, y []float64, block []int) (rows [][]float64, distinct []float64, why string) {
	if why = firstOf(badInput(x), badInput(y), notPositive(y)); why != "" {
		return nil, nil, why
	}
	if len(x) != len(y) || len(x) != len(block) {
		return nil, nil, "x, y and blocks differ in number"
	}
	distinct = slices.Compact(sorted(x))
	if why = atLeast(len(distinct), minDistinct, "distinct x"); why != "" {
		return nil, nil, why
	}
	d := Design{Block: block, Y: logs(y)}
	for _, v := range x {
		at, _ := slices.BinarySearch(distinct, v)
		d.Levels = append(d.Levels, []int{at})
	}
	g, why := newGrid(d)
	return g.y, distinct, why
}

// lineStarts are a line through the outermost levels, and one through zero.
func lineStarts(x, logY []float64) [][]float64 {
	last := len(x) - 1
	lo, hi := math.Exp(logY[0]), math.Exp(logY[last])
	slope := (hi - lo) / (x[last] - x[0])
	flat := []float64{math.Exp(average(logY)), 0.01 * hi / math.Max(math.Abs(x[last]), 1e-300)}
	return [][]float64{{lo - slope*x[0], slope}, flat}
}

// lackOfFit compares the line with one mean per x. levelRSS is the squared
// distance of the level means from the line, each standing for all blocks.
func (m *MultiplicativeLine) lackOfFit(rows [][]float64, levelRSS float64) {
	b, k := float64(len(rows)), float64(len(rows[0]))
	d, _ := rowsDesign(rows)
	g, _ := newGrid(d)
	for _, row := range g.residuals() {
		m.RSSFull += squares(row)
	}
	lack := b * levelRSS
	m.RSS = m.RSSFull + lack
	m.DFError = (b - 1) * (k - 1)
	m.LackF = lack / (k - 2) / (m.RSSFull / m.DFError)
	m.LackP = fUpper(m.LackF, k-2, m.DFError)
}

// deviation is the j-th level over the line, less one. Each block's values
// are taken relative to its mean, so that slow and fast blocks count alike.
func (m *MultiplicativeLine) deviation(rows [][]float64, j int, line, conf float64) Estimate {
	grand := 0.0
	for _, row := range rows {
		grand += average(row) / float64(len(rows))
	}
	d := make([]float64, len(rows))
	for i, row := range rows {
		d[i] = row[j] - average(row) + grand - line
	}
	e := PairedT(d, 0, conf).Estimate.through(math.Expm1)
	e.Method = "deviation from a line, paired t over blocks, log scale"
	return e
}

// PowerLaw is y = prefactor · x^exponent, fitted to logarithms.
type PowerLaw struct {
	Exponent     Estimate
	SE           float64
	Prefactor    float64
	T, P         float64 // test that the exponent is 1
	LackF, LackP float64 // lack of fit; NaN without repeated x
	Warnings     []Warning
	Refused      string
}

// FitPowerLaw fits ln y = c + β·ln x. β is an exponent only where y goes to
// zero with x: data on a line with an intercept give β < 1 although they are
// exactly linear, and show it by their lack of fit.
func FitPowerLaw(x, y []float64, conf float64) PowerLaw {
	why := firstOf(badInput(x), badInput(y), notPositive(x), notPositive(y), badConfidence(conf))
	if why != "" {
		return PowerLaw{Refused: why}
	}
	lx, ly := logs(x), logs(y)
	m := FitLine(lx, ly)
	if m.Refused != "" {
		return PowerLaw{Refused: m.Refused}
	}
	p := PowerLaw{Exponent: m.Interval(1, conf), SE: m.SE[1], Prefactor: math.Exp(m.Coef[0])}
	p.T = (p.Exponent.Value - 1) / p.SE
	p.P = tTwoSided(p.T, m.DFRes)
	p.LackF, _, _, p.LackP = m.LackOfFit(lx, ly)
	if p.LackP < 0.05 {
		p.Warnings = append(p.Warnings, Warning{Intercept, "a power law does not fit: the slope of logarithms is no exponent"})
	}
	return p
}

// FitLine fits y = b0 + b1·x, and refuses fewer than four distinct x: they
// could not show that it is no line.
func FitLine(x, y []float64) LeastSquares {
	if why := firstOf(badInput(x), atLeast(len(slices.Compact(sorted(x))), minDistinct, "distinct x")); why != "" {
		return LeastSquares{Refused: why}
	}
	return OLS([][]float64{x}, y, true)
}

// LackOfFit compares the model with one mean per distinct x: F with its
// degrees of freedom and p-value; NaN without repeated x.
func (m LeastSquares) LackOfFit(x, y []float64) (f, df1, df2, p float64) {
	groups := map[float64][]float64{}
	for i, v := range x {
		groups[v] = append(groups[v], y[i])
	}
	pure := 0.0
	for _, v := range slices.Compact(sorted(x)) {
		pure += sumSquares(groups[v])
	}
	df1, df2 = float64(len(groups)-len(m.Coef)), float64(len(x)-len(groups))
	if !(df1 > 0) || !(df2 > 0) || pure == 0 {
		return math.NaN(), df1, df2, math.NaN()
	}
	f = (m.SSRes - pure) / df1 / (pure / df2)
	return f, df1, df2, fUpper(f, df1, df2)
}

// BreuschPagan tests that the residual variance does not depend on the
// predictors, by n·R² of squared residuals (Koenker's version, J. Econom. 17,
// 1981).
func (m LeastSquares) BreuschPagan(predictors [][]float64) (statistic, p float64) {
	if m.Refused != "" {
		return math.NaN(), math.NaN()
	}
	sq := make([]float64, len(m.Residuals))
	for i, e := range m.Residuals {
		sq[i] = e * e
	}
	aux := OLS(predictors, sq, true)
	if aux.Refused != "" {
		return math.NaN(), math.NaN()
	}
	statistic = float64(len(sq)) * aux.R2
	return statistic, chiSquaredUpper(statistic, aux.DFReg)
}

// DurbinWatson is the ratio of squared differences of neighbouring residuals
// to squared residuals: 2 where neighbours are unrelated.
func (m LeastSquares) DurbinWatson() float64 {
	sum := 0.0
	for i := 1; i < len(m.Residuals); i++ {
		d := m.Residuals[i] - m.Residuals[i-1]
		sum += d * d
	}
	return sum / m.SSRes
}
