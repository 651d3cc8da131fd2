package stat

import "math"

// mostExactPairs is up to how many pairs of values, over all strata, the null
// distribution of the summed rank counts is counted.
const mostExactPairs = exactRankSum * exactRankSum

// mostPairs bounds the memory: each pair of values within a stratum has a
// difference.
const mostPairs = 2_000_000

// StratifiedRanks compares two groups by ranks within strata, such as
// sessions: a shift that all strata have in common, and the test that there is
// none.
type StratifiedRanks struct {
	Estimate         // the shift of a against b
	P        float64 // two-sided, of no shift
	Exact    bool    // P and the interval are counted, not approximated
}

// HodgesLehmannStrata is the median of the differences a-b within strata, with
// the interval that belongs to the sum of the Mann-Whitney counts of all strata
// (Hodges & Lehmann, Ann. Math. Stat. 34, 1963; Lehmann, Nonparametrics, 1975,
// 3.3). a[i] and b[i] are the values of stratum i. With one stratum it is
// HodgesLehmannShift and MannWhitney. P is exact given the ties; the interval
// is conservative under ties. Where there are too few values for the
// confidence both bounds are infinite.
func HodgesLehmannStrata(a, b [][]float64, conf float64) StratifiedRanks {
	method := "Hodges-Lehmann shift, exact rank-sum interval"
	if len(a) > 1 {
		method += " within strata"
	}
	t := StratifiedRanks{P: math.NaN()}
	n, pairs, why := strataSizes(a, b)
	if why = firstOf(why, badConfidence(conf)); why != "" {
		t.Estimate = refused(method, n, conf, "%s", why)
		return t
	}
	var d []float64
	for i := range a {
		d = append(d, differences(a[i], b[i])...)
	}
	d = sorted(d)
	t.Exact = pairs <= mostExactPairs
	t.Estimate = Estimate{Value: sortedQuantile(d, 0.5, 7), Lo: math.Inf(-1), Hi: math.Inf(1), Confidence: 1, N: n, Method: method}
	t.P = strataP(a, b, t.Exact)
	if !t.Exact {
		t.warn(Approximate, "the ranks of the bounds are normal approximations")
	}
	k, coverage := strataRank(a, b, conf, t.Exact)
	if k == 0 {
		t.warn(Unbounded, "%s are too few for an exact %g %% interval", plural(n, "value"), 100*conf)
		return t
	}
	t.Lo, t.Hi, t.Confidence = d[k-1], d[len(d)-k], coverage
	return t
}

// strataSizes counts values and pairs, and says why the strata cannot be
// compared, or nothing.
func strataSizes(a, b [][]float64) (n, pairs int, why string) {
	if len(a) != len(b) || len(a) == 0 {
		return 0, 0, "both groups must have the same strata, at least one"
	}
	for i := range a {
		why = firstOf(why, badInput(a[i]), badInput(b[i]))
		n += len(a[i]) + len(b[i])
		pairs += len(a[i]) * len(b[i])
	}
	if why == "" && pairs > mostPairs {
		why = "there are too many values for all pairs of them"
	}
	return n, pairs, why
}

// strataRank is the rank of the bounds among all differences within strata,
// from either end, and the confidence that they achieve; 0 where there is none.
func strataRank(a, b [][]float64, conf float64, exact bool) (k int, coverage float64) {
	if !exact {
		mean, variance := 0.0, 0.0
		for i := range a {
			m, n := float64(len(a[i])), float64(len(b[i]))
			mean, variance = mean+m*n/2, variance+m*n*(m+n+1)/12
		}
		sd := math.Sqrt(variance)
		k = max(0, int(math.Floor(mean+sd*normalQuantile((1-conf)/2))))
		return k, 1 - 2*normalCDF((float64(k)-0.5-mean)/sd)
	}
	p := []float64{1}
	for i := range a {
		p = convolved(p, untiedRankSum(len(a[i]), len(b[i])))
	}
	below := 0.0
	for k < len(p) && below+p[k] < (1-conf)/2*(1-fuzz) {
		below += p[k]
		k++
	}
	return k, 1 - 2*below
}

// strataP is the two-sided p-value of the sum of the Mann-Whitney counts: by
// the permutation distribution within strata, or the normal one.
func strataP(a, b [][]float64, exact bool) float64 {
	off, variance, p := 0.0, 0.0, []float64{1} // p is of doubled counts, which are whole
	half := 0
	for i := range a {
		all := append(append([]float64{}, a[i]...), b[i]...)
		ranks := Ranks(all)
		m, n := len(a[i]), len(b[i])
		u := rankSum(ranks[:m]) - float64(m*(m+1))/2
		off += u - float64(m*n)/2
		half += m * n
		if !exact {
			total := float64(m + n)
			if total > 1 {
				variance += float64(m*n) / 12 * (total + 1 - tieTerm(all)/(total*(total-1)))
			}
			continue
		}
		least := m * (m + 1)
		p = convolved(p, drawnSums(doubledRanks(ranks), m)[least:least+2*m*n+1])
	}
	if !exact {
		if variance == 0 {
			return 1
		}
		return normalTwoSided((off - sign(off)*math.Min(0.5, math.Abs(off))) / math.Sqrt(variance))
	}
	far, sum := int(math.Round(math.Abs(2*off))), 0.0
	for v, q := range p {
		if abs(v-half) >= far {
			sum += q
		}
	}
	return math.Min(1, sum)
}

// convolved is the distribution of the sum of two independent counts.
func convolved(p, q []float64) []float64 {
	if len(p) == 1 && p[0] == 1 {
		return q
	}
	out := make([]float64, len(p)+len(q)-1)
	for i, x := range p {
		for j, y := range q {
			out[i+j] += x * y
		}
	}
	return out
}
