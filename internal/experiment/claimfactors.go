package experiment

import (
	"slices"
	"strings"

	"fieldbook/internal/expr"
)

// checkFactors checks that a claim says of every factor what becomes of it:
// compared, fixed, spread or averaged, and that treatments are left.
func (q *claimReader) checkFactors() {
	c := q.c
	if c.Always != nil || len(c.AllOf) > 0 || c.Untested != "" {
		return
	}
	before := len(q.List)
	q.checkOnce()
	q.checkSides("compare", c.Compare)
	q.checkSides("against", c.Against)
	if len(q.List) > before {
		return
	}
	q.checkTreatments()
	if c.Slope != "" {
		q.checkAxis("slope", c.Slope, 2)
	}
	if c.Fit != "" {
		q.checkAxis("x", c.X, 3)
	}
	if len(q.List) == before && !c.AllPairs && (c.Compare == nil || !c.Compare.Other) {
		q.checkOpen()
	}
}

// compared are the factors on the sides of the comparisons, or on the axis.
func (c *Claim) compared() []string {
	var names []string
	for _, cmp := range []*expr.Comparison{c.Compare, c.Against} {
		if cmp != nil {
			for _, t := range slices.Concat(cmp.Left, cmp.Right) {
				names = append(names, t.Factor)
			}
		}
	}
	for _, f := range []string{c.Slope, c.X} {
		if f != "" {
			names = append(names, f)
		}
	}
	return names
}

// checkOnce refuses a factor of which the claim says two things.
func (q *claimReader) checkOnce() {
	compared := q.c.compared()
	for _, key := range []string{"for-each", "over"} {
		for _, n := range items(lookup(q.n, key)) {
			switch {
			case contains(compared, n.Value):
				q.Errorf(q.at(n), "the factor %q is compared and stands in %s", n.Value, key)
			case len(q.c.Where.Levels(n.Value)) == 1:
				q.Errorf(q.at(n), "the factor %q is fixed by where and stands in %s", n.Value, key)
			case key == "over" && contains(q.c.ForEach, n.Value):
				q.Errorf(q.at(n), "the factor %q stands in for-each and in over", n.Value)
			}
		}
	}
}

// checkSides checks the two sides of a comparison against each other and
// against where.
func (q *claimReader) checkSides(key string, c *expr.Comparison) {
	if c == nil {
		return
	}
	n := lookup(q.n, key)
	if c.Other {
		for _, t := range c.Left {
			if all := q.c.Where.Levels(t.Factor); all != nil && !within(t.Levels, all) {
				q.Errorf(q.reader.within(n, t.Off), "where leaves out %s", t.String())
			}
		}
		return
	}
	if c.Left.String() == c.Right.String() {
		q.Errorf(q.at(n), "both sides are the same")
	}
	for _, t := range slices.Concat(c.Left, c.Right) {
		at := q.reader.within(n, t.Off)
		switch {
		case q.c.Where.Levels(t.Factor) != nil && !contains(runNames, t.Factor):
			q.Errorf(at, "the factor %q stands on a side and in where", t.Factor)
			q.Hint("where holds for both sides")
		case q.c.AllPairs:
		case c.Left.Levels(t.Factor) == nil || c.Right.Levels(t.Factor) == nil:
			q.Errorf(at, "the factor %q stands on one side only", t.Factor)
			q.Hint("name it on both sides, or set pairs: all")
		case len(t.Levels) > 1:
			q.Errorf(at, "%s selects several levels on one side", t.String())
			q.Hint("set pairs: all to compare each with each")
		}
	}
}

func within(levels, all []string) bool {
	return !slices.ContainsFunc(levels, func(l string) bool { return !contains(all, l) })
}

// selected are the treatments that several selections match together. Terms
// about machines and sessions match every treatment, terms about a control
// those that run twice.
func (x *Experiment) selected(sels ...expr.Selection) []Treatment {
	var all expr.Selection
	control := false
	for _, t := range slices.Concat(sels...) {
		control = control || t.Factor == "control"
		if !contains(runNames, t.Factor) {
			all = append(all, t)
		}
	}
	var found []Treatment
	for _, t := range x.Treatments {
		if x.matches(all, t.Levels) && (!control || x.runsTwice(t)) {
			found = append(found, t)
		}
	}
	return found
}

