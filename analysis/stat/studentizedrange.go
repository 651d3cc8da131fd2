package stat

import "math"

// StudentizedRangeUpper is P(Q > q) for the range of k normal values over an
// independent standard deviation of df degrees of freedom; df may be +Inf.
// It integrates the complement, so that small probabilities keep their
// digits. NaN for k < 2 or df <= 0.
func StudentizedRangeUpper(q float64, k int, df float64) float64 {
	switch {
	case k < 2 || !(df > 0) || math.IsNaN(q):
		return math.NaN()
	case q <= 0:
		return 1
	case math.IsInf(df, 1):
		return rangeUpper(q, k)
	}
	logScale := scaleLogConstant(df)
	a, b, panels := scaleRange(q, df)
	// The root of the standard deviation is integrated: the density of the
	// standard deviation itself has no derivatives at zero for broken df.
	return math.Min(1, integral(func(root float64) float64 {
		s := root * root
		density := math.Exp(logScale + (df-1)*math.Log(s) - df*s*s/2)
		return 2 * root * density * rangeUpper(q*s, k)
	}, math.Sqrt(a), math.Sqrt(b), panels))
}

// scaleLogConstant is the logarithm of 2 (df/2)^(df/2) / Γ(df/2), the
// constant in the density of the standard deviation over its true value.
func scaleLogConstant(df float64) float64 {
	g, _ := math.Lgamma(df / 2)
	return math.Ln2 + df/2*math.Log(df/2) - g
}

// scaleRange is where the standard deviation contributes to P(Q > q), and
// into how many panels that is cut. The further out q, the smaller the
// standard deviations that matter.
func scaleRange(q, df float64) (a, b float64, panels int) {
	sd := 1 / math.Sqrt(2*df)
	mode := math.Sqrt(math.Max(df-1, 0) / (df + q*q/2))
	a, b = math.Max(0, mode-9*sd), 1+9*sd
	panels = int(math.Ceil((b - a) * math.Sqrt(2*df+q*q) / 3))
	return a, b, min(max(panels, 6), 100)
}

// rangeUpper is the probability that the range of k standard normal values
// exceeds w: the integral over the largest value z of
// k φ(z) [Φ(z)^(k-1) - (Φ(z)-Φ(z-w))^(k-1)].
func rangeUpper(w float64, k int) float64 {
	others := float64(k - 1)
	p := integral(func(z float64) float64 {
		below := normalCDF(z)
		share := normalCDF(z-w) / below
		density := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
		return density * math.Pow(below, others) * -math.Expm1(others*math.Log1p(-share))
	}, -8, 8+w/2, 6)
	return math.Min(1, float64(k)*p)
}

// StudentizedRangeQuantile is the q with P(Q <= q) = p. NaN for p outside
// (0, 1), k < 2 or df <= 0.
func StudentizedRangeQuantile(p float64, k int, df float64) float64 {
	if !(p > 0 && p < 1) || k < 2 || !(df > 0) {
		return math.NaN()
	}
	excess := func(q float64) float64 { return StudentizedRangeUpper(q, k, df) - (1 - p) }
	lo, hi := 0.0, 4.0
	for excess(hi) > 0 && hi < 1e6 {
		lo, hi = hi, 2*hi
	}
	return root(excess, lo, hi)
}

// root is where a falling function crosses zero between lo and hi, by false
// position with the Illinois rule (Dowell & Jarratt, BIT 11, 1971), to twelve
// digits.
func root(f func(float64) float64, lo, hi float64) float64 {
	flo, fhi := f(lo), f(hi)
	last, side := lo, 0.0
	for range 200 {
		mid := (lo*fhi - hi*flo) / (fhi - flo)
		if math.Abs(mid-last) <= 1e-12*math.Abs(mid) {
			return mid
		}
		v := f(mid)
		if v > 0 {
			lo, flo = mid, v
		} else {
			hi, fhi = mid, v
		}
		switch sign(v) + side { // the other end stood still twice
		case 2:
			fhi /= 2
		case -2:
			flo /= 2
		}
		last, side = mid, sign(v)
	}
	return last
}
