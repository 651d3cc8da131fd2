package stat

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// largeDF is where the t quantile is taken from its expansion about the
// normal one: beyond it the inverse incomplete beta loses digits, while the
// first term left out is below 1e-14.
const largeDF = 1e4

// TCDF is the probability that Student's t with df degrees of freedom is at
// most t. NaN for df <= 0.
func TCDF(t, df float64) float64 {
	switch {
	case !(df > 0) || math.IsNaN(t):
		return math.NaN()
	case math.IsInf(df, 1):
		return normalCDF(t)
	case math.IsInf(t, 0):
		return heaviside(t)
	}
	return distuv.StudentsT{Sigma: 1, Nu: df}.CDF(t)
}

// tUpper is P(T > t), with all digits in the far tail.
func tUpper(t, df float64) float64 { return TCDF(-t, df) }

// tTwoSided is P(|T| >= |t|).
func tTwoSided(t, df float64) float64 { return 2 * tUpper(math.Abs(t), df) }

// TQuantile is the value that Student's t with df degrees of freedom stays
// below with probability p. NaN for df <= 0 or p outside [0, 1]. The start of
// gonum is polished by two Newton steps.
func TQuantile(p, df float64) float64 {
	switch {
	case !(df > 0) || !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 0 || p == 1:
		return math.Inf(int(2*p - 1))
	case p > 0.5: // 1-p is exact here, and the lower tail keeps its digits
		return -TQuantile(1-p, df)
	case df > largeDF:
		return tExpansion(normalQuantile(p), df)
	}
	d := distuv.StudentsT{Sigma: 1, Nu: df}
	t := d.Quantile(p)
	for range 2 {
		if step := (d.CDF(t) - p) / d.Prob(t); !math.IsNaN(step) && !math.IsInf(step, 0) {
			t -= step
		}
	}
	return t
}

// tExpansion is the t quantile about the normal quantile z, to the third
// order of 1/df (Abramowitz & Stegun 26.7.5).
func tExpansion(z, df float64) float64 {
	z2 := z * z
	g1 := z * (z2 + 1) / 4
	g2 := z * ((5*z2+16)*z2 + 3) / 96
	g3 := z * (((3*z2+19)*z2+17)*z2 - 15) / 384
	return z + (g1+(g2+g3/df)/df)/df
}

// heaviside is the distribution function of an infinite argument.
func heaviside(x float64) float64 {
	if x > 0 {
		return 1
	}
	return 0
}

// normalCDF and normalUpper are the two tails of the standard normal
// distribution. gonum's Normal.Survival is 1-CDF and has no digits beyond 8
// standard deviations.
func normalCDF(z float64) float64   { return 0.5 * math.Erfc(-z/math.Sqrt2) }
func normalUpper(z float64) float64 { return 0.5 * math.Erfc(z/math.Sqrt2) }

// normalTwoSided is P(|Z| >= |z|).
func normalTwoSided(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }

// normalQuantile inverts normalCDF; ±Inf at 0 and 1, NaN outside.
func normalQuantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return distuv.UnitNormal.Quantile(p)
}

// fUpper is P(F > x) for d1 and d2 degrees of freedom, by the complement of
// the incomplete beta function: gonum's F.Survival is 1-CDF. NaN where x or a
// degree of freedom is none.
func fUpper(x, d1, d2 float64) float64 {
	switch {
	case !(d1 > 0) || !(d2 > 0) || math.IsNaN(x):
		return math.NaN()
	case x <= 0:
		return 1
	case math.IsInf(x, 1):
		return 0
	case math.IsInf(d2, 1):
		return chiSquaredUpper(d1*x, d1)
	}
	return mathext.RegIncBeta(d2/2, d1/2, d2/(d2+d1*x))
}

// chiSquaredUpper is P(X > x) for df degrees of freedom.
func chiSquaredUpper(x, df float64) float64 {
	switch {
	case !(df > 0) || math.IsNaN(x):
		return math.NaN()
	case x <= 0:
		return 1
	}
	return distuv.ChiSquared{K: df}.Survival(x)
}

// chiSquaredQuantile inverts the distribution function of df degrees of
// freedom.
func chiSquaredQuantile(p, df float64) float64 {
	return distuv.ChiSquared{K: df}.Quantile(p)
}

// binomialCDF is P(X <= k) for n draws of probability p.
func binomialCDF(k, n int, p float64) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n:
		return 1
	}
	return distuv.Binomial{N: float64(n), P: p}.CDF(float64(k))
}

// binomialQuantile is the smallest k with P(X <= k) >= q; gonum has none.
func binomialQuantile(q float64, n int, p float64) int {
	lo, hi := 0, n
	for lo < hi {
		if mid := (lo + hi) / 2; binomialCDF(mid, n, p) >= q*(1-fuzz) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// fuzz is the relative slack with which computed probabilities are compared,
// as R's own quantile functions have it.
const fuzz = 64 * 0x1p-52
