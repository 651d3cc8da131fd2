package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// The machine of this study slows down by a percent a minute; a block takes a
// minute.
func TestDriftHasASizeAnHour(t *testing.T) {
	s := shuffled(1, 40, func(g *rand.Rand, _, b int, _, _ string) float64 {
		return 100 * math.Exp(0.001*g.NormFloat64()) * math.Pow(1.01, float64(b))
	})
	for i := range s.sessions[0].Rows {
		s.sessions[0].Rows[i].Started = time.Date(2026, 11, 30, 10, 0, 20*i, 0, time.UTC)
	}
	d := check(t, s.result(), "blocks")
	// 1.01 to the power of 60 is 1.8167.
	if !d.Flag || !strings.Contains(d.Text, "(p < 0.0001), by +82 % [+8") || !strings.HasSuffix(d.Text, "] an hour") {
		t.Errorf("%+v", d)
	}
	if d := check(t, s.result(), "trend"); strings.Contains(d.Text, "an hour") {
		t.Errorf("blocks take the drift out of what this size would be of: %+v", d)
	}
}

func TestQuietDriftHasASizeThatIncludesNone(t *testing.T) {
	d := check(t, shuffled(1, 20, quietTrial).result(), "blocks")
	if d.Flag || !strings.Contains(d.Text, "; it lies at ") || !strings.Contains(d.Text, " [−") || !strings.HasSuffix(d.Text, "] a minute") {
		t.Errorf("a minute of trials: %+v", d)
	}
}

// One treatment after the other: the drift is between treatments, too.
func TestDriftHasNoSizeWhereTreatmentAndTimeAreOne(t *testing.T) {
	s := newStudy(elapsedMS, "version: old new")
	s.run(ids(1), "m", "sequential", 30, func(at trialAt) outcome { return outcome{value: 100 + float64(at.position)} })
	r := s.result()
	if d := check(t, r, "trend"); strings.Contains(d.Text, " a minute") || strings.Contains(d.Text, " a second") {
		t.Errorf("%+v", d)
	}
	if d := check(t, r, "shift"); !d.Skipped() || !strings.Contains(d.Text, "one after the other") {
		t.Errorf("%+v", d)
	}
}

func TestChangeOfLevelNamesItsBlock(t *testing.T) {
	s := shuffled(1, 40, func(g *rand.Rand, _, b int, _, _ string) float64 {
		x := 100 * math.Exp(0.005*g.NormFloat64())
		if b >= 25 {
			x *= 1.1
		}
		return x
	})
	d := check(t, s.result(), "shift")
	if !d.Flag || !strings.HasPrefix(d.Text, "shift: after about block 25 the numbers lie elsewhere, by +") || math.Abs(d.Value-0.0953) > 0.01 {
		t.Errorf("%+v", d)
	}
	if d := check(t, shuffled(1, 40, quietTrial).result(), "shift"); d.Flag || !strings.HasPrefix(d.Text, "quiet: no change of level seen after any one block (p = ") {
		t.Errorf("%+v", d)
	}
	if d := check(t, shuffled(1, 19, quietTrial).result(), "shift"); !d.Skipped() || !strings.HasSuffix(d.Text, "it takes 20 blocks, and there are 19") {
		t.Errorf("%+v", d)
	}
	free := newStudy(elapsedMS, "version: a b")
	ses := free.run(ids(1), "m", "complete-randomization", 0, nil)
	g := rand.New(rand.NewPCG(3, 3))
	for i := range 60 {
		x := 100 * math.Exp(0.02*g.NormFloat64())
		if i >= 33 {
			x *= 1.2
		}
		free.add(ses, i, 0, g.IntN(2), "", func(trialAt) outcome { return outcome{value: x} })
	}
	if d := check(t, free.result(), "shift"); !d.Flag || !strings.HasPrefix(d.Text, "shift: after about trial 33 the numbers lie elsewhere, by +") {
		t.Errorf("without blocks: %+v", d)
	}
}

// A long series is averaged over neighbours, and keeps its slope.
func TestLongDriftKeepsItsSize(t *testing.T) {
	c := course{step: "trial", log: true}
	for i := range 2500 {
		c.xs, c.times = append(c.xs, 1e-4*float64(i)+0.001*math.Sin(float64(i))), append(c.times, float64(i))
	}
	if got := c.speed(); !strings.HasPrefix(got, "+43 % [+43") { // exp(0.36) = 1.433
		t.Errorf("%q, want +43 %% an hour", got)
	}
}
