package analysis

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"fieldbook/analysis/stat"
)

// evidence is what a part of a claim is judged by, on the scale on which its
// bounds are compared: logarithms for ratios and geometric means.
type evidence struct {
	i95, i90       stat.Estimate
	exact95        stat.Estimate // Hodges-Lehmann; refused where there is none
	exact90        stat.Estimate
	p              func(bound float64) float64  // two-sided, of lying on the bound; NaN: none
	pWithin        func(lo, hi float64) float64 // of not lying within; NaN: none
	mean, sd       float64                      // of what one more block adds; sd NaN: unknown
	equivalenceMin int                          // blocks that an equivalence takes
	unit           string                       // what N counts: "block" or "trial"
}

// lineEvidence is the evidence of block contrasts, or of means.
func lineEvidence(l line) evidence {
	if l.refused != "" {
		return bareEvidence(l.interval(confidence))
	}
	e := Estimate{Estimate: l.interval(confidence)}
	return evidence{
		unit: e.unitOfAnalysis(), i95: e.Estimate, i90: l.interval(0.90), exact95: l.exact(confidence), exact90: l.exact(0.90),
		p: l.p, pWithin: l.pWithin, mean: l.value, sd: l.sd(), equivalenceMin: 5,
	}
}

// quantileEvidence is the evidence of a quantile over trials: order
// statistics, and the binomial tests that belong to them.
func quantileEvidence(xs []float64, q float64) evidence {
	none := refused("a quantile over trials has one exact interval only")
	return evidence{
		i95: stat.QuantileCI(xs, q, confidence), i90: stat.QuantileCI(xs, q, 0.90), exact95: none, exact90: none,
		p:       func(b float64) float64 { return math.Min(1, 2*math.Min(pBelow(xs, q, b), pAbove(xs, q, b))) },
		pWithin: func(lo, hi float64) float64 { return math.Max(pBelow(xs, q, hi), pAbove(xs, q, lo)) },
		mean:    stat.Quantile(xs, q), sd: math.NaN(),
	}
}

// pBelow is the chance of so many values below b if the q-quantile were b or
// more.
func pBelow(xs []float64, q, b float64) float64 {
	k := 0
	for _, x := range xs {
		if x < b {
			k++
		}
	}
	return atLeast(k, len(xs), q)
}

// pAbove is the chance of so many values above b if the q-quantile were b or
// less.
func pAbove(xs []float64, q, b float64) float64 {
	k := 0
	for _, x := range xs {
		if x > b {
			k++
		}
	}
	return atLeast(k, len(xs), 1-q)
}

// atLeast is the chance of k or more of n.
func atLeast(k, n int, p float64) float64 {
	if k == 0 {
		return 1
	}
	return 1 - distuv.Binomial{N: float64(n), P: p}.CDF(float64(k-1))
}

// bareEvidence is a value that nothing is known around.
func bareEvidence(e stat.Estimate) evidence {
	none := refused("no interval")
	nan := func(float64) float64 { return math.NaN() }
	return evidence{
		i95: e, i90: e, exact95: none, exact90: none, p: nan,
		pWithin: func(float64, float64) float64 { return math.NaN() }, mean: e.Value, sd: math.NaN(),
	}
}
