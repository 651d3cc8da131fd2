package analysis

import (
	"slices"
	"strings"
	"testing"

	"fieldbook/internal/session"
)

// grid is two factors, of which the second spreads or averages; of gives the
// ratio of new over old at each of its levels.
func grid(blocks int, sd float64, of map[string]float64) *study {
	levels := slices.Sorted(func(yield func(string) bool) {
		for l := range of {
			if !yield(l) {
				return
			}
		}
	})
	s := newStudy(elapsedMS, "version: old new", "size: "+strings.Join(levels, " "))
	s.run(ids(1), "m", "randomized-blocks", blocks, withNoise(func(l []string) float64 {
		if l[0] == "new" {
			return 100 * of[l[1]]
		}
		return 100
	}, sd))
	return s
}

func TestForEachMustHoldAtEachLevel(t *testing.T) {
	claim := newOverOld("ratio < 1")
	claim.ForEach = []string{"size"}
	all := judgeOne(grid(10, 0.02, map[string]float64{"1": 0.8, "2": 0.7, "4": 0.9}), claim)
	if all.Verdict != Supported || len(all.Parts) != 3 || all.Parts[1].Label != "size=2" {
		t.Errorf("%s with parts %v", all.Verdict, labels(all))
	}
	if all.Parts[all.Weakest].Label != "size=4" {
		t.Errorf("weakest part is %q, want size=4", all.Parts[all.Weakest].Label)
	}
	one := judgeOne(grid(10, 0.02, map[string]float64{"1": 0.8, "2": 1.2, "4": 0.9}), claim)
	if one.Verdict != Refuted || one.Parts[one.Weakest].Label != "size=2" || !strings.Contains(one.Why, "refuted in 1 of 3 parts") {
		t.Errorf("%s, weakest %d, %q", one.Verdict, one.Weakest, one.Why)
	}
	open := judgeOne(grid(10, 0.02, map[string]float64{"1": 0.8, "2": 1, "4": 0.9}), claim)
	if open.Verdict != Undecided {
		t.Errorf("one level without an effect: %s", open.Verdict)
	}
}

func labels(c ClaimResult) []string {
	var all []string
	for _, p := range c.Parts {
		all = append(all, p.Label+" "+string(p.Verdict))
	}
	return all
}

func TestOverAveragesOnTheLogScale(t *testing.T) {
	claim := newOverOld("ratio within 0.99..1.01")
	claim.Over = []string{"size"}
	got := judgeOne(grid(10, 0, map[string]float64{"1": 0.5, "2": 2}), claim)
	if got.Verdict != Supported || !near(got.Parts[0].Estimate.Value, 1, 1e-12) {
		t.Errorf("%s: ratio %v, want the geometric mean 1 of 0.5 and 2", got.Verdict, got.Parts[0].Estimate.Value)
	}
}

func TestFactorLeftOpenIsNotJudged(t *testing.T) {
	got := judgeOne(grid(10, 0.02, map[string]float64{"1": 0.5, "2": 0.5}), newOverOld("ratio < 1"))
	if got.Verdict != NotJudged || !strings.Contains(got.Why, "size is open") {
		t.Errorf("%s: %q", got.Verdict, got.Why)
	}
}

func TestPairsAllAndOther(t *testing.T) {
	s := newStudy(elapsedMS, "communication: queue threaded", "sessions: 1 2")
	cost := map[string]float64{"queue 1": 100, "queue 2": 90, "threaded 1": 130, "threaded 2": 120}
	s.run(ids(1), "m", "randomized-blocks", 10, withNoise(func(l []string) float64 { return cost[strings.Join(l, " ")] }, 0.01))
	compare := comparison("communication=queue / communication=threaded")
	all := judgeOne(s, Claim{Name: "all", Metric: "elapsed", Compare: &compare, AllPairs: true, Expect: expect("ratio < 1")})
	if all.Verdict != Supported || len(all.Parts) != 4 || all.Parts[1].Label != "communication=queue sessions=1 / communication=threaded sessions=2" {
		t.Errorf("pairs all: %s %v", all.Verdict, labels(all))
	}
	other := comparison("communication=queue sessions=2 / other")
	best := judgeOne(s, Claim{Name: "best", Metric: "elapsed", Compare: &other, Expect: expect("ratio < 1")})
	if best.Verdict != Supported || len(best.Parts) != 3 {
		t.Errorf("other: %s %v", best.Verdict, labels(best))
	}
	within := judgeOne(s, Claim{Name: "within", Metric: "elapsed", Compare: &other, Where: sel("communication=queue"), Expect: expect("ratio < 1")})
	if within.Verdict != Supported || len(within.Parts) != 1 || within.Parts[0].Label != "sessions=2 / sessions=1" {
		t.Errorf("other within where: %s %v", within.Verdict, labels(within))
	}
	worst := comparison("communication=queue sessions=1 / other")
	if got := judgeOne(s, Claim{Name: "worst", Metric: "elapsed", Compare: &worst, Expect: expect("ratio > 1")}); got.Verdict != Refuted {
		t.Errorf("queue 1 is not slowest: %s", got.Verdict)
	}
}

