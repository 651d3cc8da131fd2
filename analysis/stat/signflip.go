package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
)

const (
	// exactFlips is the largest number of blocks for which all sign
	// assignments are counted.
	exactFlips = 30
	// randomFlips is how many are drawn beyond; with the observed one they
	// are 100,000, so that a p-value is a round number.
	randomFlips = 99_999
	// tieSlack is the relative slack with which permutation statistics count
	// as equal: sums of the same numbers in another order differ in rounding.
	tieSlack = 1e-9
)

// SignFlip is the two-sided p-value of the randomization test that the mean
// of block differences is zero: the share of all assignments of signs whose
// sum is as far from zero as the observed one (Fisher, The Design of
// Experiments, 1935). It is valid where treatments were randomized within
// blocks, and refused by its caller where they were not. All 2^n assignments
// are counted up to 30 blocks; beyond, 99,999 are drawn from the seed and the
// observed one is added. NaN for no differences or a NaN among them.
func SignFlip(d []float64, seed uint64) (p float64, exact bool) {
	if badInput(d) != "" {
		return math.NaN(), false
	}
	total, reach := 0.0, 0.0
	for _, x := range d {
		total += x
		reach += math.Abs(x)
	}
	threshold := math.Abs(total) - tieSlack*reach
	if threshold <= 0 {
		return 1, true
	}
	if len(d) <= exactFlips {
		return 2 * shareReaching(d, threshold), true
	}
	return drawFlips(d, threshold, seed), false
}

// shareReaching is the share of sign assignments whose sum is at least the
// threshold, which is above zero. It pairs the sums of the two halves of d.
func shareReaching(d []float64, threshold float64) float64 {
	left, right := signedSums(d[:len(d)/2]), signedSums(d[len(d)/2:])
	slices.Sort(right)
	count := 0
	for _, l := range left {
		count += len(right) - sort.SearchFloat64s(right, threshold-l)
	}
	return float64(count) / (float64(len(left)) * float64(len(right)))
}

// signedSums are the sums of d under all 2^n assignments of signs.
func signedSums(d []float64) []float64 {
	sums := []float64{0}
	for _, x := range d {
		next := make([]float64, 0, 2*len(sums))
		for _, s := range sums {
			next = append(next, s+x, s-x)
		}
		sums = next
	}
	return sums
}

func drawFlips(d []float64, threshold float64, seed uint64) float64 {
	sums := inParallel(randomFlips, func() func(r int) float64 {
		return func(r int) float64 { return flippedSum(d, substream(seed, uint64(r))) }
	})
	reaching := 1 // the observed assignment
	for _, sum := range sums {
		if math.Abs(sum) >= threshold {
			reaching++
		}
	}
	return float64(reaching) / (1 + randomFlips)
}

// flippedSum is the sum of d with random signs. The sign is set as a bit: a
// branch on it would be guessed wrongly every second time.
func flippedSum(d []float64, g *rand.PCG) float64 {
	sum, bits := 0.0, uint64(0)
	for i, x := range d {
		if i%64 == 0 {
			bits = g.Uint64()
		}
		sum += math.Float64frombits(math.Float64bits(x) ^ bits<<63)
		bits >>= 1
	}
	return sum
}
