package stat

import "math"

// TTest is an estimate with the t test that belongs to it.
type TTest struct {
	Estimate
	SE float64 // standard error, on the scale of the test (logarithms for a ratio)
	T  float64 // the statistic
	P  float64 // two-sided; NaN where not computable
}

// Block methods compute from minBlocks blocks on, and doubt below fewBlocks.
const (
	minBlocks = 3
	fewBlocks = 6
)

func refusedT(e Estimate) TTest {
	nan := math.NaN()
	return TTest{Estimate: e, SE: nan, T: nan, P: nan}
}

// PairedT is the mean of the within-block differences d with Student's
// interval, and the test that it is mu. It refuses fewer than three blocks.
// Where all differences are equal the interval has no width, and P is 1 if
// they are mu and otherwise not computable.
func PairedT(d []float64, mu, conf float64) TTest {
	const method = "paired t over blocks"
	why := firstOf(badInput(d), badConfidence(conf), badInput([]float64{mu}), atLeast(len(d), minBlocks, "block"))
	if why != "" {
		return refusedT(refused(method, len(d), conf, "%s", why))
	}
	t := TTest{Estimate: meanInterval(d, conf)}
	t.Method = method
	_, v := noise(d)
	t.SE = math.Sqrt(v / float64(len(d)))
	t.T, t.P = studentize(t.Value-mu, t.SE, t.DF)
	if len(d) < fewBlocks {
		t.warn(FewBlocks, "%d blocks are few: the interval leans on the normality of their differences", len(d))
	}
	return t
}

// studentize is diff/se and its two-sided p-value. Without spread, no
// difference is p = 1 and any other is not computable.
func studentize(diff, se, df float64) (t, p float64) {
	if se > 0 {
		t = diff / se
		return t, tTwoSided(t, df)
	}
	if diff == 0 {
		return 0, 1
	}
	return math.NaN(), math.NaN()
}

// PairedLogRatio is the ratio a/b of geometric means over blocks: a[i] and
// b[i] are the two sides of one block. Value and bounds are ratios; SE and T
// are those of the logarithms, and P tests the ratio 1. It refuses values at
// or below zero and fewer than three blocks.
func PairedLogRatio(a, b []float64, conf float64) TTest {
	const method = "paired t over blocks, log scale"
	d, why := LogRatios(a, b)
	if why != "" {
		return refusedT(refused(method, len(a), conf, "%s", why))
	}
	t := PairedT(d, 0, conf)
	t.Estimate = t.Estimate.through(math.Exp)
	t.Method = method
	return t
}

// LogRatios are the natural logarithms of a[i]/b[i], or a reason why there
// are none.
func LogRatios(a, b []float64) (d []float64, why string) {
	if len(a) != len(b) {
		return nil, "the two sides have different numbers of blocks"
	}
	if why = firstOf(badInput(a), badInput(b), notPositive(a), notPositive(b)); why != "" {
		return nil, why
	}
	d = make([]float64, len(a))
	for i := range a {
		d[i] = math.Log(a[i] / b[i])
	}
	return d, ""
}
