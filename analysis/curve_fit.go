package analysis

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"fieldbook/analysis/stat"
)

// CurveFit is one model of a curve, fitted as ln y = block + ln f(x), so that
// all are measured alike.
type CurveFit struct {
	Model   string    // "linear", "quadratic", "power law", "scalability law", "Amdahl's law"
	Formula string    // f(x), such as "a + b·x"
	Coef    []float64 // its parameters, in the order of the formula
	AICc    float64   // of the logarithms, block effects counted; only differences mean anything
	LackP   float64   // lack of fit, against a mean of its own for each level
	Refused string
	at      func(x float64) float64
}

// At is the model's value at x, in the metric's unit; NaN where it is
// refused.
func (f CurveFit) At(x float64) float64 {
	if f.Refused != "" || f.at == nil {
		return math.NaN()
	}
	return f.at(x)
}

// curveData is the levels of a ladder with the means of their logarithms over
// blocks. Blocks are complete, so that their own heights are in no mean.
type curveData struct {
	x, logs []float64
	blocks  int
	pure    float64 // squared residuals of the model with a mean for each level
	better  string  // of the metric: "lower" is taken for a time, "higher" for a rate
}

func (l *ladder) curveData(better string) curveData {
	rows := l.rows()
	d := curveData{x: l.xs, logs: make([]float64, len(l.xs)), blocks: len(rows), better: better}
	grand := 0.0
	for _, row := range rows {
		for j, v := range row {
			d.logs[j] += v / float64(len(rows))
		}
		grand += average(row) / float64(len(rows))
	}
	for _, row := range rows {
		height := average(row) - grand
		for j, v := range row {
			d.pure += (v - height - d.logs[j]) * (v - height - d.logs[j])
		}
	}
	return d
}

// model fits parameters to curveData.
type model struct {
	name, formula string
	fit           func(curveData) ([]float64, string)
	at            func(p []float64, x float64) float64
}

// compete fits all models.
func (d curveData) compete() []CurveFit {
	models := []model{
		{"linear", "a + b·x", curveData.linear, lineAt},
		{"quadratic", "a + b·x + c·x²", curveData.quadratic, quadraticAt},
		{"power law", "a · x^b", curveData.power, powerAt},
		{"scalability law", "λ·x / (1 + σ(x−1) + κx(x−1))", curveData.scalability, d.ofRate(uslAt)},
		{"Amdahl's law", "s + p/x", curveData.amdahl, d.ofTime(amdahlAt)},
	}
	var fits []CurveFit
	for _, m := range models {
		fits = append(fits, d.fitted(m))
	}
	slices.SortStableFunc(fits, func(a, b CurveFit) int {
		switch {
		case a.Refused != "" && b.Refused != "":
			return 0
		case a.Refused != "":
			return 1
		case b.Refused != "":
			return -1
		}
		return compareNumbers(a.AICc, b.AICc)
	})
	return fits
}

// fitted is one model with its AICc (Hurvich & Tsai 1989) and lack of fit.
func (d curveData) fitted(m model) CurveFit {
	nan := math.NaN()
	f := CurveFit{Model: m.name, Formula: m.formula, AICc: nan, LackP: nan}
	f.Coef, f.Refused = m.fit(d)
	if f.Refused != "" {
		f.Coef = nil
		return f
	}
	f.at = func(x float64) float64 { return m.at(f.Coef, x) }
	lack := 0.0
	for j, x := range d.x {
		e := d.logs[j] - math.Log(f.at(x))
		lack += float64(d.blocks) * e * e
	}
	n, own := float64(d.blocks*len(d.x)), float64(len(f.Coef))
	k := own + float64(d.blocks-1) + 1 // and the other blocks' heights, and the noise
	rss := lack + d.pure
	switch {
	case n-k-1 <= 0:
		f.Refused = "too few blocks for so many parameters"
		return f
	case !(rss > 1e-22*n):
		f.Refused = "nothing varies about it: there is no noise to weigh models by"
		return f
	}
	f.AICc = n*math.Log(rss/n) + 2*k + 2*k*(k+1)/(n-k-1)
	f.LackP = d.lackP(lack, own)
	return f
}

// lackP is the p-value of the lack of fit of a model with so many parameters;
// NaN where nothing is left to test.
func (d curveData) lackP(lack, parameters float64) float64 {
	df1 := float64(len(d.x)) - parameters
	df2 := float64((d.blocks - 1) * (len(d.x) - 1))
	if df1 <= 0 || df2 <= 0 || d.pure <= 0 {
		return math.NaN()
	}
	return distuv.F{D1: df1, D2: df2}.Survival(lack / df1 / (d.pure / df2))
}

// curved fits the logarithm of a model, from several starts.
func (d curveData) curved(at func(p []float64, x float64) float64, starts ...[]float64) ([]float64, string) {
	log := func(p []float64, x float64) float64 { return math.Log(at(p, x)) }
	fit := stat.FitCurve(log, d.x, d.logs, starts...)
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
func amdahlAt(p []float64, x float64) float64    { return p[0] + p[1]/x }

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
	a := stat.FitAmdahl(d.x, time, confidence)
	if a.Refused != "" {
		return nil, a.Refused
	}
	p, why := d.curved(d.ofTime(amdahlAt), []float64{a.Serial, a.Parallel})
	if why == "" && (p[0] < 0 || p[1] < 0) {
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

// exponent is the slope of logarithm on logarithm, with what stands against
// calling it an exponent.
func (r *Result) exponent(l *ladder, fits []CurveFit) Estimate {
	if l.xs[0] <= 0 {
		e := Estimate{Metric: r.Metrics[l.con.metric].Name, Stat: "exponent", Unit: "1"}
		e.Estimate = refused("the level %s of %s is not above 0", l.levels[0], l.factor)
		return e
	}
	of := pairedLine(l.slopes(mapped(l.xs, math.Log)), "slope of logarithms by block, t over blocks")
	e := r.ladderFinding(l, "exponent", l.factor, of).Estimate
	p := math.NaN()
	for _, f := range fits {
		if f.Model == "power law" {
			p = f.LackP
		}
	}
	if p < alpha {
		e.warn(stat.Intercept, "a power law does not fit (%s): the slope of logarithms is no exponent", PText(p))
	} else {
		e.warn(stat.Intercept, "an exponent only if the metric goes to 0 with %s: with an intercept even a line has one below 1", l.factor)
	}
	return e
}
