package analysis

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/analysis/stat"
)

// overClients is a study of two modes over clients, in which y says what one
// trial gives; blocks differ by up to a half.
func overClients(levels string, blocks int, sd float64, y func(mode string, clients float64) float64) *study {
	s := newStudy(elapsedMS, "mode: own shared", "clients: "+levels)
	s.factors[1].Numeric = true
	noise := withNoise(func(l []string) float64 {
		n, _ := strconv.ParseFloat(l[1], 64)
		return y(l[0], n)
	}, sd)
	s.run(ids(1), "m", "randomized-blocks", blocks, func(at trialAt) outcome {
		o := noise(at)
		o.value *= 1 + 0.1*float64(at.block%5)
		return o
	})
	return s
}

func power(exponent float64) func(string, float64) float64 {
	return func(_ string, n float64) float64 { return 40 * math.Pow(n, exponent) }
}

func slopeClaim(expectation string) Claim {
	return Claim{Name: "s", Metric: "elapsed", Slope: "clients", Where: sel("mode=own"), Expect: expect(expectation)}
}

func fitClaim(within float64) Claim {
	return Claim{Name: "f", Metric: "elapsed", Fit: "linear", X: "clients", Within: within, Where: sel("mode=own")}
}

func TestVerdictsOfSlopes(t *testing.T) {
	tests := []struct {
		exponent, sd float64
		expect       string
		want         Verdict
	}{
		{0.5, 0.02, "slope > 0", Supported}, {0.5, 0.02, "slope < 0", Refuted}, {0.5, 0.02, "slope < 0.4", Supported},
		{-0.5, 0.02, "slope > 0", Refuted}, {0, 0.02, "slope > 0", Undecided}, {0, 0.02, "slope within -0.05..0.05", Supported},
		{1, 0.02, "slope within -0.05..0.05", Refuted}, {0.07, 0.05, "slope within -0.05..0.05", Undecided},
	}
	for _, tt := range tests {
		got := judgeOne(overClients("1 2 4 8", 10, tt.sd, power(tt.exponent)), slopeClaim(tt.expect))
		if got.Verdict != tt.want || len(got.Parts) != 1 {
			t.Errorf("exponent %v, %s: %s (%s), want %s: %s", tt.exponent, tt.expect, got.Verdict, got.Why, tt.want, got.Parts[0].Estimate.Text())
		}
		if tt.want == Undecided && got.Parts[0].Blocks == 0 && tt.exponent != 0 {
			t.Errorf("exponent %v, %s: %q does not say how many blocks would decide it", tt.exponent, tt.expect, got.Why)
		}
	}
}

// A slope is the exponent of a power law times log 2, whatever the blocks'
// own heights and the spacing of levels.
func TestSlopeOfAPowerLawIsItsExponent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		exponent := rapid.Float64Range(-2, 2).Draw(t, "exponent")
		levels := rapid.SampledFrom([]string{"1 2", "1 2 4 8", "8 1 3", "0.5 7 100"}).Draw(t, "levels")
		e := judgeOne(overClients(levels, 4, 0, power(exponent)), slopeClaim("slope > 0")).Parts[0].Estimate
		if !near(e.Value, exponent*math.Ln2, 1e-9) || e.Kind != Slope || e.N != 4 || !near(e.Lo, e.Hi, 1e-9) {
			t.Fatalf("slope %v of exponent %v over %s", e.Text(), exponent, levels)
		}
	})
}

// The interval is that of a t test over the blocks' own slopes.
func TestSlopeIntervalRestsOnBlocks(t *testing.T) {
	s := newStudy(elapsedMS, "clients: 1 4")
	ratios := []float64{1.1, 1.4, 1.2, 1.6, 1.3, 1.25}
	s.run(ids(1), "m", "randomized-blocks", len(ratios), func(at trialAt) outcome {
		v := 10.0 * float64(at.block)
		if at.levels[0] == "4" {
			v *= ratios[at.block-1]
		}
		return outcome{value: v}
	})
	c := slopeClaim("slope > 0")
	c.Where = nil
	got := judgeOne(s, c).Parts[0]
	d := mapped(ratios, func(x float64) float64 { return math.Log(x) / 2 }) // two doublings
	want := stat.PairedT(d, 0, 0.95)
	if !near(got.Estimate.Lo, want.Lo, 1e-9) || !near(got.Estimate.Hi, want.Hi, 1e-9) || !near(got.P, want.P, 1e-9) {
		t.Errorf("%s, p %v; want [%v, %v], p %v", got.Estimate.Text(), got.P, want.Lo, want.Hi, want.P)
	}
	if want = stat.PairedT(d, 0, 0.90); !near(got.I90.Lo, want.Lo, 1e-9) {
		t.Errorf("I90 from %v, want %v", got.I90.Lo, want.Lo)
	}
}

