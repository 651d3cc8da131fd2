package stat

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// few draws from few distinct values, so that ties happen.
func few(t *rapid.T, label string, least, most int) []float64 {
	value := rapid.Map(rapid.IntRange(0, 4), func(i int) float64 { return float64(i) })
	return rapid.SliceOfN(value, least, most).Draw(t, label)
}

// differencesOf draws block differences: few distinct values, both signs.
func differencesOf(t *rapid.T, least, most int) []float64 {
	value := rapid.Map(rapid.IntRange(-3, 3), func(i int) float64 { return float64(i) })
	return rapid.SliceOfN(value, least, most).Draw(t, "d")
}

// near tells whether two numbers agree to a relative or absolute tolerance,
// or are both undefined, or both the same infinity.
func near(a, b, tolerance float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.IsNaN(a) && math.IsNaN(b)
	}
	return a == b || math.Abs(a-b) <= tolerance*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

func TestRanksAreMidRanks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := few(t, "xs", 1, 12)
		for i, r := range Ranks(xs) {
			below, equal := 0, 0
			for _, x := range xs {
				if x < xs[i] {
					below++
				} else if x == xs[i] {
					equal++
				}
			}
			if want := float64(below) + float64(equal+1)/2; r != want {
				t.Fatalf("Ranks(%v)[%d] = %v, want %v", xs, i, r, want)
			}
		}
	})
}

// bruteRankSum counts all ways to deal the pooled mid-ranks.
func bruteRankSum(a, b []float64) (two, less, greater float64) {
	all := append(append([]float64{}, a...), b...)
	ranks := Ranks(all)
	observed := rankSum(ranks[:len(a)])
	mean := float64(len(a)) * float64(len(all)+1) / 2
	n := 0.0
	for mask := range 1 << len(all) {
		chosen, sum := 0, 0.0
		for i := range all {
			if mask>>i&1 == 1 {
				chosen++
				sum += ranks[i]
			}
		}
		if chosen != len(a) {
			continue
		}
		n++
		if sum <= observed {
			less++
		}
		if sum >= observed {
			greater++
		}
		if math.Abs(sum-mean) >= math.Abs(observed-mean) {
			two++
		}
	}
	return two / n, less / n, greater / n
}

func TestMannWhitneyMatchesEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := few(t, "a", 1, 6), few(t, "b", 1, 6)
		got := MannWhitney(a, b)
		if Constant(append(append([]float64{}, a...), b...)) {
			if got.Refused == "" || !math.IsNaN(got.P) {
				t.Fatalf("MannWhitney(%v, %v) = %+v, must refuse equal values", a, b, got)
			}
			return
		}
		two, less, greater := bruteRankSum(a, b)
		if !near(got.P, two, 1e-12) || !near(got.PLess, less, 1e-12) || !near(got.PGreater, greater, 1e-12) {
			t.Fatalf("MannWhitney(%v, %v) has p %v, %v, %v, want %v, %v, %v", a, b, got.P, got.PLess, got.PGreater, two, less, greater)
		}
		if other := MannWhitney(b, a); !near(other.P, got.P, 1e-12) || !near(other.PLess, got.PGreater, 1e-12) {
			t.Fatalf("MannWhitney changes with the order of the groups: %+v and %+v", got, other)
		}
	})
}

// One side constant but for one value, the other constant: nothing is dropped.
func TestMannWhitneyOfNearlyConstantGroups(t *testing.T) {
	got := MannWhitney([]float64{212, 211, 212, 212, 212}, []float64{140.5, 140.5, 140.5, 140.5, 140.5})
	if want := 2.0 / 252; !near(got.P, want, 1e-12) || !got.Exact {
		t.Errorf("p = %v (exact %v), want %v", got.P, got.Exact, want)
	}
}

func TestMannWhitneyIsNormalForLargeGroups(t *testing.T) {
	a, b := make([]float64, 60), make([]float64, 60)
	for i := range a {
		a[i], b[i] = float64(i), float64(i)+7.5
	}
	got := MannWhitney(a, b)
	if got.Exact || got.P != got.PNormalCorrected || len(got.Warnings) == 0 {
		t.Errorf("60 and 60 values: %+v, want the normal approximation and a warning", got)
	}
}

