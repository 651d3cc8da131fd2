package stat

import (
	"math"
	"sort"
)

// Holm adjusts p-values for having been looked at together (Holm, Scand. J.
// Stat. 6, 1979): the family-wise error stays below the level. The order of
// the input is kept. A NaN stays NaN and does not count as a test.
func Holm(ps []float64) []float64 {
	out, order := adjustable(ps)
	m, worst := len(order), 0.0
	for i, at := range order {
		worst = math.Max(worst, math.Min(1, float64(m-i)*ps[at]))
		out[at] = worst
	}
	return out
}

// adjustable is a result full of NaN and the indices of the p-values that
// are numbers, smallest first.
func adjustable(ps []float64) (out []float64, order []int) {
	out = make([]float64, len(ps))
	for i, p := range ps {
		out[i] = math.NaN()
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return ps[order[a]] < ps[order[b]] })
	return out, order
}
