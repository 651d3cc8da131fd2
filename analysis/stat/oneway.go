package stat

import "math"

// OneWayTest is the analysis of variance of independent groups.
type OneWayTest struct {
	SSBetween, SSWithin float64
	DFBetween, DFWithin float64
	MSBetween, MSWithin float64
	F, P                float64
	R2, ResidualSD      float64
	// Welch's test does not suppose equal variances (Biometrika 38, 1951);
	// NaN where a group has no spread.
	WelchF, WelchDF1, WelchDF2, WelchP float64
	Refused                            string
}

// OneWay compares the means of independent groups. A constant is taken off
// all values before squares are formed, which keeps the digits of data with a
// large offset. It refuses fewer than two groups, empty groups, and groups of
// one value throughout.
func OneWay(groups [][]float64) OneWayTest {
	nan := math.NaN()
	t := OneWayTest{SSBetween: nan, SSWithin: nan, DFBetween: nan, DFWithin: nan, MSBetween: nan, MSWithin: nan,
		F: nan, P: nan, R2: nan, ResidualSD: nan, WelchF: nan, WelchDF1: nan, WelchDF2: nan, WelchP: nan}
	if t.Refused = badGroups(groups); t.Refused != "" {
		return t
	}
	t.fill(groups)
	if t.MSWithin > 0 {
		t.F = t.MSBetween / t.MSWithin
		t.P = fUpper(t.F, t.DFBetween, t.DFWithin)
	}
	t.welch(groups)
	return t
}

// badGroups says why groups cannot be compared, or nothing.
func badGroups(groups [][]float64) string {
	if len(groups) < 2 {
		return "there must be at least two groups"
	}
	total := 0
	for _, g := range groups {
		if why := badInput(g); why != "" {
			return why
		}
		total += len(g)
	}
	if total <= len(groups) {
		return "each group has one value only"
	}
	return ""
}

func (t *OneWayTest) fill(groups [][]float64) {
	offset := groups[0][0]
	var all []float64
	t.SSWithin = 0
	for _, g := range groups {
		all = append(all, shifted(g, offset)...)
		t.SSWithin += sumSquares(g)
	}
	grand := average(all)
	t.SSBetween = 0
	for _, g := range groups {
		d := average(shifted(g, offset)) - grand
		t.SSBetween += float64(len(g)) * d * d
	}
	t.DFBetween, t.DFWithin = float64(len(groups)-1), float64(len(all)-len(groups))
	t.MSBetween, t.MSWithin = t.SSBetween/t.DFBetween, t.SSWithin/t.DFWithin
	t.R2 = t.SSBetween / (t.SSBetween + t.SSWithin)
	t.ResidualSD = math.Sqrt(t.MSWithin)
}

// welch fills Welch's test: group means weighted by n/variance.
func (t *OneWayTest) welch(groups [][]float64) {
	k := float64(len(groups))
	var weights, means []float64
	total, center := 0.0, 0.0
	for _, g := range groups {
		m, v := meanVariance(g)
		if !(v > 0) {
			return
		}
		w := float64(len(g)) / v
		weights, means = append(weights, w), append(means, m)
		total += w
		center += w * m
	}
	center /= total
	between, lambda := 0.0, 0.0
	for i, w := range weights {
		between += w * (means[i] - center) * (means[i] - center)
		lambda += (1 - w/total) * (1 - w/total) / float64(len(groups[i])-1)
	}
	t.WelchDF1, t.WelchDF2 = k-1, (k*k-1)/(3*lambda)
	t.WelchF = between / (k - 1) / (1 + 2*(k-2)/(k*k-1)*lambda)
	t.WelchP = fUpper(t.WelchF, t.WelchDF1, t.WelchDF2)
}
