package stat

import (
	"math"
	"slices"
)

// fewDip is the sample size below which the dip test has little power.
const fewDip = 50

// DipTest is the outcome of Hartigan's test that a distribution has one mode.
type DipTest struct {
	N        int
	D        float64 // the least distance of the distribution function from a unimodal one
	P        float64 // interpolated in a table of simulated quantiles
	Warnings []Warning
	Refused  string
}

// Dip is Hartigan's dip statistic and its p-value against the uniform
// distribution (Hartigan & Hartigan, Ann. Stat. 13, 1985; algorithm of
// Hartigan, Appl. Stat. 34, 1985). Equal values, as a coarse clock makes
// them, raise the dip.
func Dip(xs []float64) DipTest {
	t := DipTest{N: len(xs), D: math.NaN(), P: math.NaN()}
	if t.Refused = badInput(xs); t.Refused != "" {
		return t
	}
	s := sorted(xs)
	t.D = dipOf(s) / float64(2*len(s))
	t.P = dipP(t.D, len(s))
	if len(s) < fewDip {
		t.Warnings = append(t.Warnings, Warning{FewBlocks, plural(len(s), "value") + " are few to see modes in"})
	}
	return t
}

// dipOf is the dip of sorted values, in units of 1/(2n). It narrows the modal
// interval: within it the greatest convex minorant and the least concave
// majorant of the distribution function are compared, and where they are
// furthest apart is the next interval. Left of it the function must be close
// to its minorant, right of it to its majorant.
func dipOf(x []float64) float64 {
	dip := 1.0
	before, after := convexKnots(x), concaveKnots(x)
	low, high := 0, len(x)-1
	for low < high {
		minorant, majorant := chainDown(before, low, high), chainUp(after, low, high)
		left, right, gap := widestGap(x, minorant, majorant)
		if gap < dip {
			break
		}
		dip = math.Max(dip, math.Max(
			excess(x, minorant, low, left, 1), excess(x, majorant, right, high, -1)))
		if low == left && high == right {
			break
		}
		low, high = left, right
	}
	return dip
}

// convexKnots gives, for each index, the knot before it on the greatest
// convex minorant of the points up to it.
func convexKnots(x []float64) []int {
	knot := make([]int, len(x))
	for j := 1; j < len(x); j++ {
		k := j - 1
		for k > 0 && !((x[j]-x[k])*float64(k-knot[k]) < (x[k]-x[knot[k]])*float64(j-k)) {
			k = knot[k]
		}
		knot[j] = k
	}
	return knot
}

// concaveKnots gives, for each index, the knot after it on the least concave
// majorant of the points from it on.
func concaveKnots(x []float64) []int {
	last := len(x) - 1
	knot := make([]int, len(x))
	knot[last] = last
	for j := last - 1; j >= 0; j-- {
		k := j + 1
		for k < last && !((x[k]-x[j])*float64(knot[k]-k) < (x[knot[k]]-x[k])*float64(k-j)) {
			k = knot[k]
		}
		knot[j] = k
	}
	return knot
}

// chainDown are the knots from low to high, found from high downwards.
func chainDown(before []int, low, high int) []int {
	chain := []int{high}
	for k := high; k > low; {
		k = before[k]
		chain = append(chain, k)
	}
	slices.Reverse(chain)
	return chain
}

// chainUp are the knots from low to high.
func chainUp(after []int, low, high int) []int {
	chain := []int{low}
	for k := low; k < high; {
		k = after[k]
		chain = append(chain, k)
	}
	return chain
}

// widestGap finds where the majorant is furthest above the minorant, in
// units of 1/n: at a knot of one of them. left is the knot of the minorant at
// or before that place, right the knot of the majorant at or after it.
func widestGap(x []float64, minorant, majorant []int) (left, right int, gap float64) {
	left, right = minorant[0], majorant[len(majorant)-1]
	if len(minorant) == 2 && len(majorant) == 2 {
		return left, right, 1
	}
	i, j := 1, 1 // the next knots of minorant and majorant
	for minorant[i] != majorant[j] {
		if a, b := minorant[i], majorant[j]; a > b {
			from := minorant[i-1]
			d := float64(b-from+1) - rise(x, from, a, b)
			if d >= gap {
				left, right, gap = from, b, d
			}
			j = min(j+1, len(majorant)-1)
		} else {
			from := majorant[j-1]
			d := rise(x, from, b, a) - float64(a-from-1)
			if d >= gap {
				left, right, gap = a, b, d
			}
			i = min(i+1, len(minorant)-1)
		}
	}
	return left, right, gap
}

// rise is how far the chord from index a to b has risen at x[at].
func rise(x []float64, a, b, at int) float64 {
	if x[a] == x[b] {
		return 0
	}
	return (x[at] - x[a]) * float64(b-a) / (x[b] - x[a])
}

// excess is the largest distance of the distribution function from the chords
// of a chain between two of its knots, above them for side 1 and below for
// -1, in units of 1/n and at least 1.
func excess(x []float64, chain []int, from, to int, side float64) float64 {
	worst := 0.0
	for i := range chain[1:] {
		a, b := chain[i], chain[i+1]
		if a < from || b > to {
			continue
		}
		worst = math.Max(worst, 1)
		for k := a; k <= b && b-a > 1 && x[a] != x[b]; k++ {
			worst = math.Max(worst, side*(float64(k-a)-rise(x, a, b, k))+1)
		}
	}
	return worst
}

// dipP interpolates √n·D between the sizes and the probabilities of the
// table; beyond its largest size the last row stands for all.
func dipP(d float64, n int) float64 {
	if n < 4 {
		return 1
	}
	x := math.Sqrt(float64(n)) * d
	at, _ := slices.BinarySearch(dipSizes, float64(n)+0.5)
	lower := at - 1
	upper, weight := lower, 0.0
	if at < len(dipSizes) {
		upper = at
		weight = (float64(n) - dipSizes[lower]) / (dipSizes[upper] - dipSizes[lower])
	}
	row := make([]float64, len(dipLevels))
	for i := range row {
		a := math.Sqrt(dipSizes[lower]) * dipQuantiles[lower][i]
		row[i] = a + weight*(math.Sqrt(dipSizes[upper])*dipQuantiles[upper][i]-a)
	}
	return 1 - interpolate(row, dipLevels, x)
}

// interpolate is linear between the points (x, y), x ascending, and constant
// beyond them; equal x give the mean of their y.
func interpolate(x, y []float64, at float64) float64 {
	last := len(x) - 1
	switch {
	case at < x[0]:
		return y[0]
	case at > x[last]:
		return y[last]
	}
	i, found := slices.BinarySearch(x, at)
	if found {
		sum, n := 0.0, 0.0
		for ; i <= last && x[i] == at; i++ {
			sum, n = sum+y[i], n+1
		}
		return sum / n
	}
	return y[i-1] + (y[i]-y[i-1])*(at-x[i-1])/(x[i]-x[i-1])
}
