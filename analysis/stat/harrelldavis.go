package stat

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// HarrellDavis is the p-quantile as a weighted mean of all order statistics,
// with weights of a beta distribution (Harrell & Davis, Biometrika 69, 1982).
// It is smoother than an order statistic, and one wild value moves it. NaN
// for no values, NaN values, or p outside (0, 1).
func HarrellDavis(xs []float64, p float64) float64 {
	if badInput(xs) != "" || !(p > 0 && p < 1) {
		return math.NaN()
	}
	s := sorted(xs)
	n := float64(len(s))
	a, b := (n+1)*p, (n+1)*(1-p)
	sum, below := 0.0, 0.0
	for i, x := range s {
		upTo := mathext.RegIncBeta(a, b, float64(i+1)/n)
		sum += (upTo - below) * x
		below = upTo
	}
	return sum
}
