package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// numbersOf draws values with three decimals.
func numbersOf(t *rapid.T, label string, least, most int) []float64 {
	value := rapid.Map(rapid.IntRange(-100_000, 100_000), func(i int) float64 { return float64(i) / 1000 })
	return rapid.SliceOfN(value, least, most).Draw(t, label)
}

// positives draws values above zero with three decimals.
func positives(t *rapid.T, label string, n int) []float64 {
	value := rapid.Map(rapid.IntRange(10, 100_000), func(i int) float64 { return float64(i) / 1000 })
	return rapid.SliceOfN(value, n, n).Draw(t, label)
}

func TestQuantileTakesNoNoticeOfOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := few(t, "xs", 1, 15)
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		typ := rapid.IntRange(1, 9).Draw(t, "type")
		shuffled := rapid.Permutation(xs).Draw(t, "order")
		if a, b := QuantileType(xs, p, typ), QuantileType(shuffled, p, typ); a != b {
			t.Fatalf("type %d, p = %v: %v of %v, %v of %v", typ, p, a, xs, b, shuffled)
		}
	})
}

func TestQuantilesRiseAndStayInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := numbersOf(t, "xs", 1, 15)
		typ := rapid.IntRange(1, 9).Draw(t, "type")
		lo, hi := Range(xs)
		last := lo
		for _, p := range []float64{0, 0.07, 0.1, 0.25, 0.29, 0.5, 0.57, 0.75, 0.9, 0.99, 1} {
			q := QuantileType(xs, p, typ)
			if q < last || q > hi {
				t.Fatalf("type %d of %v: %v at %v, %v before", typ, xs, q, p, last)
			}
			last = q
		}
	})
}

func TestMedianOfEvenNumbersIsTheMiddle(t *testing.T) {
	for _, c := range []struct {
		name string
		xs   []float64
		want float64
	}{
		{"even", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 5.5},
		{"four", []float64{4, 1, 3, 2}, 2.5},
		{"odd", []float64{9, 1, 5}, 5},
		{"one", []float64{7}, 7},
		{"none", nil, math.NaN()},
	} {
		if got := Quantile(c.xs, 0.5); !near(got, c.want, 0) {
			t.Errorf("%s: Quantile(%v, 0.5) = %v, want %v", c.name, c.xs, got, c.want)
		}
	}
}

// A rank that is whole but for rounding is that rank: 0.07*100 is 7.
func TestQuantileRanksBearRounding(t *testing.T) {
	xs := make([]float64, 100)
	for i := range xs {
		xs[i] = float64(i + 1)
	}
	if got := QuantileType(xs, 0.07, 1); got != 7 {
		t.Errorf("the 0.07-quantile of 1..100 is %v, want 7", got)
	}
}

func TestQuantileIntervalsNeedEnoughValues(t *testing.T) {
	for _, c := range []struct {
		p    float64
		need int
	}{{0.5, 6}, {0.9, 36}, {0.95, 72}, {0.99, 368}, {0.999, 3688}} {
		for n, bounded := range map[int]bool{c.need - 1: false, c.need: true} {
			xs := make([]float64, n)
			for i := range xs {
				xs[i] = float64(i)
			}
			e := QuantileCI(xs, c.p, 0.95)
			if got := !math.IsInf(e.Lo, 0) && !math.IsInf(e.Hi, 0); got != bounded {
				t.Errorf("p = %v of %d values: [%v, %v], bounded %v, want %v", c.p, n, e.Lo, e.Hi, got, bounded)
			}
		}
	}
}

func TestQuantileCoverageIsThatOfTheBinomial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		p := rapid.Float64Range(0.02, 0.98).Draw(t, "p")
		lo, hi, coverage := quantileRanks(n, p, 0.9)
		sum := 0.0
		for k := lo; k < hi; k++ { // k values below the quantile, lo <= k < hi
			sum += combinations(n, k) * math.Pow(p, float64(k)) * math.Pow(1-p, float64(n-k))
		}
		if !near(sum, coverage, 1e-9) || coverage < 0.9-1e-9 {
			t.Fatalf("n = %d, p = %v: ranks %d, %d cover %v, sum %v", n, p, lo, hi, coverage, sum)
		}
	})
}

func TestSummaryFollowsUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := positives(t, "xs", rapid.IntRange(4, 12).Draw(t, "n"))
		scaled := make([]float64, len(xs))
		for i := range xs {
			scaled[i] = 1000 * xs[i]
		}
		a, b := Summarize(xs), Summarize(scaled)
		for name, pair := range map[string][2]float64{
			"mean": {a.Mean, b.Mean}, "median": {a.Median, b.Median}, "sd": {a.SD, b.SD}, "mad": {a.MAD, b.MAD},
			"geomean": {a.GeoMean, b.GeoMean}, "harmonic": {a.HarmonicMean, b.HarmonicMean}, "trimmed": {a.Trimmed20, b.Trimmed20},
		} {
			if !near(1000*pair[0], pair[1], 1e-10) {
				t.Fatalf("%s of %v: %v, in other units %v", name, xs, pair[0], pair[1])
			}
		}
		for name, pair := range map[string][2]float64{
			"cv": {a.CV, b.CV}, "geosd": {a.GeoSD, b.GeoSD}, "skewness": {a.Skewness, b.Skewness},
		} {
			if !near(pair[0], pair[1], 1e-7) {
				t.Fatalf("%s of %v: %v, in other units %v", name, xs, pair[0], pair[1])
			}
		}
		if !(a.HarmonicMean <= a.GeoMean*(1+1e-12) && a.GeoMean <= a.Mean*(1+1e-12)) {
			t.Fatalf("harmonic %v, geometric %v, arithmetic mean %v of %v", a.HarmonicMean, a.GeoMean, a.Mean, xs)
		}
	})
}

func TestSummaryOfValuesAtOrBelowZero(t *testing.T) {
	s := Summarize([]float64{-1, 0, 4})
	if !math.IsNaN(s.GeoMean) || !math.IsNaN(s.HarmonicMean) || s.Mean != 1 {
		t.Errorf("%+v: want no geometric or harmonic mean", s)
	}
	if s := Summarize([]float64{-1, -2}); !math.IsNaN(s.CV) {
		t.Errorf("CV of a negative mean = %v, want NaN", s.CV)
	}
}

func TestMADOfTiedValuesIsDoubted(t *testing.T) {
	if s := Summarize([]float64{1, 1, 1, 5}); s.MAD != 0 || len(s.Warnings) == 0 {
		t.Errorf("%+v: want MAD 0 and a warning", s)
	}
}

func TestIntervalsHoldJustTheMeansThatTheTestKeeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := numbersOf(t, "d", 3, 12)
		if Constant(d) {
			return
		}
		e := PairedT(d, 0, 0.95)
		for _, mu := range []float64{e.Lo, e.Hi} {
			if p := PairedT(d, mu, 0.95).P; !near(p, 0.05, 1e-7) {
				t.Fatalf("p at the bound %v of %v is %v, want 0.05", mu, d, p)
			}
		}
	})
}

func TestRatioTurnsOverWithItsSides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 12).Draw(t, "n")
		a, b := positives(t, "a", n), positives(t, "b", n)
		ab, ba := PairedLogRatio(a, b, 0.95), PairedLogRatio(b, a, 0.95)
		if !near(ab.Value*ba.Value, 1, 1e-9) || !near(ab.Lo*ba.Hi, 1, 1e-9) || !near(ab.P, ba.P, 1e-9) {
			t.Fatalf("%v over %v: %+v and %+v", a, b, ab, ba)
		}
	})
}

func TestRatioKeepsBlockEffectsOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 12).Draw(t, "n")
		a, b, slow := positives(t, "a", n), positives(t, "b", n), positives(t, "slow", n)
		sa, sb := make([]float64, n), make([]float64, n)
		for i := range a {
			sa[i], sb[i] = a[i]*slow[i], b[i]*slow[i]
		}
		x, y := PairedLogRatio(a, b, 0.95), PairedLogRatio(sa, sb, 0.95)
		if !near(x.Value, y.Value, 1e-9) || !near(x.Lo, y.Lo, 1e-9) {
			t.Fatalf("%+v, with slow blocks %+v", x, y)
		}
	})
}

