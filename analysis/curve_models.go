package analysis

import (
	"fmt"
	"math"
	"slices"

	"fieldbook/analysis/stat"
)

// model fits parameters to curveData.
type model struct {
	name, formula string
	parameters    []string // their names, in the order of the formula
	fit           func(curveData) ([]float64, string)
	at            func(p []float64, x float64) float64
}

// The names of models that others speak of.
const (
	linearModel = "linear"
	powerModel  = "power law"
	uslModel    = "scalability law"
)

// models are those that compete.
func (d curveData) models() []model {
	return []model{
		{linearModel, "a + b·x", []string{"a", "b"}, curveData.linear, lineAt},
		{"quadratic", "a + b·x + c·x²", []string{"a", "b", "c"}, curveData.quadratic, quadraticAt},
		{powerModel, "a · x^b", []string{"a", "b"}, curveData.power, powerAt},
		{uslModel, "λ·x / (1 + σ(x−1) + κx(x−1))", []string{"λ", "σ", "κ"}, curveData.scalability, d.ofRate(uslAt)},
		{"Amdahl's law", "T·(s + (1−s)/x)", []string{"T", "s"}, curveData.amdahl, d.ofTime(amdahlAt)},
	}
}

// curved fits the logarithm of a model, from several starts.
func (d curveData) curved(at func(p []float64, x float64) float64, starts ...[]float64) ([]float64, string) {
	fit := stat.FitCurve(logOf(at), d.x, d.logs, starts...)
	switch {
	case fit.Refused != "":
		return nil, fit.Refused
	case !fit.Converged:
		return nil, "the fit did not converge"
	}
	return fit.Coef, ""
}

func lineAt(p []float64, x float64) float64      { return p[0] + p[1]*x }
func quadraticAt(p []float64, x float64) float64 { return p[0] + x*(p[1]+x*p[2]) }
func powerAt(p []float64, x float64) float64     { return p[0] * math.Pow(x, p[1]) }

// amdahlAt is the time of work that takes T = p[0] at one, of which the share
// p[1] is serial.
func amdahlAt(p []float64, x float64) float64 { return p[0] * (p[1] + (1-p[1])/x) }

// uslAt is the scalability law; without a third parameter it has no
// coherence.
func uslAt(p []float64, x float64) float64 {
	kappa := 0.0
	if len(p) > 2 {
		kappa = p[2]
	}
	return p[0] * x / (1 + p[1]*(x-1) + kappa*x*(x-1))
}

func (d curveData) linear() ([]float64, string) {
	last := len(d.x) - 1
	lo, hi := math.Exp(d.logs[0]), math.Exp(d.logs[last])
	b := (hi - lo) / (d.x[last] - d.x[0])
	level := math.Exp(average(d.logs))
	return d.curved(lineAt, []float64{lo - b*d.x[0], b}, []float64{level, 0.01 * level / math.Max(math.Abs(d.x[last]), 1e-300)})
}

// quadratic starts at the line, and at the parabola of least squares.
func (d curveData) quadratic() ([]float64, string) {
	line, why := d.linear()
	if why != "" {
		return nil, why
	}
	starts := [][]float64{{line[0], line[1], 0.001 * line[1]}}
	if m := stat.Polynomial(d.x, mapped(d.logs, math.Exp), 2); m.Refused == "" {
		starts = append(starts, slices.Clone(m.Coef))
	}
	return d.curved(quadraticAt, starts...)
}

func (d curveData) power() ([]float64, string) {
	if d.x[0] <= 0 {
		return nil, fmt.Sprintf("the level %v is not above 0", d.x[0])
	}
	x := mapped(d.x, math.Log)
	b := stat.Slope(x, d.logs)
	return []float64{math.Exp(average(d.logs) - b*average(x)), b}, ""
}

// scalability is the universal scalability law of the rate: the metric where
// more is better, one over it where less is.
func (d curveData) scalability() ([]float64, string) {
	rate, why := d.turned("higher")
	if why != "" {
		return nil, why
	}
	if d.x[0] <= 0 {
		return nil, fmt.Sprintf("the level %v is not above 0", d.x[0])
	}
	u := stat.FitUSL(d.x, rate)
	if u.Refused != "" {
		return nil, u.Refused
	}
	law := d.ofRate(uslAt)
	p := []float64{u.Lambda, u.Sigma}
	if u.Kappa > 0 {
		if p, why = d.curved(law, []float64{u.Lambda, u.Sigma, u.Kappa}); why != "" {
			return nil, why
		}
	}
	if len(p) < 3 || p[2] < 0 { // contention alone
		if p, why = d.curved(law, p[:2]); why != "" {
			return nil, why
		}
	}
	if p[1] < 0 || p[1] >= 1 {
		return nil, "contention falls outside 0 to 1: the metric does not follow the law"
	}
	return p, ""
}

// amdahl is Amdahl's law of the time: the metric where less is better, one
// over it where more is.
func (d curveData) amdahl() ([]float64, string) {
	time, why := d.turned("lower")
	if why != "" {
		return nil, why
	}
	if d.x[0] <= 0 {
		return nil, fmt.Sprintf("the level %v is not above 0", d.x[0])
	}
	a := stat.FitAmdahl(d.x, time, confidence)
	if a.Refused != "" {
		return nil, a.Refused
	}
	p, why := d.curved(d.ofTime(amdahlAt), []float64{a.T1, a.Serial / a.T1})
	if why == "" && !(p[1] >= 0 && p[1] <= 1) {
		why = "the serial share falls outside 0 to 1: the times do not follow Amdahl's law"
	}
	return p, why
}

// turned are the level means as a law needs them: as they are where the
// metric is better in the same direction, else one over them.
func (d curveData) turned(better string) ([]float64, string) {
	if d.better == "" {
		return nil, "the metric does not say what is better, and so not whether it is a time or a rate"
	}
	if d.better == better {
		return mapped(d.logs, math.Exp), ""
	}
	return mapped(d.logs, func(v float64) float64 { return math.Exp(-v) }), ""
}

// ofRate and ofTime turn a law back into one of the metric.
func (d curveData) ofRate(law func([]float64, float64) float64) func([]float64, float64) float64 {
	return turnedLaw(law, d.better != "higher")
}

func (d curveData) ofTime(law func([]float64, float64) float64) func([]float64, float64) float64 {
	return turnedLaw(law, d.better == "higher")
}

func turnedLaw(law func([]float64, float64) float64, over bool) func([]float64, float64) float64 {
	if !over {
		return law
	}
	return func(p []float64, x float64) float64 { return 1 / law(p, x) }
}
