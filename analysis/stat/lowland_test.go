package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// sample draws n values.
func sample(g *rand.Rand, n int, draw func(*rand.Rand) float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = draw(g)
	}
	return xs
}

// Modes that are far apart are found, with their shares and middles.
func TestLowlandsFindModes(t *testing.T) {
	g := rand.New(rand.NewPCG(4, 4))
	mixed := sample(g, 1000, func(g *rand.Rand) float64 {
		if g.Float64() < 0.3 {
			return 20 + g.NormFloat64()
		}
		return 10 + g.NormFloat64()
	})
	modes, why := Lowlands(mixed)
	if why != "" || len(modes) != 2 {
		t.Fatalf("%+v %s, want two modes", modes, why)
	}
	share := 0.0
	for _, x := range mixed {
		if x > 15 {
			share += 1.0 / 1000
		}
	}
	if math.Abs(modes[0].Median-10) > 0.2 || math.Abs(modes[1].Median-20) > 0.2 || math.Abs(modes[1].Share-share) > 1e-9 || modes[0].Hi >= modes[1].Lo {
		t.Errorf("%+v, want those about 10 and a share of %v about 20", modes, share)
	}
	three := sample(g, 600, func(g *rand.Rand) float64 { return 10*float64(g.IntN(3)) + g.NormFloat64() })
	if modes, _ := Lowlands(three); len(modes) != 3 {
		t.Errorf("%+v, want three modes", modes)
	}
}

// One mode stays one. Flat distributions are split now and then; the dip test
// is for these.
func TestLowlandsLeaveOneModeWhole(t *testing.T) {
	for name, draw := range map[string]func(*rand.Rand) float64{
		"normal": (*rand.Rand).NormFloat64, "exponential": (*rand.Rand).ExpFloat64,
		"lognormal": func(g *rand.Rand) float64 { return math.Exp(g.NormFloat64()) },
	} {
		split := 0
		for seed := range uint64(100) {
			if modes, _ := Lowlands(sample(rand.New(rand.NewPCG(seed, 7)), 200, draw)); len(modes) > 1 {
				split++
			}
		}
		if split > 5 {
			t.Errorf("%s: %d of 100 samples of one mode were split", name, split)
		}
	}
}

func TestLowlandsRefuse(t *testing.T) {
	if _, why := Lowlands(make([]float64, 99)); why == "" {
		t.Error("99 values are too few")
	}
	if _, why := Lowlands(make([]float64, 200)); why == "" {
		t.Error("equal values have no density")
	}
}

// Leaving out weights that do not matter changes nothing that does.
func TestHarrellDavisSortedIsHarrellDavis(t *testing.T) {
	s := sorted(sample(rand.New(rand.NewPCG(9, 9)), 777, (*rand.Rand).NormFloat64))
	for _, p := range []float64{0.01, 0.25, 0.5, 0.93, 0.99} {
		if got, want := harrellDavisSorted(s, p), HarrellDavis(s, p); math.Abs(got-want) > 1e-7 {
			t.Errorf("p = %v: %v, want %v", p, got, want)
		}
	}
}
