package stat

import (
	"fmt"
	"math/bits"
	"slices"
)

// grid is a design sorted into complete blocks and treatments.
type grid struct {
	levels  []int       // number of levels per factor
	combos  [][]int     // level indices of each treatment, first factor slowest
	y       [][]float64 // by block, then treatment
	ids     []int       // of the complete blocks, ascending
	dropped int
}

// newGrid sorts the observations of a full crossing into blocks. Blocks that
// do not hold each treatment exactly once are dropped; more than a fifth of
// them is a refusal.
func newGrid(d Design) (grid, string) {
	if why := d.malformed(); why != "" {
		return grid{}, why
	}
	levels, counts := closeGaps(d.Levels)
	g := grid{levels: counts}
	switch k := product(counts); {
	case k < 2:
		return g, "there is only one treatment"
	case k > len(d.Y):
		return g, "the factors are not fully crossed: some combinations of levels are missing"
	}
	g.combos = crossing(counts)
	g.fill(d, levels)
	total := len(g.y) + g.dropped
	if 5*g.dropped > total {
		return g, fmt.Sprintf("%d of %d blocks do not hold each combination of levels exactly once", g.dropped, total)
	}
	return g, atLeast(len(g.y), 2, "complete block")
}

// treatment is the index of a combination in crossing order.
func (g grid) treatment(levels []int) int {
	at := 0
	for f, v := range levels {
		at = at*g.levels[f] + v
	}
	return at
}

// fill collects the complete blocks in ascending order of their number.
func (g *grid) fill(d Design, levels [][]int) {
	ids := slices.Compact(slices.Sorted(slices.Values(d.Block)))
	at := make(map[int]int, len(ids))
	rows, seen := make([][]float64, len(ids)), make([][]int, len(ids))
	for i, id := range ids {
		at[id] = i
		rows[i], seen[i] = make([]float64, len(g.combos)), make([]int, len(g.combos))
	}
	for i, y := range d.Y {
		t := g.treatment(levels[i])
		rows[at[d.Block[i]]][t] = y
		seen[at[d.Block[i]]][t]++
	}
	for i := range rows {
		if slices.Min(seen[i]) != 1 || slices.Max(seen[i]) != 1 {
			g.dropped++
			continue
		}
		g.y, g.ids = append(g.y, rows[i]), append(g.ids, ids[i])
	}
}

// terms are all main effects and interactions of factors with two levels or
// more, by order and then by factor.
func (g grid) terms() [][]int {
	var out [][]int
	for mask := uint(1); mask < 1<<len(g.levels); mask++ {
		term := members(mask)
		if g.termDF(term) > 0 {
			out = append(out, term)
		}
	}
	slices.SortStableFunc(out, func(a, b []int) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return slices.Compare(a, b)
	})
	return out
}

// members are the positions of the bits that are set, ascending.
func members(mask uint) []int {
	var out []int
	for ; mask != 0; mask &= mask - 1 {
		out = append(out, bits.TrailingZeros(mask))
	}
	return out
}

// termDF is the product of levels less one over the factors of the term.
func (g grid) termDF(term []int) float64 {
	df := 1
	for _, f := range term {
		df *= g.levels[f] - 1
	}
	return float64(df)
}

// treatmentMeans are the means over blocks, by treatment.
func (g grid) treatmentMeans() []float64 {
	means := make([]float64, len(g.combos))
	column := make([]float64, len(g.y))
	for t := range means {
		for b := range g.y {
			column[b] = g.y[b][t]
		}
		means[t] = average(column)
	}
	return means
}

// blockMeans are the means over treatments, by block.
func (g grid) blockMeans() []float64 {
	means := make([]float64, len(g.y))
	for b, row := range g.y {
		means[b] = average(row)
	}
	return means
}

// residuals are what blocks and treatments leave over, by block and
// treatment.
func (g grid) residuals() [][]float64 {
	treatments, blocks := g.treatmentMeans(), g.blockMeans()
	grand := average(blocks)
	out := make([][]float64, len(g.y))
	for b, row := range g.y {
		out[b] = make([]float64, len(row))
		for t, y := range row {
			out[b][t] = (y - blocks[b]) - (treatments[t] - grand)
		}
	}
	return out
}

// project averages values by treatment over all that share the levels of the
// factors, and gives each treatment its average.
func (g grid) project(values []float64, factors []int) []float64 {
	keys := make([]int, len(values))
	sums, counts := map[int]float64{}, map[int]float64{}
	for t, c := range g.combos {
		for _, f := range factors {
			keys[t] = keys[t]*g.levels[f] + c[f]
		}
		sums[keys[t]] += values[t]
		counts[keys[t]]++
	}
	out := make([]float64, len(values))
	for t, k := range keys {
		out[t] = sums[k] / counts[k]
	}
	return out
}

// effect is the contribution of a term to each treatment's mean: the signed
// sum of the averages over all subsets of its factors.
func (g grid) effect(means []float64, term []int) []float64 {
	out := make([]float64, len(means))
	for mask := uint(0); mask < 1<<len(term); mask++ {
		var subset []int
		for _, i := range members(mask) {
			subset = append(subset, term[i])
		}
		weight := 1 - 2*float64((len(term)-len(subset))%2)
		for t, m := range g.project(means, subset) {
			out[t] += weight * m
		}
	}
	return out
}