func TestSlopeSpreadsAndAverages(t *testing.T) {
	s := overClients("1 2 4 8", 10, 0.01, func(mode string, n float64) float64 {
		if mode == "own" {
			return 40 * n
		}
		return 40
	})
	each := slopeClaim("slope > 0.1")
	each.Where, each.ForEach = nil, []string{"mode"}
	got := judgeOne(s, each)
	if want := []string{"mode=own supported", "mode=shared refuted"}; got.Verdict != Refuted || !slices.Equal(labels(got), want) {
		t.Errorf("for each mode: %s %v, want %v", got.Verdict, labels(got), want)
	}
	over := slopeClaim("slope within 0.3..0.4")
	over.Where, over.Over = nil, []string{"mode"}
	if got := judgeOne(s, over); got.Verdict != Supported || !near(got.Parts[0].Estimate.Value, math.Ln2/2, 0.02) {
		t.Errorf("over modes: %s %s, want half of one doubling", got.Verdict, got.Parts[0].Estimate.Text())
	}
	open := slopeClaim("slope > 0")
	open.Where = nil
	if got := judgeOne(s, open); got.Verdict != NotJudged || !strings.Contains(got.Why, "mode is open") {
		t.Errorf("mode left open: %s %q", got.Verdict, got.Why)
	}
	some := slopeClaim("slope > 0")
	some.Where = sel("mode=own clients=2,8")
	if got := judgeOne(s, some); got.Verdict != Supported {
		t.Errorf("two levels: %s %q", got.Verdict, got.Why)
	}
}

func TestSlopesThatCannotBeJudged(t *testing.T) {
	zero := overClients("0 1 2", 6, 0.02, func(string, float64) float64 { return 1 })
	sequential := newStudy(elapsedMS, "mode: own", "clients: 1 2 4 8")
	sequential.run(ids(1), "m", "sequential", 6, withNoise(func([]string) float64 { return 1 }, 0.1))
	negative := overClients("1 2", 6, 0, func(string, float64) float64 { return -1 })
	tests := []struct {
		study *study
		where string
		want  string
	}{
		{zero, "mode=own", "is not above 0"},
		{zero, "mode=own clients=2", "takes two levels"},
		{sequential, "mode=own", "an order with blocks"},
		{negative, "mode=own", "no log scale"},
		{newStudy(elapsedMS, "mode: own", "clients: 1 2"), "mode=own", "no data"},
	}
	for _, tt := range tests {
		c := slopeClaim("slope > 0")
		c.Where = sel(tt.where)
		got := judgeOne(tt.study, c)
		if got.Verdict != NotJudged || !strings.Contains(got.Why, tt.want) {
			t.Errorf("where %s: %s %q, want %q", tt.where, got.Verdict, got.Why, tt.want)
		}
	}
	words := slopeClaim("slope > 0")
	words.Slope, words.Where = "mode", sel("clients=1")
	if got := judgeOne(zero, words); got.Verdict != NotJudged || !strings.Contains(got.Why, `"own" of mode is not a number`) {
		t.Errorf("over words: %s %q", got.Verdict, got.Why)
	}
}

