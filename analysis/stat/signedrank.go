package stat

import "math"

// exactSignedRank is the largest number of blocks for which the null
// distribution of the signed-rank sum is counted; above it is normal.
const exactSignedRank = 200

// SignedRankTest is Wilcoxon's test that block differences are symmetric
// about a centre (Biometrics 1, 1945). P-values are exact, given the ties,
// unless Exact is false.
type SignedRankTest struct {
	N, Zeros int     // differences, and how many of them are zero
	V        float64 // rank sum of the positive differences, zeros dropped
	Z        float64 // standardized, zeros ranked with the others and then dropped
	// P is two-sided and treats zeros as Pratt did (JASA 54, 1959): they take
	// part in the ranking and are dropped then. PLess and PGreater are the
	// one-sided ones, for a centre below and above.
	P, PLess, PGreater float64
	PDropped           float64 // two-sided, zeros dropped before ranking
	PNormal            float64 // two-sided, zeros dropped, normal approximation
	PNormalCorrected   float64 // the same with continuity correction
	Exact              bool
	Warnings           []Warning
	Refused            string
}

// SignedRank tests that the block differences d are symmetric about mu.
func SignedRank(d []float64, mu float64) SignedRankTest {
	nan := math.NaN()
	t := SignedRankTest{N: len(d), V: nan, Z: nan, P: nan, PLess: nan, PGreater: nan,
		PDropped: nan, PNormal: nan, PNormalCorrected: nan}
	if t.Refused = firstOf(badInput(d), badInput([]float64{mu})); t.Refused != "" {
		return t
	}
	x := shifted(d, mu)
	kept := nonZero(x)
	t.Zeros = len(x) - len(kept)
	if len(kept) == 0 {
		t.V, t.P, t.PLess, t.PGreater, t.PDropped, t.Exact = 0, 1, 1, 1, 1, true
		t.Warnings = []Warning{{ConstantData, "all differences are zero"}}
		return t
	}
	t.fill(x, kept)
	if len(d) < fewBlocks {
		t.Warnings = append(t.Warnings, Warning{FewBlocks,
			plural(len(d), "block") + " are too few for a two-sided p-value below 0.05"})
	}
	return t
}

// fill computes the test from all differences and those that are not zero.
func (t *SignedRankTest) fill(x, kept []float64) {
	pratt := newSignedRanks(prattRanks(x), x)
	dropped := newSignedRanks(Ranks(magnitudes(kept)), kept)
	t.V, t.Z = dropped.v, pratt.z(0)
	t.PNormal = normalTwoSided(dropped.z(0))
	t.PNormalCorrected = normalTwoSided(dropped.z(0.5))
	if t.Exact = len(kept) <= exactSignedRank; t.Exact {
		t.PLess, t.PGreater, t.P = pratt.tails()
		_, _, t.PDropped = dropped.tails()
		return
	}
	t.PLess, t.PGreater = normalCDF(pratt.z(0.5)), normalUpper(pratt.z(0.5))
	t.P, t.PDropped = normalTwoSided(pratt.z(0.5)), t.PNormalCorrected
	t.Warnings = append(t.Warnings, Warning{Approximate, "normal approximation of the rank sum"})
}

// signedRanks is a rank sum v of positive differences, and the ranks that
// could have counted towards it.
type signedRanks struct {
	v     float64
	ranks []float64
}

// newSignedRanks pairs ranks with the signs of x; a zero has no sign and its
// rank is left out.
func newSignedRanks(ranks, x []float64) signedRanks {
	var s signedRanks
	for i, r := range ranks {
		if x[i] != 0 {
			s.ranks = append(s.ranks, r)
		}
		if x[i] > 0 {
			s.v += r
		}
	}
	return s
}

// z standardizes v by its exact mean and variance, less a continuity
// correction towards the mean.
func (s signedRanks) z(correction float64) float64 {
	var mean, variance float64
	for _, r := range s.ranks {
		mean += r / 2
		variance += r * r / 4
	}
	diff := s.v - mean
	return (diff - sign(diff)*correction) / math.Sqrt(variance)
}

// tails are P(V <= v), P(V >= v) and the two-sided p-value under the null
// distribution, in which each rank counts with probability one half.
func (s signedRanks) tails() (lower, upper, two float64) {
	doubled := make([]int, len(s.ranks))
	for i, r := range s.ranks {
		doubled[i] = int(math.Round(2 * r))
	}
	p := subsetSums(doubled)
	at := int(math.Round(2 * s.v))
	for v, q := range p {
		if v <= at {
			lower += q
		}
		if v >= at {
			upper += q
		}
	}
	return math.Min(lower, 1), math.Min(upper, 1), math.Min(1, 2*math.Min(lower, upper))
}

// subsetSums is the distribution of the sum of a random subset of positive
// integers, each in or out with probability one half.
func subsetSums(values []int) []float64 {
	most := 0
	for _, v := range values {
		most += v
	}
	p := make([]float64, most+1)
	p[0] = 1
	top := 0
	for _, v := range values {
		top += v
		for sum := top; sum >= 0; sum-- { // downwards, as those below are still without v
			p[sum] /= 2
			if sum >= v {
				p[sum] += p[sum-v] / 2
			}
		}
	}
	return p
}

// prattRanks are the mid-ranks of all magnitudes, zeros among them.
func prattRanks(x []float64) []float64 { return Ranks(magnitudes(x)) }

func nonZero(xs []float64) []float64 {
	var out []float64
	for _, x := range xs {
		if x != 0 {
			out = append(out, x)
		}
	}
	return out
}

// signedRankCDF is P(V <= v) of the signed-rank sum of n untied differences.
func signedRankCDF(v, n int) float64 {
	sum := 0.0
	for i, q := range untiedSignedRank(n) {
		if i <= v {
			sum += q
		}
	}
	return math.Min(sum, 1)
}

// signedRankQuantile is the smallest v with P(V <= v) >= q.
func signedRankQuantile(q float64, n int) int {
	sum := 0.0
	p := untiedSignedRank(n)
	for v := range p {
		if sum += p[v]; sum >= q*(1-fuzz) {
			return v
		}
	}
	return len(p) - 1
}

func untiedSignedRank(n int) []float64 {
	ranks := make([]int, max(n, 0))
	for i := range ranks {
		ranks[i] = i + 1
	}
	return subsetSums(ranks)
}
