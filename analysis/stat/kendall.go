package stat

import "math"

// exactKendall is the longest series for which the null distribution of S is
// counted.
const exactKendall = 50

// TrendTest is Mann's test that a series has no monotone trend.
type TrendTest struct {
	S, VarS float64 // rising less falling pairs; its variance under ties
	Z, P    float64 // normal, with continuity correction
	PExact  float64 // NaN with ties or above 50 values
	TauB    float64 // Kendall's rank correlation with time
	Refused string
}

// MannKendall tests a series in order of time for a monotone trend (Mann,
// Econometrica 13, 1945; Kendall, Rank Correlation Methods, 1975). It refuses
// fewer than ten values.
func MannKendall(xs []float64) TrendTest {
	t := undefinedTrend()
	t.Refused = firstOf(badInput(xs), atLeast(len(xs), 10, "value"), constantSeries(xs))
	if t.Refused == "" {
		t.fill(timeOf(xs), xs)
	}
	return t
}

// Kendall tests that x and y are unrelated by the signs of all pairs.
func Kendall(x, y []float64) TrendTest {
	t := undefinedTrend()
	t.Refused = firstOf(badInput(x), badInput(y), constantSeries(x), constantSeries(y))
	if t.Refused == "" && len(x) != len(y) {
		t.Refused = "x and y differ in number"
	}
	if t.Refused == "" {
		t.fill(x, y)
	}
	return t
}

func undefinedTrend() TrendTest {
	nan := math.NaN()
	return TrendTest{S: nan, VarS: nan, Z: nan, P: nan, PExact: nan, TauB: nan}
}

// timeOf is 1, 2, ..., n.
func timeOf(xs []float64) []float64 {
	t := make([]float64, len(xs))
	for i := range t {
		t[i] = float64(i + 1)
	}
	return t
}

func (t *TrendTest) fill(x, y []float64) {
	t.S = 0
	for i := range x {
		for j := range x[:i] {
			t.S += sign(x[i]-x[j]) * sign(y[i]-y[j])
		}
	}
	n := float64(len(x))
	pairs := n * (n - 1) / 2
	t.VarS = kendallVariance(x, y)
	if t.VarS > 0 {
		t.Z = (t.S - sign(t.S)) / math.Sqrt(t.VarS)
		t.P = normalTwoSided(t.Z)
	}
	tiesX, tiesY := tiedPairs(x), tiedPairs(y)
	t.TauB = t.S / math.Sqrt(pairs-tiesX) / math.Sqrt(pairs-tiesY)
	if tiesX+tiesY == 0 && len(x) <= exactKendall {
		t.PExact = kendallP(int(t.S), len(x))
	}
}

// tiedPairs is the number of pairs of equal values.
func tiedPairs(xs []float64) float64 {
	s := sorted(xs)
	pairs, run := 0.0, 0.0
	for i := 1; i < len(s); i++ {
		run++
		if s[i] != s[i-1] {
			run = 0
		}
		pairs += run
	}
	return pairs
}

// kendallVariance is the variance of S given the ties of x and y (Kendall
// 1975, 4.4); without ties in x it is [n(n-1)(2n+5) - Σt(t-1)(2t+5)]/18.
func kendallVariance(x, y []float64) float64 {
	n := float64(len(x))
	v := n * (n - 1) * (2*n + 5)
	x0, x1, x2 := tieMoments(x)
	y0, y1, y2 := tieMoments(y)
	return (v-x0-y0)/18 + x1*y1/(2*n*(n-1)) + x2*y2/(9*n*(n-1)*math.Max(n-2, 1))
}

// tieMoments are Σt(t-1)(2t+5), Σt(t-1) and Σt(t-1)(t-2) over groups of t
// equal values.
func tieMoments(xs []float64) (a, b, c float64) {
	s := sorted(xs)
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] == s[i] {
			j++
		}
		t := float64(j - i)
		a += t * (t - 1) * (2*t + 5)
		b += t * (t - 1)
		c += t * (t - 1) * (t - 2)
		i = j
	}
	return a, b, c
}

// kendallP is the exact two-sided p-value of S for n untied values: twice the
// smaller tail, at most one.
func kendallP(s, n int) float64 {
	p := inversions(n)
	discordant := (n*(n-1)/2 - s) / 2
	lower, upper := 0.0, 0.0
	for v, q := range p {
		if v <= discordant {
			lower += q
		}
		if v >= discordant {
			upper += q
		}
	}
	return math.Min(1, 2*math.Min(lower, upper))
}

// inversions is the distribution of the number of inversions of a random
// permutation of n: the i-th value adds 0 to i-1 of them, uniformly.
func inversions(n int) []float64 {
	p := []float64{1}
	for i := 2; i <= n; i++ {
		next := make([]float64, len(p)+i-1)
		for v, q := range p {
			for add := range i {
				next[v+add] += q / float64(i)
			}
		}
		p = next
	}
	return p
}
