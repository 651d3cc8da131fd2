package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawRows are blocks of noisy numbers at 1, 2, 4 and 8.
func drawRows(seed uint64, blocks int, sd float64, y func(x float64) float64) [][]float64 {
	g := rand.New(rand.NewPCG(seed, 1))
	rows := make([][]float64, blocks)
	for i := range rows {
		for _, x := range []float64{1, 2, 4, 8} {
			rows[i] = append(rows[i], y(x)*math.Exp(sd*g.NormFloat64()))
		}
	}
	return rows
}

// R 4.2: exp of t.test over the blocks' own lm(log(y) ~ log2(x)).
func TestRatioPerDoublingAgainstReference(t *testing.T) {
	times := byLevel(elapsedMS, "1 2 4 8 16 32", []float64{41, 52.5, 69, 113, 188, 352}, []float64{45.2, 55, 77, 118, 210, 371}, []float64{39.5, 48, 70.2, 104, 182, 329})
	e := mustCurve(t, times, "").Series[0].PerDoubling
	if !near(e.Value, 1.535537276, 1e-8) || !near(e.Lo, 1.529828056, 1e-8) || !near(e.Hi, 1.541267803, 1e-8) || e.Kind != Ratio {
		t.Errorf("per doubling %v [%v, %v]", e.Value, e.Lo, e.Hi)
	}
	if got, want := e.SlopeWords(), "rises by 53.55 % [52.98, 54.13] per doubling"; got != want {
		t.Errorf("in words %q, want %q", got, want)
	}
}

func TestSlopeInWords(t *testing.T) {
	ratio := func(lo, v, hi float64) Estimate {
		e := Estimate{Kind: Ratio, Unit: "1"}
		e.Value, e.Lo, e.Hi, e.N, e.Confidence = v, lo, hi, 8, confidence
		return e
	}
	nan := math.NaN()
	for _, tt := range []struct {
		e    Estimate
		want string
	}{
		{ratio(0.7, 0.75, 0.8), "falls by 25.0 % [20.0, 30.0] per doubling"},
		{ratio(0.97, 1, 1.02), "neither rises nor falls for certain: between 3.0 % lower and 2.0 % higher per doubling"},
		{ratio(1, 1, 1), "is flat in every block"},
		{ratio(nan, 1.5, nan), "1.500× per doubling, without an interval: nothing can be said of its direction"},
		{Estimate{Estimate: refused("no data")}, "n/a (no data)"},
	} {
		if got := tt.e.SlopeWords(); got != tt.want {
			t.Errorf("%v [%v, %v]: %q, want %q", tt.e.Value, tt.e.Lo, tt.e.Hi, got, tt.want)
		}
	}
}

// A slope reads the same behind a claim as where it is asked for.
func TestSlopeOfAClaimReadsAsTheValue(t *testing.T) {
	s := byLevel(elapsedMS, "1 2 4 8 16 32", []float64{41, 52.5, 69, 113, 188, 352}, []float64{45.2, 55, 77, 118, 210, 371}, []float64{39.5, 48, 70.2, 104, 182, 329})
	asked := mustCurve(t, s, "").Series[0].PerDoubling.Text()
	got := judgeOne(s, Claim{Name: "s", Metric: "elapsed", Slope: "clients", Expect: expect("slope > 0")})
	if part := got.Parts[0].Estimate; part.Text() != asked || part.PerDoubling().Text() != asked {
		t.Errorf("behind the claim %q, where it is asked for %q", part.Text(), asked)
	}
	if want := "is supported: slope " + asked + " per doubling, 3 blocks; rests on few blocks"; got.Words() != want {
		t.Errorf("%q, want %q", got.Words(), want)
	}
}

func TestCourse(t *testing.T) {
	for _, tt := range []struct {
		of   func(x float64) float64
		want string
	}{
		{func(x float64) float64 { return 10 * x }, "rises from 1 to 8"},
		{func(x float64) float64 { return 10 / x }, "falls from 1 to 8"},
		{func(x float64) float64 { return math.Abs(x-4) + 5 }, "falls from 1 to 4, rises from 4 to 8"},
		{func(x float64) float64 { return math.Min(x, 4) }, "rises from 1 to 4, no change shown from 4 to 8"},
	} {
		s := mustCurve(t, byLevel(elapsedMS, "1 2 4 8", drawRows(3, 8, 0.02, tt.of)...), "").Series[0]
		if got := s.Course(); got != tt.want {
			t.Errorf("it %s, want %s", got, tt.want)
		}
	}
	short := mustCurve(t, byLevel(elapsedMS, "1 2", []float64{1, 2}, []float64{1, 2.2}, []float64{1, 2.1}), "").Series[0]
	if short.Course() != "rises from 1 to 2" || short.PerDoubling.Refused != "" || short.Line.Refused == "" {
		t.Errorf("two levels: %s; %s; line %q", short.Course(), short.PerDoubling.Text(), short.Line.Refused)
	}
}

