package stat

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// closed adjusts by testing every intersection of hypotheses: the adjusted
// p-value is the largest of all intersections that a hypothesis is part of.
func closed(ps []float64, intersection func(sorted []float64) float64) []float64 {
	out := make([]float64, len(ps))
	for mask := 1; mask < 1<<len(ps); mask++ {
		var chosen []float64
		for i, p := range ps {
			if mask>>i&1 == 1 {
				chosen = append(chosen, p)
			}
		}
		slices.Sort(chosen)
		v := math.Min(1, intersection(chosen))
		for i := range ps {
			if mask>>i&1 == 1 {
				out[i] = math.Max(out[i], v)
			}
		}
	}
	return out
}

func pValues(t *rapid.T) []float64 {
	p := rapid.SampledFrom([]float64{0, 0.001, 0.01, 0.02, 0.03, 0.05, 0.2, 0.5, 1})
	return rapid.SliceOfN(p, 1, 7).Draw(t, "ps")
}

func same(a, b []float64) bool {
	for i := range a {
		if !near(a[i], b[i], 1e-12) {
			return false
		}
	}
	return len(a) == len(b)
}

func TestHolmIsTheClosedBonferroniTest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ps := pValues(t)
		want := closed(ps, func(s []float64) float64 { return float64(len(s)) * s[0] })
		if got := Holm(ps); !same(got, want) {
			t.Fatalf("Holm(%v) = %v, want %v", ps, got, want)
		}
	})
}

func TestHommelIsTheClosedSimesTest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ps := pValues(t)
		want := closed(ps, func(s []float64) float64 {
			simes := math.Inf(1)
			for i, p := range s {
				simes = math.Min(simes, float64(len(s))*p/float64(i+1))
			}
			return simes
		})
		if got := Hommel(ps); !same(got, want) {
			t.Fatalf("Hommel(%v) = %v, want %v", ps, got, want)
		}
	})
}

// The adjusted p-value is the smallest level at which the step-up rule
// rejects.
func TestBenjaminiHochbergRejectsWhatItsRuleDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ps := pValues(t)
		level := rapid.Float64Range(0.0011, 0.99).Draw(t, "level")
		s := sorted(ps)
		limit := -1.0
		for i, p := range s {
			if p <= level*float64(i+1)/float64(len(s)) {
				limit = p
			}
		}
		for i, q := range BenjaminiHochberg(ps) {
			if math.Abs(q-level) > 1e-9 && (q <= level) != (ps[i] <= limit) {
				t.Fatalf("level %v of %v: adjusted %v, limit %v", level, ps, q, limit)
			}
		}
	})
}

func TestAdjustmentsKeepOrderAndOnlyRaise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ps := pValues(t)
		for name, adjust := range map[string]func([]float64) []float64{"Holm": Holm, "Bonferroni": Bonferroni,
			"Hochberg": Hochberg, "Hommel": Hommel, "BH": BenjaminiHochberg, "BY": BenjaminiYekutieli} {
			q := adjust(ps)
			for i := range ps {
				if q[i] < ps[i]-1e-15 || q[i] > 1 {
					t.Fatalf("%s(%v) = %v", name, ps, q)
				}
				for j := range ps {
					if ps[i] < ps[j] && q[i] > q[j] {
						t.Fatalf("%s(%v) = %v changes the order", name, ps, q)
					}
				}
			}
		}
	})
}

func TestAdjustmentsDoNotCountWhatIsNoNumber(t *testing.T) {
	nan := math.NaN()
	if got, want := Holm([]float64{0.01, nan, 0.02}), []float64{0.02, nan, 0.02}; !same(got, want) {
		t.Errorf("Holm with a NaN = %v, want %v", got, want)
	}
	if got := Holm(nil); len(got) != 0 {
		t.Errorf("Holm(nil) = %v", got)
	}
}
