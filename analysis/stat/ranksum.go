package stat

import "math"

// exactRankSum is the largest group for which the null distribution of the
// rank sum is counted; above it is normal.
const exactRankSum = 50

// RankSumTest is the Mann-Whitney test of two independent groups (Ann. Math.
// Stat. 18, 1947). It tests P(a > b) = 1/2 only where the two distributions
// have one shape, else that neither tends to be larger. P-values are exact,
// given the ties, unless Exact is false.
type RankSumTest struct {
	NA, NB             int
	U                  float64 // pairs with a > b, ties counting one half
	Z                  float64 // standardized, with the variance under ties
	P, PLess, PGreater float64 // two-sided; of a tending to be smaller, larger
	PNormal            float64 // two-sided, normal approximation
	PNormalCorrected   float64 // the same with continuity correction
	Exact              bool
	Warnings           []Warning
	Refused            string // U is a count and given even then
}

// MannWhitney compares two independent groups by ranks. It refuses when all
// values are equal.
func MannWhitney(a, b []float64) RankSumTest {
	nan := math.NaN()
	t := RankSumTest{NA: len(a), NB: len(b), U: nan, Z: nan, P: nan, PLess: nan,
		PGreater: nan, PNormal: nan, PNormalCorrected: nan}
	if t.Refused = firstOf(badInput(a), badInput(b)); t.Refused != "" {
		return t
	}
	all := append(append([]float64{}, a...), b...)
	ranks := Ranks(all)
	t.U = rankSum(ranks[:len(a)]) - float64(len(a)*(len(a)+1))/2
	ties := tieTerm(all)
	n := float64(len(all))
	if ties == n*n*n-n {
		t.Refused = "all values are equal"
		return t
	}
	t.normal(ties)
	t.exact(ranks)
	if min(len(a), len(b)) < fewBlocks {
		t.Warnings = append(t.Warnings, Warning{FewBlocks, "small groups: only a few p-values are possible"})
	}
	return t
}

func rankSum(ranks []float64) float64 {
	sum := 0.0
	for _, r := range ranks {
		sum += r
	}
	return sum
}

// normal fills the normal approximations.
func (t *RankSumTest) normal(ties float64) {
	m, n := float64(t.NA), float64(t.NB)
	total := m + n
	sd := math.Sqrt(m * n / 12 * (total + 1 - ties/(total*(total-1))))
	diff := t.U - m*n/2
	corrected := (diff - sign(diff)*0.5) / sd
	t.Z = diff / sd
	t.PNormal, t.PNormalCorrected = normalTwoSided(t.Z), normalTwoSided(corrected)
	t.P = t.PNormalCorrected
	t.PLess, t.PGreater = normalCDF((diff+0.5)/sd), normalUpper((diff-0.5)/sd)
}

// exact replaces the approximations by the permutation distribution of the
// mid-ranks (Streitberg & Röhmel, COMPSTAT 1986). Two-sided is the
// probability of a rank sum at least as far from its mean: doubling the
// smaller tail can exceed one under ties.
func (t *RankSumTest) exact(ranks []float64) {
	t.Exact = t.NA <= exactRankSum && t.NB <= exactRankSum
	if !t.Exact {
		t.Warnings = append(t.Warnings, Warning{Approximate, "normal approximation of the rank sum"})
		return
	}
	p := drawnSums(doubledRanks(ranks), t.NA)
	at := int(math.Round(2*t.U)) + t.NA*(t.NA+1)
	center := t.NA * (t.NA + t.NB + 1) // mean of the doubled rank sum
	t.P, t.PLess, t.PGreater = 0, 0, 0
	for v, q := range p {
		if v <= at {
			t.PLess += q
		}
		if v >= at {
			t.PGreater += q
		}
		if abs(v-center) >= abs(at-center) {
			t.P += q
		}
	}
	t.P, t.PLess, t.PGreater = math.Min(t.P, 1), math.Min(t.PLess, 1), math.Min(t.PGreater, 1)
}

