package stat

import (
	"hash/fnv"
	"math/rand/v2"
)

// Seed is the seed of a resampling from the name of its estimate (metric,
// selection, statistic), so that a number moves only with its own data.
// FNV-1a, 64 bit; the values are part of the promise that the same data give
// the same report. TestSeedPinned guards them.
func Seed(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name)) // never fails
	return h.Sum64()
}

// substream is the generator of one replicate: replicates do not depend on
// one another, nor on the order in which they are drawn.
func substream(seed, replicate uint64) *rand.PCG {
	return rand.NewPCG(seed, replicate)
}

// below is uniform on 0..n-1, by rejection on the raw generator, whose
// sequence is fixed for good. n > 0.
func below(g *rand.PCG, n int) int {
	un := uint64(n)
	limit := -un % un // 2^64 mod n: the values below it would be too frequent
	for {
		if v := g.Uint64(); v >= limit {
			return int(v % un)
		}
	}
}
