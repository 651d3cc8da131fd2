package stat

import "math"

// Mean is the arithmetic mean with Student's interval. One value has a mean
// and no interval: the bounds are NaN.
func Mean(xs []float64, conf float64) Estimate {
	const method = "mean, t interval"
	if why := firstOf(badInput(xs), badConfidence(conf)); why != "" {
		return refused(method, len(xs), conf, "%s", why)
	}
	e := meanInterval(xs, conf)
	e.Method = method
	if skew, _ := shape(xs); len(xs) < 10 && math.Abs(skew) > 1 {
		e.warn(Skewed, "%d values with a skewness of %.1f: the t interval may be off", len(xs), skew)
	}
	return e
}

// GeoMean is the geometric mean with the exponential of Student's interval
// for the logarithms. It refuses values at or below zero.
func GeoMean(xs []float64, conf float64) Estimate {
	const method = "geometric mean, t interval on the log scale"
	if why := firstOf(badInput(xs), badConfidence(conf), notPositive(xs)); why != "" {
		return refused(method, len(xs), conf, "%s", why)
	}
	e := meanInterval(logs(xs), conf).through(math.Exp)
	e.Method = method
	if Constant(xs) {
		e.constantAt(xs[0])
	}
	return e
}

// constantAt puts value and bounds at x, without rounding by exp and log.
func (e *Estimate) constantAt(x float64) {
	e.Value = x
	if !math.IsNaN(e.Lo) {
		e.Lo, e.Hi = x, x
	}
}

// meanInterval is mean ± t·sd/√n; at least one finite value.
func meanInterval(xs []float64, conf float64) Estimate {
	n := len(xs)
	m, v := noise(xs)
	e := Estimate{Value: m, Lo: math.NaN(), Hi: math.NaN(), Confidence: conf, N: n}
	if n == 1 {
		e.warn(NoInterval, "one value has no interval")
		return e
	}
	e.DF = float64(n - 1)
	half := tHalfWidth(v, n, conf)
	e.Lo, e.Hi = m-half, m+half
	if v == 0 {
		e.warn(ConstantData, "all %d values are equal: the interval has no width", n)
	}
	return e
}

// tHalfWidth is t·sqrt(variance/n) with n-1 degrees of freedom.
func tHalfWidth(variance float64, n int, conf float64) float64 {
	return TQuantile((1+conf)/2, float64(n-1)) * math.Sqrt(variance/float64(n))
}
