package stat

import (
	"math"
	"sort"
)

// exactSmirnov is the largest product of group sizes for an exact p-value.
const exactSmirnov = 1_000_000

// SmirnovTest compares the distributions of two independent groups.
type SmirnovTest struct {
	D       float64 // largest distance of the two distribution functions
	P       float64 // exact, given the ties; NaN above a million pairs of values
	PLarge  float64 // asymptotic
	Refused string
}

// KolmogorovSmirnov tests that two groups have one distribution (Smirnov
// 1939), exactly by counting lattice paths that respect the ties (Schröer &
// Trenkler, Comput. Stat. Data Anal. 20, 1995).
func KolmogorovSmirnov(a, b []float64) SmirnovTest {
	nan := math.NaN()
	t := SmirnovTest{D: nan, P: nan, PLarge: nan, Refused: firstOf(badInput(a), badInput(b))}
	if t.Refused != "" {
		return t
	}
	m, n := float64(len(a)), float64(len(b))
	t.D = smirnovDistance(a, b)
	t.PLarge = kolmogorovUpper(math.Sqrt(m*n/(m+n)) * t.D)
	if m*n <= exactSmirnov {
		t.P = smirnovUpper(t.D, a, b)
	}
	return t
}

// smirnovDistance is the largest distance of the distribution functions.
func smirnovDistance(a, b []float64) float64 {
	sa, sb := sorted(a), sorted(b)
	d := 0.0
	for _, x := range append(append([]float64{}, sa...), sb...) {
		fa := float64(sort.Search(len(sa), func(i int) bool { return sa[i] > x })) / float64(len(sa))
		fb := float64(sort.Search(len(sb), func(i int) bool { return sb[i] > x })) / float64(len(sb))
		d = math.Max(d, math.Abs(fa-fb))
	}
	return d
}

// smirnovUpper is P(D >= d): the probability that a random path from (0, 0)
// to (m, n) leaves the band at a point that is not inside a tie.
func smirnovUpper(d float64, a, b []float64) float64 {
	m, n := float64(len(a)), float64(len(b))
	d = (0.5 + math.Floor(d*m*n-1e-7)) / (m * n) // between two possible values
	all := sorted(append(append([]float64{}, a...), b...))
	outside := func(i, j int) bool {
		at := i + j
		tied := at > 0 && at < len(all) && all[at-1] == all[at]
		return !tied && math.Abs(float64(i)/m-float64(j)/n) >= d
	}
	left := make([]float64, len(b)+1) // probability that the path to (i, j) has been outside
	for i := 0; i <= len(a); i++ {
		for j := range left {
			switch {
			case outside(i, j):
				left[j] = 1
			case i == 0 && j > 0:
				left[j] = left[j-1]
			case j > 0:
				w := float64(i) / float64(i+j)
				left[j] = w*left[j] + (1-w)*left[j-1]
			}
		}
	}
	return left[len(b)]
}

// kolmogorovUpper is the tail of Kolmogorov's limiting distribution, by the
// series that converges fast on either side of one.
func kolmogorovUpper(x float64) float64 {
	if x <= 0 {
		return 1
	}
	sum := 0.0
	if x < 1 {
		for k := 1.0; k < 20; k++ {
			odd := 2*k - 1
			sum += math.Exp(-odd * odd * math.Pi * math.Pi / (8 * x * x))
		}
		return 1 - math.Sqrt(2*math.Pi)/x*sum
	}
	for k := 1.0; k < 20; k++ {
		sum += 2 * (1 - 2*math.Mod(k-1, 2)) * math.Exp(-2*k*k*x*x)
	}
	return sum
}
