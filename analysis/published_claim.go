package analysis

import (
	"math"
	"slices"
	"strings"

	"fieldbook/internal/expr"
)

// onPublished judges a claim on an earlier study's numbers, machine by
// machine: those that the claim names, else all. It holds where it holds on
// each machine that states enough.
func (r *Result) onPublished(c Claim) (Verdict, []PublishedPart) {
	if len(r.old) == 0 || c.Untested != "" {
		return NotStated, nil
	}
	var parts []PublishedPart
	for _, m := range r.machinesOf(c, nil) {
		here := []PublishedPart{}
		if bothSidesOfOne(c) {
			here = r.levelsOld(c, m)
		} else {
			here = append(here, r.onOldMachine(c, m, nil))
		}
		for _, p := range here {
			p.Machine = m
			parts = append(parts, p)
		}
	}
	if bothSidesOfOne(c) {
		return bothSidesOld(parts)
	}
	return overall(parts), parts
}

func bothSidesOfOne(c Claim) bool { return c.Expect != nil && c.Expect.Op == "both-sides" }

// machinesOf are the published machines that a claim means; for `all-of`
// those that any of its claims means.
func (r *Result) machinesOf(c Claim, above []string) []string {
	all := r.PublishedMachines()
	if len(c.Machines) > 0 {
		return slices.DeleteFunc(all, func(m string) bool { return !slices.Contains(c.Machines, m) })
	}
	if len(c.AllOf) == 0 || slices.Contains(above, c.Name) {
		return all
	}
	return slices.DeleteFunc(all, func(m string) bool {
		return !slices.ContainsFunc(r.claimsOf(c), func(sub Claim) bool {
			return slices.Contains(r.machinesOf(sub, append(slices.Clone(above), c.Name)), m)
		})
	})
}

// claimsOf are the claims that a claim consists of.
func (r *Result) claimsOf(c Claim) []Claim {
	var subs []Claim
	for _, name := range c.AllOf {
		if i := slices.IndexFunc(r.Input.Claims, func(o Claim) bool { return o.Name == name }); i >= 0 {
			subs = append(subs, r.Input.Claims[i])
		}
	}
	return subs
}

// overall is the verdict of parts that must all hold; those that state
// nothing are passed over.
func overall(parts []PublishedPart) Verdict {
	v := NotStated
	for _, p := range parts {
		if p.Verdict == Fails {
			return Fails
		}
		if p.Verdict == Holds {
			v = Holds
		}
	}
	return v
}

// bothSidesOld is the verdict of "ratio on both sides of 1" over machines and
// levels.
func bothSidesOld(parts []PublishedPart) (Verdict, []PublishedPart) {
	below, above, stated := 0, 0, 0
	for _, p := range parts {
		if math.IsNaN(p.Value) {
			continue
		}
		stated++
		if p.Value < 1 {
			below++
		}
		if p.Value > 1 {
			above++
		}
	}
	verdict := NotStated
	switch {
	case below > 0 && above > 0:
		verdict = Holds
	case stated > 1:
		verdict = Fails
	}
	for i := range parts {
		if !math.IsNaN(parts[i].Value) {
			parts[i].Verdict = verdict
		}
	}
	return verdict, parts
}

// onOldMachine judges a claim on one machine. above are the claims that it is
// a part of.
func (r *Result) onOldMachine(c Claim, machine string, above []string) PublishedPart {
	switch {
	case len(c.AllOf) > 0:
		return r.allOfOld(c, machine, above)
	case c.Always != nil:
		return r.alwaysOld(c, onMachine(c, machine))
	case c.Expect == nil || c.Slope != "" || c.Fit != "":
		return notStatedPart("not stated")
	}
	return weakestOld(r.levelsOld(c, machine), c.Expect)
}

// onMachine is where a claim holds, on a published machine; machine= in the
// claim itself means one of today.
func onMachine(c Claim, machine string) expr.Selection {
	return append(factorTerms(c.Where), expr.Term{Factor: "machine", Levels: []string{machine}})
}

// levelsOld are the numbers of a claim on one machine, at every level that
// it spreads over.
func (r *Result) levelsOld(c Claim, machine string) []PublishedPart {
	metric, err := r.metricIndex(c.Metric)
	if err != nil {
		return []PublishedPart{notStatedPart(err.Error())}
	}
	where := onMachine(c, machine)
	var parts []PublishedPart
	for _, within := range r.oldForEach(c, where) {
		parts = append(parts, r.oldParts(c, metric, append(slices.Clone(where), within...))...)
	}
	return parts
}

func notStatedPart(why string) PublishedPart {
	return PublishedPart{Verdict: NotStated, Value: math.NaN(), Text: why}
}

// allOfOld is the verdict of several claims together on one machine; those
// that do not mean the machine are passed over.
func (r *Result) allOfOld(c Claim, machine string, above []string) PublishedPart {
	above = append(slices.Clone(above), c.Name)
	var parts []PublishedPart
	var texts []string
	for _, sub := range r.claimsOf(c) {
		if slices.Contains(above, sub.Name) || !slices.Contains(r.machinesOf(sub, above), machine) {
			continue
		}
		p := r.onOldMachine(sub, machine, above)
		parts = append(parts, p)
		texts = append(texts, sub.Name+" "+string(p.Verdict)+" ("+p.Text+")")
	}
	out := notStatedPart(strings.Join(texts, "; "))
	out.Verdict = overall(parts)
	if out.Verdict == Holds && slices.ContainsFunc(parts, func(p PublishedPart) bool { return p.Verdict == NotStated }) {
		out.Verdict = NotStated
	}
	return out
}