// runsTwice says whether `controls: same` selects a treatment.
func (x *Experiment) runsTwice(t Treatment) bool {
	return slices.ContainsFunc(x.Same, func(m Match) bool { return m.Matches(x, t) })
}

// sides are the treatments of each side of the claim; one list where it
// compares nothing, and where all others are the right side.
func (q *claimReader) sides() [][]Treatment {
	c := q.c
	if c.Compare == nil || c.Compare.Other {
		return [][]Treatment{q.x.selected(c.Where)}
	}
	all := [][]Treatment{q.x.selected(c.Where, c.Compare.Left), q.x.selected(c.Where, c.Compare.Right)}
	if c.Against != nil {
		all = append(all, q.x.selected(c.Where, c.Against.Left), q.x.selected(c.Where, c.Against.Right))
	}
	return all
}

// checkTreatments checks that every side has treatments.
func (q *claimReader) checkTreatments() {
	at := q.c.Pos
	if n := lookup(q.n, "where"); n != nil {
		at = q.at(n)
	}
	if n := lookup(q.n, "compare"); n != nil {
		at = q.at(n)
	}
	for _, side := range q.sides() {
		if len(side) == 0 {
			q.Errorf(at, "no treatment is selected")
			return
		}
	}
	if c := q.c.Compare; c != nil && c.Other {
		left := len(q.x.selected(q.c.Where, c.Left))
		if left == 0 || left == len(q.x.selected(q.c.Where)) {
			q.Errorf(at, "no treatment is selected on one side")
		}
	}
}

// checkAxis checks a factor that serves as an axis.
func (q *claimReader) checkAxis(key, factor string, least int) {
	n, f := lookup(q.n, key), q.x.Factor(factor)
	if n == nil || f == nil {
		return
	}
	if !f.Numeric {
		q.Errorf(q.at(n), "the levels of %q are not all numbers", factor)
		return
	}
	if q.c.Where.Levels(factor) != nil && len(q.c.Where.Levels(factor)) < least || len(f.Levels) < least {
		q.Errorf(q.at(n), "%s wants at least %d levels of %q", key, least, factor)
		return
	}
	for _, l := range f.Levels {
		if key == "slope" && l.Number <= 0 {
			q.Errorf(q.at(n), "the level %s of %q is not above 0, and a slope is per doubling", l.Text, factor)
			return
		}
	}
}

// checkOpen finds the factors that are left out: those that take more than
// one level among the treatments of a part of the claim, and of which it
// says nothing.
func (q *claimReader) checkOpen() {
	said := slices.Concat(q.c.compared(), q.c.ForEach, q.c.Over)
	var open []string
	for i, f := range q.x.Factors {
		if !contains(said, f.Name) && !q.zippedWith(f.Name, said) && q.takesSeveral(i) {
			open = append(open, f.Name)
		}
	}
	if len(open) == 0 {
		return
	}
	q.Errorf(q.c.Pos, "the claim %q leaves out %s", q.c.Name, strings.Join(open, ", "))
	q.Hint("say of each factor one of: compared (compare: %[1]s=A / %[1]s=B), fixed (where: {%[1]s: A}), spread (for-each: [%[1]s]), averaged (over: [%[1]s])", open[0])
}

// zippedWith says whether a factor moves together with one that is said.
func (q *claimReader) zippedWith(factor string, said []string) bool {
	for _, g := range q.x.Zip {
		if contains(g, factor) && slices.ContainsFunc(g, func(f string) bool { return contains(said, f) || len(q.c.Where.Levels(f)) == 1 }) {
			return true
		}
	}
	return false
}

// takesSeveral says whether a factor takes more than one level where all
// levels of for-each are given.
func (q *claimReader) takesSeveral(factor int) bool {
	levels := map[string]string{} // levels of for-each -> level of the factor
	for _, t := range slices.Concat(q.sides()...) {
		var part []string
		for _, f := range q.c.ForEach {
			level, _ := q.x.Level(t, f)
			part = append(part, expr.QuoteLevel(level))
		}
		key := strings.Join(part, " ")
		if level, ok := levels[key]; ok && level != t.Levels[factor] {
			return true
		}
		levels[key] = t.Levels[factor]
	}
	return false
}
