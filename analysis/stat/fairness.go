package stat

import (
	"math"
	"slices"
)

// Jain is the fairness index (Σx)²/(n Σx²) of what n clients got: 1 where all
// got the same, 1/n where one got all (Jain, Chiu & Hawe, DEC-TR-301, 1984).
// x must be a rate or the work done in a common window; NaN for negative
// values and where nobody got anything.
func Jain(x []float64) float64 {
	if badInput(x) != "" || slices.Min(x) < 0 || slices.Max(x) == 0 {
		return math.NaN()
	}
	top := slices.Max(x) // scaled, so that squares neither overflow nor vanish
	sum, sum2 := 0.0, 0.0
	for _, v := range x {
		sum += v / top
		sum2 += v / top * (v / top)
	}
	return sum * sum / (float64(len(x)) * sum2)
}

// ClientShares describes the fairness of one trial. The jackknife runs over
// its clients and is a description: inference over trials is JainInterval.
type ClientShares struct {
	J         float64
	Jackknife float64 // bias-corrected estimate
	SE        float64 // jackknife standard error
	MaxMin    float64 // largest over smallest share; +Inf where one got nothing
	Starved   []int   // clients with nothing, or less than half of the fair share
	Refused   string
}

// JainOf describes what the clients of one trial got.
func JainOf(x []float64) ClientShares {
	nan := math.NaN()
	c := ClientShares{J: Jain(x), Jackknife: nan, SE: nan, MaxMin: nan}
	if math.IsNaN(c.J) {
		c.Refused = "fairness needs rates of at least zero, and one above"
		return c
	}
	fair := average(x)
	for i, v := range x {
		if v < fair/2 {
			c.Starved = append(c.Starved, i)
		}
	}
	c.MaxMin = slices.Max(x) / slices.Min(x)
	if len(x) > 1 {
		c.Jackknife, c.SE = jackknife(x, Jain)
	}
	return c
}

// jackknife is the mean of the pseudo-values of a statistic, and its standard
// error (Tukey 1958).
func jackknife(x []float64, statistic func([]float64) float64) (estimate, se float64) {
	n := float64(len(x))
	whole := statistic(x)
	pseudo := make([]float64, len(x))
	for i := range x {
		pseudo[i] = n*whole - (n-1)*statistic(without(x, i))
	}
	m, v := meanVariance(pseudo)
	return m, math.Sqrt(v / n)
}

// without is a copy that lacks the i-th value.
func without(x []float64, i int) []float64 {
	return slices.Delete(slices.Clone(x), i, i+1)
}

// JainInterval is the fairness index over trials, one index each, with the t
// interval of ln(1/J - 1), which is the logarithm of the squared coefficient
// of variation. It refuses fewer than five trials. Where a trial was perfectly
// fair, the median with its order-statistic interval stands in.
func JainInterval(js []float64, conf float64) Estimate {
	const method = "t interval of the log squared coefficient of variation, over trials"
	why := firstOf(badInput(js), badConfidence(conf), atLeast(len(js), 5, "trial"))
	if why == "" && (slices.Min(js) <= 0 || slices.Max(js) > 1+ConstantTol) {
		why = "a fairness index lies above 0 and is at most 1"
	}
	if why != "" {
		return refused(method, len(js), conf, "%s", why)
	}
	if slices.Max(js) >= 1-ConstantTol {
		return Median(js, conf)
	}
	y := make([]float64, len(js))
	for i, j := range js {
		y[i] = math.Log(1/j - 1)
	}
	e := meanInterval(y, conf)
	e.Value, e.Lo, e.Hi = fromLogCV2(e.Value), fromLogCV2(e.Hi), fromLogCV2(e.Lo)
	e.Method = method
	if len(js) < 10 {
		e.warn(FewBlocks, "%d trials are few", len(js))
	}
	return e
}

// fromLogCV2 inverts ln(1/J - 1).
func fromLogCV2(y float64) float64 { return 1 / (1 + math.Exp(y)) }