func TestAgainstIsARatioOfRatios(t *testing.T) {
	s := newStudy(elapsedMS, "communication: queue threaded", "sessions: 1 2")
	cost := map[string]float64{"queue 1": 100, "queue 2": 90, "threaded 1": 130, "threaded 2": 140}
	s.run(ids(1), "m", "randomized-blocks", 10, withNoise(func(l []string) float64 { return cost[strings.Join(l, " ")] }, 0.01))
	compare := comparison("communication=threaded sessions=2 / communication=queue sessions=2")
	against := comparison("communication=threaded sessions=1 / communication=queue sessions=1")
	got := judgeOne(s, Claim{Name: "a", Metric: "elapsed", Compare: &compare, Against: &against, Expect: expect("ratio > 1")})
	want := (140.0 / 90) / (130.0 / 100)
	if got.Verdict != Supported || !near(got.Parts[0].Estimate.Value, want, 1e-9) {
		t.Errorf("%s: %v, want %v", got.Verdict, got.Parts[0].Estimate.Value, want)
	}
}

func TestRatioOnBothSidesOfOne(t *testing.T) {
	claim := newOverOld("ratio on both sides of 1")
	claim.ForEach = []string{"size"}
	tests := []struct {
		name string
		of   map[string]float64
		want Verdict
	}{
		{"one below, one above", map[string]float64{"1": 0.8, "2": 1.25}, Supported},
		{"and one on it", map[string]float64{"1": 0.8, "2": 1.25, "3": 1}, Supported},
		{"all below", map[string]float64{"1": 0.8, "2": 0.9}, Refuted},
		{"one below, one on it", map[string]float64{"1": 0.8, "2": 1}, Undecided},
		{"one level is no contrast", map[string]float64{"1": 0.8}, Undecided},
	}
	for _, tt := range tests {
		if got := judgeOne(grid(10, 0.02, tt.of), claim); got.Verdict != tt.want {
			t.Errorf("%s: %s (%s), want %s", tt.name, got.Verdict, got.Why, tt.want)
		}
	}
}

func TestValueClaims(t *testing.T) {
	s := newStudy(elapsedMS, "version: old new")
	s.run(ids(1), "m", "randomized-blocks", 10, func(at trialAt) outcome { return outcome{value: 100 + float64(at.block)} })
	tests := []struct {
		stat, expect string
		want         Verdict
	}{
		{"", "value < 120", Supported}, {"", "value < 103", Refuted}, {"", "value < 106", Undecided},
		{"", "value within 100..110", Supported}, {"", "value within 50..60", Refuted},
		{"mean", "value > 100", Supported}, {"mean", "value > 120", Refuted},
		{"median", "value > 101", Supported}, {"median", "value < 101", Refuted}, {"median", "value > 105", Undecided},
		{"p90", "value < 1000", Undecided}, // ten trials do not bound it from above
		{"max", "value < 1000", Undecided}, // a maximum has no interval
	}
	for _, tt := range tests {
		got := judgeOne(s, Claim{Name: "v", Metric: "elapsed", Stat: tt.stat, Where: sel("version=old"), Expect: expect(tt.expect)})
		if got.Verdict != tt.want {
			t.Errorf("%s %s: %s (%s), want %s", tt.stat, tt.expect, got.Verdict, got.Why, tt.want)
		}
	}
}

func TestValueAveragedOverAFactorInWholePlots(t *testing.T) {
	s := newStudy(elapsedMS, "place!: here there", "version: old new")
	s.run(ids(1), "m", "randomized-blocks", 10, func(at trialAt) outcome {
		return outcome{value: map[string]float64{"old": 50, "new": 200}[at.levels[1]]}
	})
	got := judgeOne(s, Claim{Name: "v", Metric: "elapsed", Over: []string{"version"}, Where: sel("place=here"), Expect: expect("value < 101")})
	if got.Verdict != Supported || !near(got.Parts[0].Estimate.Value, 100, 1e-9) {
		t.Errorf("%s: %v, want the geometric mean 100 of 50 and 200", got.Verdict, got.Parts[0].Estimate.Value)
	}
}

