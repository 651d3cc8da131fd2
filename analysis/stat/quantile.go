package stat

import "math"

// Quantile is the p-quantile of type 7 (Hyndman & Fan, Am. Stat. 50, 1996):
// the default of R and numpy, and for p = 0.5 the median in the plain sense.
// NaN for no values, NaN values, or p outside [0, 1].
func Quantile(xs []float64, p float64) float64 { return QuantileType(xs, p, 7) }

// QuantileType is the p-quantile of one of the nine types of Hyndman & Fan.
// Types 1 to 3 are order statistics, 4 to 9 interpolate. NaN as in Quantile,
// and for an unknown type.
func QuantileType(xs []float64, p float64, typ int) float64 {
	if badInput(xs) != "" || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return sortedQuantile(sorted(xs), p, typ)
}

// sortedQuantile is QuantileType of sorted values. The position n*p+m is
// split into rank and fraction with a slack of four units in the last place:
// 0.07*100 is 7.000000000000001 and means 7.
func sortedQuantile(s []float64, p float64, typ int) float64 {
	m, ok := plottingOffset(p, typ)
	if !ok {
		return math.NaN()
	}
	pos := float64(len(s))*p + m
	eps := 4 * 0x1p-52 * math.Max(1, pos)
	j := math.Floor(pos + eps)
	g := pos - j
	if math.Abs(g) < eps {
		g = 0
	}
	g = stepWeight(g, j, typ)
	lo, hi := orderStatistic(s, int(j)), orderStatistic(s, int(j)+1)
	if g == 0 || lo == hi {
		return lo
	}
	if g == 1 {
		return hi
	}
	return lo + g*(hi-lo)
}

// plottingOffset is m of the type: a + p(1-a-b) with Hyndman & Fan's a and b,
// (0, 1), (1/2, 1/2), (0, 0), (1, 1), (1/3, 1/3), (3/8, 3/8) for types 4 to 9.
func plottingOffset(p float64, typ int) (m float64, ok bool) {
	switch typ {
	case 1, 2:
		return 0, true
	case 3:
		return -0.5, true
	case 4:
		return 0, true
	case 5:
		return 0.5, true
	case 6:
		return p, true
	case 7:
		return 1 - p, true
	case 8:
		return (1 + p) / 3, true
	case 9:
		return 3.0/8 + p/4, true
	}
	return 0, false
}

// stepWeight turns the fraction g into the weight of the upper order
// statistic; types 1 to 3 step instead of interpolating.
func stepWeight(g, j float64, typ int) float64 {
	switch {
	case typ > 3:
		return g
	case g > 0:
		return 1
	case typ == 2:
		return 0.5
	case typ == 3 && math.Mod(j, 2) != 0: // round to the even rank
		return 1
	}
	return 0
}

// orderStatistic is x_(rank), 1-based, clamped to the data.
func orderStatistic(s []float64, rank int) float64 {
	return s[min(max(rank, 1), len(s))-1]
}

// median is the mean of the two middle values; NaN for none.
func median(xs []float64) float64 { return Quantile(xs, 0.5) }

// Median is the median with the exact order-statistic interval.
func Median(xs []float64, conf float64) Estimate { return QuantileCI(xs, 0.5, conf) }

// QuantileCI is the type-7 p-quantile with the exact distribution-free
// interval from order statistics (Conover, Practical Nonparametric Statistics,
// 1999, 3.2; Le Boudec, Performance Evaluation, 2010, theorem 2.1). Confidence
// is what the ranks achieve. Where the sample is too small for a bound, that
// side is infinite, never the smallest or largest value. The values must be
// independent: one per trial.
func QuantileCI(xs []float64, p, conf float64) Estimate {
	const method = "order statistics, exact"
	if !(p >= 0 && p <= 1) {
		return refused(method, len(xs), conf, "a quantile lies between 0 and 1, not at %g", p)
	}
	if why := firstOf(badInput(xs), badConfidence(conf)); why != "" {
		return refused(method, len(xs), conf, "%s", why)
	}
	s := sorted(xs)
	lo, hi, coverage := quantileRanks(len(s), p, conf)
	e := Estimate{
		Value: sortedQuantile(s, p, 7), Lo: math.Inf(-1), Hi: math.Inf(1),
		Confidence: coverage, N: len(s), Method: method,
	}
	if lo >= 1 {
		e.Lo = s[lo-1]
	}
	if hi <= len(s) {
		e.Hi = s[hi-1]
	}
	e.warnQuantile(s, p, conf)
	return e
}

// warnQuantile says where the sample is too small for the quantile.
func (e *Estimate) warnQuantile(s []float64, p, conf float64) {
	if math.IsInf(e.Lo, 0) || math.IsInf(e.Hi, 0) {
		e.warn(Unbounded, "%s are too few to bound the %g-quantile on both sides with %g %% confidence",
			plural(len(s), "value"), p, 100*conf)
	}
	if n := float64(len(s)); len(s) > 1 && (p > 1-1/n || p < 1/n) {
		e.warn(BeyondData, "fewer than one of %d values is expected beyond the %g-quantile", len(s), p)
	}
	if len(s) > 1 && Constant(s) {
		e.warn(ConstantData, "all %d values are equal", len(s))
	}
}

// quantileRanks are the 1-based ranks of the two bounds and the coverage that
// they achieve; rank 0 or n+1 is a bound that does not exist.
func quantileRanks(n int, p, conf float64) (lo, hi int, coverage float64) {
	lo = binomialQuantile((1-conf)/2, n, p)
	hi = binomialQuantile((1+conf)/2, n, p) + 1
	return lo, hi, binomialCDF(hi-1, n, p) - binomialCDF(lo-1, n, p)
}
