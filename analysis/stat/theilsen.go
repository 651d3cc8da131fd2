package stat

import "math"

// TheilSenLine is a line through the medians.
type TheilSenLine struct {
	Slope            float64
	Intercept        float64 // median(y) - slope·median(x)
	InterceptConover float64 // median(y - slope·x)
	Slopes           int     // pairs with different x
	Refused          string
}

// TheilSen is the median of the slopes of all pairs of points with different
// x (Theil 1950; Sen, JASA 63, 1968).
func TheilSen(x, y []float64) TheilSenLine {
	nan := math.NaN()
	l := TheilSenLine{Slope: nan, Intercept: nan, InterceptConover: nan}
	l.Refused = firstOf(badInput(x), badInput(y), constantX(x))
	if l.Refused == "" && len(x) != len(y) {
		l.Refused = "x and y differ in number"
	}
	if l.Refused != "" {
		return l
	}
	slopes := pairSlopes(x, y)
	l.Slopes = len(slopes)
	l.Slope = median(slopes)
	l.Intercept = median(y) - l.Slope*median(x)
	rest := make([]float64, len(y))
	for i := range y {
		rest[i] = y[i] - l.Slope*x[i]
	}
	l.InterceptConover = median(rest)
	return l
}

func constantX(x []float64) string {
	if Constant(x) {
		return "all x are equal"
	}
	return ""
}

// pairSlopes are the slopes of all pairs of points with different x.
func pairSlopes(x, y []float64) []float64 {
	var slopes []float64
	for i := range x {
		for j := range x {
			if x[i] < x[j] {
				slopes = append(slopes, (y[j]-y[i])/(x[j]-x[i]))
			}
		}
	}
	return slopes
}

// SenSlope is the Theil-Sen slope per step of an equally spaced series, with
// the interval from the variance of Mann and Kendall's S under ties (Sen
// 1968), and their test. It refuses fewer than ten values.
func SenSlope(xs []float64, conf float64) TTest { return SenSlopeOver(timeOf(xs), xs, conf) }

// SenSlopeOver is SenSlope of values at given times, per unit of time. Pairs
// of one time have no slope.
func SenSlopeOver(times, xs []float64, conf float64) TTest {
	const method = "Sen's slope"
	trend := MannKendall(xs)
	why := firstOf(trend.Refused, badInput(times), constantX(times), badConfidence(conf))
	if why == "" && len(times) != len(xs) {
		why = "times and values differ in number"
	}
	if why != "" {
		return refusedT(refused(method, len(xs), conf, "%s", why))
	}
	trend.fill(times, xs)
	slopes := sorted(pairSlopes(times, xs))
	n := float64(len(slopes))
	half := normalQuantile((1+conf)/2) * math.Sqrt(trend.VarS)
	lo := int(math.RoundToEven((n - half) / 2))
	hi := int(math.RoundToEven((n+half)/2 + 1))
	e := Estimate{Value: sortedQuantile(slopes, 0.5, 7), Lo: math.Inf(-1), Hi: math.Inf(1), Confidence: conf, N: len(xs), Method: method}
	if lo >= 1 {
		e.Lo = slopes[lo-1]
	}
	if hi <= len(slopes) {
		e.Hi = slopes[hi-1]
	}
	return TTest{Estimate: e, SE: math.NaN(), T: trend.Z, P: trend.P}
}