func TestPairedTOfEqualDifferences(t *testing.T) {
	for _, c := range []struct {
		d, mu, wantP float64
	}{{0, 0, 1}, {0.1, 0.1, 1}, {0.1, 0, math.NaN()}} {
		e := PairedT([]float64{c.d, c.d, c.d, c.d, c.d, c.d}, c.mu, 0.95)
		if e.Lo != c.d || e.Hi != c.d || !near(e.P, c.wantP, 0) || len(e.Warnings) == 0 || e.Refused != "" {
			t.Errorf("six times %v against %v: %+v, want [%v, %v], p %v and a warning", c.d, c.mu, e, c.d, c.d, c.wantP)
		}
	}
}

func TestFewBlocksAreDoubtedAndFewerRefused(t *testing.T) {
	for n, want := range map[int]string{2: "refused", 3: "warned", 5: "warned", 6: "clean"} {
		d := []float64{1, 2, 4, 3, 5, 7}[:n]
		e := PairedT(d, 0, 0.95)
		got := "clean"
		switch {
		case e.Refused != "":
			got = "refused"
		case len(e.Warnings) > 0:
			got = "warned"
		}
		if got != want {
			t.Errorf("%d blocks are %s, want %s: %+v", n, got, want, e)
		}
		if (e.Refused != "") != math.IsNaN(e.Value) {
			t.Errorf("%d blocks: value %v with refusal %q", n, e.Value, e.Refused)
		}
	}
}

func TestEquivalenceAgreesWithItsInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := numbersOf(t, "d", 5, 12)
		if Constant(d) {
			return
		}
		lo := rapid.Float64Range(-200, 0).Draw(t, "lo")
		hi := rapid.Float64Range(1, 200).Draw(t, "hi")
		e := TOST(d, lo, hi, 0.9)
		if math.Abs(e.P-0.05) > 1e-9 && e.Equivalent != (e.P < 0.05) {
			t.Fatalf("p = %v, interval [%v, %v] in (%v, %v): %v", e.P, e.Lo, e.Hi, lo, hi, e.Equivalent)
		}
		m := e.Smallest
		if TOST(d, -m*(1-1e-9), m*(1-1e-9), 0.9).Equivalent || !TOST(d, -m*(1+1e-9), m*(1+1e-9), 0.9).Equivalent {
			t.Fatalf("%v is not the smallest margin of %v", m, d)
		}
		if s := TOSTSignedRank(d, lo, hi, 0.9); s.Equivalent && s.P > 0.05 {
			t.Fatalf("signed rank: equivalent with p = %v", s.P)
		}
	})
}

func TestWelchIsTheSameForEqualGroupsSwapped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := numbersOf(t, "a", 2, 9), numbersOf(t, "b", 2, 9)
		x, y := WelchT(a, b, 0.95), WelchT(b, a, 0.95)
		if (x.Refused == "") != (y.Refused == "") || !near(x.P, y.P, 1e-9) || !near(x.Lo, -y.Hi, 1e-9) {
			t.Fatalf("%+v and %+v", x, y)
		}
	})
}

func TestFiellerHoldsTheRatiosThatATestKeeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 10).Draw(t, "n")
		a, b := positives(t, "a", n), positives(t, "b", n)
		e := FiellerPaired(a, b, 0.95)
		if e.Refused != "" {
			return
		}
		for _, ratio := range []float64{e.Lo, e.Hi} {
			d := make([]float64, n)
			for i := range d {
				d[i] = a[i] - ratio*b[i]
			}
			if p := PairedT(d, 0, 0.95).P; !near(p, 0.05, 1e-6) {
				t.Fatalf("p at the ratio %v is %v, want 0.05", ratio, p)
			}
		}
	})
}

func TestFiellerRefusesAnUnboundedRatio(t *testing.T) {
	e := FiellerPaired([]float64{1, 2, 3, 4}, []float64{-1, 1, -2, 2.5}, 0.95)
	if e.Refused == "" || !math.IsNaN(e.Value) {
		t.Errorf("%+v, must refuse: the right side may be zero", e)
	}
}

