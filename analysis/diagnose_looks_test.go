package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"fieldbook/analysis/stat"
	"fieldbook/internal/design"
	"fieldbook/internal/experiment"
)

// shuffled is a study of three treatments in blocks of random order; of gives
// a number by block, treatment and what ran just before ("" for the first).
func shuffled(sessions, blocks int, of func(g *rand.Rand, session, block int, version, before string) float64) *study {
	s := newStudy(elapsedMS, "version: a b c")
	for i := range sessions {
		g := rand.New(rand.NewPCG(uint64(i), 77))
		ses := s.run(ids(i+1), "m", "randomized-blocks", 0, nil)
		before := ""
		for b := range blocks {
			for _, k := range g.Perm(3) {
				version := s.treatments[k][0]
				x := of(g, i, b, version, before)
				s.add(ses, b+1, b+1, k, "", func(trialAt) outcome { return outcome{value: x} })
				before = version
			}
		}
	}
	return s
}

func quietTrial(g *rand.Rand, _, _ int, _, _ string) float64 {
	return 100 * math.Exp(0.03*g.NormFloat64())
}

func TestCarryOverIsFlagged(t *testing.T) {
	s := shuffled(2, 20, func(g *rand.Rand, i, b int, version, before string) float64 {
		x := quietTrial(g, i, b, version, before)
		if before == "b" {
			x *= 1.08
		}
		return x
	})
	d := check(t, s.result(), "carry-over")
	if !d.Flag || !strings.HasPrefix(d.Text, "carry-over: what ran just before a trial shows in its number, most after version=b: +") {
		t.Errorf("%+v", d)
	}
	if d := check(t, shuffled(2, 20, quietTrial).result(), "carry-over"); d.Flag || !strings.HasPrefix(d.Text, "quiet: ") || d.Session != "" {
		t.Errorf("independent trials: %+v", d)
	}
	if d := check(t, shuffled(1, 4, quietTrial).result(), "carry-over"); d.Flag || !strings.Contains(d.Text, "it takes each treatment twice right after each other one") {
		t.Errorf("four blocks: %+v", d)
	}
}

// In the cycle of a counter every treatment always follows the same other one.
func TestCarryOverCannotBeSeenInAFixedCycle(t *testing.T) {
	x := experiment.Experiment{Design: experiment.Design{Order: experiment.Modulus, Blocks: 20}}
	for i, v := range []string{"a", "b", "c"} {
		x.Treatments = append(x.Treatments, experiment.Treatment{Number: i + 1, Levels: []string{v}})
	}
	plan, err := design.New(&x, 1)
	if err != nil {
		t.Fatal(err)
	}
	s := newStudy(elapsedMS, "version: a b c")
	ses := s.run(ids(1), "m", "modulus", 0, nil)
	for _, p := range plan.Trials {
		s.add(ses, p.Block, p.Block, p.Treatment-1, "", func(trialAt) outcome { return outcome{value: 100 + float64(p.Number%7)} })
	}
	if d := check(t, s.result(), "carry-over"); d.Flag || !strings.Contains(d.Text, "the order is a fixed cycle") {
		t.Errorf("%+v", d)
	}
}

func TestOutliersAreNamedAndStay(t *testing.T) {
	s := shuffled(1, 20, func(g *rand.Rand, i, b int, version, before string) float64 {
		x := quietTrial(g, i, b, version, before)
		if b == 7 && version == "b" {
			x *= 1.5
		}
		return x
	})
	r := s.result()
	trial := 0
	for _, o := range r.Observations("elapsed", nil) {
		if o.Value > 130 {
			trial = o.Trial
		}
	}
	d := check(t, r, "outliers")
	want := "outliers: 1 of 60 trials lies far from the others of the same treatment, and is in every number: trial " + NumberText(float64(trial)) + " (version=b) +"
	if !d.Flag || !strings.HasPrefix(d.Text, want) {
		t.Errorf("%q, want %q", d.Text, want)
	}
	if n := mustValue(t, r, "n", "elapsed", "version=b"); n.Value != 20 {
		t.Errorf("%v trials count, want all 20", n.Value)
	}
	if d := check(t, shuffled(1, 20, quietTrial).result(), "outliers"); d.Flag {
		t.Errorf("%+v", d)
	}
}

// Where numbers have no logarithms, what lies off does so in the metric's unit.
func TestWhatLiesOffHasTheUnit(t *testing.T) {
	r := shuffled(1, 60, func(g *rand.Rand, i, b int, version, before string) float64 {
		x := quietTrial(g, i, b, version, before) - 100
		if b == 7 && version == "b" {
			x += 500
		}
		return x
	}).result()
	d := check(t, r, "outliers")
	if !d.Flag || !strings.HasSuffix(d.Text, " ms") || strings.Contains(d.Brief, "trial 1") || !strings.HasPrefix(d.Text, d.Brief+": trial ") {
		t.Errorf("%+v", d)
	}
	off := Modality{Samples: []ModeSample{{Modes: []stat.Mode{{Share: 1, Median: -3.5}}}}}
	if got, want := off.Shares(off.Samples[0], "ms"), "100 % about −3.5 ms"; got != want {
		t.Errorf("a mode of distances is %q, want %q", got, want)
	}
}

