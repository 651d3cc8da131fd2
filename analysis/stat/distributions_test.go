package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// R 4.2.2: qt(1e-10, 1e4), qt(1e-10, 5e4), qt(.975, 1e5), qt(1e-6, 3), qt(.6, 1.5)
func TestTQuantileInTailsAndForManyDegrees(t *testing.T) {
	for _, c := range []struct{ p, df, want float64 }{
		{1e-10, 1e4, -6.3679413514828}, {1e-10, 5e4, -6.36266005443733}, {0.975, 1e5, 1.95998770753461},
		{1e-6, 3, -103.299467780419}, {0.6, 1.5, 0.300745392569795},
	} {
		if got := TQuantile(c.p, c.df); !near(got, c.want, 1e-9) {
			t.Errorf("TQuantile(%v, %v) = %.15g, want %v", c.p, c.df, got, c.want)
		}
	}
}

func TestTQuantileInvertsTCDF(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := math.Exp(rapid.Float64Range(-20, -0.001).Draw(t, "log p"))
		df := math.Exp(rapid.Float64Range(0, 12).Draw(t, "log df"))
		if got := TCDF(TQuantile(p, df), df); math.Abs(got-p) > 1e-9*p {
			t.Fatalf("TCDF(TQuantile(%v, %v)) = %v", p, df, got)
		}
		if lo, hi := TQuantile(p/2, df), TQuantile(1-p/2, df); !near(lo, -hi, 1e-6) {
			t.Fatalf("quantiles %v and %v of df %v are no mirror images", lo, hi, df)
		}
	})
}

func TestDistributionsAtTheirEdges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"t quantile at 0", TQuantile(0, 3), -inf},
		{"t quantile at 1", TQuantile(1, 3), inf},
		{"t quantile at 1/2", TQuantile(0.5, 3), 0},
		{"t quantile beyond 1", TQuantile(1.5, 3), nan},
		{"t quantile of no degrees", TQuantile(0.9, 0), nan},
		{"t for infinite degrees", TCDF(1.96, inf), normalCDF(1.96)},
		{"t at infinity", TCDF(inf, 4), 1},
		{"F at zero", fUpper(0, 2, 3), 1},
		{"F at infinity", fUpper(inf, 2, 3), 0},
		{"F of nothing", fUpper(nan, 2, 3), nan},
		{"F of infinite degrees is chi-squared", fUpper(2, 3, inf), chiSquaredUpper(6, 3)},
		{"chi-squared at zero", chiSquaredUpper(0, 3), 1},
		{"studentized range at zero", StudentizedRangeUpper(0, 3, 9), 1},
		{"studentized range of one", StudentizedRangeUpper(2, 1, 9), nan},
		{"studentized range quantile of 1", StudentizedRangeQuantile(1, 3, 9), nan},
		{"normal quantile beyond 1", normalQuantile(1.1), nan},
	} {
		if !near(c.got, c.want, 1e-12) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

// The range of two values is √2 times their absolute t.
func TestStudentizedRangeOfTwoIsT(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := rapid.Float64Range(0.01, 12).Draw(t, "q")
		df := rapid.SampledFrom([]float64{1, 2, 3.5, 9, 60, 1000, math.Inf(1)}).Draw(t, "df")
		got, want := StudentizedRangeUpper(q, 2, df), tTwoSided(q/math.Sqrt2, df)
		if math.Abs(got-want) > 1e-8*want {
			t.Fatalf("q = %v, df = %v: %v, want %v", q, df, got, want)
		}
	})
}

func TestStudentizedRangeQuantileInverts(t *testing.T) {
	for _, df := range []float64{1, 4, 30, math.Inf(1)} {
		for _, p := range []float64{0.05, 0.5, 0.95, 0.999} {
			if got := StudentizedRangeUpper(StudentizedRangeQuantile(p, 5, df), 5, df); !near(got, 1-p, 1e-9) {
				t.Errorf("df = %v: the %v-quantile is exceeded with probability %v", df, p, got)
			}
		}
	}
}

func TestBinomialQuantileIsTheFirstToReach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		q := rapid.Float64Range(0.001, 0.999).Draw(t, "q")
		k := binomialQuantile(q, n, p)
		if binomialCDF(k, n, p) < q-1e-12 || k > 0 && binomialCDF(k-1, n, p) > q+1e-12 {
			t.Fatalf("binomialQuantile(%v, %d, %v) = %d", q, n, p, k)
		}
	})
}

