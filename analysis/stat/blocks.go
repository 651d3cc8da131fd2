package stat

import (
	"math"
	"sort"
)

// maxBlocks is the most blocks that any plan is worth.
const maxBlocks = 1_000_000

// BlocksForHalfWidth is the smallest number of blocks, at least three, at
// which the t interval of the given confidence has half-width w or less, if
// the differences keep the standard deviation sd. 0 where there is no such
// number below a million, or sd and w are no sizes.
func BlocksForHalfWidth(sd, w, conf float64) int {
	if badConfidence(conf) != "" || !(sd >= 0) || !(w > 0) {
		return 0
	}
	return leastBlocks(minBlocks, func(n int) bool { return tHalfWidth(sd*sd, n, conf) <= w })
}

// BlocksToDecide is about how many blocks would settle a claim, if mean and
// standard deviation of the block differences stay as they are. The claim is
// that the mean lies between lo and hi, one of which may be infinite. With
// equivalence it is supported by a 90 % interval inside; in all other cases a
// 95 % interval must clear the nearer bound. 0 where no number below a million
// would do, as when the mean stands on a bound.
func BlocksToDecide(mean, sd, lo, hi float64, equivalence bool) int {
	distance := math.Min(math.Abs(mean-lo), math.Abs(hi-mean))
	if math.IsNaN(mean) || !(sd >= 0) || !(distance > 0) || math.IsInf(distance, 0) {
		return 0
	}
	least, conf := minBlocks, 0.95
	if equivalence && lo < mean && mean < hi {
		least, conf = minEquivalence, 0.90
	}
	return leastBlocks(least, func(n int) bool { return tHalfWidth(sd*sd, n, conf) < distance })
}

// leastBlocks is the smallest n from least on that is enough, where more
// never is worse; 0 above maxBlocks.
func leastBlocks(least int, enough func(n int) bool) int {
	few, many := least, least
	for many <= maxBlocks && !enough(many) { // few blocks are the usual case, and quick to try
		few, many = many+1, 2*many
	}
	n := few + sort.Search(many-few, func(i int) bool { return enough(few + i) })
	if n > maxBlocks {
		return 0
	}
	return n
}