func TestModesAreFlaggedWithTheirShares(t *testing.T) {
	two := func(g *rand.Rand, i, b int, version, before string) float64 {
		x := quietTrial(g, i, b, version, before)
		if version != "c" && g.Float64() < 0.4 {
			x *= 1.5
		}
		return x
	}
	d := check(t, shuffled(1, 150, two).result(), "modes")
	if !d.Flag || !strings.HasPrefix(d.Text, "modes: the numbers of version=") || !strings.Contains(d.Text, "% about 1") || !strings.Contains(d.Text, "ms, ") {
		t.Errorf("150 trials each: %+v", d)
	}
	if d := check(t, shuffled(1, 150, quietTrial).result(), "modes"); d.Flag || !strings.HasPrefix(d.Text, "quiet: no more than one mode seen") {
		t.Errorf("one mode: %+v", d)
	}
	if d := check(t, shuffled(1, 16, quietTrial).result(), "modes"); !strings.Contains(d.Text, "it takes 50 trials, and there are 48") {
		t.Errorf("%+v", d)
	}
	coarse := shuffled(1, 40, func(g *rand.Rand, _, _ int, _, _ string) float64 { return float64(1 + g.IntN(3)) })
	if d := check(t, coarse.result(), "modes"); d.Flag || !strings.Contains(d.Text, "is the clock too coarse?") && !strings.Contains(d.Text, "quiet") {
		t.Errorf("a coarse clock: %+v", d)
	}
}

// A ratio that differs between sessions is found by the comparison and by the
// look at all effects; one that does not is not.
func TestSessionsThatDifferAreFlagged(t *testing.T) {
	differing := func(g *rand.Rand, i, b int, version, before string) float64 {
		x := quietTrial(g, i, b, version, before) * (1 + 0.3*float64(i)) // days differ as such: no matter
		if version == "b" {
			x *= 1 + 0.1*float64(i)
		}
		return x
	}
	r := shuffled(3, 10, differing).result()
	if d := check(t, r, "sessions"); !d.Flag || !strings.HasPrefix(d.Text, "sessions: the effect of version differs between 3 of them (p ") {
		t.Errorf("%+v", d)
	}
	c := mustCompare(t, r, "elapsed", "version=b / version=a")
	if !c.Between.Differs() || !hasWarning(c.Ratio, Heterogeneous) || !strings.HasPrefix(c.Between.Words(), "differs between 3 sessions (F(2, 27) = ") {
		t.Errorf("%+v %v", c.Between, c.Ratio.Warnings)
	}
	same := shuffled(3, 10, func(g *rand.Rand, i, b int, version, before string) float64 {
		return quietTrial(g, i, b, version, before) * (1 + 0.3*float64(i))
	}).result()
	if d := check(t, same, "sessions"); d.Flag {
		t.Errorf("%+v", d)
	}
	if c := mustCompare(t, same, "elapsed", "version=b / version=a"); c.Between.Differs() || c.Between.Sessions != 3 {
		t.Errorf("%+v", c.Between)
	}
	if c := mustCompare(t, shuffled(1, 10, quietTrial).result(), "elapsed", "version=b / version=a"); c.Between.Words() != "" {
		t.Errorf("one session: %q", c.Between.Words())
	}
}

func TestMachinesThatDifferAreFlagged(t *testing.T) {
	s := shuffled(2, 10, func(g *rand.Rand, i, b int, version, before string) float64 {
		x := quietTrial(g, i, b, version, before)
		if version == "c" && i == 1 {
			x *= 1.3
		}
		return x
	})
	s.sessions[1].Machine = "other"
	for i := range s.sessions[1].Rows {
		s.sessions[1].Rows[i].Machine = "other"
	}
	if d := check(t, s.result(), "machines"); !d.Flag || !strings.HasPrefix(d.Text, "machines: the effect of version differs between 2 of them") {
		t.Errorf("%+v", d)
	}
}

// Independent noise, of which a third is five times as large, has hardly an
// outlier.
func TestNoisyTreatmentsAreNoOutliers(t *testing.T) {
	flags := 0
	for seed := range uint64(100) {
		s := shuffled(1, 20, func(g *rand.Rand, _, b int, version, _ string) float64 {
			sd := 0.01
			if version == "b" {
				sd = 0.05
			}
			return 100 * math.Exp(sd*rand.New(rand.NewPCG(seed, g.Uint64())).NormFloat64())
		})
		if check(t, s.result(), "outliers").Flag {
			flags++
		}
	}
	if flags > 10 {
		t.Errorf("%d of 100 sessions without outliers are flagged", flags)
	}
}

