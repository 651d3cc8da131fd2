package stat

import "math"

// VarianceTests compare the spread of independent groups. They describe, and
// never decide which test comes next.
type VarianceTests struct {
	BrownForsythe, BrownForsytheP float64 // F of the distances from group medians
	Bartlett, BartlettP           float64 // for normal data
	Fligner, FlignerP             float64 // by normal scores of ranks
	Refused                       string
}

// Variances tests equality of spread by the methods of Brown & Forsythe (JASA
// 69, 1974), Bartlett (Proc. R. Soc. A 160, 1937) and Fligner & Killeen (JASA
// 71, 1976, with medians). Bartlett's is NaN where a group has no spread.
func Variances(groups [][]float64) VarianceTests {
	nan := math.NaN()
	t := VarianceTests{nan, nan, nan, nan, nan, nan, badGroups(groups)}
	if t.Refused != "" {
		return t
	}
	distances := make([][]float64, len(groups))
	for i, g := range groups {
		distances[i] = magnitudes(shifted(g, median(g)))
	}
	f := OneWay(distances)
	t.BrownForsythe, t.BrownForsytheP = f.F, f.P
	df := float64(len(groups) - 1)
	t.Bartlett = bartlett(groups)
	t.BartlettP = chiSquaredUpper(t.Bartlett, df)
	t.Fligner = fligner(distances)
	t.FlignerP = chiSquaredUpper(t.Fligner, df)
	return t
}

func bartlett(groups [][]float64) float64 {
	within, dfs, logSum, inverse := 0.0, 0.0, 0.0, 0.0
	for _, g := range groups {
		_, v := meanVariance(g)
		if !(v > 0) {
			return math.NaN()
		}
		df := float64(len(g) - 1)
		within += v * df
		dfs += df
		logSum += df * math.Log(v)
		inverse += 1 / df
	}
	k := float64(len(groups))
	return (dfs*math.Log(within/dfs) - logSum) / (1 + (inverse-1/dfs)/(3*(k-1)))
}

// fligner is the statistic from the distances to the group medians.
func fligner(distances [][]float64) float64 {
	var all []float64
	for _, d := range distances {
		all = append(all, d...)
	}
	scores := Ranks(all)
	for i, r := range scores {
		scores[i] = normalQuantile((1 + r/float64(len(all)+1)) / 2)
	}
	center, variance := meanVariance(scores)
	if !(variance > 0) {
		return math.NaN()
	}
	sum, at := 0.0, 0
	for _, d := range distances {
		m := average(scores[at:at+len(d)]) - center
		sum += float64(len(d)) * m * m
		at += len(d)
	}
	return sum / variance
}
