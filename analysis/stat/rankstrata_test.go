package stat

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestOneStratumIsTheShiftOfHodgesAndLehmann(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := few(t, "a", 2, 9), few(t, "b", 2, 9)
		got, want := HodgesLehmannStrata([][]float64{a}, [][]float64{b}, 0.95), HodgesLehmannShift(a, b, 0.95)
		if got.Value != want.Value || got.Lo != want.Lo || got.Hi != want.Hi || !near(got.Confidence, want.Confidence, 1e-12) {
			t.Fatalf("%v, %v: %+v, want %+v", a, b, got.Estimate, want)
		}
		p := 1.0
		if m := MannWhitney(a, b); m.Refused == "" {
			p = m.P
		}
		if !near(got.P, p, 1e-12) {
			t.Fatalf("%v, %v: p = %v, want %v", a, b, got.P, p)
		}
	})
}

// All ways to deal the values within each of two strata, counted one by one.
func TestStratifiedRanksMatchEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a, b [][]float64
		for range 2 {
			a = append(a, few(t, "a", 1, 3))
			b = append(b, few(t, "b", 1, 3))
		}
		first, second := dealtCounts(a[0], b[0]), dealtCounts(a[1], b[1])
		center := float64(len(a[0])*len(b[0])+len(a[1])*len(b[1])) / 2
		far := math.Abs(pairsAbove(a[0], b[0]) + pairsAbove(a[1], b[1]) - center)
		as, ways := 0.0, 0.0
		for _, u := range first {
			for _, v := range second {
				ways++
				if math.Abs(u+v-center) >= far-1e-9 {
					as++
				}
			}
		}
		if got := HodgesLehmannStrata(a, b, 0.95).P; !near(got, as/ways, 1e-9) {
			t.Fatalf("%v, %v: p = %v, want %v", a, b, got, as/ways)
		}
	})
}

// dealtCounts are the counts of pairs with a above b of all ways to deal the
// values of both groups anew.
func dealtCounts(a, b []float64) []float64 {
	all := slices.Concat(a, b)
	var counts []float64
	for mask := range 1 << len(all) {
		var x, y []float64
		for i, v := range all {
			if mask>>i&1 == 1 {
				x = append(x, v)
			} else {
				y = append(y, v)
			}
		}
		if len(x) == len(a) {
			counts = append(counts, pairsAbove(x, y))
		}
	}
	return counts
}

func pairsAbove(a, b []float64) float64 {
	n := 0.0
	for _, x := range a {
		for _, y := range b {
			n += (sign(x-y) + 1) / 2
		}
	}
	return n
}

// The levels of strata do not matter, a shift within them does.
func TestStratifiedShiftIsThatWithinStrata(t *testing.T) {
	a := [][]float64{{11, 12, 13, 14.5}, {111, 112.25, 113, 114}}
	b := [][]float64{{10, 11.1, 12, 13}, {110, 111, 112, 113.2}}
	e := HodgesLehmannStrata(a, b, 0.95)
	if !near(e.Value, 1, 0.1) || e.Lo >= e.Value || e.Hi <= e.Value || e.Confidence < 0.95 || !e.Exact || e.N != 16 {
		t.Errorf("%+v", e)
	}
	if e := HodgesLehmannStrata(a, b[:1], 0.95); e.Refused == "" {
		t.Errorf("strata of one group only: %+v", e)
	}
	if e := HodgesLehmannStrata([][]float64{{1, 2, 3}}, [][]float64{{4, 5, 6}}, 0.95); !math.IsInf(e.Lo, -1) || !math.IsInf(e.Hi, 1) || !near(e.P, 0.1, 1e-12) {
		t.Errorf("three and three: %+v, want no bounds and p = 0.1", e)
	}
}

// The normal approximation of many pairs is near the count of somewhat fewer.
func TestStratifiedApproximationIsNear(t *testing.T) {
	var a, b []float64
	for i := range 40 {
		a, b = append(a, float64(i*37%101)+7), append(b, float64(i*53%97))
	}
	exact := HodgesLehmannStrata([][]float64{a}, [][]float64{b}, 0.95)
	if p := strataP([][]float64{a}, [][]float64{b}, false); !exact.Exact || !near(p, exact.P, 0.01) {
		t.Errorf("p = %v, counted %v", p, exact.P)
	}
	k, _ := strataRank([][]float64{a}, [][]float64{b}, 0.95, true)
	if about, _ := strataRank([][]float64{a}, [][]float64{b}, 0.95, false); abs(k-about) > 6 {
		t.Errorf("rank %d, counted %d", about, k)
	}
}
