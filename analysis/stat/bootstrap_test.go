package stat

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestAllResamplesHaveTheKnownMoments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := few(t, "xs", 1, 5)
		all, why := AllIndices(len(xs))
		if why != "" || float64(len(all)) != math.Pow(float64(len(xs)), float64(len(xs))) {
			t.Fatalf("%d values have %d resamples (%s)", len(xs), len(all), why)
		}
		means := replicate(func(i []int) float64 { return average(pick(xs, i)) }, all)
		n := float64(len(xs))
		variance := sumSquares(means) / float64(len(means))
		if !near(average(means), average(xs), 1e-12) || !near(variance, sumSquares(xs)/n/n, 1e-12) {
			t.Fatalf("means of resamples of %v have mean %v and variance %v", xs, average(means), variance)
		}
	})
}

func TestAllResamplesOfManyAreRefused(t *testing.T) {
	for _, n := range []int{0, 7} {
		if all, why := AllIndices(n); all != nil || why == "" {
			t.Errorf("%d units: %d resamples, must refuse", n, len(all))
		}
	}
}

// The variance of hierarchical resamples is the variance of the trials' means
// over their number plus that within trials over the number of all values.
func TestHierarchicalResamplesHaveTheKnownVariance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trials := Nested{few(t, "a", 2, 2), few(t, "b", 2, 2), few(t, "c", 2, 2)}
		values, why := AllHierarchical(trials, MeanOfMeans)
		if why != "" {
			t.Fatal(why)
		}
		var means []float64
		within := 0.0
		for _, v := range trials {
			means = append(means, average(v))
			within += sumSquares(v) / 2 / 3
		}
		got := sumSquares(values) / float64(len(values))
		if want := sumSquares(means)/3/3 + within/6; !near(got, want, 1e-9) {
			t.Fatalf("variance of resamples of %v = %v, want %v", trials, got, want)
		}
	})
}

func twenty() []float64 {
	var xs []float64
	for i := range 20 {
		xs = append(xs, 10+math.Sin(float64(3*i))+0.1*float64(i%7))
	}
	return xs
}

// The same resamples, numbers and order whatever the number of processors.
func TestBootstrapIsTheSameOnAnyNumberOfProcessors(t *testing.T) {
	xs := twenty()
	mean := func(i []int) float64 { return average(pick(xs, i)) }
	trials := Nested{}
	for i := range 12 {
		trials = append(trials, xs[i:i+5])
	}
	run := func(processors int) (Bootstrap, Estimate) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		return BootstrapCI(len(xs), mean, RandomIndices(len(xs), 999, Seed("x")), 0.95),
			HierarchicalBootstrap(trials, MeanOfMeans, 999, Seed("x"), 0.95)
	}
	a, ha := run(1)
	b, hb := run(4)
	if !slices.Equal(a.Replicates, b.Replicates) || a.BCa.Lo != b.BCa.Lo || ha.Lo != hb.Lo || ha.Hi != hb.Hi {
		t.Errorf("one processor: %v, %v; four: %v, %v", a.BCa, ha, b.BCa, hb)
	}
}

func TestBootstrapIsNearTheTIntervalOfAMean(t *testing.T) {
	xs := twenty()
	b := BootstrapCI(len(xs), func(i []int) float64 { return average(pick(xs, i)) }, RandomIndices(len(xs), Replicates, 1), 0.95)
	e := Mean(xs, 0.95)
	width := e.Hi - e.Lo
	for name, got := range map[string]Estimate{"percentile": b.Percentile, "basic": b.Basic, "BCa": b.BCa} {
		if math.Abs(got.Lo-e.Lo) > 0.1*width || math.Abs(got.Hi-e.Hi) > 0.1*width {
			t.Errorf("%s [%v, %v], t [%v, %v]", name, got.Lo, got.Hi, e.Lo, e.Hi)
		}
	}
	studentized := BootstrapT(len(xs), func(i []int) (float64, float64) {
		m, v := meanVariance(pick(xs, i))
		return m, math.Sqrt(v / float64(len(i)))
	}, RandomIndices(len(xs), Replicates, 1), 0.95)
	if math.Abs(studentized.Lo-e.Lo) > 0.15*width || math.Abs(studentized.Hi-e.Hi) > 0.15*width {
		t.Errorf("studentized [%v, %v], t [%v, %v]", studentized.Lo, studentized.Hi, e.Lo, e.Hi)
	}
}

