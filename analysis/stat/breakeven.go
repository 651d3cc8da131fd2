package stat

import (
	"fmt"
	"math"
)

// BreakEvenCV is the coefficient of variation of a single run, on the log
// scale, at which Student's test of two samples of n1 and n2 runs would just
// fail to tell means in this ratio apart at 95 % confidence: where runs vary
// less, it would tell. It serves numbers that were published without their
// spread, and says nothing about what that spread was.
func BreakEvenCV(ratio float64, n1, n2 int) Estimate {
	const method = "variation of a run at which a t-test would just not tell two means apart"
	switch {
	case !(ratio > 0) || math.IsInf(ratio, 0):
		return refused(method, 0, 0, "the ratio %g is no number above 0", ratio)
	case n1 < 2 || n2 < 2:
		return refused(method, 0, 0, "it takes at least two runs on either side, there are %d and %d", n1, n2)
	}
	spread := math.Sqrt(1/float64(n1) + 1/float64(n2))
	cv := math.Abs(math.Log(ratio)) / (TQuantile(0.975, float64(n1+n2-2)) * spread)
	return Estimate{Value: cv, Lo: math.NaN(), Hi: math.NaN(), Method: fmt.Sprintf("%s: %d against %d runs", method, n1, n2)}
}
