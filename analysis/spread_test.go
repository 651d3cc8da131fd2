package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"fieldbook/analysis/stat"
	"fieldbook/internal/session"
)

// louder is a study over clients whose noise is of says for each level.
func louder(blocks int, noise map[string]float64) *study {
	s := newStudy(elapsedMS, "clients: 1 2 4 8")
	s.factors[0].Numeric = true
	r := rand.New(rand.NewPCG(3, 5))
	s.run(ids(1), "m", "randomized-blocks", blocks, func(at trialAt) outcome {
		return outcome{value: 20 * math.Exp(0.2*math.Sin(float64(at.block))+noise[at.levels[0]]*r.NormFloat64())}
	})
	return s
}

func mustSpread(t *testing.T, s *study, where string) Spread {
	t.Helper()
	all, err := s.result().Spread("elapsed", "clients", sel(where))
	if err != nil || len(all) != 1 {
		t.Fatalf("Spread: %d machines, %v", len(all), err)
	}
	return all[0]
}

// The test is that of stat.Variances on the residuals, and the distances are
// theirs to the median of their level.
func TestSpreadIsBrownAndForsythesTestOfTheResiduals(t *testing.T) {
	s := louder(40, map[string]float64{"1": 0.01, "2": 0.02, "4": 0.04, "8": 0.08})
	got := mustSpread(t, s, "")
	residuals, err := s.result().Residuals("elapsed", nil)
	if err != nil {
		t.Fatal(err)
	}
	var groups [][]float64
	for i, level := range []string{"1", "2", "4", "8"} {
		var xs []float64
		for _, r := range residuals {
			if r.Levels[0] == level {
				xs = append(xs, r.Residual)
			}
		}
		groups = append(groups, xs)
		middle, sum := stat.Quantile(xs, 0.5), 0.0
		for k, x := range xs {
			if d := got.Levels[i].Distances[k]; !near(d.Value, math.Abs(x-middle), 1e-15) {
				t.Fatalf("distance %d of level %s is %v, want %v", k, level, d.Value, math.Abs(x-middle))
			}
			sum += math.Abs(x - middle)
		}
		if e := got.Levels[i].Mean; !near(e.Value, sum/40, 1e-12) || e.N != 40 || !(e.Lo < e.Value && e.Value < e.Hi) {
			t.Errorf("mean distance of level %s is %s, want %v of 40", level, e.Text(), sum/40)
		}
	}
	want := stat.Variances(groups)
	if got.F != want.BrownForsythe || got.P != want.BrownForsytheP || got.P > 0.001 {
		t.Errorf("F = %v, p = %v; want %v and %v", got.F, got.P, want.BrownForsythe, want.BrownForsytheP)
	}
	if !strings.HasPrefix(got.Words(), "the noise grows with clients: residuals lie ") {
		t.Errorf("words %q", got.Words())
	}
}

func TestWordsOfASpread(t *testing.T) {
	for want, noise := range map[string]map[string]float64{
		"the noise shrinks with clients: ":               {"1": 0.16, "2": 0.06, "4": 0.03, "8": 0.002},
		"the noise differs over clients: ":               {"1": 0.01, "2": 0.1, "4": 0.01, "8": 0.01},
		"the noise is not seen to differ over clients (": {"1": 0.02, "2": 0.02, "4": 0.02, "8": 0.02},
	} {
		if got := mustSpread(t, louder(25, noise), "").Words(); !strings.HasPrefix(got, want) {
			t.Errorf("%v: %q, want %q", noise, got, want)
		}
	}
}

