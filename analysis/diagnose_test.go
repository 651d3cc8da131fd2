package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// check is the diagnostic of one kind on the metric elapsed.
func check(t *testing.T, r *Result, kind string) Diagnostic {
	t.Helper()
	for _, d := range r.Diagnostics() {
		if d.Metric == "elapsed" && d.Check == kind {
			return d
		}
	}
	t.Fatalf("no diagnostic %q", kind)
	return Diagnostic{}
}

// noisy is independent noise from a fixed seed, times a function of the
// trial.
func noisy(seed uint64, of func(trialAt) float64) func(trialAt) outcome {
	g := rand.New(rand.NewPCG(seed, 1))
	return func(at trialAt) outcome { return outcome{value: of(at) * math.Exp(0.05*g.NormFloat64())} }
}

func TestDriftIsFlagged(t *testing.T) {
	s := newStudy(elapsedMS, "version: a b c")
	s.run(ids(1), "m", "randomized-blocks", 20, noisy(1, func(at trialAt) float64 { return 100 * (1 + 0.03*float64(at.block)) }))
	r := s.result()
	if d := check(t, r, "blocks"); !d.Flag || !strings.HasPrefix(d.Text, "drift: the numbers go up over the order of blocks") {
		t.Errorf("a machine that slows down from block to block: %+v", d)
	}
	if d := check(t, r, "trend"); d.Flag || !strings.HasPrefix(d.Text, "quiet: no trend seen over the order of trials (p = 0.") {
		t.Errorf("blocks take the drift out of the residuals: %+v", d)
	}
	s = newStudy(elapsedMS, "version: a b c")
	s.run(ids(1), "m", "complete-randomization", 0, nil)
	for i := range 30 {
		s.add(s.sessions[0], i, 0, i%3, "", noisy(uint64(i), func(trialAt) float64 { return 100 * (1 + 0.03*float64(i)) }))
	}
	if d := check(t, s.result(), "trend"); !d.Flag {
		t.Errorf("without blocks the drift is in the residuals: %+v", d)
	}
}

func TestQuietDataRaisesFewFlags(t *testing.T) {
	flags, looks := 0, 0
	for seed := range uint64(200) {
		s := newStudy(elapsedMS, "version: a b c")
		s.run(ids(1), "m", "randomized-blocks", 12, noisy(seed, func(trialAt) float64 { return 100 }))
		for _, d := range s.result().Diagnostics() {
			looks++
			if d.Flag {
				flags++
			}
		}
	}
	if share := float64(flags) / float64(looks); share > 0.03 {
		t.Errorf("%d of %d looks at independent noise are flagged, want about one in a hundred", flags, looks)
	}
}

func TestFewTrialsAreNotLookedAt(t *testing.T) {
	if d := check(t, ratios(1, 1.1, 0.9).result(), "trend"); d.Flag || !strings.HasPrefix(d.Text, "trend over the order of trials not looked at: ") {
		t.Errorf("%+v", d)
	}
}

func TestControlIsLookedAt(t *testing.T) {
	if d := check(t, controlled(spread(12, 1, 0.1), spread(12, 1.08, 0.02)).result(), "control"); !d.Flag || !strings.Contains(d.Text, "two labels of one treatment differ, 1.08") {
		t.Errorf("%+v", d)
	}
	if d := check(t, controlled(spread(12, 1, 0.1), spread(12, 1, 0.02)).result(), "control"); d.Flag {
		t.Errorf("%+v", d)
	}
}

func TestUnaffectedMetricIsLookedAt(t *testing.T) {
	for _, moved := range []bool{false, true} {
		s := newStudy(elapsedMS, "version: old new", "size: 1 2")
		s.run(ids(1), "m", "randomized-blocks", 12, noisy(3, func(at trialAt) float64 {
			if moved && at.levels[1] == "2" {
				return 130
			}
			return 100
		}))
		s.in.Unaffected = []string{"elapsed"}
		d := check(t, s.result(), "unaffected")
		if d.Flag != moved || moved && !strings.HasPrefix(d.Text, "moved: size changes it") {
			t.Errorf("moved %v: %+v", moved, d)
		}
	}
}
