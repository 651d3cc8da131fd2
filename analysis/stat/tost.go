package stat

import "math"

// minEquivalence is the least number of blocks for an equivalence test.
const minEquivalence = 5

// Equivalence is the outcome of two one-sided tests.
type Equivalence struct {
	Estimate       // interval of confidence 1-2α: inside (lo, hi) means equivalent
	SE             float64
	TLower, TUpper float64 // statistics against the lower and the upper bound
	PLower, PUpper float64 // of being above the lower, below the upper bound
	P              float64 // the larger of the two; NaN where not computable
	Equivalent     bool
	// Smallest is the least m such that (-m, m) would have been met: the
	// larger distance of the interval's ends from zero.
	Smallest float64
}

// TOST tests that the mean of block differences lies between lo and hi by two
// one-sided t tests (Schuirmann, J. Pharmacokinet. Biopharm. 15, 1987). conf
// is the confidence of the interval: 0.90 means two tests at 5 %. For a ratio
// pass logarithms. It refuses fewer than five blocks.
func TOST(d []float64, lo, hi, conf float64) Equivalence {
	const method = "two one-sided paired t tests over blocks"
	why := firstOf(badInput(d), badConfidence(conf), badMargin(lo, hi), atLeast(len(d), minEquivalence, "block"))
	if why != "" {
		return refusedEquivalence(refused(method, len(d), conf, "%s", why))
	}
	t := PairedT(d, 0, conf)
	e := Equivalence{Estimate: t.Estimate, SE: t.SE}
	e.Method = method
	e.against(lo, hi)
	e.warnPower(lo, hi)
	return e
}

// warnPower doubts a test in which even no effect, or one amid the margin,
// would more likely than not have stayed unproven.
func (e *Equivalence) warnPower(lo, hi float64) {
	theta := 0.0
	if lo >= 0 || hi <= 0 {
		theta = lo/2 + hi/2
	}
	sd := e.SE * math.Sqrt(float64(e.N))
	if p := PowerTOST(e.N, theta, sd, lo, hi, (1-e.Confidence)/2); p < 0.5 {
		e.warn(LowPower, "with this noise %s prove even no effect in %.0f %% of experiments only", plural(e.N, "block"), 100*p)
	}
}

// against fills the tests from value, standard error and interval.
func (e *Equivalence) against(lo, hi float64) {
	e.TLower, e.PLower = oneSided(e.Value-lo, e.SE, e.DF)
	e.TUpper, e.PUpper = oneSided(hi-e.Value, e.SE, e.DF)
	e.TUpper = -e.TUpper
	e.P = math.Max(e.PLower, e.PUpper)
	e.Equivalent = e.Lo > lo && e.Hi < hi
	e.Smallest = math.Max(math.Abs(e.Lo), math.Abs(e.Hi))
}

// oneSided is diff/se and the p-value of the alternative that diff is above
// zero; not computable without spread.
func oneSided(diff, se, df float64) (t, p float64) {
	if !(se > 0) {
		return math.NaN(), math.NaN()
	}
	t = diff / se
	return t, tUpper(t, df)
}

func refusedEquivalence(e Estimate) Equivalence {
	nan := math.NaN()
	return Equivalence{Estimate: e, SE: nan, TLower: nan, TUpper: nan, PLower: nan, PUpper: nan, P: nan, Smallest: nan}
}

func badMargin(lo, hi float64) string {
	if lo < hi {
		return ""
	}
	return "the lower bound of the margin must lie below the upper one"
}

// TOSTSignedRank tests that the centre of block differences lies between lo
// and hi by two one-sided exact signed-rank tests: TOST without normality.
// Value and interval are those of HodgesLehmann; the tests decide, since under
// ties the interval is not quite theirs.
func TOSTSignedRank(d []float64, lo, hi, conf float64) Equivalence {
	const method = "two one-sided signed-rank tests over blocks"
	why := firstOf(badInput(d), badConfidence(conf), badMargin(lo, hi), atLeast(len(d), minEquivalence, "block"))
	if why != "" {
		return refusedEquivalence(refused(method, len(d), conf, "%s", why))
	}
	nan := math.NaN()
	e := Equivalence{Estimate: HodgesLehmann(d, conf), SE: nan, TLower: nan, TUpper: nan}
	e.Method = method
	e.PLower, e.PUpper = SignedRank(d, lo).PGreater, SignedRank(d, hi).PLess
	e.P = math.Max(e.PLower, e.PUpper)
	e.Equivalent = e.P <= (1-conf)/2*(1+fuzz)
	e.Smallest = math.Max(math.Abs(e.Lo), math.Abs(e.Hi))
	return e
}
