package analysis

import (
	"fmt"
	"math"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// densityPlaces is at how many places a density is computed.
const densityPlaces = 160

// Density is the smoothed distribution of one treatment's trials.
type Density struct {
	X, Y []float64 // X in the metric's unit, Y per unit or, of logarithms, per doubling
	Log  bool
	// Bandwidth is the standard deviation of each kernel in the metric's unit;
	// of logarithms it is a ratio above 1.
	Bandwidth float64
	N         int
	Refused   string
}

// Density smooths the numbers of a treatment's trials, or their logarithms,
// by Gaussian kernels with Silverman's bandwidth (stat.Density). The error is
// for a question that makes no sense.
func (r *Result) Density(metric string, where expr.Selection, log bool) (Density, error) {
	m, err := r.metricWithin(metric, where)
	if err != nil {
		return Density{}, err
	}
	trials := r.countingTrials(where)
	if why := r.ambiguous(Query{Metric: metric, Selection: where}, trials); why != "" {
		return Density{Refused: why}, nil
	}
	xs := okValues(trials, m)
	if log {
		for i, x := range xs {
			if x <= 0 {
				return Density{N: len(xs), Refused: "a number that is not positive has no logarithm"}, nil
			}
			xs[i] = math.Log(x)
		}
	}
	if len(xs) < stat.DensityUnits {
		return Density{N: len(xs), Refused: fmt.Sprintf("a density takes %s, and there %s", plural(stat.DensityUnits, "trial"), areThere(len(xs)))}, nil
	}
	d := stat.Density(xs, densityPlaces)
	out := Density{X: d.X, Y: d.Y, Log: log, Bandwidth: d.Bandwidth, N: d.N, Refused: d.Refused}
	if log {
		out.Bandwidth = math.Exp(d.Bandwidth)
		for i := range out.X {
			out.X[i], out.Y[i] = math.Exp(out.X[i]), out.Y[i]*math.Ln2
		}
	}
	return out, nil
}