func TestBootstrapRefusesFewUnitsAndConstants(t *testing.T) {
	nine := BootstrapCI(9, func([]int) float64 { return 1 }, RandomIndices(9, 200, 1), 0.95)
	if nine.Refused == "" || !math.IsNaN(nine.Percentile.Lo) {
		t.Errorf("nine units: %+v, must refuse", nine)
	}
	constant := BootstrapCI(12, func([]int) float64 { return 1 }, RandomIndices(12, 200, 1), 0.95)
	if constant.BCa.Refused == "" || constant.Percentile.Lo != 1 {
		t.Errorf("a constant: %+v, want no BCa interval", constant.BCa)
	}
	undefined := BootstrapCI(12, func(i []int) float64 { return math.NaN() }, RandomIndices(12, 200, 1), 0.95)
	if undefined.Refused == "" {
		t.Errorf("an undefined statistic: %+v, must refuse", undefined)
	}
}

func TestComponentsOfKnownVariances(t *testing.T) {
	// Two runs of two values: within (0.5+2)/2, between means 1 and 5.
	v := Components([]float64{0.5, 1.5, 4, 6}, []int{2, 2}, 0.95)
	if v.S2[0] != 1.25 || v.S2[1] != 8 || v.T2[1] != 8-1.25/2 || v.Mean.Value != 3 || !math.IsNaN(v.Mean.Lo) {
		t.Errorf("%+v", v)
	}
	if r := v.Repetitions([]float64{1, 4}); !near(r[0], math.Sqrt(4*1.25/7.375), 1e-12) {
		t.Errorf("repetitions %v", r)
	}
	if v := Components([]float64{1, 2, 3}, []int{2, 2}, 0.95); v.Refused == "" {
		t.Errorf("three values for two times two: %+v, must refuse", v)
	}
	none := Components([]float64{1, 5, 2, 4}, []int{2, 2}, 0.95)
	if r := none.Repetitions([]float64{1, 4}); !math.IsNaN(r[0]) {
		t.Errorf("no variance between runs: repetitions %v, want undefined", r)
	}
}

func TestFixedWidthStopsAtTheFirstPrefixThatIsEnough(t *testing.T) {
	xs := twenty()
	n := FixedWidth(xs, 0.04, 0.95, 10)
	if n < 10 || n > 20 || tHalfWidth(deviation(xs[:n])*deviation(xs[:n]), n, 0.95) > 0.04*average(xs[:n]) {
		t.Errorf("FixedWidth = %d", n)
	}
	if n := FixedWidth(xs, 1e-6, 0.95, 10); n != 0 {
		t.Errorf("a width that is never reached: %d, want 0", n)
	}
}

// Drawing resamples one by one gives what a list of them gives.
func TestRandomBootstrapIsThatOfRandomIndices(t *testing.T) {
	xs := twenty()
	mean := func(i []int) float64 { return average(pick(xs, i)) }
	listed := BootstrapCI(len(xs), mean, RandomIndices(len(xs), 999, 7), 0.95)
	drawn := RandomBootstrap(len(xs), mean, 999, 7, 0.95)
	if !slices.Equal(drawn.Replicates, listed.Replicates) || drawn.BCa.Lo != listed.BCa.Lo || drawn.BCa.Hi != listed.BCa.Hi {
		t.Errorf("drawn one by one: %v, from a list %v", drawn.BCa, listed.BCa)
	}
	if few := RandomBootstrap(0, mean, 999, 7, 0.95); few.Refused == "" {
		t.Error("no units must be refused")
	}
}

// The quick remainder is the remainder.
func TestDrawingFromARange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(1, 20), rapid.IntRange(1, math.MaxInt)).Draw(t, "n")
		seed := rapid.Uint64().Draw(t, "seed")
		g, plain := substream(seed, 1), substream(seed, 1)
		limit := -uint64(n) % uint64(n)
		for range 20 {
			v := plain.Uint64()
			for v < limit {
				v = plain.Uint64()
			}
			if got, want := below(g, n), int(v%uint64(n)); got != want {
				t.Fatalf("%d of %d units, want %d", got, n, want)
			}
		}
	})
}
