package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// StandardizedDifference is a difference of means in standard deviations. It
// depends on the noise of the experiment, so it is never the headline for a
// benchmark.
type StandardizedDifference struct {
	Estimate         // Hedges' g with the interval from the noncentral t distribution
	D        float64 // Cohen's d, without the correction for small samples
	J        float64 // the correction, exact
}

// HedgesG is the difference of the means of two independent groups in pooled
// standard deviations, corrected for bias (Hedges, J. Educ. Stat. 6, 1981).
func HedgesG(a, b []float64, conf float64) StandardizedDifference {
	const method = "Hedges' g, noncentral t interval"
	why := firstOf(badInput(a), badInput(b), badConfidence(conf),
		atLeast(min(len(a), len(b)), 2, "value in each group"))
	if why == "" && Constant(a) && Constant(b) {
		why = "all values of either group are equal: there is no standard deviation to measure by"
	}
	if why != "" {
		e := refused(method, len(a)+len(b), conf, "%s", why)
		return StandardizedDifference{Estimate: e, D: math.NaN(), J: math.NaN()}
	}
	na, nb := float64(len(a)), float64(len(b))
	df := na + nb - 2
	pooled := math.Sqrt((sumSquares(a) + sumSquares(b)) / df)
	s := StandardizedDifference{D: (average(a) - average(b)) / pooled, J: hedgesJ(df)}
	root := math.Sqrt(1/na + 1/nb)
	lo, hi := noncentralBounds(s.D/root, df, conf)
	s.Estimate = Estimate{Value: s.D * s.J, Lo: lo * root * s.J, Hi: hi * root * s.J,
		Confidence: conf, N: len(a) + len(b), DF: df, Method: method}
	return s
}

// hedgesJ is Γ(df/2) / (√(df/2) Γ((df-1)/2)).
func hedgesJ(df float64) float64 {
	if df <= 1 {
		return 0
	}
	g1, _ := math.Lgamma(df / 2)
	g2, _ := math.Lgamma((df - 1) / 2)
	return math.Exp(g1 - g2 - math.Log(df/2)/2)
}

// noncentralBounds are the noncentralities for which t is the upper and the
// lower tail quantile.
func noncentralBounds(t, df, conf float64) (lo, hi float64) {
	tail := (1 - conf) / 2
	return noncentrality(t, df, 1-tail), noncentrality(t, df, tail)
}

// noncentrality is the δ for which P(T_δ <= t) = p; it falls with δ.
func noncentrality(t, df, p float64) float64 {
	above := func(delta float64) bool { return noncentralTCDF(t, df, delta) < p }
	lo, hi := t-1, t+1
	for width := 1.0; above(lo) && width < 1e3; width *= 2 {
		lo -= width
	}
	for width := 1.0; !above(hi) && width < 1e3; width *= 2 {
		hi += width
	}
	return bisect(lo, hi, above)
}

// bisect is the boundary in [lo, hi] from where on past holds.
func bisect(lo, hi float64, past func(float64) bool) float64 {
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid == lo || mid == hi {
			break
		}
		if past(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return lo + (hi-lo)/2
}

// noncentralTCDF is P(T <= t) of Student's t with noncentrality delta. A
// negative t is reflected: gonum's approximation for large delta holds for
// positive t only.
func noncentralTCDF(t, df, delta float64) float64 {
	if t < 0 {
		return 1 - noncentralTCDF(-t, df, -delta)
	}
	return distuv.NoncentralT{Nu: df, Mu: delta}.CDF(t)
}
