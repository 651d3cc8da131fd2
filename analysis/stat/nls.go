package stat

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Curve is a model of one response: the value at x for given parameters.
type Curve func(parameters []float64, x float64) float64

// NonlinearFit is a curve fitted by least squares.
type NonlinearFit struct {
	Coef, SE  []float64
	RSS       float64
	Sigma     float64 // residual standard deviation
	DF        float64
	Converged bool
	Warnings  []Warning
	Refused   string
}

const (
	maxSteps = 500
	// settled is the relative change of parameters and sum of squares below
	// which a fit has converged.
	settled = 1e-12
)

// FitCurve minimizes Σ (y - f(x))² over the parameters by Levenberg-Marquardt
// (Marquardt, SIAM J. 11, 1963; Moré 1978) from each start in turn, and keeps
// the best. Each step solves an augmented least-squares problem by QR.
// Converged is false where the search stopped early, or where the data do not
// determine all parameters at the place where it stopped; the numbers are
// then no estimates.
func FitCurve(f Curve, x, y []float64, starts ...[]float64) NonlinearFit {
	if why := badCurve(x, y, starts); why != "" {
		return NonlinearFit{Refused: why}
	}
	best := NonlinearFit{RSS: math.Inf(1)}
	for _, start := range starts {
		s := newSearch(f, x, y, start)
		fit := s.run()
		if better(fit, best) {
			best = fit
		}
	}
	if math.IsInf(best.RSS, 1) {
		return NonlinearFit{Refused: "the model has no value at any start"}
	}
	if !best.Converged {
		best.Warnings = append(best.Warnings, Warning{NotConverged, "the fit did not converge: its numbers are no estimates"})
	}
	return best
}

// better prefers a fit that converged, then the smaller sum of squares.
func better(a, b NonlinearFit) bool {
	if a.Converged != b.Converged {
		return a.Converged
	}
	return a.RSS < b.RSS
}

func badCurve(x, y []float64, starts [][]float64) string {
	if why := firstOf(badInput(x), badInput(y)); why != "" {
		return why
	}
	if len(x) != len(y) || len(starts) == 0 {
		return "x and y differ in number, or no start is given"
	}
	for _, s := range starts {
		if why := badInput(s); why != "" {
			return why
		}
		if len(s) >= len(x) {
			return "there must be more points than parameters"
		}
	}
	return ""
}

// search is the state of one minimization.
type search struct {
	f      Curve
	x, y   []float64
	at     []float64
	rest   []float64 // y - f at the parameters
	rss    float64
	lambda float64
	scale  []float64 // largest length so far of each column of the Jacobian
}

func newSearch(f Curve, x, y, start []float64) *search {
	s := &search{f: f, x: x, y: y, lambda: 1e-3, scale: make([]float64, len(start))}
	s.move(append([]float64{}, start...))
	return s
}

// move goes to the parameters.
func (s *search) move(to []float64) {
	s.at = to
	s.rest, s.rss = s.residuals(to)
}

// residuals are y - f and their sum of squares; infinite where f is no number.
func (s *search) residuals(at []float64) (rest []float64, rss float64) {
	rest = make([]float64, len(s.x))
	for i := range rest {
		rest[i] = s.y[i] - s.f(at, s.x[i])
	}
	rss = squares(rest)
	if math.IsNaN(rss) {
		rss = math.Inf(1)
	}
	return rest, rss
}

// run steps until nothing moves any more.
func (s *search) run() NonlinearFit {
	done := false
	for i := 0; i < maxSteps && !done && !math.IsInf(s.rss, 1); i++ {
		done = s.improve()
	}
	return s.result(done)
}

// improve makes one successful step, raising the damping until there is one;
// true where no step changes anything.
func (s *search) improve() (done bool) {
	jacobian := s.jacobian()
	if jacobian == nil {
		return false
	}
	for j := range s.scale {
		s.scale[j] = math.Max(s.scale[j], math.Sqrt(squares(mat.Col(nil, j, jacobian))))
	}
	for range 60 {
		step := s.step(jacobian)
		to := make([]float64, len(s.at))
		for j := range to {
			to[j] = s.at[j] + step[j]
		}
		if _, rss := s.residuals(to); rss <= s.rss {
			small := relativeStep(step, s.at) < settled || s.rss-rss <= settled*settled*s.rss
			s.move(to)
			s.lambda = math.Max(s.lambda/10, 1e-20)
			return small
		}
		if relativeStep(step, s.at) < settled {
			return true
		}
		s.lambda *= 10
	}
	return true
}

