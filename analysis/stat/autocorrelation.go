package stat

import "math"

// Autocorrelation is r_k for lags 1 to maxLag, with the sum over n-k products
// divided by the sum of all n squares (Box & Jenkins). NaN for equal values;
// lags of n and more are left out.
func Autocorrelation(xs []float64, maxLag int) []float64 {
	var out []float64
	m := average(xs)
	d := shifted(xs, m)
	total := squares(d)
	for k := 1; k <= maxLag && k < len(xs); k++ {
		sum := 0.0
		for t := range d[k:] {
			sum += d[t] * d[t+k]
		}
		if Constant(xs) {
			sum = math.NaN()
		}
		out = append(out, sum/total)
	}
	return out
}

// Portmanteau is a test that a series is uncorrelated up to a lag.
type Portmanteau struct {
	Lag       int
	LjungBox  float64 // Q, chi-squared with Lag degrees of freedom
	P         float64 // of LjungBox
	BoxPierce float64
	Refused   string
}

// minLjungBox is the least length of a series for the test.
const minLjungBox = 20

// LjungBox tests the first lag autocorrelations of a series at once (Ljung &
// Box, Biometrika 65, 1978). It refuses series below 20 values.
func LjungBox(xs []float64, lag int) Portmanteau {
	p := Portmanteau{Lag: lag, LjungBox: math.NaN(), P: math.NaN(), BoxPierce: math.NaN()}
	p.Refused = firstOf(badInput(xs), atLeast(len(xs), minLjungBox, "value"), constantSeries(xs))
	if p.Refused == "" && (lag < 1 || lag >= len(xs)) {
		p.Refused = "the lag must be at least 1 and below the length of the series"
	}
	if p.Refused != "" {
		return p
	}
	n := float64(len(xs))
	p.LjungBox, p.BoxPierce = 0, 0
	for k, r := range Autocorrelation(xs, lag) {
		p.BoxPierce += n * r * r
		p.LjungBox += n * (n + 2) * r * r / (n - float64(k+1))
	}
	p.P = chiSquaredUpper(p.LjungBox, float64(lag))
	return p
}

// DefaultLag is the number of lags that LjungBox is asked for: a fifth of the
// length, at most ten.
func DefaultLag(n int) int { return max(1, min(10, n/5)) }

func constantSeries(xs []float64) string {
	if Constant(xs) {
		return "all values are equal"
	}
	return ""
}
