package stat

import "math"

// FixedWidth is the first sample size from least on at which the t interval
// of the mean has a relative half-width of at most w; 0 where none of the
// prefixes of xs has. Stopping on precision keeps the coverage near its
// nominal value from about ten blocks on, unless the data have rare spikes;
// stopping on significance does not.
func FixedWidth(xs []float64, w, conf float64, least int) int {
	return firstPrefix(xs, least, conf, func(mean, variance float64, n int) bool {
		return tHalfWidth(variance, n, conf) <= w*mean
	})
}

// ChowRobbins is FixedWidth by the rule n >= (z/d)²(s² + 1/n) with d = w·mean
// (Chow & Robbins, Ann. Math. Stat. 36, 1965).
func ChowRobbins(xs []float64, w, conf float64, least int) int {
	z := normalQuantile((1 + conf) / 2)
	return firstPrefix(xs, least, conf, func(mean, variance float64, n int) bool {
		d := w * mean
		return d > 0 && float64(n) >= z*z/(d*d)*(variance+1/float64(n))
	})
}

// firstPrefix is the length of the shortest prefix of at least least values
// (and two) that is enough; 0 for none.
func firstPrefix(xs []float64, least int, conf float64, enough func(mean, variance float64, n int) bool) int {
	if badInput(xs) != "" || badConfidence(conf) != "" {
		return 0
	}
	for n := max(least, 2); n <= len(xs); n++ {
		if m, v := meanVariance(xs[:n]); enough(m, v, n) {
			return n
		}
	}
	return 0
}

// ConfirmRanks are the 1-based ranks of the approximate interval of the
// median, floor((n-z√n)/2) and 1+ceil((n+z√n)/2), that planning tools use
// (Le Boudec, Performance Evaluation, 2010). QuantileCI has exact ranks.
func ConfirmRanks(n int, conf float64) (lo, hi int) {
	z := normalQuantile((1+conf)/2) * math.Sqrt(float64(n))
	return int(math.Floor((float64(n) - z) / 2)), 1 + int(math.Ceil((float64(n)+z)/2))
}
