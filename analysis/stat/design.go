package stat

import (
	"fmt"
	"math"
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

// maxFactors keeps the number of terms, 2^f - 1, within reason.
const maxFactors = 8

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
