package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// bruteCuts is the least total cost of all segmentations.
func bruteCuts(c *segmentCost, n int, penalty float64) float64 {
	best := make([]float64, n+1)
	best[0] = -penalty
	for end := 1; end <= n; end++ {
		best[end] = math.Inf(1)
		for start := 0; start+c.least <= end; start++ {
			best[end] = math.Min(best[end], best[start]+c.of(start, end)+penalty)
		}
	}
	return best[n]
}

func TestPELTFindsTheLeastCost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := numbersOf(t, "xs", 4, 30)
		for i := range xs { // two levels
			xs[i] = xs[i]/100 + 5*math.Floor(float64(i)/10)
		}
		model := ChangeModel(rapid.IntRange(0, 1).Draw(t, "model"))
		penalty := rapid.Float64Range(0.1, 20).Draw(t, "penalty")
		c := newSegmentCost(xs, model)
		got := -penalty
		for _, s := range PELT(xs, model, penalty).Segments {
			got += c.of(s.Start, s.End) + penalty
		}
		if want := bruteCuts(c, len(xs), penalty); !near(got, want, 1e-9) {
			t.Fatalf("cost %v, want %v", got, want)
		}
	})
}

func TestPELTKeepsUnitsOut(t *testing.T) {
	xs := calls(200, func(i int) float64 { return 10 + 2*heaviside(70-float64(i)) })
	want := PELT(xs, MeanVarianceChange, DefaultPenalty(len(xs))).Changes()
	for _, unit := range []float64{1e-9, 1e-3, 1e6} {
		scaled := make([]float64, len(xs))
		for i := range xs {
			scaled[i] = unit * xs[i]
		}
		if got := PELT(scaled, MeanVarianceChange, DefaultPenalty(len(xs))).Changes(); !slices.Equal(got, want) || len(got) != 1 {
			t.Errorf("changes at %v, in units of %v at %v", want, unit, got)
		}
	}
}

func TestPELTOfShortAndEqualSeries(t *testing.T) {
	for _, xs := range [][]float64{{1}, {1, 2}, {3, 3, 3, 3, 3, 3}} {
		s := PELT(xs, MeanVarianceChange, 10)
		if len(s.Segments) != 1 || s.Segments[0].End != len(xs) || len(s.Changes()) != 0 {
			t.Errorf("PELT(%v) = %+v, want one segment", xs, s)
		}
	}
}

// calls makes a series of n calls from a mean per call.
func calls(n int, mean func(i int) float64) []float64 {
	g := rand.New(rand.NewPCG(11, 12))
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = mean(i) * (1 + 0.02*g.NormFloat64())
	}
	return xs
}

func TestSteadyStateOfCalls(t *testing.T) {
	for _, c := range []struct {
		name string
		mean func(i int) float64
		want SeriesShape
		from int
	}{
		{"steady", func(int) float64 { return 10 }, Flat, 0},
		{"warm-up", func(i int) float64 { return 10 + 5*heaviside(60-float64(i)) }, WarmUp, 60},
		{"slowdown", func(i int) float64 { return 10 - 5*heaviside(60-float64(i)) }, Slowdown, 60},
		{"late change", func(i int) float64 { return 10 + 5*heaviside(260-float64(i)) }, NotSteady, -1},
	} {
		s := Steady(calls(300, c.mean))
		if s.Shape != c.want || abs(s.From-c.from) > 2 {
			t.Errorf("%s: %s from call %d, want %s from %d", c.name, s.Shape, s.From, c.want, c.from)
		}
	}
	if s := Steady(calls(99, func(int) float64 { return 1 })); s.Refused == "" {
		t.Errorf("99 calls: %+v, must refuse", s)
	}
}

func TestMSERCutsAWarmUp(t *testing.T) {
	if d := MSER(calls(300, func(i int) float64 { return 10 + 5*heaviside(60-float64(i)) })); d < 60 || d > 70 {
		t.Errorf("MSER leaves out %d calls, want about 60", d)
	}
	if d := MSER(make([]float64, 40)); d != -1 {
		t.Errorf("MSER of eight batches = %d, want -1", d)
	}
}

func TestTrendsTurnOverWithTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := few(t, "xs", 10, 25)
		if Constant(xs) {
			return
		}
		back := slices.Clone(xs)
		slices.Reverse(back)
		a, b := MannKendall(xs), MannKendall(back)
		if a.S != -b.S || !near(a.P, b.P, 1e-12) || !near(a.VarS, b.VarS, 1e-12) {
			t.Fatalf("%+v, reversed %+v", a, b)
		}
		if u, v := SenSlope(xs, 0.95), SenSlope(back, 0.95); !near(u.Value, -v.Value, 1e-12) {
			t.Fatalf("slope %v, reversed %v", u.Value, v.Value)
		}
	})
}

