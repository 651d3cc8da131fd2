package stat

import (
	"fmt"
	"math"
)

// DensityUnits is from how many values on a density is drawn; fewer are
// better shown one by one.
const DensityUnits = 10

// KernelDensity is a smoothed distribution. Y is per unit of X.
type KernelDensity struct {
	X, Y      []float64 // X from the smallest to the largest value, ascending
	Bandwidth float64   // the standard deviation of each kernel
	N         int
	Refused   string
}

// Density is the Gaussian kernel density of xs at so many places between
// their smallest and largest; beyond these nothing was observed. The bandwidth
// is Silverman's rule, 0.9·min(sd, IQR/1.34)·n^(-1/5) (Density Estimation,
// 1986, eq. 3.31), which is R's bw.nrd0. Where half of the values lie closer
// together than a thousandth of sd, the quartiles say how fine the clock is
// and not how wide the values lie, and sd stands alone.
func Density(xs []float64, places int) KernelDensity {
	d := KernelDensity{N: len(xs), Bandwidth: math.NaN()}
	switch why := badInput(xs); {
	case why != "":
		d.Refused = why
	case len(xs) < DensityUnits:
		d.Refused = fmt.Sprintf("a density takes %d values, and this is %s", DensityUnits, plural(len(xs), "value"))
	case Constant(xs):
		d.Refused = "all values are equal, which has no density"
	}
	if d.Refused != "" {
		return d
	}
	s := sorted(xs)
	if d.Bandwidth = silverman(s); !(d.Bandwidth > 0) || math.IsInf(d.Bandwidth, 1) {
		d.Bandwidth, d.Refused = math.NaN(), "the values are too far apart, or too close, to be smoothed"
		return d
	}
	lo, hi := s[0], s[len(s)-1]
	places = max(2, places)
	for i := range places {
		t := float64(i) / float64(places-1)
		x := lo*(1-t) + hi*t
		d.X, d.Y = append(d.X, x), append(d.Y, kernels(s, x, d.Bandwidth))
	}
	return d
}

// silverman is the bandwidth of sorted values that are not all equal.
func silverman(s []float64) float64 {
	sd := Summarize(s).SD
	width := math.Min(sd, (sortedQuantile(s, 0.75, 7)-sortedQuantile(s, 0.25, 7))/1.34)
	if width < sd/1000 {
		width = sd
	}
	return 0.9 * width * math.Pow(float64(len(s)), -0.2)
}

// kernels is the mean of the kernels at x.
func kernels(s []float64, x, bandwidth float64) float64 {
	sum := 0.0
	for _, v := range s {
		z := (x - v) / bandwidth
		sum += math.Exp(-z * z / 2)
	}
	return sum / (float64(len(s)) * bandwidth * math.Sqrt(2*math.Pi))
}