// In other units, a curve has the same course, slope and exponent.
func TestUnitsDoNotMatterToACourse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64Range(0, 1000).Draw(t, "seed")
		factor := rapid.SampledFrom([]float64{1e-6, 0.5, 1000}).Draw(t, "factor")
		rows := drawRows(seed, 5, 0.1, func(x float64) float64 { return 20 + 3*x })
		curve := func() CurveSeries {
			c, err := byLevel(elapsedMS, "1 2 4 8", rows...).result().Curve("elapsed", "clients", nil)
			if err != nil {
				t.Fatal(err)
			}
			return c.Series[0]
		}
		a := curve()
		for _, row := range rows {
			for j := range row {
				row[j] *= factor
			}
		}
		b := curve()
		if a.Course() != b.Course() || !near(a.PerDoubling.Value, b.PerDoubling.Value, 1e-9) || !near(a.Exponent.Hi, b.Exponent.Hi, 1e-9) {
			t.Fatalf("%s, %s as against %s, %s", a.Course(), a.PerDoubling.Text(), b.Course(), b.PerDoubling.Text())
		}
	})
}

func TestCurveValues(t *testing.T) {
	s := overClients("1 2 4 8", 6, 0.01, func(_ string, n float64) float64 { return 30 * math.Sqrt(n) })
	r := s.result()
	for _, tt := range []struct {
		stat     string
		value    float64
		refusing string
	}{
		{"slope", math.Sqrt2, ""}, {"exponent", 0.5, ""}, {"knee", 0, "no knee: the method needs at least 6 distinct sizes"},
	} {
		e, err := r.CurveValue(Query{Metric: "elapsed", Stat: tt.stat, Selection: sel("mode=own")}, "clients")
		if err != nil || tt.refusing == "" && (math.Abs(e.Value/tt.value-1) > 0.02 || !(e.Lo < e.Value && e.Value < e.Hi)) || !strings.HasPrefix(e.Refused, tt.refusing) {
			t.Errorf("%s is %s, %v; want about %v %s", tt.stat, e.Text(), err, tt.value, tt.refusing)
		}
	}
	for _, tt := range []struct {
		q    Query
		x    string
		want string
	}{
		{Query{Metric: "elapsed", Stat: "slope"}, "clients", "mode is open: name mode=own or mode=shared"},
		{Query{Metric: "elapsed", Stat: "slope", Selection: sel("mode=own")}, "client", "unknown factor"},
		{Query{Metric: "elapsed", Stat: "slope"}, "mode", "is not a number"},
		{Query{Metric: "elapsed", Stat: "steepness"}, "clients", "unknown statistic"},
		{Query{Metric: "elapse", Stat: "slope"}, "clients", "unknown metric"},
	} {
		if _, err := r.CurveValue(tt.q, tt.x); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s over %s: %v, want %q", tt.q.Stat, tt.x, err, tt.want)
		}
	}
	two := newStudy(elapsedMS, "clients: 1 2 4 8")
	for i, m := range []string{"north", "south"} {
		two.run(ids(i+1), m, "randomized-blocks", 5, withNoise(func([]string) float64 { return 10 }, 0.01))
	}
	if _, err := two.result().CurveValue(Query{Metric: "elapsed", Stat: "slope"}, "clients"); err == nil || !strings.Contains(err.Error(), "several machines: name machine=north or machine=south") {
		t.Errorf("two machines: %v", err)
	}
}

// What was not randomized is said with the slope.
func TestASlopeCarriesTheCaveatsOfItsOrder(t *testing.T) {
	s := newStudy(elapsedMS, "clients: 1 2 4 8")
	s.run(ids(1), "m", "modulus", 6, withNoise(func(l []string) float64 { return float64(len(l[0]) + slices.Index([]string{"1", "2", "4", "8"}, l[0])) }, 0.01))
	e, err := s.result().CurveValue(Query{Metric: "elapsed", Stat: "slope"}, "clients")
	if err != nil || !hasWarning(e, NotRandomized) || !strings.HasSuffix(e.SlopeWords(), ", but nothing was randomized") {
		t.Errorf("%s, %v, %v", e.SlopeWords(), e.Warnings, err)
	}
}

// An exponent never stands without its caveat: that it is none, or what it
// takes for granted.
func TestAnExponentHasItsCaveatBesideIt(t *testing.T) {
	line := mustCurve(t, byLevel(elapsedMS, "1 2 4 8", drawRows(1, 8, 0.02, func(x float64) float64 { return 30 + 10*x })...), "").Series[0].Exponent
	root := mustCurve(t, byLevel(elapsedMS, "1 2 4 8", drawRows(1, 8, 0.02, math.Sqrt)...), "").Series[0].Exponent
	if line.Remark() != "no exponent: a power law does not fit" || root.Remark() != "an exponent only without an intercept" {
		t.Errorf("of a line: %q, of a root: %q", line.Remark(), root.Remark())
	}
	if e := (Estimate{Stat: "p99"}); e.Remark() != "" {
		t.Errorf("a number of no curve has the remark %q", e.Remark())
	}
}