func TestInversionsMatchAllPermutations(t *testing.T) {
	for n := 1; n <= 6; n++ {
		counts := map[int]float64{}
		total := 0.0
		for _, order := range rearrangements(timeOf(make([]float64, n))) {
			inverted := 0
			for i := range order {
				for j := range order[:i] {
					if order[j] > order[i] {
						inverted++
					}
				}
			}
			counts[inverted]++
			total++
		}
		for v, p := range inversions(n) {
			if !near(p, counts[v]/total, 1e-12) {
				t.Errorf("%d values have %d inversions with probability %v, want %v", n, v, p, counts[v]/total)
			}
		}
	}
}

func TestPowerPlansAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := TPower{SD: rapid.Float64Range(0.01, 3).Draw(t, "sd"), Alpha: 0.05, Samples: rapid.IntRange(1, 2).Draw(t, "samples")}
		delta := plan.SD * rapid.Float64Range(0.1, 3).Draw(t, "delta")
		power := rapid.Float64Range(0.3, 0.99).Draw(t, "power")
		n := plan.Size(delta, power)
		if got := plan.Power(n, delta); n > 2 && !near(got, power, 1e-6) {
			t.Fatalf("%+v: power at the size %v is %v, want %v", plan, n, got, power)
		}
		if got := plan.Delta(n, power); n > 2 && !near(got/delta, 1, 1e-5) {
			t.Fatalf("%+v: %v is found at %v, want %v", plan, n, got, delta)
		}
	})
}

func TestDetectableDifference(t *testing.T) {
	d := pilot.Delta(10, 0.8)
	if got := pilot.Power(10, d); !near(got, 0.8, 1e-9) {
		t.Errorf("power at %v is %v, want 0.8", d, got)
	}
}

func TestEquivalencePowerMatchesSimulation(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	g := rand.New(rand.NewPCG(8, 9))
	for _, c := range []struct {
		n            int
		theta, sd, m float64
	}{{5, 0, 0.02, 0.03}, {10, 0.01, 0.03, 0.03}, {20, -0.02, 0.03, 0.03}} {
		const draws = 4000
		proven := 0.0
		d := make([]float64, c.n)
		for range draws {
			for i := range d {
				d[i] = c.theta + c.sd*g.NormFloat64()
			}
			if e := meanInterval(d, 0.9); e.Lo > -c.m && e.Hi < c.m {
				proven++
			}
		}
		want := PowerTOST(c.n, c.theta, c.sd, -c.m, c.m, 0.05)
		if got := proven / draws; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/draws)+1e-3 {
			t.Errorf("%+v: proven in %.3f, computed %.3f", c, got, want)
		}
	}
}

func TestBlocksForHalfWidthIsTheFirstThatIsEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sd := rapid.Float64Range(0.001, 1).Draw(t, "sd")
		w := rapid.Float64Range(0.01, 1).Draw(t, "w")
		n := BlocksForHalfWidth(sd, w, 0.95)
		if n < 3 || tHalfWidth(sd*sd, n, 0.95) > w || n > 3 && tHalfWidth(sd*sd, n-1, 0.95) <= w {
			t.Fatalf("BlocksForHalfWidth(%v, %v) = %d", sd, w, n)
		}
	})
}

func TestBlocksToDecide(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name         string
		mean, lo, hi float64
		equivalence  bool
		want         int
	}{
		{"below a bound", -0.1, -inf, 0, false, 7},    // 2.447·0.1/√7 < 0.1
		{"above a bound", 0.1, -inf, 0, false, 7},     // refuted as soon
		{"amid a margin", 0, -0.1, 0.1, true, 5},      // 2.132·0.1/√5 < 0.1
		{"outside a margin", 0.2, -0.1, 0.1, true, 7}, // refuted by the 95 % interval
		{"on the bound", 0, -inf, 0, false, 0},
		{"no bound", 0, -inf, inf, false, 0},
		{"no number", math.NaN(), -inf, 0, false, 0},
		{"far from a wide margin", 0, -9, 9, true, 5},
	} {
		if got := BlocksToDecide(c.mean, 0.1, c.lo, c.hi, c.equivalence); got != c.want {
			t.Errorf("%s: %d blocks, want %d", c.name, got, c.want)
		}
	}
	if got := BlocksToDecide(1e-9, 1, 0, inf, false); got != 0 {
		t.Errorf("a hopeless claim wants %d blocks, want 0", got)
	}
}

func TestUpperSDExceedsThePilots(t *testing.T) {
	// R 4.2.2: 0.1*sqrt(9/qchisq(.2, 9))
	if got := UpperSD(0.1, 10, 0.8); !near(got, 0.1293385, 1e-7) {
		t.Errorf("UpperSD(0.1, 10, 0.8) = %v, want 0.1293385", got)
	}
}
