package design

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"
)

// golden is the odd constant of SplitMix64, 2^64 divided by the golden ratio.
const golden = 0x9e3779b97f4a7c15

// mix is the output function of SplitMix64 (Steele, Lea, Flood 2014). It maps
// the 64-bit numbers one to one, so that distinct seeds stay distinct.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// SessionSeed is the seed of session k (from 1) where the experiment file
// gives a base. Sessions of one base have distinct seeds, since one repeated
// order would leave the same position to the same treatment in all of them.
func SessionSeed(base uint64, k int) uint64 {
	return mix(mix(base) + golden*uint64(k))
}

// FormatSeed is a seed as sessions and messages show it: 16 hex digits.
func FormatSeed(seed uint64) string { return fmt.Sprintf("%016x", seed) }

// ParseSeed reads what FormatSeed wrote, a decimal number such as 7, or hex
// digits after 0x. A text of exactly 16 hex digits is always hexadecimal.
func ParseSeed(text string) (uint64, error) {
	digits, base := text, 10
	if rest, ok := strings.CutPrefix(text, "0x"); ok {
		digits, base = rest, 16
	} else if len(text) == 16 {
		base = 16
	}
	seed, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		return 0, fmt.Errorf("seed %q is neither a decimal number below 2^64 nor 16 hex digits", text)
	}
	return seed, nil
}

// The streams of one seed. Warm-up draws from its own, so that more or fewer
// warm-up blocks leave the measured order as it is.
const (
	streamMeasured = 1
	streamWarmup   = 2
)

// source draws for one phase of a plan. What it draws for a seed is part of
// the data format under the name Generator; TestOrdersArePinned guards it.
// It uses the raw PCG alone, whose sequence Go promises to keep: rand.Shuffle
// and rand.IntN may change between releases.
type source struct{ pcg *rand.PCG }

func newSource(seed, stream uint64) source {
	hi := mix(seed + golden*stream)
	return source{rand.NewPCG(hi, mix(hi+golden))}
}

// below is a whole number in 0..n-1, each equally likely, by Lemire's method:
// the high half of a product, with the few draws refused that would favour
// some numbers.
func (s source) below(n int) int {
	bound := uint64(n)
	hi, lo := bits.Mul64(s.pcg.Uint64(), bound)
	for refused := -bound % bound; lo < refused; {
		hi, lo = bits.Mul64(s.pcg.Uint64(), bound)
	}
	return int(hi)
}

// shuffle is Fisher and Yates' over below, from the end.
func shuffle[T any](s source, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := s.below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}

// permutation is 0..n-1 in a drawn order.
func (s source) permutation(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	shuffle(s, p)
	return p
}
