package stat

import (
	"fmt"
	"math"
	"slices"
)

// ConstantTol is the relative spread below which values count as equal.
// A standard deviation is no such test: the mean of {0.1, 0.1, 0.1} differs
// from 0.1 in the last bit, and the deviation is then 1e-17 instead of 0.
const ConstantTol = 1e-12

// Constant tells whether all values are equal: max-min <= ConstantTol*max|x|.
// It holds for one value and for none.
func Constant(xs []float64) bool {
	if len(xs) < 2 {
		return true
	}
	lo, hi := slices.Min(xs), slices.Max(xs)
	return hi-lo <= ConstantTol*math.Max(math.Abs(lo), math.Abs(hi))
}

// badInput says what makes the values unusable for any method, or nothing.
func badInput(xs []float64) string {
	for _, x := range xs {
		if math.IsNaN(x) {
			return "a value is missing or not a number"
		}
		if math.IsInf(x, 0) {
			return "a value is infinite"
		}
	}
	if len(xs) == 0 {
		return "there are no values"
	}
	return ""
}

// badConfidence says what is wrong with a confidence level, or nothing.
func badConfidence(conf float64) string {
	if conf > 0 && conf < 1 {
		return ""
	}
	return fmt.Sprintf("the confidence must lie between 0 and 1, and is %g", conf)
}

// notPositive says why the values have no logarithm, or nothing.
func notPositive(xs []float64) string {
	bad := 0
	for _, x := range xs {
		if x <= 0 {
			bad++
		}
	}
	if bad == 0 {
		return ""
	}
	return fmt.Sprintf("the log scale needs values above zero, and %d of %d are not", bad, len(xs))
}

// firstOf is the first reason that is not empty.
func firstOf(reasons ...string) string {
	for _, r := range reasons {
		if r != "" {
			return r
		}
	}
	return ""
}

// atLeast says that n is too few, or nothing.
func atLeast(n, want int, noun string) string {
	if n >= want {
		return ""
	}
	return fmt.Sprintf("the method needs at least %s, and there are %d", plural(want, noun), n)
}

// logs is the natural logarithm of each value.
func logs(xs []float64) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = math.Log(x)
	}
	return out
}

// sorted is a sorted copy.
func sorted(xs []float64) []float64 {
	out := slices.Clone(xs)
	slices.Sort(out)
	return out
}

// shifted is each value less c.
func shifted(xs []float64, c float64) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = x - c
	}
	return out
}
