package stat

import "math"

// KruskalWallisTest compares independent groups by ranks.
type KruskalWallisTest struct {
	H, DF    float64
	P        float64 // chi-squared approximation
	Epsilon2 float64 // share of the variance of ranks that groups explain, bias-corrected
	Warnings []Warning
	Refused  string
}

// KruskalWallis tests that no group tends to larger values (JASA 47, 1952),
// corrected for ties. Groups below five values make the p-value a rough
// approximation.
func KruskalWallis(groups [][]float64) KruskalWallisTest {
	nan := math.NaN()
	t := KruskalWallisTest{H: nan, DF: nan, P: nan, Epsilon2: nan}
	var all []float64
	smallest := math.MaxInt
	for _, g := range groups {
		all = append(all, g...)
		smallest = min(smallest, len(g))
	}
	t.Refused = badGroups(groups)
	if t.Refused == "" && tieTerm(all) == cube(len(all)) {
		t.Refused = "all values are equal"
	}
	if t.Refused != "" {
		return t
	}
	n := float64(len(all))
	t.H, t.DF = kruskalH(groups, Ranks(all)), float64(len(groups)-1)
	t.H /= 1 - tieTerm(all)/cube(len(all))
	t.P = chiSquaredUpper(t.H, t.DF)
	t.Epsilon2 = (t.H - t.DF) / (n - 1 - t.DF)
	if smallest < 5 {
		t.Warnings = append(t.Warnings, Warning{Approximate, "a group has fewer than five values: the chi-squared approximation is rough"})
	}
	return t
}

// cube is n³-n, the tie term of n equal values.
func cube(n int) float64 {
	f := float64(n)
	return f*f*f - f
}

// kruskalH is the statistic without the correction for ties; ranks are those
// of all values, group after group.
func kruskalH(groups [][]float64, ranks []float64) float64 {
	n := float64(len(ranks))
	sum, at := 0.0, 0
	for _, g := range groups {
		d := rankSum(ranks[at:at+len(g)])/float64(len(g)) - (n+1)/2
		sum += float64(len(g)) * d * d
		at += len(g)
	}
	return 12 / (n * (n + 1)) * sum
}
