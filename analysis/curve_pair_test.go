package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// twoCurves is a study of two modes over clients with the numbers of each
// block.
func twoCurves(levels string, own, shared [][]float64) *study {
	s := newStudy(elapsedMS, "mode: own shared", "clients: "+levels)
	s.factors[1].Numeric = true
	names := strings.Fields(levels)
	s.run(ids(1), "m", "randomized-blocks", len(own), func(at trialAt) outcome {
		rows := own
		if at.levels[0] == "shared" {
			rows = shared
		}
		return outcome{value: rows[at.block-1][slices.Index(names, at.levels[1])]}
	})
	return s
}

func mustPair(t *testing.T, s *study, compare string) CurvePair {
	t.Helper()
	p, err := s.result().CurvePair("elapsed", "clients", comparison(compare))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// R 4.2: t.test over the blocks' own lm(y ~ x), of log ratios of slopes and of
// differences of intercepts; the crossing by uniroot of the mean of approx(),
// its bounds by uniroot of t.test(...)$p.value - .05.
func TestPairsAgainstReference(t *testing.T) {
	s := twoCurves("1 2 4 8",
		[][]float64{{10, 14, 22, 38}, {11, 15.5, 23, 41}, {9.6, 13.9, 21, 37}, {10.4, 14.1, 23.2, 39}},
		[][]float64{{16, 18, 21, 27}, {17.1, 19, 22.5, 29}, {15.2, 17.5, 20.3, 26.5}, {16.6, 18.1, 22, 28}})
	p := mustPair(t, s, "mode=own / mode=shared")
	for _, tt := range []struct {
		name string
		e    Estimate
		want [3]float64
	}{
		{"ratio of slopes", p.Slopes, [3]float64{2.520501510, 2.445436603, 2.597870603}},
		{"difference of intercepts", p.Intercepts, [3]float64{-8.643478261, -9.165252997, -8.121703525}},
	} {
		if !near(tt.e.Value, tt.want[0], 1e-8) || !near(tt.e.Lo, tt.want[1], 1e-8) || !near(tt.e.Hi, tt.want[2], 1e-8) {
			t.Errorf("%s is %v [%v, %v], want %v", tt.name, tt.e.Value, tt.e.Lo, tt.e.Hi, tt.want)
		}
	}
	if len(p.Crossings) != 1 {
		t.Fatalf("%d crossings: %s", len(p.Crossings), p.CrossingText())
	}
	c := p.Crossings[0]
	if !near(c.Value, 3.623520024, 1e-8) || !near(c.Lo, 3.517472802, 1e-8) || !near(c.Hi, 3.789285168, 1e-8) {
		t.Errorf("crossing %v [%v, %v]", c.Value, c.Lo, c.Hi)
	}
	if got, want := p.CrossingText(), "3.62 [3.52, 3.79]"; got != want {
		t.Errorf("in words %q, want %q", got, want)
	}
	other := mustPair(t, s, "mode=shared / mode=own")
	if o := other.Crossings[0]; !near(o.Lo, c.Lo, 1e-9) || !near(o.Hi, c.Hi, 1e-9) || !near(other.Slopes.Value*p.Slopes.Value, 1, 1e-12) {
		t.Errorf("the other way round: %s, slopes %s", other.CrossingText(), other.Slopes.Text())
	}
}

func TestNoCrossingIsSaid(t *testing.T) {
	for _, tt := range []struct {
		own, shared func(x float64) float64
		want        string
	}{
		{func(x float64) float64 { return 20 * x }, func(x float64) float64 { return 10 * x }, "none within what was measured: left is higher at every level"},
		{func(x float64) float64 { return 9 + x }, func(x float64) float64 { return 20 + 0.1*x }, "none within what was measured: left is lower at every level"},
		{func(x float64) float64 { return 10 }, func(x float64) float64 { return 10 }, "none shown within what was measured: the curves are not told apart at any level"},
		{func(x float64) float64 { return 10 + 10*math.Floor(x/8) }, func(x float64) float64 { return 10 }, "none shown within what was measured: left is higher at 1 of 4 levels, and not told apart at the others"},
	} {
		p := mustPair(t, twoCurves("1 2 4 8", drawRows(1, 6, 0.02, tt.own), drawRows(2, 6, 0.02, tt.shared)), "mode=own / mode=shared")
		if p.CrossingText() != tt.want || len(p.Crossings) != 0 {
			t.Errorf("%q, want %q", p.CrossingText(), tt.want)
		}
	}
}

// Curves that cross twice have two crossings, each within its own levels.
func TestTwoCrossings(t *testing.T) {
	flat := func(float64) float64 { return 10 }
	wave := func(x float64) float64 { return map[float64]float64{1: 7, 2: 14, 4: 15, 8: 6}[x] }
	p := mustPair(t, twoCurves("1 2 4 8", drawRows(1, 6, 0.02, wave), drawRows(2, 6, 0.02, flat)), "mode=own / mode=shared")
	if len(p.Crossings) != 2 || !(p.Crossings[0].Hi < 2 && p.Crossings[1].Lo > 4) || !strings.Contains(p.CrossingText(), " and ") {
		t.Errorf("crossings %s", p.CrossingText())
	}
}

// The interval of a crossing holds the true one in 95 of 100 studies in which
// there is one, and lies within what was measured.
func TestCrossingsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation")
	}
	// own/shared = (x/3)^0.5, so that the curves cross at 3; the interpolation
	// over log x is exact.
	own := func(x float64) float64 { return 10 * math.Sqrt(x/3) }
	held, found := 0, 0
	for i := range uint64(500) {
		d := drawRows(i, 6, 0.15, own)
		for _, row := range d {
			for j := range row {
				row[j] = math.Log(row[j] / 10)
			}
		}
		if at := pairedLine(column(d, 0), ""); at.p(0) > 0.0125 || at.value > 0 {
			continue
		}
		if at := pairedLine(column(d, 3), ""); at.p(0) > 0.0125 || at.value < 0 {
			continue
		}
		found++
		u := mapped([]float64{1, 2, 4, 8}, math.Log)
		x, lo, hi := crossingBetween(u, d, 0, 3)
		if !(u[0] <= lo && lo <= x && x <= hi && hi <= u[3]) {
			t.Fatalf("crossing %v [%v, %v] outside what was measured", x, lo, hi)
		}
		if lo <= math.Log(3) && math.Log(3) <= hi {
			held++
		}
	}
	if share := float64(held) / float64(found); found < 300 || share < 0.93 || share > 0.99 {
		t.Errorf("held in %v of %d studies", share, found)
	}
}

