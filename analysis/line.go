package analysis

import (
	"math"

	"fieldbook/analysis/stat"
)

// line is an estimate from which intervals of any confidence and tests
// against any value follow: a mean of blocks, or a weighted sum of means.
// On the log scale it stands for a ratio.
type line struct {
	value, se, df float64
	n             int       // blocks; trials where nothing is paired
	d             []float64 // per block; nil where nothing is paired
	cells         []cell    // where nothing is paired, on the scale of the value
	method        string
	warnings      []stat.Warning
	flipped       float64 // p without spread: the share of assignments as extreme as this one
	refused       string  // no value
	bare          bool    // a value without an interval
}

// pairedLine is the mean of block contrasts.
func pairedLine(d []float64, method string) line {
	l := line{n: len(d), d: d, method: method, se: math.NaN(), df: math.NaN()}
	if len(d) < 3 {
		l.value = average(d)
		l.bare = true
		l.warnings = []stat.Warning{{Code: stat.NoInterval, Text: plural(len(d), "block") + ": an interval takes three"}}
		return l
	}
	l.flipped = math.Pow(2, float64(1-len(d)))
	t := stat.PairedT(d, 0, confidence)
	l.value, l.se, l.df, l.refused = t.Value, t.SE, t.DF, t.Refused
	for _, w := range t.Warnings {
		if w.Code == stat.ConstantData {
			w.Text = "degenerate interval: no variation over blocks; is the clock too coarse?"
		}
		l.warnings = append(l.warnings, w)
	}
	return l
}

// unpairedLine is a weighted sum of cells' means.
func unpairedLine(cells []cell, of func(float64) float64, method string) line {
	l := line{method: method}
	plus := 0
	for _, c := range cells {
		l.n += len(c.xs)
		if c.weight > 0 {
			plus += len(c.xs)
		}
	}
	l.flipped = 2 / choose(l.n, plus)
	l.cells = scaled(cells, of)
	l.value, l.se, l.df = linear(l.cells)
	switch {
	case math.IsNaN(l.se):
		l.bare = true
		l.warnings = []stat.Warning{{Code: stat.NoInterval, Text: "a side has one trial: there is no interval"}}
	case l.se == 0:
		l.df = float64(l.n - len(cells))
		l.warnings = []stat.Warning{{Code: stat.ConstantData, Text: "degenerate interval: no variation on either side; is the clock too coarse?"}}
	}
	return l
}

// choose is the number of ways to choose k of n, as a float.
func choose(n, k int) float64 {
	ways := 1.0
	for i := range min(k, n-k) {
		ways *= float64(n-i) / float64(i+1)
	}
	return ways
}

// interval is the t interval of the given confidence.
func (l line) interval(conf float64) stat.Estimate {
	e := stat.Estimate{Value: l.value, Lo: math.NaN(), Hi: math.NaN(), Confidence: conf, N: l.n, Method: l.method, Warnings: l.warnings, Refused: l.refused}
	if l.refused != "" {
		e.Value = math.NaN()
		return e
	}
	if l.bare {
		return e
	}
	half := 0.0
	if l.se > 0 {
		half = stat.TQuantile((1+conf)/2, l.df) * l.se
	}
	e.Lo, e.Hi, e.DF = l.value-half, l.value+half, l.df
	return e
}

// exact is the Hodges-Lehmann interval of the same contrast: over blocks, or
// over all pairs of trials where nothing is paired.
func (l line) exact(conf float64) stat.Estimate {
	switch {
	case l.refused != "":
		return refused("%s", l.refused)
	case l.d == nil:
		return l.byRanks(conf).Estimate
	}
	return stat.HodgesLehmann(l.d, conf)
}

// p is two-sided, of the value mu. Without spread it is that of the
// randomization test, the only one that is left.
func (l line) p(mu float64) float64 {
	switch {
	case l.refused != "" || l.bare:
		return math.NaN()
	case l.se > 0:
		return 2 * stat.TCDF(-math.Abs(l.value-mu)/l.se, l.df)
	case math.Abs(l.value-mu) <= stat.ConstantTol*math.Max(math.Abs(l.value), math.Abs(mu)):
		return 1
	}
	return l.flipped
}

// pWithin is that of two one-sided tests: the value lies between lo and hi.
func (l line) pWithin(lo, hi float64) float64 {
	switch {
	case l.refused != "" || l.bare:
		return math.NaN()
	case l.se > 0:
		return math.Max(stat.TCDF((lo-l.value)/l.se, l.df), stat.TCDF((l.value-hi)/l.se, l.df))
	case lo < l.value && l.value < hi:
		return l.flipped / 2
	}
	return 1
}

// sd is what one more block (or trial) would add: the standard deviation
// behind the standard error.
func (l line) sd() float64 { return l.se * math.Sqrt(float64(l.n)) }

// through maps an estimate by an increasing function.
func through(e stat.Estimate, f func(float64) float64) stat.Estimate {
	e.Value, e.Lo, e.Hi = f(e.Value), f(e.Lo), f(e.Hi)
	return e
}
