package stat

import "math"

// zLimit is the robust z-score beyond which Iglewicz & Hoaglin (How to Detect
// and Handle Outliers, 1993) flag a value.
const zLimit = 3.5

// OutlierFlags says which values stand apart. They are flags: no value is
// ever left out because of them.
type OutlierFlags struct {
	Lo, Hi             float64 // Tukey's fences, 1.5 quartile distances out
	FarLo, FarHi       float64 // 3 quartile distances out
	Mild, Severe       int     // values outside the near and the far fences
	BeyondMAD          float64 // values with |x - median| above 3.5 scaled MAD; NaN where the MAD is 0
	LargestZ           float64 // largest |x - median| in scaled MAD; NaN where the MAD is 0
	LowerMAD, UpperMAD float64 // median distance below and above the median, unscaled
	Flagged            []int   // indices outside the near fences, ascending
	Refused            string
}

// Outliers flags values by Tukey's fences from type-7 quartiles (Exploratory
// Data Analysis, 1977) and by the median absolute deviation.
func Outliers(xs []float64) OutlierFlags {
	nan := math.NaN()
	if why := badInput(xs); why != "" {
		return OutlierFlags{Lo: nan, Hi: nan, FarLo: nan, FarHi: nan, BeyondMAD: nan,
			LargestZ: nan, LowerMAD: nan, UpperMAD: nan, Refused: why}
	}
	q1, q3 := Quantile(xs, 0.25), Quantile(xs, 0.75)
	d := q3 - q1
	o := OutlierFlags{Lo: q1 - 1.5*d, Hi: q3 + 1.5*d, FarLo: q1 - 3*d, FarHi: q3 + 3*d}
	for i, x := range xs {
		if x < o.Lo || x > o.Hi {
			o.Mild++
			o.Flagged = append(o.Flagged, i)
		}
		if x < o.FarLo || x > o.FarHi {
			o.Severe++
		}
	}
	o.LowerMAD, o.UpperMAD = doubleMAD(xs)
	o.BeyondMAD, o.LargestZ = robustZ(xs)
	return o
}

// robustZ counts the values beyond zLimit and gives the largest score.
func robustZ(xs []float64) (beyond, largest float64) {
	c, mad := median(xs), madScale*rawMAD(xs)
	if !(mad > 0) {
		return math.NaN(), math.NaN()
	}
	for _, x := range xs {
		z := math.Abs(x-c) / mad
		largest = math.Max(largest, z)
		if z > zLimit {
			beyond++
		}
	}
	return beyond, largest
}

// doubleMAD is the median distance of the values at or below the median, and
// at or above it: two scales for skewed data.
func doubleMAD(xs []float64) (lower, upper float64) {
	c := median(xs)
	var below, above []float64
	for _, x := range xs {
		if x <= c {
			below = append(below, c-x)
		}
		if x >= c {
			above = append(above, x-c)
		}
	}
	return median(below), median(above)
}