// alwaysOld evaluates an expression for every treatment of the study for which
// it can be evaluated.
func (r *Result) alwaysOld(c Claim, where expr.Selection) PublishedPart {
	out := notStatedPart("not stated")
	for _, o := range r.oldIn(where) {
		got, err := c.Always.Eval(r.oldEnv(o, nil))
		if err != nil || got.Kind != expr.KindBool {
			continue
		}
		if !got.Bool {
			return PublishedPart{Verdict: Fails, Value: math.NaN(), Text: "false for " + o.selection().String()}
		}
		out = PublishedPart{Verdict: Holds, Value: math.NaN(), Text: "true"}
	}
	return out
}

// oldForEach are the combinations of for-each levels that the study states on
// one machine. A factor that it does not state is passed over.
func (r *Result) oldForEach(c Claim, where expr.Selection) []expr.Selection {
	var combos []expr.Selection
	seen := map[string]bool{}
	for _, o := range r.oldIn(where) {
		var combo expr.Selection
		for _, f := range c.ForEach {
			if l, stated := o.levels[f]; stated {
				combo = append(combo, expr.Term{Factor: f, Levels: []string{l}})
			}
		}
		if !seen[combo.String()] {
			seen[combo.String()] = true
			combos = append(combos, combo)
		}
	}
	return combos
}

// oldParts are the numbers of a claim at one level.
func (r *Result) oldParts(c Claim, metric int, where expr.Selection) []PublishedPart {
	if c.Compare == nil {
		return []PublishedPart{r.oldValuePart(c, metric, where)}
	}
	sides := c.sides()
	if !c.AllPairs && !c.Compare.Other {
		var with []expr.Selection
		for _, s := range sides {
			with = append(with, both(s, where))
		}
		x, _, why := r.oldRatio(metric, c.Over, with...)
		return []PublishedPart{oldPart(x, why, c.Expect, "")}
	}
	var parts []PublishedPart
	for _, p := range r.oldPairs(c, where) {
		x, _, why := r.oldRatioOf(metric, p[0], p[1])
		parts = append(parts, oldPart(x, why, c.Expect, p[0].selection().String()+" / "+p[1].selection().String()))
	}
	return parts
}

// oldRatioOf is the ratio of two treatments.
func (r *Result) oldRatioOf(metric int, a, b *old) (x float64, method, why string) {
	left, _, why := r.oldMean(metric, []*old{a})
	if why != "" {
		return 0, "", why
	}
	right, method, why := r.oldMean(metric, []*old{b})
	return left / right, method, why
}

// oldPairs are the treatments of the left side against those of the right, or
// against each other one.
func (r *Result) oldPairs(c Claim, where expr.Selection) [][2]*old {
	lefts, rights := r.oldIn(both(c.sides()[0], where)), r.oldIn(where)
	if !c.Compare.Other {
		rights = r.oldIn(both(c.sides()[1], where))
	}
	var pairs [][2]*old
	for _, a := range lefts {
		for _, b := range rights {
			if !slices.Contains(lefts, b) {
				pairs = append(pairs, [2]*old{a, b})
			}
		}
	}
	return pairs
}

// oldValuePart is a claim about a value. What was published stands for every
// kind of middle; an extreme or a percentile cannot be had from it.
func (r *Result) oldValuePart(c Claim, metric int, where expr.Selection) PublishedPart {
	if c.Stat != "" && !slices.Contains([]string{"geomean", "mean", "median"}, c.Stat) {
		return notStatedPart("not stated")
	}
	in := r.oldIn(where)
	if why := r.oldOpen(in, slices.Concat(where, termsFor(c.Over))); why != "" {
		return notStatedPart(why)
	}
	x, _, why := r.oldMean(metric, in)
	p := oldPart(x, why, c.Expect, "")
	if why == "" {
		p.Text = Estimate{Estimate: bare(x, 0, ""), Unit: r.Metrics[metric].Unit}.ValueText()
	}
	return p
}

// oldPart judges one number.
func oldPart(x float64, why string, e *Expect, label string) PublishedPart {
	if why != "" {
		return notStatedPart(why)
	}
	p := PublishedPart{Verdict: Fails, Value: x, Text: Estimate{Estimate: bare(x, 0, ""), Kind: Ratio}.ValueText()}
	if label != "" {
		p.Text += " (" + label + ")"
	}
	if room(x, e) >= 0 {
		p.Verdict = Holds
	}
	return p
}

// room is how far a number lies inside what is expected, as a share; negative
// outside. A single bound itself is outside, the ends of a range are inside.
func room(x float64, e *Expect) float64 {
	switch e.Op {
	case "<":
		return strictly(e.Bound - x)
	case ">":
		return strictly(x - e.Bound)
	case "within":
		return math.Min(x-e.Lo, e.Hi-x)
	}
	return 0 // both sides of 1: judged over machines
}

func strictly(x float64) float64 {
	if x == 0 {
		return -math.SmallestNonzeroFloat64
	}
	return x
}

// weakestOld is the part that fails, or comes nearest to failing, or the one
// that states nothing where none does.
func weakestOld(parts []PublishedPart, e *Expect) PublishedPart {
	out := notStatedPart("not stated")
	for _, p := range parts {
		switch {
		case math.IsNaN(p.Value):
			if math.IsNaN(out.Value) && p.Text != "" {
				out.Text = p.Text
			}
		case math.IsNaN(out.Value), room(p.Value, e) < room(out.Value, e):
			out = p
		}
	}
	return out
}
