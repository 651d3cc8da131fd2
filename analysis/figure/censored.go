package figure

import (
	"math"
	"slices"

	"fieldbook/analysis"
)

// censored says whether a trial timed out of which it is known that its number
// lies above the limit.
func censored(t analysis.Observation) bool { return !ok(t) && !math.IsNaN(t.Above) }

// onlyCensored says whether all trials without a value are such.
func (w *wish) onlyCensored() bool {
	return !slices.ContainsFunc(w.trials, func(t analysis.Observation) bool { return !ok(t) && !censored(t) })
}

// beyondKeys is the legend of trials that timed out, where there are any.
func (w *wish) beyondKeys() []key {
	if !slices.ContainsFunc(w.trials, censored) {
		return nil
	}
	return []key{{neutral, beyond, "timed out: above this"}}
}
