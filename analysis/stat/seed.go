package stat

import (
	"hash/fnv"
	"math"
	"math/bits"
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
func below(g *rand.PCG, n int) int { return newRange(n).from(g) }

// bounded draws from 0..n-1 many times.
type bounded struct{ n, limit, reciprocal uint64 }

func newRange(n int) bounded {
	un := uint64(max(n, 1)) // of no units nothing is drawn
	return bounded{un, -un % un, math.MaxUint64 / un}
}

// from is the remainder of a value of the generator, for which values below
// 2^64 mod n would be too frequent. The remainder is taken by multiplication,
// which is several times as fast as a division: the quotient falls short of
// the true one by 2 at the most.
func (b bounded) from(g *rand.PCG) int {
	v := g.Uint64()
	for v < b.limit {
		v = g.Uint64()
	}
	quotient, _ := bits.Mul64(v, b.reciprocal)
	rest := v - quotient*b.n
	for rest >= b.n {
		rest -= b.n
	}
	return int(rest)
}
