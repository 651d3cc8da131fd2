package session

// What the reason of a failed attempt says of a metric whose value was there
// and is no number, after the metric's name. Analysis counts them by kind.
const (
	ValueNaN      = "the value is NaN"
	ValueInfinite = "the value is infinite"
	ValueEmpty    = "the value is empty"
	ValueNull     = "null is not a number" // as JSON has it for a value that is not there
)