func TestVerdictsOfFits(t *testing.T) {
	line := func(_ string, n float64) float64 { return 30 + 10*n }
	bent := func(_ string, n float64) float64 { return 30 + 10*n + 3*n*n }
	tests := []struct {
		name   string
		y      func(string, float64) float64
		within float64
		blocks int
		sd     float64
		want   Verdict
		why    string
	}{
		{"a line", line, 0.05, 10, 0.01, Supported, "holds at each of 5 levels; furthest from the line at clients="},
		{"a bend", bent, 0.05, 10, 0.01, Refuted, "furthest from the line at clients="},
		{"a bend within a wide margin", bent, 0.60, 10, 0.01, Supported, "holds at each of 5 levels"},
		{"too noisy", line, 0.02, 5, 0.2, Undecided, "would decide it"},
		{"too few blocks for an equivalence", line, 0.05, 4, 0.001, Undecided, ""},
	}
	for _, tt := range tests {
		got := judgeOne(overClients("1 2 4 8 16", tt.blocks, tt.sd, tt.y), fitClaim(tt.within))
		if got.Verdict != tt.want || !strings.Contains(got.Why, tt.why) || len(got.Parts) != 5 {
			t.Errorf("%s: %s %q %v, want %s with %q", tt.name, got.Verdict, got.Why, labels(got), tt.want, tt.why)
		}
	}
	few := judgeOne(overClients("1 2 4", 10, 0.01, line), fitClaim(0.05))
	if few.Verdict != NotJudged || !strings.Contains(few.Why, "takes 4 levels of clients, and there are 3") {
		t.Errorf("three levels: %s %q", few.Verdict, few.Why)
	}
}

// What lies on a line deviates nowhere, whatever its intercept and slope.
func TestALineDeviatesNowhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64Range(0.1, 100).Draw(t, "a"), rapid.Float64Range(0.1, 100).Draw(t, "b")
		s := overClients("1 2 4 8", 6, 0, func(_ string, n float64) float64 { return a + b*n })
		for _, p := range judgeOne(s, fitClaim(0.001)).Parts {
			if math.Abs(p.Estimate.Value) > 1e-6 || p.Verdict != Supported {
				t.Fatalf("%v + %v·n: %s %s %s", a, b, p.Label, p.Estimate.Text(), p.Verdict)
			}
		}
	})
}

// The deviations are those that the numerics state.
func TestDeviationsAreThoseOfTheFit(t *testing.T) {
	s := overClients("1 2 4 8", 9, 0.05, func(_ string, n float64) float64 { return 20 + n*n })
	c := judgeOne(s, fitClaim(0.1))
	var x, y []float64
	var block []int
	for _, row := range s.sessions[0].Rows {
		if row.Levels[0] == "own" {
			n, _ := strconv.ParseFloat(row.Levels[1], 64)
			x, y, block = append(x, n), append(y, row.Metrics[0]), append(block, row.Block)
		}
	}
	want := stat.FitMultiplicativeLine(x, y, block, 0.95).Deviations
	for j, p := range c.Parts {
		if !near(p.Estimate.Value, want[j].Value, 1e-9) || !near(p.Estimate.Lo, want[j].Lo, 1e-9) || !near(p.Estimate.Hi, want[j].Hi, 1e-9) {
			t.Errorf("%s: %s, want %+v", p.Label, p.Estimate.Text(), want[j])
		}
	}
}

func TestFitSpreadsOverLevels(t *testing.T) {
	c := fitClaim(0.05)
	c.Where, c.ForEach = nil, []string{"mode"}
	got := judgeOne(overClients("1 2 4 8", 10, 0.01, func(mode string, n float64) float64 {
		if mode == "own" {
			return 30 + 10*n
		}
		return 30 + n*n
	}), c)
	if len(got.Parts) != 8 || got.Parts[4].Label != "mode=shared clients=1" || got.Verdict != Refuted || !strings.Contains(got.Why, "mode=shared clients=") {
		t.Errorf("%s %v: %q", got.Verdict, labels(got), got.Why)
	}
}

func TestStaleRowsDecideNoCurve(t *testing.T) {
	s := overClients("1 2 4 8", 6, 0.01, power(1))
	of := map[string]string{}
	for _, levels := range s.treatments {
		of[treatmentKey(levels)] = "id1"
	}
	of["own\x1f8"] = "changed"
	in := today(s, of)
	in.Claims = []Claim{slopeClaim("slope > 0"), fitClaim(0.1)}
	for _, c := range Analyze(in).Claims {
		if c.Verdict != NotJudged || !strings.Contains(c.Why, "stale") {
			t.Errorf("%s: %s %q", c.Claim.Name, c.Verdict, c.Why)
		}
	}
}

