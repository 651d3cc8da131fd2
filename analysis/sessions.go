package analysis

import (
	"math"
	"slices"

	"fieldbook/internal/expr"
)

// SessionComparison is a comparison on the data of one session alone.
type SessionComparison struct {
	Session, Machine string
	Comparison
}

// Found says whether the interval of the ratio leaves out 1: what a reader of
// this session alone would call a difference.
func (c SessionComparison) Found() bool {
	return !math.IsNaN(c.Ratio.Lo) && (c.Ratio.Lo > 1 || c.Ratio.Hi < 1)
}

// BySession makes the same comparison on each session alone, oldest first. It
// shows how much sessions disagree; a machine in where leaves out those of others; the comparison over all of them is
// Compare's.
func (r *Result) BySession(metric string, c expr.Comparison) ([]SessionComparison, error) {
	if r.Data == nil {
		return nil, nil
	}
	var all []SessionComparison
	on := c.Where.Levels("machine")
	for _, s := range r.Data.Sessions {
		if on != nil && !slices.Contains(on, s.Machine) {
			continue
		}
		alone := c
		alone.Where = both(c.Where, expr.Selection{{Factor: "session", Levels: []string{s.Session}}})
		one, err := r.Compare(metric, alone)
		if err != nil {
			return nil, err
		}
		all = append(all, SessionComparison{Session: s.Session, Machine: s.Machine, Comparison: one})
	}
	return all, nil
}
