package stat

import "math"

// FiellerPaired is the ratio of the arithmetic means of a and b over blocks,
// with Fieller's interval (J. R. Stat. Soc. B 16, 1954). It is for values
// that may be zero or negative; where all are positive, PairedLogRatio is the
// better companion. It refuses where b's mean may be zero: the set of ratios
// is unbounded then.
func FiellerPaired(a, b []float64, conf float64) Estimate {
	const method = "Fieller's interval of the ratio of means, paired by block"
	why := firstOf(badInput(a), badInput(b), badConfidence(conf), atLeast(len(a), minBlocks, "block"))
	if why == "" && len(a) != len(b) {
		why = "the two sides have different numbers of blocks"
	}
	if why != "" {
		return refused(method, len(a), conf, "%s", why)
	}
	n := float64(len(a))
	ma, va := noise(a)
	mb, vb := noise(b)
	f := fieller{ma, mb, va / n, vb / n, covariance(a, b) / n}
	e := f.interval(conf, n-1)
	e.N, e.Method = len(a), method
	if len(a) < fewBlocks {
		e.warn(FewBlocks, "%d blocks are few", len(a))
	}
	return e
}

// FiellerIndependent is the ratio of the arithmetic means of two independent
// groups with Fieller's interval. With pooled, the groups are taken to have
// one variance; else the degrees of freedom are Satterthwaite's at the
// estimated ratio (Tamhane & Logan, Am. Stat. 58, 2004).
func FiellerIndependent(a, b []float64, pooled bool, conf float64) Estimate {
	const method = "Fieller's interval of the ratio of means, independent groups"
	why := firstOf(badInput(a), badInput(b), badConfidence(conf),
		atLeast(min(len(a), len(b)), 2, "value in each group"))
	if why != "" {
		return refused(method, len(a)+len(b), conf, "%s", why)
	}
	f, df := independentFieller(a, b, pooled)
	e := f.interval(conf, df)
	e.N, e.Method = len(a)+len(b), method
	return e
}

func independentFieller(a, b []float64, pooled bool) (f fieller, df float64) {
	na, nb := float64(len(a)), float64(len(b))
	ma, va := noise(a)
	mb, vb := noise(b)
	if pooled {
		df = na + nb - 2
		v := ((na-1)*va + (nb-1)*vb) / df
		return fieller{ma, mb, v / na, v / nb, 0}, df
	}
	ratio := ma / mb
	return fieller{ma, mb, va / na, vb / nb, 0}, satterthwaite(va/na, ratio*ratio*vb/nb, na-1, nb-1)
}

// fieller is two means with the variances and the covariance of the means.
type fieller struct{ a, b, va, vb, cab float64 }

// interval holds the ratios ρ for which a-ρb does not differ from zero: those
// between the roots of a quadratic, where b clearly differs from zero.
func (f fieller) interval(conf, df float64) Estimate {
	t := TQuantile((1+conf)/2, df)
	A := f.b*f.b - t*t*f.vb
	B := f.a*f.b - t*t*f.cab
	C := f.a*f.a - t*t*f.va
	if !(A > 0) {
		return refused("", 0, conf, "the mean of the right side is not clearly different from zero: the ratio is unbounded")
	}
	root := math.Sqrt(math.Max(0, B*B-A*C))
	return Estimate{Value: f.a / f.b, Lo: (B - root) / A, Hi: (B + root) / A, Confidence: conf, DF: df}
}
