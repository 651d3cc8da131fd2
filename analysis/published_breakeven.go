package analysis

import (
	"fmt"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// PublishedBreakEven is how much single runs would have to vary for the
// difference between two published numbers to mean nothing: the coefficient
// of variation at which a t-test of the runs behind them would just not tell
// them apart. The study does not say how much they did vary.
func (r *Result) PublishedBreakEven(metric string, c expr.Comparison) (Estimate, error) {
	e, err := r.PublishedRatio(metric, c)
	if err != nil {
		return e, err
	}
	ratio := e.Estimate
	e.Kind, e.Stat = Absolute, "breakeven"
	if ratio.Refused != "" {
		return e, nil
	}
	left, why := r.oldRuns(metric, both(c.Left, c.Where))
	if why == "" {
		var right int
		if right, why = r.oldRuns(metric, both(c.Right, c.Where)); why == "" {
			e.Estimate = stat.BreakEvenCV(ratio.Value, left, right)
			return e, nil
		}
	}
	e.Estimate = refused("%s", why)
	return e, nil
}

// oldRuns is how many runs stand behind the one published number of a side.
func (r *Result) oldRuns(metric string, side expr.Selection) (n int, why string) {
	in := r.oldIn(side)
	if len(in) != 1 {
		return 0, fmt.Sprintf("it wants one number on either side, and %s are published", plural(len(in), "number"))
	}
	row, printed := in[0].rows[metric]
	switch {
	case !printed:
		return 0, "computed from published values"
	case row.Aggregate == "value":
		return 0, "a single value was published, and not of how many runs"
	case row.N == 0:
		return 0, "the number of runs is not stated"
	}
	return row.N, ""
}
