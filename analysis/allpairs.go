package analysis

import (
	"slices"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// maxAllPairs is up to how many treatments every pair is compared; with more
// of them each is compared with the first.
const maxAllPairs = 8

// AllPairs compares the treatments within a selection that have data, machine
// by machine: each with each, the later over the earlier one, or, above eight
// treatments, each with the first. Holm holds the p-value adjusted for all
// comparisons of one machine. They are exploratory unless a claim declares
// them.
func (r *Result) AllPairs(metric string, where expr.Selection) ([]Comparison, error) {
	m, err := r.metricWithin(metric, where)
	if err != nil {
		return nil, err
	}
	machines := r.machinesIn(where)
	var all []Comparison
	for _, machine := range machines {
		scope := scopeTerms(where)
		if len(machines) > 1 {
			scope = both(scope, r.scopeOf(machine))
		}
		all = append(all, r.pairsOn(m, scope, r.treatmentsWithData(both(where, r.scopeOf(machine))))...)
	}
	return all, nil
}

// treatmentsWithData are those of a selection that ran, in their order.
func (r *Result) treatmentsWithData(s expr.Selection) [][]string {
	ran := map[string]bool{}
	for _, t := range r.countingTrials(s) {
		ran[t.key] = true
	}
	return slices.DeleteFunc(r.treatmentsIn(s), func(levels []string) bool { return !ran[treatmentKey(levels)] })
}

func (r *Result) pairsOn(metric int, scope expr.Selection, in [][]string) []Comparison {
	var all []Comparison
	for i := range in {
		for j := i + 1; j < len(in) && (i == 0 || len(in) <= maxAllPairs); j++ {
			a, b := treatmentKey(in[j]), treatmentKey(in[i])
			all = append(all, r.compare(metric, []side{r.singleKey(a, scope), r.singleKey(b, scope)}, r.pairText(in[j], in[i], scope)))
		}
	}
	ps := make([]float64, len(all))
	for i, c := range all {
		ps[i] = c.P
	}
	for i, p := range stat.Holm(ps) {
		all[i].Holm = p
	}
	return all
}

// pairText is the comparison of two treatments: what differs on the sides,
// the rest in where.
func (r *Result) pairText(a, b []string, scope expr.Selection) string {
	c := expr.Comparison{Where: slices.Clone(scope)}
	left, right := r.selectionOf(a), r.selectionOf(b)
	for i := range left {
		if left[i].Levels[0] == right[i].Levels[0] {
			if len(r.levelsOf(i)) > 1 {
				c.Where = append(c.Where, left[i])
			}
			continue
		}
		c.Left, c.Right = append(c.Left, left[i]), append(c.Right, right[i])
	}
	return c.String()
}
