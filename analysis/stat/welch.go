package stat

import "math"

// WelchT is the difference of the means of two independent groups, a less b,
// with Welch's interval and test (Biometrika 34, 1947). It refuses fewer than
// two values in a group, and groups without any spread.
func WelchT(a, b []float64, conf float64) TTest {
	const method = "Welch t, independent groups"
	w, why := newWelch(a, b, conf)
	if why != "" {
		return refusedT(refused(method, len(a)+len(b), conf, "%s", why))
	}
	t := TTest{SE: w.se}
	t.T, t.P = studentize(w.diff, w.se, w.df)
	half := TQuantile((1+conf)/2, w.df) * w.se
	t.Estimate = Estimate{Value: w.diff, Lo: w.diff - half, Hi: w.diff + half,
		Confidence: conf, N: len(a) + len(b), DF: w.df, Method: method}
	if min(len(a), len(b)) < fewBlocks {
		t.warn(FewBlocks, "%d and %d values are few", len(a), len(b))
	}
	if Constant(a) || Constant(b) {
		t.warn(ConstantData, "all values of one group are equal: the other carries the interval alone")
	}
	return t
}

// WelchRatio is the ratio a/b of the geometric means of two independent
// groups, with the exponential of Welch's interval for the logarithms.
func WelchRatio(a, b []float64, conf float64) TTest {
	const method = "Welch t, independent groups, log scale"
	if why := firstOf(badInput(a), badInput(b), notPositive(a), notPositive(b)); why != "" {
		return refusedT(refused(method, len(a)+len(b), conf, "%s", why))
	}
	t := WelchT(logs(a), logs(b), conf)
	t.Estimate = t.Estimate.through(math.Exp)
	t.Method = method
	return t
}

// TOSTWelch tests that the difference of the means of two independent groups
// lies between lo and hi; see TOST.
func TOSTWelch(a, b []float64, lo, hi, conf float64) Equivalence {
	const method = "two one-sided Welch t tests, independent groups"
	t := WelchT(a, b, conf)
	if why := firstOf(t.Refused, badMargin(lo, hi)); why != "" {
		return refusedEquivalence(refused(method, len(a)+len(b), conf, "%s", why))
	}
	e := Equivalence{Estimate: t.Estimate, SE: t.SE}
	e.Method = method
	e.against(lo, hi)
	return e
}

// welch is the difference of two means with its standard error and
// Satterthwaite's degrees of freedom.
type welch struct{ diff, se, df float64 }

func newWelch(a, b []float64, conf float64) (welch, string) {
	why := firstOf(badInput(a), badInput(b), badConfidence(conf),
		atLeast(min(len(a), len(b)), 2, "value in each group"))
	if why != "" {
		return welch{}, why
	}
	ma, va := noise(a)
	mb, vb := noise(b)
	if va == 0 && vb == 0 {
		return welch{}, "all values of either group are equal: there is no spread to judge a difference by"
	}
	na, nb := float64(len(a)), float64(len(b))
	return welch{ma - mb, math.Sqrt(va/na + vb/nb), satterthwaite(va/na, vb/nb, na-1, nb-1)}, ""
}

// satterthwaite are the degrees of freedom of the sum of two mean squares x
// and y with dx and dy degrees of freedom (Biometrics Bull. 2, 1946).
func satterthwaite(x, y, dx, dy float64) float64 {
	share := x / (x + y) // of the sum; scaled, so that squares do not vanish
	return 1 / (share*share/dx + (1-share)*(1-share)/dy)
}
