package stat

import (
	"math"
	"slices"
)

// maxWalsh bounds the memory: n values have n(n+1)/2 Walsh averages.
const maxWalsh = 4000

// HodgesLehmann is the median of the Walsh averages of block differences,
// with the exact interval that belongs to the signed-rank test (Hodges &
// Lehmann, Ann. Math. Stat. 34, 1963). It needs no normality, only symmetry,
// and a few wild blocks do not move it far. Confidence is what the ranks
// achieve, at least conf. Where there are too few blocks for that (at 95 %
// below six) both bounds are infinite.
func HodgesLehmann(d []float64, conf float64) Estimate {
	const method = "Hodges-Lehmann over blocks, exact signed-rank interval"
	why := firstOf(badInput(d), badConfidence(conf))
	if why == "" && len(d) > maxWalsh {
		why = "there are too many blocks for all pairs of them"
	}
	if why != "" {
		return refused(method, len(d), conf, "%s", why)
	}
	w := walshAverages(d)
	e := Estimate{Value: sortedQuantile(w, 0.5, 7), Confidence: 1, N: len(d), Method: method}
	e.Lo, e.Hi = math.Inf(-1), math.Inf(1)
	if k := walshRank(len(d), conf); k > 0 {
		e.Lo, e.Hi, e.Confidence = w[k-1], w[len(w)-k], walshCoverage(len(d), k)
	} else {
		e.warn(Unbounded, "%s are too few for an exact %g %% interval", plural(len(d), "block"), 100*conf)
	}
	if len(d) > exactSignedRank {
		e.warn(Approximate, "the ranks of the bounds are normal approximations")
	}
	if len(d) >= fewBlocks && len(d) < 8 {
		e.warn(FewBlocks, "%d blocks are few: the exact interval is wide", len(d))
	}
	if len(d) > 1 && Constant(d) {
		e.warn(ConstantData, "all %d differences are equal", len(d))
	}
	return e
}

// HodgesLehmannRatio is HodgesLehmann of the logarithms of a[i]/b[i], as a
// ratio.
func HodgesLehmannRatio(a, b []float64, conf float64) Estimate {
	const method = "Hodges-Lehmann over blocks, log scale, exact signed-rank interval"
	d, why := LogRatios(a, b)
	if why != "" {
		return refused(method, len(a), conf, "%s", why)
	}
	e := HodgesLehmann(d, conf).through(math.Exp)
	e.Method = method
	return e
}

// walshAverages are the sorted averages of all pairs, each value with itself
// included.
func walshAverages(d []float64) []float64 {
	w := make([]float64, 0, len(d)*(len(d)+1)/2)
	for i, x := range d {
		for _, y := range d[i:] {
			w = append(w, x/2+y/2)
		}
	}
	slices.Sort(w)
	return w
}

// walshRank is the rank from either end at which the bounds of an interval of
// at least the confidence stand; 0 where there is none.
func walshRank(n int, conf float64) int {
	if n <= exactSignedRank {
		return signedRankQuantile((1-conf)/2, n)
	}
	mean, sd := signedRankMoments(n)
	return max(0, int(math.Floor(mean+sd*normalQuantile((1-conf)/2))))
}

// walshCoverage is the confidence of the interval between the k-th Walsh
// averages from either end.
func walshCoverage(n, k int) float64 {
	if n <= exactSignedRank {
		return 1 - 2*signedRankCDF(k-1, n)
	}
	mean, sd := signedRankMoments(n)
	return 1 - 2*normalCDF((float64(k)-0.5-mean)/sd)
}

// signedRankMoments are mean and standard deviation of the untied rank sum.
func signedRankMoments(n int) (mean, sd float64) {
	f := float64(n)
	return f * (f + 1) / 4, math.Sqrt(f * (f + 1) * (2*f + 1) / 24)
}
