package session

import "strings"

// What the reason of a failed attempt says of a metric whose value was there
// and is no number, after the metric's name. Analysis counts them by kind.
const (
	ValueNaN      = valueIs + "NaN"
	ValueInfinite = valueIs + "infinite"
	ValueEmpty    = valueIs + "empty"
	ValueNull     = "null is not a number" // as JSON has it for a value that is not there

	valueIs = "the value is "
	noValue = " has no value: "
)

// NoValue is what the reason of a failed attempt says of a metric that is
// computed from another, which has no value; why is what it says of that one:
// "metric elapsed has no value: NaN".
func NoValue(metric, why string) string {
	return "metric " + metric + noValue + strings.TrimPrefix(why, valueIs)
}

// CutNoValue is the metric that a text of NoValue names.
func CutNoValue(text string) (metric string, ok bool) {
	if text, ok = strings.CutPrefix(text, "metric "); ok {
		metric, _, ok = strings.Cut(text, noValue)
	}
	return metric, ok
}