// bruteSignedRank counts all signs of the ranks of the non-zero differences.
func bruteSignedRank(ranks, d []float64) (two, less, greater float64) {
	var used []float64
	observed, total := 0.0, 0.0
	for i, r := range ranks {
		if d[i] == 0 {
			continue
		}
		used = append(used, r)
		total += r
		if d[i] > 0 {
			observed += r
		}
	}
	for mask := range 1 << len(used) {
		sum := 0.0
		for i, r := range used {
			if mask>>i&1 == 1 {
				sum += r
			}
		}
		if sum <= observed {
			less++
		}
		if sum >= observed {
			greater++
		}
		if math.Abs(sum-total/2) >= math.Abs(observed-total/2) {
			two++
		}
	}
	n := float64(int(1) << len(used))
	return two / n, less / n, greater / n
}

func TestSignedRankMatchesEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := differencesOf(t, 1, 10)
		got := SignedRank(d, 0)
		two, less, greater := bruteSignedRank(Ranks(magnitudes(d)), d)
		if !near(got.P, two, 1e-12) || !near(got.PLess, less, 1e-12) || !near(got.PGreater, greater, 1e-12) {
			t.Fatalf("SignedRank(%v) has p %v, %v, %v, want %v, %v, %v", d, got.P, got.PLess, got.PGreater, two, less, greater)
		}
		kept := nonZero(d)
		if two, _, _ = bruteSignedRank(Ranks(magnitudes(kept)), kept); !near(got.PDropped, two, 1e-12) {
			t.Fatalf("SignedRank(%v).PDropped = %v, want %v", d, got.PDropped, two)
		}
	})
}

func TestSignedRankOfMuIsThatOfTheShiftedDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := differencesOf(t, 1, 10)
		mu := float64(rapid.IntRange(-2, 2).Draw(t, "mu"))
		a, b := SignedRank(d, mu), SignedRank(shifted(d, mu), 0)
		if a.P != b.P || a.V != b.V {
			t.Fatalf("SignedRank(%v, %v) = %+v, shifted %+v", d, mu, a, b)
		}
	})
}

// The interval holds just the shifts that the exact test does not reject.
func TestHodgesLehmannInvertsTheSignedRankTest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(6, 9).Draw(t, "n")
		d := make([]float64, n)
		for i := range d { // irrational steps: no ties among Walsh averages
			d[i] = rapid.Float64Range(-1, 1).Draw(t, "x") + math.Sqrt(float64(i+2))*1e-3
		}
		e := HodgesLehmann(d, 0.95)
		if e.Confidence < 0.95 || e.Lo > e.Value || e.Value > e.Hi {
			t.Fatalf("HodgesLehmann(%v) = %+v", d, e)
		}
		const beside = 1e-7
		for _, c := range []struct {
			mu     float64
			inside bool
		}{{e.Lo + beside, true}, {e.Hi - beside, true}, {e.Lo - beside, false}, {e.Hi + beside, false}} {
			if p := SignedRank(d, c.mu).P; (p > 1-e.Confidence+1e-9) != c.inside {
				t.Fatalf("mu = %v of %v: p = %v, interval [%v, %v] at %v", c.mu, d, p, e.Lo, e.Hi, e.Confidence)
			}
		}
	})
}

func TestHodgesLehmannHasNoIntervalBelowSixBlocks(t *testing.T) {
	e := HodgesLehmann([]float64{1, 2, 3, 4, 5}, 0.95)
	if !math.IsInf(e.Lo, -1) || !math.IsInf(e.Hi, 1) || e.Confidence != 1 || e.Value != 3 {
		t.Errorf("five blocks: %+v, want 3 without bounds", e)
	}
	if e := HodgesLehmann([]float64{1, 2, 3, 4, 5, 6}, 0.95); e.Lo != 1 || e.Hi != 6 || !near(e.Confidence, 0.96875, 1e-12) {
		t.Errorf("six blocks: %+v, want [1, 6] at 96.875 %%", e)
	}
}