// Where noise is alike everywhere, one in a hundred studies is flagged; many
// more would make the flag worthless.
func TestSpreadSeldomFlagsNoiseThatIsAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates 500 studies")
	}
	r := rand.New(rand.NewPCG(11, 12))
	flagged := 0
	for range 500 {
		s := newStudy(elapsedMS, "clients: 1 2 4 8")
		s.factors[0].Numeric = true
		s.run(ids(1), "m", "randomized-blocks", 10, func(trialAt) outcome { return outcome{value: math.Exp(0.05 * r.NormFloat64())} })
		if mustSpread(t, s, "").P < flagAlpha {
			flagged++
		}
	}
	if flagged > 12 { // 5 are expected; more than 12 come once in a thousand
		t.Errorf("%d of 500 studies of even noise are flagged, want about 5", flagged)
	}
}

func TestSpreadThatCannotBeLookedAt(t *testing.T) {
	zero := louder(8, map[string]float64{"1": 0.02})
	zero.sessions[0].Rows[3].Metrics[0] = 0
	if got := mustSpread(t, zero, "").Refused; !strings.Contains(got, "not above 0") {
		t.Errorf("a value of 0: %q", got)
	}
	if got := mustSpread(t, louder(8, nil), "clients=2").Refused; got != "there is one level only" {
		t.Errorf("one level: %q", got)
	}
	s := louder(8, nil)
	for question, want := range map[string]string{"elapsd": `unknown metric "elapsd"`, "clint": `unknown factor "clint"`} {
		metric, factor := "elapsed", question
		if strings.HasPrefix(question, "e") {
			metric, factor = question, "clients"
		}
		if _, err := s.result().Spread(metric, factor, nil); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Spread(%s, %s): %v", metric, factor, err)
		}
	}
}

// Numbers that are the same at each repetition leave residuals of rounding
// alone: no noise, which could differ over levels, and no flag of any check.
func TestRoundingIsNoNoise(t *testing.T) {
	for _, block := range []float64{1, 1.1} { // what a block multiplies its numbers by
		s := newStudy(elapsedMS, "way: a b c", "lines: 2000 8000 32000")
		s.factors[1].Numeric = true
		size := map[string]float64{"a2000": 3750, "a8000": 13980, "a32000": 67321, "b2000": 2140, "b8000": 9115, "b32000": 42055, "c2000": 1256, "c8000": 4088, "c32000": 7528}
		s.run(ids(1), "m", "randomized-blocks", 8, func(at trialAt) outcome {
			return outcome{value: size[at.levels[0]+at.levels[1]] * math.Pow(block, float64(at.block))}
		})
		r := s.result()
		spreads, err := r.Spread("elapsed", "lines", nil)
		if err != nil || len(spreads) != 1 || spreads[0].Refused != "there is no noise to compare" {
			t.Errorf("times %v a block: %d spreads, the first %q, %v", block, len(spreads), spreads[0].Words(), err)
		}
		for _, d := range r.Diagnostics() {
			if block == 1 && d.Flag {
				t.Errorf("%s flags rounding: %s", d.Check, d.Text)
			}
		}
	}
}

// One check for each metric with noise and each numeric factor that varies.
func TestDiagnosticsLookAtNoiseOverLevels(t *testing.T) {
	s := louder(40, map[string]float64{"1": 0.01, "2": 0.02, "4": 0.04, "8": 0.08})
	s.metrics = append(s.metrics, session.Metric{Name: "errors", Unit: "1", From: "json"})
	for i := range s.sessions[0].Rows {
		row := &s.sessions[0].Rows[i]
		row.Metrics = append(row.Metrics[:1:1], 0)
	}
	var found []Diagnostic
	for _, d := range s.result().Diagnostics() {
		if d.Check == "spread" {
			found = append(found, d)
		}
	}
	if len(found) != 1 || !found[0].Flag || found[0].Metric != "elapsed" {
		t.Errorf("found %+v, want one flag, for elapsed: errors are always 0", found)
	}
	s = newStudy(elapsedMS, "way: a b")
	s.run(ids(1), "m", "randomized-blocks", 6, withNoise(func([]string) float64 { return 1 }, 0.1))
	for _, d := range s.result().Diagnostics() {
		if d.Check == "spread" {
			t.Errorf("no factor is numeric, and there is %q", d.Text)
		}
	}
}
