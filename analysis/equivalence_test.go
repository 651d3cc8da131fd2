package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fieldbook/analysis/stat"
)

// shared is a study of two objects over clients: at each level the ratio of
// shared over own is the given one, times a noise of the given size.
func sharedObject(ratios map[string]float64, sd float64, blocks int) *study {
	s := newStudy(elapsedMS, "object: own shared", "clients: 1 2 4 8")
	s.factors[1].Numeric = true
	noise := withNoise(func(levels []string) float64 {
		if levels[0] == "shared" {
			return 10 * ratios[levels[1]]
		}
		return 10
	}, sd)
	s.run(ids(1), "m", "randomized-blocks", blocks, noise)
	return s
}

func sameWithin(margin string, forEach ...string) Claim {
	c := comparison("object=shared / object=own")
	return Claim{Name: "same", Metric: "elapsed", Compare: &c, ForEach: forEach, Expect: expect("ratio within " + margin)}
}

func mustEquivalence(t *testing.T, s *study, c Claim) Equivalence {
	t.Helper()
	s.in.Claims = []Claim{c}
	e, err := s.result().Equivalence(c.Name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The p-values, intervals and margins are those of stat.TOST on the logs of
// each level's pairs; over the levels the largest p counts, and Holm for each.
func TestEquivalencePerLevelIsTwoOneSidedTests(t *testing.T) {
	s := sharedObject(map[string]float64{"1": 1, "2": 1.02, "4": 0.97, "8": 1.2}, 0.03, 10)
	e := mustEquivalence(t, s, sameWithin("0.9..1.11", "clients"))
	r := s.result()
	var ps []float64
	worst := 0.0
	for i, level := range []string{"1", "2", "4", "8"} {
		var d []float64
		for _, p := range mustCompare(t, r, "elapsed", "object=shared / object=own where clients="+level).Pairs {
			d = append(d, math.Log(p.Left/p.Right))
		}
		want := stat.TOST(d, math.Log(0.9), math.Log(1.11), 0.90)
		got := e.Levels[i]
		if got.Label != "clients="+level || !near(got.P, want.P, 1e-12) || got.Within != want.Equivalent ||
			!near(got.Smallest, math.Exp(want.Smallest), 1e-12) || !near(got.Ratio90.Lo, math.Exp(want.Lo), 1e-12) {
			t.Errorf("level %s: p %v, within %v, smallest %v; want %v, %v, %v", got.Label, got.P, got.Within, got.Smallest, want.P, want.Equivalent, math.Exp(want.Smallest))
		}
		ps, worst = append(ps, want.P), math.Max(worst, math.Exp(want.Smallest))
	}
	for i, h := range stat.Holm(ps) {
		if !near(e.Levels[i].Holm, h, 1e-12) {
			t.Errorf("Holm of %s is %v, want %v", e.Levels[i].Label, e.Levels[i].Holm, h)
		}
	}
	if e.AtAll || !near(e.All, slices.Max(ps), 1e-12) || !near(e.Smallest, worst, 1e-12) {
		t.Errorf("at all levels %v with p %v, smallest %v; want false, %v, %v", e.AtAll, e.All, e.Smallest, slices.Max(ps), worst)
	}
}

// The verdict of the claim and "at all levels" are one decision.
func TestAtAllLevelsIsTheVerdictOfTheClaim(t *testing.T) {
	for _, ratios := range []map[string]float64{{"1": 1, "2": 1, "4": 1, "8": 1}, {"1": 1, "2": 1, "4": 1.08, "8": 1}, {"1": 1, "2": 1, "4": 1, "8": 1.3}} {
		s := sharedObject(ratios, 0.03, 10)
		e := mustEquivalence(t, s, sameWithin("0.9..1.11", "clients"))
		if got := s.result().Claims[0].Verdict; (got == Supported) != e.AtAll {
			t.Errorf("%v: the claim is %s, at all levels %v", ratios, got, e.AtAll)
		}
	}
}

func TestWordsOfAnEquivalence(t *testing.T) {
	tests := []struct {
		ratio, sd float64
		blocks    int
		margin    string
		want      string
	}{
		{1, 0.02, 10, "0.9..1.11", "practically equivalent (within the margin)"},
		{1.05, 0.01, 10, "0.9..1.11", "different, but by less than the margin: terribly small"},
		{1.3, 0.02, 10, "0.9..1.11", "different by more than the margin"},
		{1.12, 0.03, 10, "0.9..1.11", "different; size relative to the margin undecided; "},
		{1, 0.4, 10, "0.9..1.11", "inconclusive; about "},
		{1, 0.02, 4, "0.9..1.11", "inconclusive: an equivalence takes 5 blocks"},
		{1, 0.02, 2, "0.9..1.11", "nothing can be said: n = 2"},
		{1.2, 0.01, 10, "1.1..1.3", "within the margin"},
		{1, 0.01, 10, "1.1..1.3", "outside the margin"},
	}
	for _, tt := range tests {
		s := sharedObject(map[string]float64{"1": tt.ratio, "2": 1, "4": 1, "8": 1}, tt.sd, tt.blocks)
		c := sameWithin(tt.margin)
		c.Where = sel("clients=1")
		e := mustEquivalence(t, s, c)
		if got := e.Levels[0].Words; len(e.Levels) != 1 || !strings.HasPrefix(got, tt.want) {
			t.Errorf("ratio %v with noise %v over %d blocks, margin %s: %q, want %q", tt.ratio, tt.sd, tt.blocks, tt.margin, got, tt.want)
		}
		if around := strings.HasPrefix(tt.margin, "0"); around == math.IsNaN(e.Smallest) && tt.blocks > 2 {
			t.Errorf("margin %s: smallest margin %v; there is one only around 1", tt.margin, e.Smallest)
		}
	}
}

func TestClaimsThatAreNoEquivalence(t *testing.T) {
	s := sharedObject(nil, 0.03, 6)
	less := sameWithin("0.9..1.11", "clients")
	less.Name, less.Expect = "less", expect("ratio < 1")
	s.in.Claims = []Claim{sameWithin("0.9..1.11", "clients"), less}
	for name, want := range map[string]string{
		"less": "the claim less is no equivalence; it takes `expect: ratio within LOW..HIGH`",
		"sam":  `unknown claim "sam"; did you mean "same"?`,
	} {
		if _, err := s.result().Equivalence(name); err == nil || err.Error() != want {
			t.Errorf("Equivalence(%q): %v, want %s", name, err, want)
		}
	}
}