func TestPairsThatCannotBeSetSideBySide(t *testing.T) {
	line := func(x float64) float64 { return 30 + 10*x }
	s := twoCurves("1 2 4 8", drawRows(1, 6, 0.02, line), drawRows(2, 6, 0.02, func(x float64) float64 { return 50 - x }))
	if p := mustPair(t, s, "mode=own / mode=shared"); !strings.Contains(p.Slopes.Refused, "no common direction") || p.Intercepts.Refused != "" {
		t.Errorf("slopes of two directions: %s, intercepts %s", p.Slopes.Text(), p.Intercepts.Text())
	}
	if p := mustPair(t, s, "mode=own / mode=shared where clients=4"); !strings.Contains(p.CrossingText(), "1 level of clients in common, and it takes two") || p.Slopes.Refused == "" {
		t.Errorf("one level: %s", p.CrossingText())
	}
	two := twoCurves("1 2 4 8", drawRows(1, 2, 0.02, line), drawRows(2, 2, 0.02, line))
	if p := mustPair(t, two, "mode=own / mode=shared"); p.CrossingText() != "2 blocks: a crossing takes three" || p.Slopes.bounded() {
		t.Errorf("two blocks: %s, %s", p.CrossingText(), p.Slopes.Text())
	}
	negative := twoCurves("1 2 4 8", drawRows(1, 4, 0.02, line), drawRows(1, 4, 0.02, func(float64) float64 { return -1 }))
	if p := mustPair(t, negative, "mode=own / mode=shared"); !strings.Contains(p.Slopes.Refused, "in common") {
		t.Errorf("a negative side: %s", p.Slopes.Text())
	}
	for _, text := range []string{"mode=own / mode=other", "mode=own clients=1 / mode=shared clients=2", "clients=1 / clients=2", "mode=own / mode=own", "mode=own / other"} {
		if _, err := s.result().CurvePair("elapsed", "clients", comparison(text)); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
	if _, err := s.result().CurvePair("elapsed", "client", comparison("mode=own / mode=shared")); err == nil || !strings.Contains(err.Error(), "unknown factor") {
		t.Errorf("an axis that is no factor: %v", err)
	}
}

func TestWhichCurvesArePaired(t *testing.T) {
	s := newStudy(elapsedMS, "mode: own shared", "place: one two", "clients: 1 2 4 8")
	s.run(ids(1), "m", "randomized-blocks", 3, withNoise(func([]string) float64 { return 10 }, 0.01))
	c := mustCurve(t, s, "")
	var all, byMode []string
	for _, p := range c.Pairs("") {
		all = append(all, p.String())
	}
	for _, p := range c.Pairs("mode") {
		byMode = append(byMode, p.String())
	}
	want := []string{"mode=shared / mode=own where place=one", "mode=shared / mode=own where place=two"}
	if !slices.Equal(byMode, want) || len(all) != 4 || !slices.Contains(all, "place=two / place=one where mode=shared") {
		t.Errorf("by mode %q, all %q", byMode, all)
	}
	// Factors that only move together differ in both: each with the first.
	zipped := newStudy(elapsedMS, "mode: own shared", "place: one two", "clients: 1 2 4 8")
	zipped.treatments = slices.DeleteFunc(zipped.treatments, func(l []string) bool { return (l[0] == "own") != (l[1] == "one") })
	zipped.run(ids(1), "m", "randomized-blocks", 3, withNoise(func([]string) float64 { return 10 }, 0.01))
	pairs := mustCurve(t, zipped, "").Pairs("")
	if len(pairs) != 1 || pairs[0].String() != "mode=shared place=two / mode=own place=one" {
		t.Errorf("zipped: %v", pairs)
	}
}