// relativeStep is the largest relative change of a parameter.
func relativeStep(step, at []float64) float64 {
	worst := 0.0
	for j := range step {
		worst = math.Max(worst, math.Abs(step[j])/(math.Abs(at[j])+1e-30))
	}
	return worst
}

// jacobian are the derivatives of f by central differences with steps
// relative to the parameters; nil where f has no value beside the point.
func (s *search) jacobian() *mat.Dense {
	j := mat.NewDense(len(s.x), len(s.at), nil)
	for k, p := range s.at {
		h := math.Cbrt(0x1p-52) * math.Max(math.Abs(p), 1e-8)
		up, down := append([]float64{}, s.at...), append([]float64{}, s.at...)
		up[k], down[k] = p+h, p-h
		for i, x := range s.x {
			d := (s.f(up, x) - s.f(down, x)) / (up[k] - down[k])
			if math.IsNaN(d) || math.IsInf(d, 0) {
				return nil
			}
			j.Set(i, k, d)
		}
	}
	return j
}

// step minimizes |J·δ - rest|² + λ|D·δ|², D being the scale of the columns,
// as the least-squares solution of J on top of √λ·D.
func (s *search) step(jacobian *mat.Dense) []float64 {
	n, p := jacobian.Dims()
	a, b := mat.NewDense(n+p, p, nil), mat.NewVecDense(n+p, nil)
	a.Slice(0, n, 0, p).(*mat.Dense).Copy(jacobian)
	for i, r := range s.rest {
		b.SetVec(i, r)
	}
	for j := range p {
		a.Set(n+j, j, math.Sqrt(s.lambda)*math.Max(s.scale[j], 1e-300))
	}
	var qr mat.QR
	qr.Factorize(a)
	var step mat.VecDense
	if err := qr.SolveVecTo(&step, false, b); step.Len() != p || (err != nil && math.IsNaN(step.AtVec(0))) {
		return make([]float64, p)
	}
	return step.RawVector().Data
}

// result turns the final state into a fit with standard errors from
// s²(JᵀJ)⁻¹.
func (s *search) result(done bool) NonlinearFit {
	fit := NonlinearFit{Coef: s.at, RSS: s.rss, DF: float64(len(s.x) - len(s.at)), SE: make([]float64, len(s.at))}
	fit.Sigma = math.Sqrt(s.rss / fit.DF)
	lengths, ok := s.uncertainty()
	for j := range fit.SE {
		fit.SE[j] = fit.Sigma * lengths[j]
	}
	fit.Converged = done && ok
	return fit
}

// undetermined is the share of a column of the Jacobian that must be left by
// the others for its parameter to be determined.
const undetermined = 1e-9

// uncertainty is the square root of the diagonal of (JᵀJ)⁻¹, from the
// triangle of the QR of J with columns of unit length.
func (s *search) uncertainty() (lengths []float64, determined bool) {
	p := len(s.at)
	lengths = make([]float64, p)
	for j := range lengths {
		lengths[j] = math.NaN()
	}
	jacobian := s.jacobian()
	if jacobian == nil {
		return lengths, false
	}
	columns := make([][]float64, p)
	for j := range columns {
		columns[j] = mat.Col(nil, j, jacobian)
		if squares(columns[j]) == 0 {
			return lengths, false
		}
	}
	f := newFit(columns, s.y, false)
	if f.refused != "" {
		return lengths, false
	}
	determined = true
	for j := range lengths {
		row := mat.Row(nil, j, f.inverse)
		lengths[j] = math.Sqrt(squares(row)) / f.scale[j]
		determined = determined && math.Sqrt(squares(row)) < 1/undetermined
	}
	return lengths, determined
}
