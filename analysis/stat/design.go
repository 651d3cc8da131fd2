package stat

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Design is one observation per trial of a factorial experiment in blocks.
// All slices but HardFactors are as long as Y.
type Design struct {
	Levels      [][]int // per observation: the level of each factor; gaps are closed
	Block       []int   // any numbers; equal ones are one block
	Plot        []int   // whole plot within the block; nil where none was recorded
	HardFactors []bool  // per factor: set once per whole plot; nil: none is
	Y           []float64
}

// ANOVARow is one line of a table of analysis of variance.
type ANOVARow struct {
	Term      []int // factor indices, ascending; one: a main effect
	SS, DF    float64
	MS        float64
	F, P      float64 // NaN where the error has no spread
	ErrorDF   float64
	ErrorName string // "residual" or "whole plots"
}

// ANOVA is a table of analysis of variance in complete blocks.
type ANOVA struct {
	Rows     []ANOVARow // main effects first, then interactions by order
	Blocks   ANOVARow   // between blocks; Term is nil
	Plots    ANOVARow   // error between whole plots; DF 0 where there are none
	Residual ANOVARow   // error between trials
	N        int        // complete blocks that it rests on
	Dropped  int        // incomplete blocks left out
	Method   string
	Warnings []Warning
	Refused  string
}

const (
	residualError = "residual"
	plotError     = "whole plots"
)

// maxFactors keeps the number of terms, 2^f - 1, within reason.
const maxFactors = 8

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

// malformed says what is wrong with the shape of the design, or nothing.
func (d Design) malformed() string {
	n := len(d.Y)
	if why := badInput(d.Y); why != "" {
		return why
	}
	if len(d.Levels) != n || len(d.Block) != n || (d.Plot != nil && len(d.Plot) != n) {
		return "levels, blocks and values differ in number"
	}
	f := len(d.Levels[0])
	if f == 0 || f > maxFactors {
		return fmt.Sprintf("the number of factors must be 1 to %d, and is %d", maxFactors, f)
	}
	if d.HardFactors != nil && len(d.HardFactors) != f {
		return "the hard-to-change factors are not told for each factor"
	}
	for _, l := range d.Levels {
		if len(l) != f {
			return "a level is missing"
		}
	}
	return ""
}

// closeGaps renumbers the levels of each factor from 0, in their order, and
// counts them.
func closeGaps(levels [][]int) (renumbered [][]int, counts []int) {
	renumbered = make([][]int, len(levels))
	for f := range levels[0] {
		seen := make([]int, len(levels))
		for i, l := range levels {
			seen[i] = l[f]
		}
		slices.Sort(seen)
		seen = slices.Compact(seen)
		for i, l := range levels {
			at, _ := slices.BinarySearch(seen, l[f])
			renumbered[i] = append(renumbered[i], at)
		}
		counts = append(counts, len(seen))
	}
	return renumbered, counts
}

// product is the product of the numbers, or a huge one where it overflows.
func product(xs []int) int {
	p := 1
	for _, x := range xs {
		if p > math.MaxInt32/x {
			return math.MaxInt32
		}
		p *= x
	}
	return p
}

// crossing lists all combinations of levels, the first factor slowest.
func crossing(levels []int) [][]int {
	combos := [][]int{nil}
	for _, count := range levels {
		var next [][]int
		for _, c := range combos {
			for v := range count {
				next = append(next, append(slices.Clone(c), v))
			}
		}
		combos = next
	}
	return combos
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

// squares is the sum of squares.
func squares(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x * x
	}
	return sum
}

// row completes a line of the table against its error.
func (r ANOVARow) against(e ANOVARow) ANOVARow {
	r.F, r.P, r.ErrorDF, r.ErrorName = math.NaN(), math.NaN(), e.DF, e.ErrorName
	if e.MS > 0 {
		r.F = r.MS / e.MS
		r.P = fUpper(r.F, r.DF, e.DF)
	}
	return r
}

// meanSquareRow is a line with its mean square and no test yet.
func meanSquareRow(term []int, ss, df float64) ANOVARow {
	ms := math.NaN()
	if df > 0 {
		ms = ss / df
	}
	return ANOVARow{Term: term, SS: ss, DF: df, MS: ms, F: math.NaN(), P: math.NaN()}
}