// Ties are neither concordant nor discordant.
func TestKendallOfTies(t *testing.T) {
	k := Kendall([]float64{1, 2, 3, 4}, []float64{5, 5, 5, 6})
	if k.S != 3 || !math.IsNaN(k.PExact) {
		t.Errorf("%+v, want S = 3 and no exact p-value", k)
	}
	if k := Kendall([]float64{1, 2, 3, 4}, []float64{5, 5, 5, 5}); k.Refused == "" {
		t.Errorf("equal values: %+v, must refuse", k)
	}
}

func TestExactKendallMatchesPermutations(t *testing.T) {
	all := rearrangements(timeOf(make([]float64, 6)))
	time := timeOf(make([]float64, 6))
	var sums []float64
	for _, order := range all {
		sums = append(sums, Kendall(time, order).S)
	}
	for _, order := range all[:120] {
		k := Kendall(time, order)
		less, more := 0.0, 0.0
		for _, s := range sums {
			less += heaviside(k.S - s + 0.5)
			more += heaviside(s - k.S + 0.5)
		}
		if want := math.Min(1, 2*math.Min(less, more)/720); !near(k.PExact, want, 1e-12) {
			t.Fatalf("Kendall(%v): p = %v, want %v", order, k.PExact, want)
		}
	}
}

func TestSerialTestsSeeWhatIsThere(t *testing.T) {
	var drift, alternating []float64
	for i := range 30 {
		drift = append(drift, float64(i)+math.Sin(float64(5*i)))
		alternating = append(alternating, float64(i%2)+0.1*math.Sin(float64(5*i)))
	}
	for name, test := range map[string]func([]float64) SerialTest{"runs": RunsTest, "von Neumann": RankVonNeumann} {
		if s := test(drift); s.P > 1e-4 || s.Z > 0 {
			t.Errorf("%s of a drift: %+v", name, s)
		}
		if s := test(alternating); s.P > 1e-3 || s.Z < 0 {
			t.Errorf("%s of alternation: %+v", name, s)
		}
	}
	shift := append(slices.Clone(alternating[:12]), shifted(alternating[12:], -5)...)
	if p := Pettitt(shift); p.At != 12 || p.P > 1e-3 {
		t.Errorf("Pettitt of a shift after 12: %+v", p)
	}
}

func TestAutocorrelationOfAKnownSeries(t *testing.T) {
	got := Autocorrelation([]float64{1, 2, 3, 4}, 9)
	if want := []float64{0.25, -0.3, -0.45}; !same(got, want) {
		t.Errorf("r = %v, want %v", got, want)
	}
	if got := Autocorrelation([]float64{2, 2, 2}, 1); !math.IsNaN(got[0]) {
		t.Errorf("equal values: %v, want NaN", got)
	}
}

// R 4.2.2: diptest::dip.test(x), with ties, equal values, two clear modes.
func TestDipOfTiedSamples(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		d, p float64
	}{
		{[]float64{1, 1, 2, 2, 3, 3, 3, 9, 9, 10, 10, 10}, 0.178571428571429, 0.000241784987908167},
		{[]float64{1, 2, 2, 2, 3, 7, 7, 7, 8}, 0.177777777777778, 0.00347247720670729},
		{[]float64{5, 5, 5, 5}, 0.125, 0.782},
		{[]float64{1, 2, 3, 4, 10, 11, 12, 13}, 0.166666666666667, 0.0190183976540165},
		{[]float64{0, 0, 0, 1, 1, 1}, 0.25, 0},
		{[]float64{1, 4, 4.5, 4.7, 5, 5.1, 9, 12, 12.2, 12.3, 12.35, 13, 20}, 0.160576923076923, 0.00156973086643497},
	} {
		if got := Dip(c.xs); !near(got.D, c.d, 1e-12) || !near(got.P, c.p, 1e-10) {
			t.Errorf("Dip(%v) = %v, p %v, want %v, p %v", c.xs, got.D, got.P, c.d, c.p)
		}
	}
}

func TestDipKeepsUnitsAndDirectionOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := few(t, "xs", 1, 25)
		changed := make([]float64, len(xs))
		for i, x := range xs {
			changed[i] = 7 - 4*x
		}
		a, b := Dip(xs), Dip(changed)
		if !near(a.D, b.D, 1e-12) || a.D < 1/float64(2*len(xs))-1e-12 || a.D > math.Max(0.25, 0.5/float64(len(xs)))+1e-12 {
			t.Fatalf("dip of %v = %v, mirrored %v", xs, a.D, b.D)
		}
	})
}

// R 4.2.2: shapiro.test(x)
func TestShapiroWilkOfSmallSamples(t *testing.T) {
	var squaresOf50 []float64
	for i := 1; i <= 50; i++ {
		squaresOf50 = append(squaresOf50, float64(i*i))
	}
	for _, c := range []struct {
		xs   []float64
		w, p float64
	}{
		{[]float64{1, 2, 4}, 0.964285714285714, 0.636886845028963},
		{[]float64{1, 2, 4, 3, 9}, 0.866960710872609, 0.254333839455088},
		{[]float64{1, 4, 4.5, 4.7, 5, 5.1, 9}, 0.88163250205683, 0.23379368189691},
		{[]float64{1, 4, 4.5, 4.7, 5, 5.1, 9, 12, 12.2, 12.3, 12.35, 13, 20}, 0.911682649501015, 0.193363729848392},
		{[]float64{1, 1, 2, 2, 3, 3, 3, 9, 9, 10, 10, 10}, 0.780973235924278, 0.00573939418584295},
		{squaresOf50, 0.89812479966181, 0.000416885151894594},
	} {
		if got := ShapiroWilk(c.xs); !near(got.W, c.w, 1e-6) || math.Abs(got.P-c.p) > 1e-4*c.p {
			t.Errorf("ShapiroWilk(%v) = %v, p %v, want %v, p %v", c.xs, got.W, got.P, c.w, c.p)
		}
	}
}

