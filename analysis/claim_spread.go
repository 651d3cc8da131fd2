package analysis

import (
	"slices"

	"fieldbook/internal/expr"
)

// spread are the levels at which a claim must hold, as selections: every
// machine, and every combination of for-each levels that there is. A single
// machine is not named.
func (r *Result) spread(c Claim) ([]expr.Selection, error) {
	for _, f := range slices.Concat(c.ForEach, c.Over) {
		if !slices.Contains(r.factorNames(), f) || isScope(f) {
			return nil, unknown("factor", f, r.factorNames())
		}
	}
	levels := []expr.Selection{nil}
	if combos := r.forEach(c); len(combos) > 0 {
		levels = combos
	}
	machines := r.Machines()
	if wanted := c.Where.Levels("machine"); wanted != nil {
		machines = slices.DeleteFunc(machines, func(m string) bool { return !slices.Contains(wanted, m) })
	}
	if len(machines) < 2 {
		return levels, nil
	}
	var all []expr.Selection
	for _, m := range machines {
		for _, l := range levels {
			all = append(all, append(expr.Selection{{Factor: "machine", Levels: []string{m}}}, l...))
		}
	}
	return all, nil
}

// forEach are the combinations of for-each levels that some treatment within
// where has, in the order of treatments. Those at which a side of the
// comparison has no treatment by design are passed over.
func (r *Result) forEach(c Claim) []expr.Selection {
	if len(c.ForEach) == 0 {
		return nil
	}
	var combos []expr.Selection
	seen := map[string]bool{}
	for _, levels := range r.treatmentsIn(c.Where) {
		var combo expr.Selection
		for _, f := range c.ForEach {
			l, _ := r.level(levels, f)
			combo = append(combo, expr.Term{Factor: f, Levels: []string{l}})
		}
		if !seen[combo.String()] && r.crosses(c, combo) {
			combos = append(combos, combo)
		}
		seen[combo.String()] = true
	}
	return combos
}

// crosses says whether each side of a comparison has a treatment at a
// combination of levels.
func (r *Result) crosses(c Claim, combo expr.Selection) bool {
	for _, s := range c.sides() {
		if len(r.treatmentsIn(both(both(s, c.Where), combo))) == 0 {
			return false
		}
	}
	return true
}

// sides are the selections that a claim names, two or four; none for a value.
func (c Claim) sides() []expr.Selection {
	var s []expr.Selection
	if c.Compare != nil {
		s = append(s, both(c.Compare.Left, c.Compare.Where))
		if !c.Compare.Other {
			s = append(s, both(c.Compare.Right, c.Compare.Where))
		}
	}
	if c.Against != nil {
		s = append(s, both(c.Against.Left, c.Against.Where), both(c.Against.Right, c.Against.Where))
	}
	return s
}
