package analysis

import (
	"math"
	"slices"

	"fieldbook/internal/expr"
)

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
	if c.Slope != "" {
		return []PublishedPart{r.oldSlopePart(c, metric, where)}
	}
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
