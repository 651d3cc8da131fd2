package analysis

import (
	"math"
	"strings"
	"testing"
)

// Three treatments of eight trials, for which R 4.2.2 gave the numbers below.
var threeGroups = map[string][]float64{
	"a": {104, 107, 103.5, 109, 110.2, 106.1, 108.3, 105.4},
	"b": {100.1, 101.2, 99.5, 103.3, 104.7, 100.9, 102.2, 98.8},
	"c": {101.5, 99.1, 108.8, 104.4, 97.6, 100.3, 111.9, 102.8},
}

func threeIn(order string) *study {
	s := newStudy(elapsedMS, "version: a b c")
	s.run(ids(1), "m", order, 8, func(at trialAt) outcome { return outcome{value: threeGroups[at.levels[0]][at.block-1]} })
	return s
}

// oneway.test(log(y) ~ g) and kruskal.test.
func TestUnpairedGroupsAreWelchAndKruskalWallis(t *testing.T) {
	r := threeIn("sequential").result()
	all, err := r.Groups("elapsed", nil)
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	g := all[0]
	for name, pair := range map[string][2]float64{
		"F": {g.F, 11.47292736776}, "df": {g.DF2, 13.05196068354}, "p": {g.P, 0.00133244878043}, "H": {g.H, 8.78}, "rank p": {g.RankP, 0.0124007292204},
	} {
		if !near(pair[0], pair[1], 1e-9) {
			t.Errorf("%s = %v, want %v", name, pair[0], pair[1])
		}
	}
	if words := GroupsWords(all); !strings.HasPrefix(words, "over all 3 treatments F(2, 13.1) = 11.5, p = 0.0013 (Welch") || !strings.HasSuffix(words, "by ranks (Kruskal-Wallis) H = 8.78, p = 0.012") {
		t.Errorf("%q", words)
	}
	if all, _ := threeIn("randomized-blocks").result().Groups("elapsed", nil); len(all) != 0 {
		t.Errorf("blocks have the table of effects: %v", all)
	}
	if all, _ := r.Groups("elapsed", sel("version=a,b")); len(all) != 0 {
		t.Errorf("two treatments have their comparison: %v", all)
	}
}

func TestOverviewOfSeveralSessionsCountsThem(t *testing.T) {
	s := threeIn("sequential")
	s.run(ids(2), "m", "sequential", 8, withNoise(func([]string) float64 { return 100 }, 0.02))
	all, err := s.result().Groups("elapsed", nil)
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %v", all, err)
	}
	if words := GroupsWords(all); !strings.HasPrefix(words, "treatments differ in 1 of 2 sessions at 5 %") || !strings.HasSuffix(words, "by ranks (Kruskal-Wallis) in 1 of 2") {
		t.Errorf("%q", words)
	}
}

// wilcox.test and shapiro.test of log(a / b); 62 of 64 pairs have a above b.
func TestRanksOfBlocks(t *testing.T) {
	c := mustCompare(t, threeIn("randomized-blocks").result(), "elapsed", "version=a / version=b")
	if c.Ranks.Test != "signed rank over blocks" || !near(c.Ranks.P, 0.0078125, 1e-9) || !near(c.Ranks.Normality.P, 0.601550187199, 1e-5) {
		t.Errorf("%+v", c.Ranks)
	}
	if c.Ranks.Share != 0.96875 || !math.IsNaN(c.Ranks.Lo) || c.Ranks.ShareText() != "left higher in 97 % of pairs" {
		t.Errorf("share %v, %q", c.Ranks.Share, c.Ranks.ShareText())
	}
	back := mustCompare(t, threeIn("randomized-blocks").result(), "elapsed", "version=b / version=a")
	if back.Ranks.ShareText() != "left lower in 97 % of pairs" {
		t.Errorf("%q", back.Ranks.ShareText())
	}
	c = mustCompare(t, threeIn("sequential").result(), "elapsed", "version=a / version=b")
	if c.Ranks.Share != 0.96875 || !(c.Ranks.Lo > 0.5) || !(c.Ranks.Hi <= 1) || !strings.HasPrefix(c.Ranks.ShareText(), "left higher in 97 % [") {
		t.Errorf("nothing is paired: %+v", c.Ranks)
	}
	if !math.IsNaN(c.SignFlipP) {
		t.Errorf("a fixed order has a randomization test: p = %v", c.SignFlipP)
	}
}

// Sessions are strata: what differs between them is in no rank.
func TestRanksAreWithinSessions(t *testing.T) {
	s := newStudy(elapsedMS, "version: old new")
	for i := range 3 {
		s.run(ids(i+1), "m", "sequential", 5, func(at trialAt) outcome {
			x := 100 * math.Pow(3, float64(i)) * (1 + 0.01*float64(at.block*(i+2)%5))
			if at.levels[0] == "new" {
				x *= 1.2
			}
			return outcome{value: x}
		})
	}
	c := mustCompare(t, s.result(), "elapsed", "version=new / version=old")
	if c.Ranks.Test != "Mann-Whitney within sessions" || !(c.Ranks.P < 1e-4) || !(c.HL.Lo > 1.15 && c.HL.Hi < 1.25) || c.Ranks.Share != 1 {
		t.Errorf("%+v, exact interval %+v", c.Ranks, c.HL.Estimate)
	}
	over := mustCompare(t, threeIn("sequential").result(), "elapsed", "version=a,b / version=c")
	if !strings.Contains(over.HL.Refused, "a side has several treatments") || !math.IsNaN(over.Ranks.Share) {
		t.Errorf("ranks know no weights: %+v, %+v", over.HL.Estimate, over.Ranks)
	}
}

// Three trials a side are too few for ranks, and the claim says so in trials.
func TestFewTrialsAreSaid(t *testing.T) {
	r := pairOf([]float64{100, 101, 102}, []float64{110, 111, 112}, "complete-randomization")
	c := mustCompare(t, r, "elapsed", "version=new / version=old")
	if !math.IsInf(c.HL.Hi, 1) || c.RestsOnFew() != "trials" {
		t.Errorf("exact interval [%v, %v], rests on few %q", c.HL.Lo, c.HL.Hi, c.RestsOnFew())
	}
	r = pairOf([]float64{100, 101, 102, 103, 104, 105}, []float64{110, 111, 112, 113, 114, 115}, "complete-randomization")
	if c := mustCompare(t, r, "elapsed", "version=new / version=old"); c.RestsOnFew() != "" {
		t.Errorf("six trials a side that do not overlap rest on few %s", c.RestsOnFew())
	}
	in := newStudy(elapsedMS, "version: old new")
	in.run(ids(1), "m", "sequential", 3, func(at trialAt) outcome {
		return outcome{value: map[string]float64{"old": 100, "new": 110}[at.levels[0]] + float64(at.block)}
	})
	if got := judgeOne(in, newOverOld("ratio > 1")); got.Verdict != Supported || !got.Few || !strings.Contains(got.Why, "rests on few trials") {
		t.Errorf("%s, few %v, %q", got.Verdict, got.Few, got.Why)
	}
}