// doubledRanks are mid-ranks times two, which are whole.
func doubledRanks(ranks []float64) []int {
	out := make([]int, len(ranks))
	for i, r := range ranks {
		out[i] = int(math.Round(2 * r))
	}
	return out
}

// drawnSums is the distribution of the sum of m of the values drawn without
// replacement, indexed by the sum.
func drawnSums(values []int, m int) []float64 {
	total := 0
	for _, v := range values {
		total += v
	}
	count := make([][]float64, m+1) // count[j][s]: ways to draw j values with sum s
	for j := range count {
		count[j] = make([]float64, total+1)
	}
	count[0][0] = 1
	reach := 0
	for i, v := range values {
		for j := min(i+1, m); j >= 1; j-- {
			for s := 0; s <= reach; s++ {
				count[j][s+v] += count[j-1][s]
			}
		}
		reach += v
	}
	ways := 0.0
	for _, c := range count[m] {
		ways += c
	}
	for s := range count[m] {
		count[m][s] /= ways
	}
	return count[m]
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}

// rankSumCDF is P(U <= u) of groups of m and n without ties.
func rankSumCDF(u, m, n int) float64 {
	sum := 0.0
	for v, q := range untiedRankSum(m, n) {
		if v <= u {
			sum += q
		}
	}
	return math.Min(sum, 1)
}

// rankSumQuantile is the smallest u with P(U <= u) >= q.
func rankSumQuantile(q float64, m, n int) int {
	sum := 0.0
	p := untiedRankSum(m, n)
	for u := range p {
		if sum += p[u]; sum >= q*(1-fuzz) {
			return u
		}
	}
	return len(p) - 1
}

// untiedRankSum is the distribution of U without ties.
func untiedRankSum(m, n int) []float64 {
	ranks := make([]int, m+n)
	for i := range ranks {
		ranks[i] = i + 1
	}
	least := m * (m + 1) / 2
	return drawnSums(ranks, m)[least : least+m*n+1]
}

// HodgesLehmannShift is the median of all differences a-b of two independent
// groups, with the exact interval that belongs to the Mann-Whitney test; ties
// make it conservative. Where the groups are too small for the confidence
// both bounds are infinite.
func HodgesLehmannShift(a, b []float64, conf float64) Estimate {
	const method = "Hodges-Lehmann shift, exact rank-sum interval"
	if why := firstOf(badInput(a), badInput(b), badConfidence(conf)); why != "" {
		return refused(method, len(a)+len(b), conf, "%s", why)
	}
	d := differences(a, b)
	e := Estimate{Value: sortedQuantile(d, 0.5, 7), Lo: math.Inf(-1), Hi: math.Inf(1),
		Confidence: 1, N: len(a) + len(b), Method: method}
	k, coverage := shiftRank(len(a), len(b), conf)
	if max(len(a), len(b)) > exactRankSum {
		e.warn(Approximate, "the ranks of the bounds are normal approximations")
	}
	if k == 0 {
		e.warn(Unbounded, "%d and %d values are too few for an exact %g %% interval", len(a), len(b), 100*conf)
		return e
	}
	e.Lo, e.Hi, e.Confidence = d[k-1], d[len(d)-k], coverage
	return e
}

// differences are all a-b, sorted.
func differences(a, b []float64) []float64 {
	d := make([]float64, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			d = append(d, x-y)
		}
	}
	return sorted(d)
}

// shiftRank is the rank of the bounds among all differences, and the
// confidence that they achieve.
func shiftRank(m, n int, conf float64) (k int, coverage float64) {
	if m <= exactRankSum && n <= exactRankSum {
		k = rankSumQuantile((1-conf)/2, m, n)
		return k, 1 - 2*rankSumCDF(k-1, m, n)
	}
	fm, fn := float64(m), float64(n)
	mean, sd := fm*fn/2, math.Sqrt(fm*fn*(fm+fn+1)/12)
	k = max(0, int(math.Floor(mean+sd*normalQuantile((1-conf)/2))))
	return k, 1 - 2*normalCDF((float64(k)-0.5-mean)/sd)
}