func TestHodgesLehmannRatioIsTheExponentialOfLogs(t *testing.T) {
	a, b := []float64{1.1, 2.3, 3.2, 4.4, 5.9, 6.1}, []float64{1, 2, 3, 4, 5, 6}
	d, _ := LogRatios(a, b)
	got, want := HodgesLehmannRatio(a, b, 0.95), HodgesLehmann(d, 0.95)
	if !near(got.Value, math.Exp(want.Value), 1e-15) || !near(got.Hi, math.Exp(want.Hi), 1e-15) {
		t.Errorf("%+v is not the exponential of %+v", got, want)
	}
}

func TestHodgesLehmannShiftMatchesBruteForceRanks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := few(t, "a", 1, 7), few(t, "b", 1, 7)
		e := HodgesLehmannShift(a, b, 0.9)
		if e.Value != median(differences(a, b)) {
			t.Fatalf("shift of %v and %v = %v", a, b, e.Value)
		}
		if e.Confidence < 0.9-1e-12 || e.Lo > e.Value || e.Hi < e.Value {
			t.Fatalf("shift of %v and %v: %+v", a, b, e)
		}
		if swapped := HodgesLehmannShift(b, a, 0.9); swapped.Value != -e.Value || swapped.Lo != -e.Hi {
			t.Fatalf("shift of %v and %v is no mirror image: %+v and %+v", a, b, e, swapped)
		}
	})
}

// R 4.2: pwilcox(0:6, 2, 3), psignrank(0:6, 3)
func TestUntiedRankDistributions(t *testing.T) {
	for u, want := range []float64{0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1} {
		if got := rankSumCDF(u, 2, 3); !near(got, want, 1e-12) {
			t.Errorf("rankSumCDF(%d, 2, 3) = %v, want %v", u, got, want)
		}
	}
	for v, want := range []float64{0.125, 0.25, 0.375, 0.625, 0.75, 0.875, 1} {
		if got := signedRankCDF(v, 3); !near(got, want, 1e-12) {
			t.Errorf("signedRankCDF(%d, 3) = %v, want %v", v, got, want)
		}
	}
}

func TestFriedmanExactMatchesTheLeastPossible(t *testing.T) {
	// Four blocks in one order: 3! of (3!)^4 arrangements are as extreme.
	rows := [][]float64{{1, 2, 3}, {2, 3, 4}, {1, 5, 9}, {0, 1, 2}}
	if p, why := FriedmanExact(rows); why != "" || !near(p, 6.0/1296, 1e-12) {
		t.Errorf("p = %v (%s), want %v", p, why, 6.0/1296)
	}
	if p, _ := FriedmanExact([][]float64{{1, 1}, {2, 2}}); p != 1 {
		t.Errorf("equal values: p = %v, want 1", p)
	}
}

func TestFriedmanIgnoresIncreasingTransformationsWithinBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := make([][]float64, rapid.IntRange(5, 8).Draw(t, "blocks"))
		changed := make([][]float64, len(rows))
		for b := range rows {
			rows[b] = few(t, "row", 3, 3)
			factor := rapid.Float64Range(0.5, 3).Draw(t, "factor")
			for _, x := range rows[b] {
				changed[b] = append(changed[b], math.Exp(x*factor)+float64(b))
			}
		}
		a, b := Friedman(rows), Friedman(changed)
		if (a.Refused != "") != (b.Refused != "") || !near(a.P, b.P, 1e-12) || !near(a.Q, b.Q, 1e-12) {
			t.Fatalf("%+v and %+v differ", a, b)
		}
	})
}

// Rounding once put Q above its largest possible value, and p at 1.
func TestFriedmanOfBlocksThatAgree(t *testing.T) {
	for k := 2; k <= 9; k++ {
		var row []float64
		for j := range k {
			row = append(row, float64(j))
		}
		for b := 5; b <= 40; b++ {
			var rows [][]float64
			for range b {
				rows = append(rows, row)
			}
			if f := Friedman(rows); f.P != 0 || !near(f.W, 1, 1e-12) {
				t.Fatalf("%d blocks of %d in one order: p = %v, W = %v", b, k, f.P, f.W)
			}
		}
	}
}
