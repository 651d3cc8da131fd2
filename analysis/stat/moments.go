package stat

import (
	"math"

	gonum "gonum.org/v1/gonum/stat"
)

// meanVariance is the mean and the unbiased variance. The first value is
// taken off before summing, so that a large offset costs no digits and equal
// values have a variance of exactly zero (Chan, Golub & LeVeque, Am. Stat. 37,
// 1983). NaN mean for no value, NaN variance for one.
func meanVariance(xs []float64) (mean, variance float64) {
	if len(xs) == 0 {
		return math.NaN(), math.NaN()
	}
	mean, variance = gonum.MeanVariance(shifted(xs, xs[0]), nil)
	if len(xs) == 1 {
		variance = math.NaN()
	}
	return xs[0] + mean, variance
}

// noise is meanVariance for tests and intervals: where all values are equal
// but for rounding, there is no variance to judge by, and it is zero.
func noise(xs []float64) (mean, variance float64) {
	mean, variance = meanVariance(xs)
	if len(xs) > 1 && Constant(xs) {
		variance = 0
	}
	return mean, variance
}

// average is the arithmetic mean; NaN for no value.
func average(xs []float64) float64 {
	m, _ := meanVariance(xs)
	return m
}

// deviation is the sample standard deviation; NaN below two values.
func deviation(xs []float64) float64 {
	_, v := meanVariance(xs)
	return math.Sqrt(v)
}

// sumSquares is the sum of squared deviations from the mean.
func sumSquares(xs []float64) float64 {
	if len(xs) < 2 {
		return 0
	}
	_, v := meanVariance(xs)
	return v * float64(len(xs)-1)
}

// covariance is the unbiased covariance of two slices of one length.
func covariance(xs, ys []float64) float64 {
	if len(xs) < 2 || len(xs) != len(ys) {
		return math.NaN()
	}
	return gonum.Covariance(shifted(xs, xs[0]), shifted(ys, ys[0]), nil)
}

// squares is the sum of squares.
func squares(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x * x
	}
	return sum
}