func TestPublishedSlopes(t *testing.T) {
	row := func(machine, clients string, value float64) PublishedRow {
		return PublishedRow{Machine: machine, Levels: map[string]string{"clients": clients, "mode": "own"}, Metric: "elapsed", Value: value, Unit: "ms", Aggregate: "value"}
	}
	s := overClients("1 2 4 8", 6, 0.01, power(1))
	s.in.Published = &Published{Source: "then", Rows: []PublishedRow{
		row("up", "1", 5), row("up", "2", 10), row("up", "4", 20), row("down", "1", 8), row("down", "4", 2), row("one", "4", 2),
	}}
	got := judgeOne(s, slopeClaim("slope > 0"))
	var said []string
	for _, p := range got.PublishedParts {
		said = append(said, fmt.Sprintf("%s %s %.3f", p.Machine, p.Verdict, p.Value))
	}
	want := []string{"up holds 0.693", "down fails -0.693", "one not stated NaN"}
	if !slices.Equal(said, want) || got.PublishedVerdict != Fails {
		t.Errorf("%s %v, want %v", got.PublishedVerdict, said, want)
	}
	if fit := judgeOne(s, fitClaim(0.1)); fit.PublishedVerdict != NotStated {
		t.Errorf("a fit of published numbers: %s", fit.PublishedVerdict)
	}
}

// With two labels of one treatment a factor c apart, a slope over three
// doublings must clear log(c)/3 besides.
func TestAControlMustBeClearedByASlope(t *testing.T) {
	s := newStudy(elapsedMS, "clients: 1 2 4 8")
	slope := 0.05
	ses := s.run(ids(1), "m", "randomized-blocks", 8, func(at trialAt) outcome {
		n, _ := strconv.ParseFloat(at.levels[0], 64)
		return outcome{value: 100 * math.Exp(slope*math.Log2(n)+0.001*float64(at.position%3))}
	})
	verdict := func(expectation string) Verdict {
		c := slopeClaim(expectation)
		c.Where = nil
		return judgeOne(s, c).Verdict
	}
	if got := verdict("slope > 0"); got != Supported {
		t.Errorf("without a control: %s", got)
	}
	for i := range 8 {
		s.add(ses, i+1, i+1, 0, "A", func(trialAt) outcome { return outcome{value: 100} })
		s.add(ses, i+1, i+1, 0, "B", func(trialAt) outcome { return outcome{value: 100 * math.Exp(0.2+0.001*float64(i%3))} })
	}
	tests := []struct {
		expect string
		want   Verdict
	}{
		{"slope > 0", Undecided}, {"slope > -0.05", Supported}, {"slope < 0", Undecided}, {"slope < 0.2", Supported},
		{"slope within -0.06..0.06", Undecided}, {"slope within -0.09..0.09", Supported}, {"slope within 0.03..0.07", Supported},
	}
	for _, tt := range tests {
		if got := verdict(tt.expect); got != tt.want {
			t.Errorf("%s beside a control of 0.2/3: %s, want %s", tt.expect, got, tt.want)
		}
	}
}

// What is averaged over must be the same at every level, or its effect would
// be in the slope.
func TestASlopeAveragesTheSameAtEveryLevel(t *testing.T) {
	s := overClients("1 2 4 8", 6, 0.01, power(1))
	of := map[string]string{}
	for _, levels := range s.treatments {
		if treatmentKey(levels) != "shared\x1f8" {
			of[treatmentKey(levels)] = "id1"
		}
	}
	in := today(s, of)
	c := slopeClaim("slope > 0")
	c.Where, c.Over = nil, []string{"mode"}
	all := c
	all.Where = sel("clients=1,2,4")
	in.Claims = []Claim{c, all}
	r := Analyze(in)
	if got := r.Claims[0]; got.Verdict != NotJudged || !strings.Contains(got.Why, "other treatments run at clients=8 than at clients=1") {
		t.Errorf("%s: %q", got.Verdict, got.Why)
	}
	if got := r.Claims[1]; got.Verdict != Supported {
		t.Errorf("where all levels have both modes: %s %q", got.Verdict, got.Why)
	}
	twice := newStudy(elapsedMS, "clients: 1 1.0 2")
	c.Where, c.Over = nil, nil
	if got := judgeOne(twice, c); got.Verdict != NotJudged {
		t.Errorf("without data: %s", got.Verdict)
	}
	twice.run(ids(1), "m", "randomized-blocks", 6, withNoise(func([]string) float64 { return 1 }, 0.1))
	if got := judgeOne(twice, c); got.Verdict != NotJudged || !strings.Contains(got.Why, `"1" and "1.0" of clients are one number`) {
		t.Errorf("two levels of one number: %s %q", got.Verdict, got.Why)
	}
}
