package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/internal/expr"
)

// LeftOut is a combination of levels that a mean over them could not take in.
type LeftOut struct {
	Levels string // as a selection: "benchmark=C"
	Why    string // "only on the right side"
}

// CompareOver is Compare with the mean of ratios over all levels of some
// factors, each with equal weight, as far as both sides have numbers of them.
// A level that only one side has, or that is 0 on both, is left out and
// named; where one side alone is 0 there is no ratio at all, since to leave
// out just that level would choose the result. Factors in over may stand in
// neither side.
func (r *Result) CompareOver(metric string, c expr.Comparison, over []string) (Comparison, []LeftOut, error) {
	if len(over) == 0 {
		one, err := r.Compare(metric, c)
		return one, nil, err
	}
	m, err := r.metricIndex(metric)
	if err != nil {
		return Comparison{}, nil, err
	}
	if c.Other {
		return Comparison{}, nil, errOther
	}
	for _, f := range over {
		if c.Left.Levels(f) != nil || c.Right.Levels(f) != nil {
			return Comparison{}, nil, fmt.Errorf("%s is compared, and cannot be averaged over", f)
		}
	}
	sides, err := r.resolveSides(c.Where, over, c.Left, c.Right)
	if err != nil {
		return Comparison{}, nil, err
	}
	out, zero := r.splitCommon(m, sides, over)
	if len(sides[0].keys) == 0 {
		e := Estimate{Estimate: refused("n/a (no level of %s has a ratio: %s)", andList(over), sayLeftOut(out)), Metric: metric, Kind: Ratio, Stat: "ratio", Unit: "1", Selection: c.String()}
		none := Comparison{Metric: metric, Unit: r.Metrics[m].Unit, Better: r.Metrics[m].Better, Text: c.String(), Left: e, Right: e,
			Ratio: e, Ratio90: e, HL: e, Difference: e, P: math.NaN(), SignFlipP: math.NaN(), Smallest: math.NaN(), Holm: math.NaN(), Exploratory: true}
		return none, out, nil
	}
	if err := r.checkPair(sides[0], sides[1]); err != nil {
		return Comparison{}, nil, err
	}
	got := r.compare(m, sides, r.withLevels(c, sides[0], over).String())
	if got.Ratio.Refused != "" && len(zero) > 0 {
		got.Ratio.Refused = "n/a (no ratio of " + sayLeftOut(zero) + ")"
	}
	return got, out, nil
}

// splitCommon leaves in the sides what both have numbers of, and says what it
// took out, and of which of the rest one side is 0.
func (r *Result) splitCommon(metric int, sides []side, over []string) (out, zero []LeftOut) {
	kept := make([][]string, len(sides))
	for _, label := range r.labelsOver(sides, over) {
		var keys [2][]string
		state := [2]string{}
		for i := range sides {
			for _, k := range sides[i].keys {
				if r.labelOver(k, over) == label {
					keys[i] = append(keys[i], k)
				}
			}
			one := sides[i]
			one.keys = keys[i]
			state[i] = stateOf(okValues(r.trialsOf(one), metric))
		}
		switch {
		case state[0] == "none" && state[1] == "none":
			out = append(out, LeftOut{label, "no number on either side"})
			continue
		case state[0] == "none":
			out = append(out, LeftOut{label, "only on the right side"})
			continue
		case state[1] == "none":
			out = append(out, LeftOut{label, "only on the left side"})
			continue
		case state[0] == "zero" && state[1] == "zero":
			out = append(out, LeftOut{label, "0 on both sides"})
			continue
		case state[1] != "":
			zero = append(zero, LeftOut{label, "the baseline is " + zeroWords[state[1]]})
		case state[0] != "":
			zero = append(zero, LeftOut{label, "the left side is " + zeroWords[state[0]]})
		}
		for i := range sides {
			kept[i] = append(kept[i], keys[i]...)
		}
	}
	for i := range sides {
		sides[i].keys = kept[i]
	}
	return out, zero
}

var zeroWords = map[string]string{"zero": "0", "some": "not above 0 in a trial"}

// stateOf is "" of numbers that are all positive, "none" of none, "zero" where
// all are 0 and "some" where one is not positive.
func stateOf(xs []float64) string {
	switch {
	case len(xs) == 0:
		return "none"
	case allZero(xs):
		return "zero"
	case slices.Min(xs) <= 0:
		return "some"
	}
	return ""
}

// labelsOver are the combinations of levels of some factors that the sides
// have, in their order.
func (r *Result) labelsOver(sides []side, over []string) []string {
	var keys []string
	for _, s := range sides {
		keys = append(keys, s.keys...)
	}
	slices.SortFunc(keys, func(a, b string) int { return r.compareLevels(strings.Split(a, levelSep), strings.Split(b, levelSep)) })
	var labels []string
	for _, k := range keys {
		if l := r.labelOver(k, over); !slices.Contains(labels, l) {
			labels = append(labels, l)
		}
	}
	return labels
}

// labelOver is a treatment's levels of some factors, as a selection.
func (r *Result) labelOver(key string, over []string) string {
	var s expr.Selection
	for _, t := range r.selectionOf(strings.Split(key, levelSep)) {
		if slices.Contains(over, t.Factor) {
			s = append(s, t)
		}
	}
	return s.String()
}

// withLevels is a comparison that names the levels that went in.
func (r *Result) withLevels(c expr.Comparison, s side, over []string) expr.Comparison {
	c.Where = slices.DeleteFunc(slices.Clone(c.Where), func(t expr.Term) bool { return slices.Contains(over, t.Factor) })
	for i, f := range r.Factors {
		if slices.Contains(over, f.Name) {
			c.Where = append(c.Where, expr.Term{Factor: f.Name, Levels: levelsAmong(s.keys, i)})
		}
	}
	return c
}

// sayLeftOut is "case=idle: the baseline is 0; case=gone: the left side is 0".
func sayLeftOut(all []LeftOut) string {
	var words []string
	for _, o := range all {
		words = append(words, o.Levels+": "+o.Why)
	}
	return strings.Join(words, "; ")
}
