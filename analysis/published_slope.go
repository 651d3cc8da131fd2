package analysis

import (
	"math"
	"slices"
	"strings"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// oldSlopePart is the slope through an earlier study's numbers on one
// machine: the logarithm by one doubling of a factor of which it states two
// levels or more.
func (r *Result) oldSlopePart(c Claim, metric int, where expr.Selection) PublishedPart {
	in := slices.DeleteFunc(r.oldIn(where), func(o *old) bool {
		_, _, why := r.oldNumber(metric, o)
		return o.levels[c.Slope] == "" || why == "not stated"
	})
	if why := r.oldOpen(in, slices.Concat(where, termsFor(append(slices.Clone(c.Over), c.Slope)))); why != "" {
		return notStatedPart(why)
	}
	x, y, why := r.oldLadder(metric, c.Slope, in)
	if why != "" {
		return notStatedPart(why)
	}
	slope := stat.Slope(x, y)
	p := oldPart(slope, "", c.Expect, "")
	p.Text = Estimate{Estimate: bare(slope, 0, ""), Kind: Slope, Unit: "1"}.ValueText()
	return p
}

// oldLadder are the published levels of a factor and what was stated there,
// as logarithms: of levels to the base 2. Levels must be stated for the same
// treatments, so that no other factor's effect is in the slope.
func (r *Result) oldLadder(metric int, factor string, in []*old) (x, y []float64, why string) {
	byLevel := map[string][]*old{}
	var stated []string
	for _, o := range in {
		l := o.levels[factor]
		if byLevel[l] == nil {
			stated = append(stated, l)
		}
		byLevel[l] = append(byLevel[l], o)
	}
	levels, xs, err := numbersOf(factor, stated)
	if err != nil || len(xs) < 2 || xs[0] <= 0 {
		return nil, nil, "not stated"
	}
	for i, l := range levels {
		mean, _, why := r.oldMean(metric, byLevel[l])
		if why != "" {
			return nil, nil, why
		}
		if restOfOld(byLevel[l], factor) != restOfOld(byLevel[levels[0]], factor) {
			return nil, nil, "not stated: other treatments at " + factor + "=" + l + " than at " + factor + "=" + levels[0]
		}
		x, y = append(x, math.Log2(xs[i])), append(y, math.Log(mean))
	}
	return x, y, ""
}

// restOfOld names the treatments without one factor.
func restOfOld(in []*old, factor string) string {
	var keys []string
	for _, o := range in {
		rest := slices.DeleteFunc(o.selection(), func(t expr.Term) bool { return t.Factor == factor })
		keys = append(keys, rest.String())
	}
	slices.Sort(keys)
	return strings.Join(keys, "\n")
}