// manyTreatments is a study of twelve treatments in twelve blocks: most pairs
// of them never ran one after the other. of gives the number of a trial from
// noise and the levels of what ran just before.
func manyTreatments(seed uint64, of func(x float64, before []string) float64) *study {
	s := newStudy(elapsedMS, "way: queue threads batches", "workers: 1 2 4 8")
	g := rand.New(rand.NewPCG(seed, 5))
	ses := s.run(ids(1), "m", "randomized-blocks", 0, nil)
	var before []string
	for b := range 12 {
		for _, k := range g.Perm(12) {
			x := of(100*math.Exp(0.03*g.NormFloat64()), before)
			s.add(ses, b+1, b+1, k, "", func(trialAt) outcome { return outcome{value: x} })
			before = s.treatments[k]
		}
	}
	return s
}

func TestCarryOverIsSeenByTheFactorsOfWhatRanBefore(t *testing.T) {
	r := manyTreatments(1, func(x float64, before []string) float64 {
		if before != nil && before[1] == "8" {
			return 1.06 * x
		}
		return x
	}).result()
	d := check(t, r, "carry-over")
	if !d.Flag || !strings.HasPrefix(d.Text, "carry-over: what ran just before a trial, told by way and workers, shows in its number, most after workers=8: +") {
		t.Errorf("%+v", d)
	}
	looks, err := r.CarryOver("elapsed", nil)
	if err != nil || len(looks) != 1 || len(looks[0].Factors) != 2 {
		t.Fatalf("%v %+v", err, looks)
	}
	for _, a := range looks[0].Factors[1].Levels {
		want := map[bool]float64{true: math.Pow(1.06, 0.75), false: math.Pow(1.06, -0.25)}[a.After.String() == "workers=8"]
		if e := a.Effect; e.Lo > want || e.Hi < want || e.Kind != Ratio || e.N != len(a.Trials) {
			t.Errorf("after %s: %s, want about %v", a.After, e.Text(), want)
		}
	}
}

func TestCarryOverByFactorsRaisesFewFlags(t *testing.T) {
	flags := 0
	for seed := range uint64(200) {
		if check(t, manyTreatments(seed, func(x float64, _ []string) float64 { return x }).result(), "carry-over").Flag {
			flags++
		}
	}
	if flags > 7 { // of 200 at 1 %: more by chance once in a thousand
		t.Errorf("%d of 200 sessions without carry-over are flagged, want about 2", flags)
	}
}

// A machine that is slow for whole blocks has two modes over the trials and one
// within blocks: a ratio within blocks is not about their mix.
func TestModesBetweenBlocksAreToldFromThoseWithin(t *testing.T) {
	slowBlocks := func(g *rand.Rand, i, b int, version, before string) float64 {
		x := quietTrial(g, i, b, version, before)
		if b%5 < 2 {
			x *= 1.5
		}
		return x
	}
	d := check(t, shuffled(1, 40, slowBlocks).result(), "modes")
	if !d.Flag || !strings.Contains(d.Text, "; most blocks lie in one of them as a whole") || strings.Contains(d.Text, "their mix") {
		t.Errorf("slow blocks: %+v", d)
	}
	slowTrials := func(g *rand.Rand, i, b int, version, before string) float64 {
		x := quietTrial(g, i, b, version, before)
		if g.Float64() < 0.4 {
			x *= 1.5
		}
		return x
	}
	s := newStudy(elapsedMS, "version: a b c")
	s.run(ids(1), "m", "complete-randomization", 0, nil)
	g := rand.New(rand.NewPCG(1, 2))
	for i := range 150 {
		x := slowTrials(g, 0, 0, "", "")
		s.add(s.sessions[0], i, 0, i%3, "", func(trialAt) outcome { return outcome{value: x} })
	}
	for name, r := range map[string]*Result{"in blocks": shuffled(1, 49, slowTrials).result(), "without blocks": s.result()} {
		if d := check(t, r, "modes"); !d.Flag || !strings.HasSuffix(d.Text, "; what a ratio says is about their mix") {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

func TestCarryOverOfTooMuchIsNotLookedAt(t *testing.T) {
	f := &followed{y: make([]float64, 100_000), keys: make([]string, 50)}
	if f.work() <= mostWork {
		t.Error("a hundred thousand trials of fifty treatments are looked at")
	}
	f.y, f.keys = f.y[:1440], f.keys[:48]
	if f.work() > mostWork {
		t.Error("1440 trials of 48 treatments are not looked at")
	}
}
