package stat

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// minDistinct is the least number of different x of a curve.
const minDistinct = 4

// dependent is the share of a predictor of unit length that may be left over
// by the others before it counts as a combination of them.
const dependent = 1e-11

// LeastSquares is a linear model fitted by ordinary least squares.
type LeastSquares struct {
	Coef, SE     []float64 // the intercept first, where there is one
	SSReg, SSRes float64   // about the mean; about zero without an intercept
	DFReg, DFRes float64
	Sigma        float64 // residual standard deviation
	R2, F, P     float64 // P: of F
	Fitted       []float64
	Residuals    []float64
	Leverage     []float64
	HC3          []float64 // standard errors that allow unequal noise
	Warnings     []Warning
	Refused      string

	intercept bool
	rows      [][]float64 // coefficient j is rows[j]·(orthonormal basis)·y
	basis     [][]float64 // per observation: its row of the orthonormal basis
}

// OLS fits y = b0 + Σ b_j x_j by Householder QR of the centred and scaled
// predictors, never by the normal equations. predictors[j] is a column. It
// refuses predictors that depend on one another, and as many coefficients as
// observations or more.
func OLS(predictors [][]float64, y []float64, intercept bool) LeastSquares {
	if why := badRegression(predictors, y, intercept); why != "" {
		return LeastSquares{Refused: why}
	}
	f := newFit(predictors, y, intercept)
	if f.refused != "" {
		return LeastSquares{Refused: f.refused}
	}
	return f.summary(y)
}

// badRegression says why no model can be fitted, or nothing.
func badRegression(predictors [][]float64, y []float64, intercept bool) string {
	if why := badInput(y); why != "" {
		return why
	}
	coefficients := len(predictors)
	if intercept {
		coefficients++
	}
	if len(predictors) == 0 || coefficients >= len(y) {
		return fmt.Sprintf("%d coefficients need more than %d observations", coefficients, len(y))
	}
	for _, x := range predictors {
		if len(x) != len(y) {
			return "predictors and response differ in number"
		}
		if why := badInput(x); why != "" {
			return why
		}
	}
	return ""
}

// fit is a least-squares problem whose predictors were centred (with an
// intercept) and scaled to unit length.
type fit struct {
	intercept     bool
	center, scale []float64
	yMean         float64
	z             *mat.Dense // scaled predictors
	gamma         []float64  // coefficients of z
	inverse       *mat.Dense // R⁻¹ of z = QR
	refused       string
}

func newFit(predictors [][]float64, y []float64, intercept bool) *fit {
	p := len(predictors)
	f := &fit{intercept: intercept, center: make([]float64, p), scale: make([]float64, p), z: mat.NewDense(len(y), p, nil)}
	if intercept {
		f.yMean = average(y)
	}
	for j, x := range predictors {
		if intercept {
			f.center[j] = average(x)
		}
		d := shifted(x, f.center[j])
		f.scale[j] = math.Sqrt(squares(d))
		if f.scale[j] == 0 || (intercept && Constant(x)) {
			f.refused = "a predictor does not vary"
			return f
		}
		for i := range d {
			f.z.Set(i, j, d[i]/f.scale[j])
		}
	}
	f.solve(shifted(y, f.yMean))
	return f
}

// solve finds the coefficients, with one step of refinement.
func (f *fit) solve(y []float64) {
	_, p := f.z.Dims()
	var qr mat.QR
	qr.Factorize(f.z)
	var r mat.Dense
	qr.RTo(&r)
	triangle := mat.NewTriDense(p, mat.Upper, nil)
	for i := range p {
		for j := i; j < p; j++ {
			triangle.SetTri(i, j, r.At(i, j))
		}
		if math.Abs(r.At(i, i)) < dependent {
			f.refused = "a predictor is a combination of the others"
			return
		}
	}
	f.gamma = make([]float64, p)
	for range 2 {
		rest := make([]float64, len(y))
		for i := range rest {
			rest[i] = y[i] - dot(f.z.RawRowView(i), f.gamma)
		}
		var step mat.VecDense
		// Only a singular matrix is an error here, and it was refused above; a
		// bad condition comes back as one too, with a usable solution.
		_ = qr.SolveVecTo(&step, false, mat.NewVecDense(len(rest), rest))
		for j := range f.gamma {
			f.gamma[j] += step.AtVec(j)
		}
	}
	var inverse mat.TriDense
	_ = inverse.InverseTri(triangle) // as above
	f.inverse = mat.DenseCopyOf(&inverse)
}

// dot is the inner product, with the rounding of products and sums carried.
func dot(a, b []float64) float64 {
	var sum compensated
	for i := range a {
		p := a[i] * b[i]
		sum.add(p)
		sum.add(math.FMA(a[i], b[i], -p))
	}
	return sum.value()
}

