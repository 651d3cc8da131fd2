package stat

import (
	"math"
	"sort"
)

// TPower plans a t test.
type TPower struct {
	SD      float64 // of the block differences, or of each of two groups
	Alpha   float64 // two-sided level
	Samples int     // 1: paired, n blocks; 2: independent, n values a group
	// OneTail leaves out the chance of being significant on the wrong side,
	// as R's power.t.test does unless it is strict.
	OneTail bool
}

// Power is the probability that a true difference delta is found significant
// with n, which need not be whole. NaN where it makes no sense.
func (t TPower) Power(n, delta float64) float64 {
	df := (n - 1) * float64(t.Samples)
	if !(t.SD > 0) || !(t.Alpha > 0 && t.Alpha < 1) || !(df > 0) {
		return math.NaN()
	}
	shift := math.Sqrt(n/float64(t.Samples)) * math.Abs(delta) / t.SD
	critical := TQuantile(1-t.Alpha/2, df)
	p := 1 - noncentralTCDF(critical, df, shift)
	if !t.OneTail {
		p += noncentralTCDF(-critical, df, shift)
	}
	return p
}

// Size is the n, not rounded, at which the power is reached; NaN where no n
// up to ten million reaches it.
func (t TPower) Size(delta, power float64) float64 {
	enough := func(n float64) bool { return t.Power(n, delta) >= power }
	if !enough(1e7) {
		return math.NaN()
	}
	hi := 4.0
	for !enough(hi) {
		hi *= 2
	}
	return bisect(1+1e-9, hi, enough)
}

// Delta is the smallest difference that is found with the power; NaN where
// there is none.
func (t TPower) Delta(n, power float64) float64 {
	enough := func(delta float64) bool { return t.Power(n, delta) >= power }
	hi := t.SD
	for range 60 {
		if enough(hi) {
			return bisect(0, hi, enough)
		}
		hi *= 2
	}
	return math.NaN()
}

// PowerTOST is the probability that TOST over n blocks proves the mean to lie
// between lo and hi, if it is theta and the differences have standard
// deviation sd; alpha is the level of each of the two tests (Phillips, J.
// Pharmacokinet. Biopharm. 18, 1990). It integrates over the estimate of the
// standard deviation. NaN for n < 2 or sd <= 0.
func PowerTOST(n int, theta, sd, lo, hi, alpha float64) float64 {
	if n < 2 || !(sd > 0) || !(lo < hi) || !(alpha > 0 && alpha < 1) {
		return math.NaN()
	}
	df := float64(n - 1)
	se := sd / math.Sqrt(float64(n))
	t := TQuantile(1-alpha, df)
	logScale := scaleLogConstant(df)
	widest := (hi - lo) / (2 * se * t) // at larger estimates nothing is ever proven
	spread := 12 / math.Sqrt(2*df)
	a, b := math.Max(0, 1-spread), math.Min(widest, 1+spread)
	if b <= a {
		return 0
	}
	return integral(func(s float64) float64 {
		density := math.Exp(logScale + (df-1)*math.Log(s) - df*s*s/2)
		return density * (normalCDF((hi-theta)/se-t*s) - normalCDF((lo-theta)/se+t*s))
	}, a, b, 64)
}

// BlocksForEquivalence is the smallest number of blocks, at least five, at
// which PowerTOST reaches the power; 0 where none up to ten thousand does.
func BlocksForEquivalence(theta, sd, lo, hi, alpha, power float64) int {
	const most = 10_000
	n := minEquivalence + sort.Search(most, func(i int) bool {
		return PowerTOST(minEquivalence+i, theta, sd, lo, hi, alpha) >= power
	})
	if n > most {
		return 0
	}
	return n
}

// UpperSD is the upper limit of the standard deviation that a pilot of n
// blocks with standard deviation sd does not exclude, at the one-sided
// confidence: plan with it, at 0.8, rather than with the pilot's own (Browne,
// Stat. Med. 14, 1995). NaN below two blocks.
func UpperSD(sd float64, n int, conf float64) float64 {
	if n < 2 || badConfidence(conf) != "" {
		return math.NaN()
	}
	return sd * math.Sqrt(float64(n-1)/chiSquaredQuantile(1-conf, float64(n-1)))
}
