package stat

import (
	"math"
	"slices"
)

// AmdahlFit is T(p) = serial + parallel/p (Amdahl 1967).
type AmdahlFit struct {
	T1, Serial, Parallel float64  // time at one processor, and its two parts
	Fraction             Estimate // serial share, with a t interval by the delta method
	FractionSE           float64
	RSS                  float64
	Warnings             []Warning
	Refused              string
}

// FitAmdahl fits times t at p processors by least squares on 1/p. It refuses
// a serial share outside 0 to 1.
func FitAmdahl(p, t []float64, conf float64) AmdahlFit {
	why := firstOf(badInput(p), badInput(t), notPositive(p), badConfidence(conf))
	if why != "" {
		return AmdahlFit{Refused: why}
	}
	inverse := make([]float64, len(p))
	for i := range p {
		inverse[i] = 1 / p[i]
	}
	m := OLS([][]float64{inverse}, t, true)
	if m.Refused != "" {
		return AmdahlFit{Refused: m.Refused}
	}
	a := AmdahlFit{T1: m.Coef[0] + m.Coef[1], Serial: m.Coef[0], Parallel: m.Coef[1], RSS: m.SSRes}
	share := a.Serial / a.T1
	if !(share >= 0 && share <= 1) {
		return AmdahlFit{Refused: "the serial share falls outside 0 to 1: the times do not follow Amdahl's law"}
	}
	gradient := []float64{a.Parallel / (a.T1 * a.T1), -a.Serial / (a.T1 * a.T1)}
	a.FractionSE = m.Sigma * math.Sqrt(squares(combine(m.rows, gradient)))
	half := TQuantile((1+conf)/2, m.DFRes) * a.FractionSE
	a.Fraction = Estimate{Value: share, Lo: share - half, Hi: share + half, Confidence: conf,
		N: len(t), DF: m.DFRes, Method: "Amdahl's law, delta method"}
	return a
}

// USLFit is the universal scalability law
// X(N) = λN / (1 + σ(N-1) + κN(N-1)) (Gunther 2007).
type USLFit struct {
	Lambda, Sigma, Kappa       float64
	SELambda, SESigma, SEKappa float64 // SEKappa NaN where κ was found to be zero
	RSS, DF                    float64
	Peak                       float64 // N of the largest throughput; +Inf without a peak
	Warnings                   []Warning
	Refused                    string
}

// minUSL is the least number of different N.
const minUSL = 6

// FitUSL fits throughput x at n clients or processors. Neither contention σ
// nor coherence κ may be negative: where κ would be, only contention is
// fitted. A peak beyond the largest n is an extrapolation and says so. It
// refuses fewer than six different n.
func FitUSL(n, x []float64) USLFit {
	why := firstOf(badInput(n), badInput(x), notPositive(n), notPositive(x),
		unless(len(n) == len(x), "sizes and throughputs differ in number"))
	if why == "" {
		why = atLeast(len(slices.Compact(sorted(n))), minUSL, "distinct size")
	}
	if why != "" {
		return USLFit{Refused: why}
	}
	fit := FitCurve(usl, n, x, uslStarts(n, x)...)
	if why := firstOf(fit.Refused, unless(fit.Converged, "the fit did not converge")); why != "" {
		return USLFit{Refused: why}
	}
	if fit.Coef[2] < 0 {
		return contentionOnly(n, x)
	}
	u := USLFit{Lambda: fit.Coef[0], Sigma: fit.Coef[1], Kappa: fit.Coef[2], RSS: fit.RSS, DF: fit.DF,
		SELambda: fit.SE[0], SESigma: fit.SE[1], SEKappa: fit.SE[2]}
	u.finish(n)
	return u
}

// usl is the law for parameters λ, σ, κ.
func usl(p []float64, n float64) float64 {
	return p[0] * n / (1 + p[1]*(n-1) + p[2]*n*(n-1))
}

// uslStarts vary contention and coherence about the throughput of the
// smallest size.
func uslStarts(n, x []float64) [][]float64 {
	at := 0
	for i := range n {
		if n[i] < n[at] {
			at = i
		}
	}
	first := x[at] / n[at]
	return [][]float64{{first, 0.05, 0.0005}, {first, 0.01, 1e-5}, {first, 0.2, 0.001}, {first, 0.5, 0.01}, {2 * first, 0.1, 1e-4}}
}

// contentionOnly is the law with κ = 0.
func contentionOnly(n, x []float64) USLFit {
	law := func(p []float64, n float64) float64 { return usl([]float64{p[0], p[1], 0}, n) }
	var starts [][]float64
	for _, s := range uslStarts(n, x) {
		starts = append(starts, s[:2])
	}
	fit := FitCurve(law, n, x, starts...)
	if why := firstOf(fit.Refused, unless(fit.Converged, "the fit did not converge")); why != "" {
		return USLFit{Refused: why}
	}
	u := USLFit{Lambda: fit.Coef[0], Sigma: fit.Coef[1], RSS: fit.RSS, DF: fit.DF,
		SELambda: fit.SE[0], SESigma: fit.SE[1], SEKappa: math.NaN()}
	u.Warnings = append(u.Warnings, Warning{Approximate, "coherence is not above zero: contention alone is fitted"})
	u.finish(n)
	return u
}

// finish adds the peak and refuses what the law cannot mean.
func (u *USLFit) finish(n []float64) {
	if u.Sigma < 0 || u.Sigma >= 1 {
		*u = USLFit{Refused: "contention falls outside 0 to 1: the throughput does not follow the law"}
		return
	}
	u.Peak = math.Sqrt((1 - u.Sigma) / u.Kappa)
	if _, most := Range(n); u.Peak > most && u.Kappa > 0 {
		u.Warnings = append(u.Warnings, Warning{BeyondData, "the peak lies beyond the largest size measured"})
	}
}

// Slope is the least-squares slope of y on x; NaN for fewer than two points
// or equal x.
func Slope(x, y []float64) float64 {
	if badInput(x) != "" || badInput(y) != "" || len(x) != len(y) || Constant(x) {
		return math.NaN()
	}
	return covariance(x, y) / covariance(x, x)
}