func TestAlways(t *testing.T) {
	s := newStudy(session.Metric{Name: "made", Unit: "1"}, "version: old new")
	s.run(ids(1), "m", "randomized-blocks", 6, func(at trialAt) outcome {
		switch {
		case at.block == 2 && at.levels[0] == "new":
			return outcome{value: 998, status: session.Invalid}
		case at.block == 3:
			return outcome{status: session.Failed}
		}
		return outcome{value: 1000}
	})
	s.in.Constants = []session.Constant{{Name: "calls", Value: "1000"}}
	got := judgeOne(s, Claim{Name: "a", Always: expression("made == calls")})
	if got.Verdict != Refuted || !strings.Contains(got.Why, "false in 1 of 10 trials") || !strings.Contains(got.Why, "made = 998, calls = 1000") {
		t.Errorf("%s: %q", got.Verdict, got.Why)
	}
	old := judgeOne(s, Claim{Name: "a", Always: expression("made == calls"), Where: sel("version=old")})
	if old.Verdict != Supported || old.Why != "true in all 5 trials" || old.Parts[0].Estimate.N != 5 {
		t.Errorf("%s: %q", old.Verdict, old.Why)
	}
}

func TestAllOf(t *testing.T) {
	s := ratios(spread(12, 0.8, 0.1)...)
	low, high := newOverOld("ratio < 1"), newOverOld("ratio > 0.9")
	low.Name, high.Name = "low", "high"
	if got := judgeOne(s, Claim{Name: "both", AllOf: []string{"low", "high"}}, low, high); got.Verdict != Refuted || got.Parts[1].Label != "high" {
		t.Errorf("one part refuted: %s %v", got.Verdict, labels(got))
	}
	high.Expect = expect("ratio > 0.7")
	if got := judgeOne(s, Claim{Name: "both", AllOf: []string{"low", "high"}}, low, high); got.Verdict != Supported {
		t.Errorf("both parts supported: %s", got.Verdict)
	}
	circle := Claim{Name: "both", AllOf: []string{"low", "both"}}
	if got := judgeOne(s, circle, low); got.Verdict != NotJudged {
		t.Errorf("a claim that stands on itself: %s", got.Verdict)
	}
}

func TestWhatIsNotJudged(t *testing.T) {
	s := ratios(spread(12, 0.8, 0.1)...)
	for _, c := range []Claim{
		{Name: "u", Untested: "a fact of the old schedule"},
		{Name: "s", Metric: "elapsed", Slope: "version", Expect: expect("slope > 0")},
		{Name: "f", Metric: "elapsed", Fit: "linear", X: "version", Within: 0.1},
		{Name: "m", Metric: "nothing", Expect: expect("value < 1")},
	} {
		got := judgeOne(s, c)
		if got.Verdict != NotJudged || got.Why == "" {
			t.Errorf("%s: %s %q", c.Name, got.Verdict, got.Why)
		}
		if words := got.Words(); !strings.HasPrefix(words, "is not judged: ") {
			t.Errorf("%s: Words = %q", c.Name, words)
		}
	}
	empty := judgeOne(newStudy(elapsedMS, "version: old new"), newOverOld("ratio < 1"))
	if empty.Verdict != NotJudged {
		t.Errorf("without data: %s", empty.Verdict)
	}
}

func TestPostHocIsMarked(t *testing.T) {
	s := ratios(spread(12, 0.8, 0.1)...)
	claim := newOverOld("ratio < 1")
	if got := judgeOne(s, claim); !slices.Equal(got.PostHoc, []string{ids(1)}) {
		t.Errorf("a claim that no session knew: post hoc %v", got.PostHoc)
	}
	s.sessions[0].Claims = map[string]string{"under another name": "h"}
	if got := judgeOne(s, claim); len(got.PostHoc) != 0 {
		t.Errorf("a statement that the session knew: post hoc %v", got.PostHoc)
	}
	s.sessions[0].Claims = map[string]string{"c": "another hash"}
	if got := judgeOne(s, claim); len(got.PostHoc) != 1 || !strings.Contains(got.Words(), "post hoc") {
		t.Errorf("a changed statement: post hoc %v, %q", got.PostHoc, got.Words())
	}
}

