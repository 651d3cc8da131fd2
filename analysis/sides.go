package analysis

import (
	"fmt"
	"slices"
	"strings"

	"fieldbook/internal/expr"
)

// sidesOf resolves the sides of a comparison within where. Factors in over
// may stay open and are averaged.
func (r *Result) sidesOf(where expr.Selection, over []string, of ...expr.Selection) ([]side, error) {
	sides, err := r.resolveSides(where, over, of...)
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(sides); i += 2 {
		if err := r.checkPair(sides[i], sides[i+1]); err != nil {
			return nil, err
		}
	}
	return sides, nil
}

// resolveSides is sidesOf without a look at whether the sides belong together.
func (r *Result) resolveSides(where expr.Selection, over []string, of ...expr.Selection) ([]side, error) {
	names := []string{"left side", "right side", "left side of against", "right side of against"}
	sides := make([]side, len(of))
	for i, s := range of {
		if err := r.check(slices.Concat(s, where)); err != nil {
			return nil, err
		}
		sides[i].sel = both(s, where)
		in := r.treatmentsIn(sides[i].sel)
		if len(in) == 0 {
			return nil, fmt.Errorf("the %s, %s, selects no treatment", names[i], sides[i].sel)
		}
		named := slices.Concat(sides[i].sel, termsFor(over))
		if open := r.open(in, named); len(open) > 0 {
			return nil, fmt.Errorf("on the %s %s", names[i], nameThem(open))
		}
		for _, levels := range in {
			sides[i].keys = append(sides[i].keys, treatmentKey(levels))
		}
	}
	return sides, nil
}

// termsFor names factors, for open.
func termsFor(factors []string) expr.Selection {
	var s expr.Selection
	for _, f := range factors {
		s = append(s, expr.Term{Factor: f, Levels: []string{""}})
	}
	return s
}

// checkPair refuses two sides that share a treatment, and sides that average
// over different things.
func (r *Result) checkPair(a, b side) error {
	if sameScope([]side{a, b}) && !differs(a.sel, b.sel, "control") {
		for _, k := range a.keys {
			if slices.Contains(b.keys, k) {
				return fmt.Errorf("both sides hold the treatment %s", r.selectionOf(strings.Split(k, levelSep)))
			}
		}
	}
	for i, f := range r.Factors {
		left, right := levelsAmong(a.keys, i), levelsAmong(b.keys, i)
		if (len(left) > 1 || len(right) > 1) && !slices.Equal(left, right) && !differs(a.sel, b.sel, f.Name) {
			return fmt.Errorf("the sides average over different levels of %s: %s and %s; name in where those that both have",
				f.Name, andList(left), andList(right))
		}
	}
	return nil
}

// differs says whether a comparison sets different levels of a factor side by
// side, as it is meant to.
func differs(a, b expr.Selection, factor string) bool {
	left, right := a.Levels(factor), b.Levels(factor)
	return left != nil && right != nil && !slices.Equal(left, right)
}

// levelsAmong are the sorted levels of factor i among treatments.
func levelsAmong(keys []string, i int) []string {
	var levels []string
	for _, k := range keys {
		if l := strings.Split(k, levelSep); i < len(l) && !slices.Contains(levels, l[i]) {
			levels = append(levels, l[i])
		}
	}
	slices.SortFunc(levels, expr.CompareLevels)
	return levels
}

// declared says whether a claim makes this comparison, at one of its levels or
// as one of its pairs.
func (r *Result) declared(metric int, sides []side) bool {
	return slices.ContainsFunc(r.Input.Claims, func(c Claim) bool {
		if c.Compare == nil || c.Metric != r.Metrics[metric].Name {
			return false
		}
		right := c.Where
		if !c.Compare.Other {
			right = c.sides()[1]
		}
		free := slices.Concat(c.ForEach, c.Over, scopes)
		if c.AllPairs || c.Compare.Other {
			free = append(free, r.factorNames()...)
		}
		return liesWithin(sides[0].sel, both(c.sides()[0], c.Where), free) && liesWithin(sides[1].sel, both(right, c.Where), free)
	})
}

// liesWithin says whether a selection is part of another one, and narrower in
// nothing but the factors that may be.
func liesWithin(s, whole expr.Selection, free []string) bool {
	for _, t := range whole {
		levels := s.Levels(t.Factor)
		if levels == nil || slices.ContainsFunc(levels, func(l string) bool { return !slices.Contains(t.Levels, l) }) {
			return false
		}
	}
	return !slices.ContainsFunc(s, func(t expr.Term) bool { return whole.Levels(t.Factor) == nil && !slices.Contains(free, t.Factor) })
}
