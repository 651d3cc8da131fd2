package analysis

import (
	"fmt"
	"slices"
	"strings"

	"fieldbook/internal/expr"
)

// alwaysFindings examines an expression that must be true in every trial
// that is ok or invalid.
func (r *Result) alwaysFindings(c Claim) []finding {
	if err := r.check(c.Where); err != nil {
		return []finding{notJudged("", err.Error())}
	}
	n, wrong, first, unclear := 0, 0, "", ""
	f := notJudged("", "no data")
	for _, t := range r.trials {
		if !t.usable() || !judged(t.status) || !r.matches(t, c.Where) {
			continue
		}
		if t.stale != "" {
			return []finding{notJudged("", "stale: "+t.stale)}
		}
		if !slices.Contains(f.sessions, t.session.Session) {
			f.sessions = append(f.sessions, t.session.Session)
		}
		n++
		holds, why := r.holdsIn(c.Always, t)
		if !holds && why == "" {
			wrong++
			if first == "" {
				first = r.counterexample(c.Always, t)
			}
		}
		if unclear == "" && why != "" {
			unclear = fmt.Sprintf("not computable in trial %d of session %s: %s", t.Trial, t.session.Session, why)
		}
	}
	if n == 0 {
		return []finding{f}
	}
	f.Estimate.N = n
	switch {
	case wrong > 0:
		f.alone, f.Why = Refuted, fmt.Sprintf("false in %d of %s; first in %s", wrong, plural(n, "trial"), first)
	case unclear != "":
		f.alone, f.Why = Undecided, unclear
	default:
		f.alone, f.Why = Supported, "true in "+plural(n, "trial")
		if n > 1 {
			f.Why = "true in all " + plural(n, "trial")
		}
	}
	f.exact, f.Verdict = f.alone, f.alone
	return []finding{f}
}

// holdsIn evaluates an expression in one trial.
func (r *Result) holdsIn(e *expr.Expr, t *trial) (holds bool, why string) {
	got, err := e.Eval(r.envOf(t))
	switch {
	case err != nil:
		return false, err.Error()
	case got.Kind != expr.KindBool:
		return false, e.String() + " is no condition"
	}
	return got.Bool, ""
}

// envOf knows the names of one trial.
func (r *Result) envOf(t *trial) expr.Env {
	return t.read.env(t.Levels, func(i int) float64 { return t.values[i] })
}

// counterexample names a trial and the values of what the expression names.
func (r *Result) counterexample(e *expr.Expr, t *trial) string {
	env := r.envOf(t)
	var values []string
	for _, name := range e.Names() {
		if v, ok := env(name.Name); ok {
			if text := name.Name + " = " + v.Text; !slices.Contains(values, text) {
				values = append(values, text)
			}
		}
	}
	where := r.selectionOf(t.levels).String()
	if where != "" {
		where = " (" + where + ")"
	}
	return fmt.Sprintf("trial %d of session %s%s: %s", t.Trial, t.session.Session, where, strings.Join(values, ", "))
}