func TestConfoundedVerdictSaysSo(t *testing.T) {
	in := driftStudy(t, "drift_sequential.csv", "sequential").Input
	c := comparison("variant=B / variant=A")
	in.Claims = []Claim{{Name: "c", Metric: "wall", Compare: &c, Expect: expect("ratio > 1")}}
	got := Analyze(in).Claims[0]
	if !strings.Contains(got.Why, "treatment and time are confounded") {
		t.Errorf("%s: %q", got.Verdict, got.Why)
	}
}

func TestEveryMachineIsAPart(t *testing.T) {
	s := newStudy(elapsedMS, "version: old new")
	for i, ratio := range []float64{0.8, 1.3} {
		s.run(ids(i+1), []string{"north", "south"}[i], "randomized-blocks", 10, withNoise(func(l []string) float64 {
			return map[string]float64{"old": 100, "new": 100 * ratio}[l[0]]
		}, 0.02))
	}
	got := judgeOne(s, newOverOld("ratio < 1"))
	if want := []string{"machine=north supported", "machine=south refuted"}; got.Verdict != Refuted || !slices.Equal(labels(got), want) {
		t.Errorf("%s %v, want %v", got.Verdict, labels(got), want)
	}
	here := newOverOld("ratio < 1")
	here.Where = sel("machine=north")
	if got := judgeOne(s, here); got.Verdict != Supported || len(got.Parts) != 1 {
		t.Errorf("on one machine: %s %v", got.Verdict, labels(got))
	}
}

// A level at which one side has no treatment by design is no part of a claim.
func TestForEachPassesOverWhatIsNotCrossed(t *testing.T) {
	in := grid(10, 0.02, map[string]float64{"1": 0.8, "2": 0.7, "4": 0.9}).input()
	in.Identity = map[string]string{"old\x1f1": "id1", "old\x1f2": "id1", "old\x1f4": "id1", "new\x1f1": "id1", "new\x1f2": "id1"}
	claim := newOverOld("ratio < 1")
	claim.ForEach = []string{"size"}
	in.Claims = []Claim{claim}
	got := Analyze(in).Claims[0]
	if got.Verdict != Supported || len(got.Parts) != 2 || got.Why != "holds at each of 2 levels of size" {
		t.Errorf("%s %v: %q", got.Verdict, labels(got), got.Why)
	}
}

func TestNoPartIsJudgedOnStaleRows(t *testing.T) {
	in := today(grid(10, 0.02, map[string]float64{"1": 0.8, "2": 0.7}), map[string]string{
		"old\x1f1": "id1", "old\x1f2": "id1", "new\x1f1": "id1", "new\x1f2": "changed",
	})
	claim := newOverOld("ratio < 1")
	claim.ForEach = []string{"size"}
	in.Claims = []Claim{claim, {Name: "a", Always: expression("elapsed > 0")}, {Name: "b", Always: expression("elapsed > 0"), Where: sel("version=old")}}
	r := Analyze(in)
	if got := r.Claims[0]; got.Verdict != NotJudged || !slices.Equal(labels(got), []string{"size=1 supported", "size=2 not judged"}) {
		t.Errorf("%s %v", got.Verdict, labels(got))
	}
	if r.Claims[1].Verdict != NotJudged || r.Claims[2].Verdict != Supported {
		t.Errorf("always: %s with a stale treatment, %s without", r.Claims[1].Verdict, r.Claims[2].Verdict)
	}
	if r.Tested() != 1 {
		t.Errorf("%d claims tested, want 1", r.Tested())
	}
}

func TestComparisonOfAClaimIsNotExploratory(t *testing.T) {
	in := grid(6, 0.02, map[string]float64{"1": 0.8, "2": 0.7}).input()
	each := newOverOld("ratio < 1")
	each.ForEach = []string{"size"}
	best := Claim{Name: "best", Metric: "elapsed", Compare: ptr(comparison("version=old size=1 / other")), Where: sel("size=1,2"), Expect: expect("ratio < 1")}
	tests := []struct {
		claim Claim
		text  string
		want  bool
	}{
		{each, "version=new / version=old where size=2", false},
		{each, "version=old / version=new where size=2", true},
		{each, "size=2 / size=1 where version=old", true},
		{best, "version=old size=1 / version=new size=2", false},
		{best, "version=new size=1 / version=new size=2", true},
		{Claim{}, "version=new / version=old where size=2", true},
	}
	for _, tt := range tests {
		in.Claims = []Claim{tt.claim}
		if c := mustCompare(t, Analyze(in), "elapsed", tt.text); c.Exploratory != tt.want {
			t.Errorf("%s %s: exploratory %v", tt.claim.Name, tt.text, c.Exploratory)
		}
	}
}