// The value of delta, its variance and A12 by their definitions.
func TestCliffVariance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := few(t, "a", 2, 7), few(t, "b", 2, 7)
		d := CliffsDelta(a, b, 0.95)
		var above, below float64
		for _, x := range a {
			for _, y := range b {
				above += heaviside(sign(x - y))
				below += heaviside(sign(y - x))
			}
		}
		n := float64(len(a) * len(b))
		if !near(d.Value, (above-below)/n, 1e-12) || !near(d.A12, above/n+(n-above-below)/n/2, 1e-12) {
			t.Fatalf("delta of %v and %v = %+v, want %v", a, b, d, (above-below)/n)
		}
		if math.Abs(d.Value) == 1 {
			return
		}
		if want := unbiasedVariance(a, b); !near(d.Variance, want, 1e-10) {
			t.Fatalf("variance of delta of %v and %v = %v, want %v", a, b, d.Variance, want)
		}
	})
}

// unbiasedVariance estimates the variance of delta from all pairs of pairs:
// those that share a value of a, those that share one of b, and the pair with
// itself.
func unbiasedVariance(a, b []float64) float64 {
	na, nb := float64(len(a)), float64(len(b))
	var shareA, shareB, same, apart float64
	for i, x := range a {
		for j, y := range b {
			for k, u := range a {
				for l, v := range b {
					p := sign(x-y) * sign(u-v)
					switch {
					case i == k && j == l:
						same += p
					case i == k:
						shareA += p
					case j == l:
						shareB += p
					default:
						apart += p
					}
				}
			}
		}
	}
	total := same + shareA + shareB + apart
	square := apart / (na * nb * (na - 1) * (nb - 1)) // unbiased for delta²
	return total/(na*na*nb*nb) - square
}

func TestHedgesBounds(t *testing.T) {
	a, b := []float64{5, 6, 7, 9, 4, 6}, []float64{3, 4, 6, 5, 2}
	g := HedgesG(a, b, 0.95)
	root := math.Sqrt(1.0/6 + 1.0/5)
	observed := g.D / root
	for bound, want := range map[float64]float64{g.Lo: 0.975, g.Hi: 0.025} {
		if p := noncentralTCDF(observed, g.DF, bound/g.J/root); !near(p, want, 1e-9) {
			t.Errorf("P(T <= t) at the bound %v is %v, want %v", bound, p, want)
		}
	}
	if swapped := HedgesG(b, a, 0.95); !near(swapped.Lo, -g.Hi, 1e-9) {
		t.Errorf("swapped groups give [%v, %v], want the mirror image of [%v, %v]", swapped.Lo, swapped.Hi, g.Lo, g.Hi)
	}
}

// coverage is the share of simulated intervals that hold the true value.
func coverage(draws int, interval func(g *rand.Rand) Estimate, truth float64) float64 {
	g := rand.New(rand.NewPCG(1, 2))
	held := 0.0
	for range draws {
		if e := interval(g); e.Lo <= truth && truth <= e.Hi {
			held++
		}
	}
	return held / float64(draws)
}

func TestIntervalsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	sample := func(g *rand.Rand, n int) []float64 {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = 3 + g.NormFloat64()
		}
		return xs
	}
	for name, interval := range map[string]func(g *rand.Rand) Estimate{
		"t":              func(g *rand.Rand) Estimate { return PairedT(sample(g, 10), 0, 0.95).Estimate },
		"Hodges-Lehmann": func(g *rand.Rand) Estimate { return HodgesLehmann(sample(g, 10), 0.95) },
		"median":         func(g *rand.Rand) Estimate { return Median(sample(g, 25), 0.95) },
	} {
		if c := coverage(2000, interval, 3); c < 0.93 || c > 0.97 {
			t.Errorf("the %s interval covers %.1f %%, want 95", name, 100*c)
		}
	}
	welch := func(g *rand.Rand) Estimate {
		a, b := sample(g, 6), sample(g, 12)
		for i := range a {
			a[i] *= 4
		}
		return WelchT(a, b, 0.95).Estimate
	}
	if c := coverage(2000, welch, 9); c < 0.93 || c > 0.97 {
		t.Errorf("the Welch interval of unequal noise covers %.1f %%, want 95", 100*c)
	}
}