func TestJainIndex(t *testing.T) {
	for _, c := range []struct {
		name string
		x    []float64
		want float64
	}{
		{"all alike", []float64{3, 3, 3}, 1},
		{"one has all", []float64{0, 0, 8, 0}, 0.25},
		{"nothing at all", []float64{0, 0}, math.NaN()},
		{"negative", []float64{1, -1}, math.NaN()},
		{"huge", []float64{1e200, 1e200}, 1},
		{"none", nil, math.NaN()},
	} {
		if got := Jain(c.x); !near(got, c.want, 1e-12) {
			t.Errorf("%s: Jain(%v) = %v, want %v", c.name, c.x, got, c.want)
		}
	}
	if c := JainOf([]float64{10, 10, 10, 1}); len(c.Starved) != 1 || c.Starved[0] != 3 || c.MaxMin != 10 {
		t.Errorf("%+v, want the last client starved", c)
	}
}

func TestJainIntervalStaysBelowOne(t *testing.T) {
	e := JainInterval([]float64{0.99, 0.98, 0.995, 0.97, 0.999}, 0.95)
	if !(e.Lo < e.Value && e.Value < e.Hi && e.Hi < 1) || e.Refused != "" {
		t.Errorf("%+v", e)
	}
	if e := JainInterval([]float64{1, 0.9, 1, 1, 1}, 0.95); e.Value != 1 {
		t.Errorf("mostly fair: %+v, want the median", e)
	}
}

func TestOutliersAreFlaggedAndKept(t *testing.T) {
	xs := []float64{5, 5.1, 4.9, 5.2, 4.8, 5, 50}
	o := Outliers(xs)
	if !slices.Equal(o.Flagged, []int{6}) || o.Mild != 1 || o.Severe != 1 || o.BeyondMAD != 1 {
		t.Errorf("%+v, want the last value flagged", o)
	}
	if o := Outliers([]float64{2, 2, 2}); o.Mild != 0 || !math.IsNaN(o.LargestZ) {
		t.Errorf("equal values: %+v, want no flag and no score", o)
	}
}

func TestSenSlopeOverTimesIsPerUnitOfTime(t *testing.T) {
	xs := []float64{1, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13}
	times := make([]float64, len(xs))
	for i := range times {
		times[i] = 100 + 60*float64(i)
	}
	got, want := SenSlopeOver(times, xs, 0.95), SenSlope(xs, 0.95)
	if !near(60*got.Value, want.Value, 1e-12) || !near(60*got.Lo, want.Lo, 1e-12) || !near(60*got.Hi, want.Hi, 1e-12) || got.P != want.P {
		t.Errorf("a step of 60: %+v, want a sixtieth of %+v", got, want)
	}
	if e := SenSlopeOver(times[1:], xs, 0.95); e.Refused == "" {
		t.Errorf("a time is missing: %+v", e)
	}
}

// Series of one law have no warm-up, however wild it is, and a start that is
// slower by a fifth is found in long and short ones.
func TestSettleFindsASlowStartAndNoOther(t *testing.T) {
	g := rand.New(rand.NewPCG(4, 4))
	laws := map[string]func() float64{
		"normal":    func() float64 { return 10 + 0.3*g.NormFloat64() },
		"lognormal": func() float64 { return 10 * math.Exp(0.05*g.NormFloat64()) },
		"spikes": func() float64 {
			if g.Float64() < 0.01 {
				return 200
			}
			return 10 + 0.5*g.Float64()
		},
	}
	for name, law := range laws {
		for _, n := range []int{200, 5000} {
			flat, found := 0, 0
			for range 20 {
				calls, slow := make([]float64, n), n/8
				for i := range calls {
					calls[i] = law()
				}
				if s := Settle(calls); s.Shape == Flat && s.From == 0 && math.IsNaN(s.Off) {
					flat++
				}
				for i := range slow {
					calls[i] *= 1.2
				}
				s := Settle(calls)
				if s.Shape == WarmUp && abs(s.From-slow) <= n/40+s.Batch && near(s.Off, 0.2, 0.05) && s.MSER >= 0 {
					found++
				}
			}
			if flat < 19 || found < 18 {
				t.Errorf("%s, %d calls: %d of 20 flat, %d of 20 slow starts found", name, n, flat, found)
			}
		}
	}
	if s := Settle(make([]float64, 99)); s.Refused == "" {
		t.Errorf("99 calls: %+v", s)
	}
}