// summary turns the fit into coefficients of the predictors as given, with
// their standard errors and the table of sums of squares.
func (f *fit) summary(y []float64) LeastSquares {
	n, p := f.z.Dims()
	m := LeastSquares{intercept: f.intercept, Coef: make([]float64, p), DFReg: float64(p), DFRes: float64(n - p)}
	total := shifted(y, f.yMean)
	for i := range n {
		fitted := dot(f.z.RawRowView(i), f.gamma)
		m.Fitted = append(m.Fitted, f.yMean+fitted)
		m.Residuals = append(m.Residuals, total[i]-fitted)
		m.SSReg += fitted * fitted
	}
	if m.SSRes = squares(m.Residuals); m.SSRes <= ConstantTol*ConstantTol*m.SSReg {
		m.SSRes = 0 // rounding only: the fit is exact
	}
	for j := range p {
		m.Coef[j] = f.gamma[j] / f.scale[j]
	}
	if f.intercept {
		m.DFRes--
		m.Coef = append([]float64{f.yMean - dot(m.Coef, f.center)}, m.Coef...)
	}
	m.rows, m.basis = f.orthonormal()
	m.finish()
	return m
}

// orthonormal expresses each coefficient by an orthonormal basis of the
// columns: the first vector is constant, where there is an intercept, and the
// others are the columns of Q. Inner products of rows are the covariances of
// the coefficients over the residual variance.
func (f *fit) orthonormal() (rows, basis [][]float64) {
	n, p := f.z.Dims()
	rows = make([][]float64, p)
	constant := make([]float64, p+1)
	constant[0] = 1 / math.Sqrt(float64(n))
	for j := range p {
		rows[j] = make([]float64, p+1)
		for k := j; k < p; k++ {
			rows[j][k+1] = f.inverse.At(j, k) / f.scale[j]
		}
		for k := range constant {
			constant[k] -= f.center[j] * rows[j][k]
		}
	}
	for i := range n {
		q := make([]float64, p+1)
		for k := range p {
			for j := 0; j <= k; j++ {
				q[k+1] += f.z.At(i, j) * f.inverse.At(j, k)
			}
		}
		if f.intercept {
			q[0] = constant[0]
		}
		basis = append(basis, q)
	}
	if f.intercept {
		rows = append([][]float64{constant}, rows...)
	}
	return rows, basis
}

// finish fills what follows from sums of squares and the basis.
func (m *LeastSquares) finish() {
	variance := m.SSRes / m.DFRes
	m.Sigma = math.Sqrt(variance)
	m.R2 = m.SSReg / (m.SSReg + m.SSRes)
	m.F = m.SSReg / m.DFReg / variance
	m.P = fUpper(m.F, m.DFReg, m.DFRes)
	for _, q := range m.basis {
		m.Leverage = append(m.Leverage, squares(q))
	}
	m.errors()
}

// errors fills the standard errors of the coefficients: the plain ones, and
// HC3 (Long & Ervin, Am. Stat. 54, 2000), for which residuals are divided by
// 1 - leverage.
func (m *LeastSquares) errors() {
	m.SE, m.HC3 = make([]float64, len(m.rows)), make([]float64, len(m.rows))
	for j, row := range m.rows {
		m.SE[j] = m.Sigma * math.Sqrt(squares(row))
		sum := 0.0
		for i, q := range m.basis {
			influence := dot(row, q) * m.Residuals[i] / (1 - m.Leverage[i])
			sum += influence * influence
		}
		m.HC3[j] = math.Sqrt(sum)
	}
}

// Interval is the t interval of the j-th coefficient.
func (m LeastSquares) Interval(j int, conf float64) Estimate {
	const method = "least squares, t interval"
	if why := firstOf(m.Refused, badConfidence(conf)); why != "" {
		return refused(method, 0, conf, "%s", why)
	}
	half := TQuantile((1+conf)/2, m.DFRes) * m.SE[j]
	return Estimate{Value: m.Coef[j], Lo: m.Coef[j] - half, Hi: m.Coef[j] + half, Confidence: conf,
		N: len(m.Fitted), DF: m.DFRes, Method: method}
}

// Band is the fitted mean at values of the predictors with its interval, and
// the interval of a single new observation there.
func (m LeastSquares) Band(at []float64, conf float64) (mean, observation Estimate) {
	const method = "least squares"
	why := firstOf(m.Refused, badConfidence(conf), badInput(at))
	x := at
	if m.intercept {
		x = append([]float64{1}, at...)
	}
	if why == "" && len(x) != len(m.Coef) {
		why = "the predictors differ in number from those of the model"
	}
	if why != "" {
		e := refused(method, 0, conf, "%s", why)
		return e, e
	}
	value := dot(x, m.Coef)
	variance := squares(combine(m.rows, x))
	t := TQuantile((1+conf)/2, m.DFRes) * m.Sigma
	around := func(half float64) Estimate {
		return Estimate{Value: value, Lo: value - half, Hi: value + half, Confidence: conf,
			N: len(m.Fitted), DF: m.DFRes, Method: method}
	}
	return around(t * math.Sqrt(variance)), around(t * math.Sqrt(1+variance))
}

// combine is the weighted sum of rows.
func combine(rows [][]float64, weights []float64) []float64 {
	sum := make([]float64, len(rows[0]))
	for j, row := range rows {
		for k := range row {
			sum[k] += weights[j] * row[k]
		}
	}
	return sum
}
