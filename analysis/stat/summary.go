package stat

import (
	"math"
	"slices"

	gonum "gonum.org/v1/gonum/stat"
)

// madScale makes the median absolute deviation estimate the standard
// deviation of normal data: 1/Φ⁻¹(3/4), rounded as R rounds it.
const madScale = 1.4826

// Summary describes values without inference. NaN means "not defined for
// these values", never zero.
type Summary struct {
	N                            int
	Min, Max                     float64
	Mean, Median                 float64
	SD, Variance, SEM            float64 // from two values on
	CV                           float64 // SD/Mean, for a mean above zero
	MAD, RawMAD                  float64 // median |x - median|, scaled by 1.4826 and not
	Q1, Q3                       float64 // quartiles, type 7
	IQR, IQR8                    float64 // distance of the quartiles, types 7 and 8
	Trimmed10, Trimmed20         float64 // mean without the 10 % or 20 % at either end
	GeoMean, GeoSD, HarmonicMean float64 // for values above zero
	Skewness                     float64 // G1, from three values on
	Kurtosis                     float64 // G2, excess, from four values on
	Warnings                     []Warning
}

// Summarize describes the values. Where a value is no finite number, nothing
// but N is defined.
func Summarize(xs []float64) Summary {
	if badInput(xs) != "" {
		return undefinedSummary(len(xs))
	}
	s := sorted(xs)
	sum := Summary{
		N: len(s), Min: s[0], Max: s[len(s)-1],
		Median: sortedQuantile(s, 0.5, 7),
		Q1:     sortedQuantile(s, 0.25, 7), Q3: sortedQuantile(s, 0.75, 7),
		IQR8:      sortedQuantile(s, 0.75, 8) - sortedQuantile(s, 0.25, 8),
		Trimmed10: trimmed(s, 0.1), Trimmed20: trimmed(s, 0.2),
	}
	sum.IQR = sum.Q3 - sum.Q1
	sum.spread(s)
	sum.positive(s)
	sum.Skewness, sum.Kurtosis = shape(s)
	return sum
}

func undefinedSummary(n int) Summary {
	nan := math.NaN()
	return Summary{N: n, Min: nan, Max: nan, Mean: nan, Median: nan, SD: nan,
		Variance: nan, SEM: nan, CV: nan, MAD: nan, RawMAD: nan, Q1: nan, Q3: nan,
		IQR: nan, IQR8: nan, Trimmed10: nan, Trimmed20: nan, GeoMean: nan,
		GeoSD: nan, HarmonicMean: nan, Skewness: nan, Kurtosis: nan}
}

// spread fills mean, standard deviation and what follows from them.
func (sum *Summary) spread(s []float64) {
	sum.Mean, sum.Variance = meanVariance(s)
	sum.SD = math.Sqrt(sum.Variance)
	sum.SEM = sum.SD / math.Sqrt(float64(len(s)))
	sum.CV = math.NaN()
	if sum.Mean > 0 {
		sum.CV = sum.SD / sum.Mean
	}
	sum.RawMAD = rawMAD(s)
	sum.MAD = madScale * sum.RawMAD
	if sum.RawMAD == 0 && !Constant(s) {
		sum.Warnings = append(sum.Warnings, Warning{Ties, "more than half of the values are equal: the MAD is zero"})
	}
}

// positive fills what is defined for values above zero only; s is sorted.
func (sum *Summary) positive(s []float64) {
	sum.GeoMean, sum.GeoSD, sum.HarmonicMean = math.NaN(), math.NaN(), math.NaN()
	if s[0] <= 0 {
		return
	}
	m, v := meanVariance(logs(s))
	sum.GeoMean, sum.GeoSD = math.Exp(m), math.Exp(math.Sqrt(v))
	if Constant(s) { // exp(log(x)) need not give x back
		sum.GeoMean = s[0]
	}
	sum.HarmonicMean = gonum.HarmonicMean(s, nil)
}

// rawMAD is the median of |x - median|.
func rawMAD(xs []float64) float64 {
	c := median(xs)
	d := shifted(xs, c)
	for i := range d {
		d[i] = math.Abs(d[i])
	}
	return median(d)
}

// TrimmedMean is the mean without floor(n*share) values at either end, for a
// share below one half. NaN where nothing would be left.
func TrimmedMean(xs []float64, share float64) float64 {
	if badInput(xs) != "" || !(share >= 0 && share < 0.5) {
		return math.NaN()
	}
	return trimmed(sorted(xs), share)
}

func trimmed(s []float64, share float64) float64 {
	cut := int(float64(len(s)) * share)
	return average(s[cut : len(s)-cut])
}

// shape is skewness G1 and excess kurtosis G2, bias-corrected (Joanes & Gill,
// The Statistician 47, 1998); undefined for equal values and small samples.
func shape(xs []float64) (skew, kurtosis float64) {
	skew, kurtosis = math.NaN(), math.NaN()
	if Constant(xs) {
		return skew, kurtosis
	}
	d := shifted(xs, xs[0])
	if len(xs) >= 3 {
		skew = gonum.Skew(d, nil)
	}
	if len(xs) >= 4 {
		kurtosis = gonum.ExKurtosis(d, nil)
	}
	return skew, kurtosis
}

// Range is the smallest and largest value; NaN for none.
func Range(xs []float64) (lo, hi float64) {
	if badInput(xs) != "" {
		return math.NaN(), math.NaN()
	}
	return slices.Min(xs), slices.Max(xs)
}
