// Package stat is pure numerics: slices in, estimates out. It knows no
// experiment and no file, logs nothing, and changes none of its arguments.
// What it cannot compute it refuses with a reason; what it doubts it says in
// the result.
//
// Every function takes one number per experimental unit (a trial, a block).
// Samples inside a trial are no units: pooling them over trials makes
// intervals too narrow, so reduce them to one number per trial first.
package stat

import (
	"fmt"
	"math"
)

// Warning is a doubt that travels with a result. Code is stable and
// machine-readable (W_FEW_BLOCKS); Text is a sentence for a reader.
type Warning struct {
	Code, Text string
}

// The codes of all warnings of this package.
const (
	FewBlocks    = "W_FEW_BLOCKS"    // enough units to compute, too few to lean on
	NoInterval   = "W_NO_INTERVAL"   // the value stands alone
	Unbounded    = "W_UNBOUNDED"     // too few units for a bound on one side or both
	ConstantData = "W_CONSTANT"      // all values are equal: the interval has no width
	BeyondData   = "W_BEYOND_DATA"   // the quantity lies outside what was observed
	Ties         = "W_TIES"          // equal values make the method conservative or approximate
	Approximate  = "W_APPROXIMATE"   // an approximation stands in for an exact method
	NotConverged = "W_NOT_CONVERGED" // a fit stopped before it settled
	Clamped      = "W_CLAMPED"       // a bootstrap level was moved to what the replicates reach
	Skewed       = "W_SKEWED"        // a t interval of few and very skewed values
	UnequalNoise = "W_UNEQUAL_NOISE" // the noise differs between groups or along x
	Intercept    = "W_INTERCEPT"     // a log-log slope is not an exponent where an intercept stands
	LowPower     = "W_LOW_POWER"     // even no effect at all would hardly have been proven
	Incomplete   = "W_INCOMPLETE"    // blocks were left out, or combinations never seen
)

// Estimate is a value with its interval. NaN means "not computable", and an
// infinite bound "unbounded on that side". Where Refused is not empty it says
// why there is no number, and Value, Lo and Hi are NaN.
type Estimate struct {
	Value, Lo, Hi float64
	Confidence    float64 // of the interval, as achieved (0.95)
	N             int     // experimental units that it rests on
	DF            float64 // degrees of freedom; 0 where the method has none
	Method        string  // such as "paired t over blocks, log scale"
	Warnings      []Warning
	Refused       string
}

// refused is an estimate without a number.
func refused(method string, n int, conf float64, format string, args ...any) Estimate {
	nan := math.NaN()
	return Estimate{
		Value: nan, Lo: nan, Hi: nan, Confidence: conf, N: n, Method: method,
		Refused: fmt.Sprintf(format, args...),
	}
}

// warn adds a doubt.
func (e *Estimate) warn(code, format string, args ...any) {
	e.Warnings = append(e.Warnings, Warning{code, fmt.Sprintf(format, args...)})
}

// through maps value and bounds by an increasing function, such as exp.
func (e Estimate) through(f func(float64) float64) Estimate {
	e.Value, e.Lo, e.Hi = f(e.Value), f(e.Lo), f(e.Hi)
	return e
}

// plural is "1 block", "2 blocks".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
