package figure

import (
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
)

// comparisons are those asked for, `other` written out, in one facet's panel.
func (w *wish) comparisons(facet string) []expr.Comparison {
	var all []expr.Comparison
	for _, c := range w.Compare {
		c = w.narrowed(c, w.Where)
		for _, name := range strings.Fields(w.Over) {
			c = w.narrowed(c, expr.Selection{{Factor: name, Levels: w.levels(name)}})
		}
		if w.Facet != "" {
			c = w.narrowed(c, expr.Selection{{Factor: w.Facet, Levels: []string{facet}}})
		}
		all = append(all, w.expand(c)...)
	}
	return all
}

// narrowed adds to a comparison what it does not speak of itself.
func (w *wish) narrowed(c expr.Comparison, by expr.Selection) expr.Comparison {
	c.Where = slices.Clone(c.Where)
	for _, t := range by {
		if c.Left.Levels(t.Factor) == nil && c.Right.Levels(t.Factor) == nil && c.Where.Levels(t.Factor) == nil {
			c.Where = append(c.Where, t)
		}
	}
	return c
}

// expand writes `other` out: the left side against each other treatment.
func (w *wish) expand(c expr.Comparison) []expr.Comparison {
	if !c.Other {
		return []expr.Comparison{c}
	}
	var left, right []*group
	for _, g := range w.groups {
		level := func(name string) (string, bool) {
			return g.level(name), w.factor(name) >= 0 || name == byMachine || name == byControl
		}
		switch {
		case !c.Where.Matches(level):
		case c.Left.Matches(level):
			left = append(left, g)
		default:
			right = append(right, g)
		}
	}
	var all []expr.Comparison
	for _, l := range left {
		for _, r := range right {
			if l.Machine == r.Machine {
				all = append(all, l.against(r))
			}
		}
	}
	return all
}

// against is the comparison of two groups: what they share stands in where.
func (g *group) against(base *group) expr.Comparison {
	var c expr.Comparison
	mine, its := g.selection(), base.selection()
	for _, t := range mine {
		if slices.Equal(its.Levels(t.Factor), t.Levels) {
			c.Where = append(c.Where, t)
		} else {
			c.Left = append(c.Left, t)
		}
	}
	for _, t := range its {
		if !slices.Equal(mine.Levels(t.Factor), t.Levels) {
			c.Right = append(c.Right, t)
		}
	}
	return c
}

// comparisonLabels are short names of comparisons: the labels of both sides,
// and in brackets what is common to both sides and not to all comparisons.
func (w *wish) comparisonLabels(cs []expr.Comparison) []string {
	labels := make([]string, len(cs))
	for i, c := range cs {
		labels[i] = w.sideLabel(c.Left) + " / " + w.sideLabel(c.Right)
		var own expr.Selection
		for _, t := range c.Where {
			if slices.ContainsFunc(cs, func(o expr.Comparison) bool { return !slices.Equal(o.Where.Levels(t.Factor), t.Levels) }) {
				own = append(own, t)
			}
		}
		if len(own) > 0 {
			labels[i] += " (" + w.sideLabel(own) + ")"
		}
	}
	return labels
}

// sideLabel is a selection as a reader sees it: levels by label, numbers with
// the name of their factor.
func (w *wish) sideLabel(s expr.Selection) string {
	var words []string
	for _, t := range s {
		var levels []string
		for _, l := range t.Levels {
			levels = append(levels, shown(w.label(t.Factor, l)))
		}
		text := list(levels)
		if w.factor(t.Factor) < 0 || w.shownAsNumber(t.Factor) || w.bare(t.Factor, t.Levels) {
			text = t.Factor + " " + text
		}
		words = append(words, text)
	}
	return strings.Join(words, ", ")
}

// bare says whether levels of a factor of words say nothing without it: they
// have no label, and are no words.
func (w *wish) bare(factor string, levels []string) bool {
	return w.factor(factor) >= 0 && !w.shownAsNumber(factor) && slices.ContainsFunc(levels, func(l string) bool {
		return w.label(factor, l) == l && !analysis.SaysItself(l)
	})
}

// marginOf is the zone of a claim that declared it for this comparison.
func (w *wish) marginOf(c expr.Comparison) (lo, hi float64, name string) {
	for _, r := range w.r.Claims {
		claim := r.Claim
		if claim.Metric != w.Metric || claim.Compare == nil || claim.Against != nil || claim.Expect == nil ||
			claim.Expect.Of != "ratio" || claim.Expect.Op != "within" {
			continue
		}
		if claim.Compare.Left.String() == c.Left.String() && claim.Compare.Right.String() == c.Right.String() &&
			covered(slices.Concat(claim.Where, claim.Compare.Where), c.Where) {
			return claim.Expect.Lo, claim.Expect.Hi, claim.Name
		}
	}
	return 0, 0, ""
}

// covered says whether a selection holds wherever another one does.
func covered(outer, inner expr.Selection) bool {
	for _, t := range outer {
		levels := inner.Levels(t.Factor)
		if levels == nil || slices.ContainsFunc(levels, func(l string) bool { return !slices.Contains(t.Levels, l) }) {
			return false
		}
	}
	return true
}
