package analysis

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"fieldbook/analysis/stat"
)

// CurveFit is one model of a curve, fitted as ln y = block + ln f(x), so that
// all are measured alike.
type CurveFit struct {
	Model      string     // "linear", "quadratic", "power law", "scalability law", "Amdahl's law"
	Formula    string     // f(x), such as "a + b·x"
	Coef       []float64  // its parameters, in the order of the formula
	Parameters []Estimate // the same with intervals; Stat is the name in the formula
	AICc       float64    // of the logarithms, block effects counted; only differences mean anything
	Delta      float64    // AICc above that of the best; NaN where refused
	Weight     float64    // Akaike weight among the models that are not refused; NaN where refused
	LackP      float64    // lack of fit, against a mean of its own for each level
	Refused    string
	at         func(x float64) float64
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

// compete fits all models: the best first, those refused at the end.
func (d curveData) compete() []CurveFit {
	var fits []CurveFit
	for _, m := range d.models() {
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
		return cmp.Compare(a.AICc, b.AICc)
	})
	weigh(fits)
	return fits
}

// weigh gives sorted fits their distance to the best, and their weights
// (Burnham & Anderson 2002, 2.9).
func weigh(fits []CurveFit) {
	sum := 0.0
	for i := range fits {
		f := &fits[i]
		f.Delta, f.Weight = math.NaN(), math.NaN()
		if f.Refused == "" {
			f.Delta = f.AICc - fits[0].AICc
			f.Weight = math.Exp(-f.Delta / 2)
			sum += f.Weight
		}
	}
	for i := range fits {
		fits[i].Weight /= sum
	}
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
	f.Parameters = d.parameters(m, f.Coef, rss)
	return f
}

// parameters are the coefficients of a model with t intervals, from the
// curvature of the sum of squares at its least. In complete blocks the
// blocks' own heights are orthogonal to the curve, so that the level means
// give the shape, and all residuals the noise.
func (d curveData) parameters(m model, coef []float64, rss float64) []Estimate {
	var all []Estimate
	df := float64(d.blocks*len(d.x)) - float64(len(coef)) - float64(d.blocks-1)
	fit := stat.FitCurve(logOf(m.at), d.x, d.logs, coef)
	noise := math.Sqrt(rss / df / float64(d.blocks))
	for i, v := range coef {
		e := Estimate{Stat: m.parameters[i], Unit: "1"}
		e.Estimate = stat.Estimate{Value: v, Lo: math.NaN(), Hi: math.NaN(), Confidence: confidence, N: d.blocks, DF: df, Method: "t interval of a nonlinear fit, log scale, over blocks"}
		if fit.Refused == "" && fit.Sigma > 0 && df > 0 {
			half := stat.TQuantile((1+confidence)/2, df) * fit.SE[i] / fit.Sigma * noise
			e.Lo, e.Hi = v-half, v+half
		}
		all = append(all, e)
	}
	return all
}

// logOf is the logarithm of a model.
func logOf(at func(p []float64, x float64) float64) stat.Curve {
	return func(p []float64, x float64) float64 { return math.Log(at(p, x)) }
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
		if f.Model == powerModel {
			p = f.LackP
		}
	}
	if p < alpha {
		e.warn(stat.Intercept, noPowerLaw+" (%s): the slope of logarithms is no exponent", PText(p))
	} else {
		e.warn(stat.Intercept, "an exponent only if the metric goes to 0 with %s: with an intercept even a line has one below 1", l.factor)
	}
	return e
}
