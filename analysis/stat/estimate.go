// Package stat is pure numerics: slices in, estimates out. It knows no
// experiment and no file, logs nothing, and changes none of its arguments.
// What it cannot compute it refuses with a reason; what it doubts it says in
// the result.
package stat

// Warning is a doubt that travels with a result. Code is stable and
// machine-readable (W_FEW_BLOCKS); Text is a sentence for a reader.
type Warning struct {
	Code, Text string
}

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
