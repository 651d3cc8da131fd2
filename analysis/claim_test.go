package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fieldbook/analysis/stat"
	"fieldbook/internal/session"
)

// ratios is a study of new over old with the given ratio in each block.
func ratios(byBlock ...float64) *study {
	s := newStudy(elapsedMS, "version: old new")
	s.run(ids(1), "m", "randomized-blocks", len(byBlock), func(at trialAt) outcome {
		base := 100 + 10*float64(at.block%3)
		if at.levels[0] == "new" {
			base *= byBlock[at.block-1]
		}
		return outcome{value: base}
	})
	return s
}

// spread is n ratios about a middle: geometric steps of the given size up
// and down, of which the logarithms have mean log(middle).
func spread(n int, middle, step float64) []float64 {
	var xs []float64
	for i := range n {
		xs = append(xs, middle*math.Exp(step*(float64(i)-float64(n-1)/2)/float64(n)))
	}
	return xs
}

func newOverOld(expectation string) Claim {
	c := comparison("version=new / version=old")
	return Claim{Name: "c", Metric: "elapsed", Compare: &c, Expect: expect(expectation), Hash: "h"}
}

func judgeOne(s *study, claims ...Claim) ClaimResult {
	in := s.input()
	in.Claims = claims
	return Analyze(in).Claims[0]
}

// Each row of the table of verdicts, from either side and from the middle.
func TestVerdictTable(t *testing.T) {
	tests := []struct {
		name   string
		ratios []float64
		expect string
		want   Verdict
	}{
		{"I95 below c", spread(12, 0.80, 0.1), "ratio < 1", Supported},
		{"I95 above c", spread(12, 1.20, 0.1), "ratio < 1", Refuted},
		{"I95 over c", spread(12, 0.99, 0.1), "ratio < 1", Undecided},
		{"I95 above c", spread(12, 1.20, 0.1), "ratio > 1", Supported},
		{"I95 below c", spread(12, 0.80, 0.1), "ratio > 1", Refuted},
		{"I95 over c", spread(12, 1.01, 0.1), "ratio > 1", Undecided},
		{"below another c", spread(12, 0.80, 0.1), "ratio < 0.5", Refuted},
		{"above another c", spread(12, 1.50, 0.1), "ratio > 1.4", Supported},
		{"I90 inside", spread(12, 1.00, 0.1), "ratio within 0.90..1.11", Supported},
		{"I95 outside above", spread(12, 1.30, 0.1), "ratio within 0.90..1.11", Refuted},
		{"I95 outside below", spread(12, 0.80, 0.1), "ratio within 0.90..1.11", Refuted},
		{"over an end", spread(12, 1.11, 0.1), "ratio within 0.90..1.11", Undecided},
		{"too wide", spread(12, 1.00, 1.5), "ratio within 0.90..1.11", Undecided},
		{"two blocks", []float64{0.5, 0.5}, "ratio < 1", Undecided},
		{"equivalence takes five blocks", spread(4, 1, 0.001), "ratio within 0.90..1.11", Undecided},
		{"every block the same", []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, "ratio < 1", Supported},
	}
	for _, tt := range tests {
		got := judgeOne(ratios(tt.ratios...), newOverOld(tt.expect))
		if got.Verdict != tt.want {
			t.Errorf("%s, %s: %s (%s), want %s: %s", tt.name, tt.expect, got.Verdict, got.Why, tt.want, got.Parts[0].Estimate.Text())
		}
		if len(got.Parts) != 1 || got.Weakest != 0 {
			t.Errorf("%s: %d parts, weakest %d", tt.name, len(got.Parts), got.Weakest)
		}
	}
}

// I90 decides an equivalence that I95 would not: the ratios are chosen so
// that only the narrower interval lies inside.
func TestEquivalenceUsesTheNarrowerInterval(t *testing.T) {
	got := judgeOne(ratios(spread(12, 1.075, 0.17)...), newOverOld("ratio within 0.90..1.11"))
	p := got.Parts[0]
	if !(p.I90.Hi < 1.11 && p.Estimate.Hi > 1.11*0.995) {
		t.Fatalf("I90 up to %v, I95 up to %v: the data of this test are wrong", p.I90.Hi, p.Estimate.Hi)
	}
	if got.Verdict != Supported {
		t.Errorf("verdict %s with I90 %s", got.Verdict, p.I90.Text())
	}
}

func TestUndecidedSaysHowManyBlocks(t *testing.T) {
	got := judgeOne(ratios(spread(8, 0.98, 0.15)...), newOverOld("ratio < 1"))
	if got.Verdict != Undecided || got.Parts[0].Blocks <= 8 {
		t.Fatalf("%s, %d blocks", got.Verdict, got.Parts[0].Blocks)
	}
	n := got.Parts[0].Blocks
	if !strings.Contains(got.Why, "blocks would decide it") {
		t.Errorf("Why = %q", got.Why)
	}
	// With that many blocks of the same mean and spread it is decided, with
	// four fewer it is not.
	sd := stat.Summarize(logsOf(spread(8, 0.98, 0.15))).SD
	with := func(n int) Verdict {
		d := make([]float64, n)
		for i := range d { // a mean of log(0.98), a standard deviation of sd
			d[i] = 0.98 * math.Exp(sd*math.Sqrt(float64(n-1)/float64(n))*[]float64{-1, 1}[i%2])
		}
		return judgeOne(ratios(d...), newOverOld("ratio < 1")).Verdict
	}
	n += n % 2
	if with(n) != Supported || with(n-4) == Supported {
		t.Errorf("%d blocks: %s, %d blocks: %s", n, with(n), n-4, with(n-4))
	}
}

func TestFewBlocksIsSaid(t *testing.T) {
	// Five blocks have no exact 95 % interval, so the exact one decides nothing.
	five := judgeOne(ratios(spread(5, 0.8, 0.05)...), newOverOld("ratio < 1"))
	if five.Verdict != Supported || !five.Few || !strings.Contains(five.Why, "rests on few blocks") {
		t.Errorf("%s, few %v, %q", five.Verdict, five.Few, five.Why)
	}
	if twelve := judgeOne(ratios(spread(12, 0.8, 0.05)...), newOverOld("ratio < 1")); twelve.Few {
		t.Errorf("twelve blocks that agree rest on few blocks: %q", twelve.Why)
	}
}

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
	if one.Verdict != Refuted || one.Parts[one.Weakest].Label != "size=2" || !strings.Contains(one.Why, "refuted in 1 of 3 parts: size=2") {
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

// A refutation must survive Holm over the parts: with p just below 0.05 in one
// of four parts it does not.
func TestHolmOverParts(t *testing.T) {
	claim := newOverOld("ratio < 1")
	alone := judgeOne(ratios(borderline...), claim)
	if alone.Verdict != Refuted || alone.Parts[0].P > 0.05 || alone.Parts[0].P < 0.0125 {
		t.Fatalf("alone: %s, p = %v: the data of this test are wrong", alone.Verdict, alone.Parts[0].P)
	}
	s := newStudy(elapsedMS, "version: old new", "size: 1 2 3 4")
	s.run(ids(1), "m", "randomized-blocks", len(borderline), func(at trialAt) outcome {
		switch {
		case at.levels[0] == "old":
			return outcome{value: 100}
		case at.levels[1] == "3":
			return outcome{value: 100 * borderline[at.block-1]}
		}
		return outcome{value: 80 + float64(at.block)/10}
	})
	claim.ForEach = []string{"size"}
	got := judgeOne(s, claim)
	if got.Verdict != Undecided || !got.Adjusted || !strings.Contains(got.Parts[2].Why, "not after Holm over 4 parts") {
		t.Errorf("%s, adjusted %v, %v %q", got.Verdict, got.Adjusted, labels(got), got.Parts[2].Why)
	}
}

// borderline are ratios whose two-sided p against 1 is about 0.03.
var borderline = []float64{1.10, 0.99, 1.06, 1.02, 0.97, 1.08, 1.03, 1.00, 1.05, 1.01}

func TestHolmOverAFamily(t *testing.T) {
	s := ratios(borderline...)
	claim := newOverOld("ratio > 1")
	if alone := judgeOne(s, claim); alone.Verdict != Supported {
		t.Fatalf("alone: %s", alone.Verdict)
	}
	claim.Family = "f"
	others := []Claim{claim, newOverOld("ratio < 2"), newOverOld("ratio < 1.03"), newOverOld("ratio > 1.02")}
	for i := range others {
		others[i].Family = "f"
	}
	got := judgeOne(s, others...)
	if got.Verdict != Undecided || !got.Adjusted || !strings.Contains(got.Why, "not after Holm over the family f of 4 claims") {
		t.Errorf("%s, adjusted %v: %q", got.Verdict, got.Adjusted, got.Why)
	}
	others[1].Name = "strong"
	in := s.input()
	in.Claims = others
	if strong := Analyze(in).Claims[1]; strong.Verdict != Supported || strong.Adjusted {
		t.Errorf("a strong claim of the family: %s, adjusted %v", strong.Verdict, strong.Adjusted)
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

// controlled is a study with an A/A control of the old version, whose ratio A
// over B in each block is aa.
func controlled(newRatio []float64, aa []float64) *study {
	s := newStudy(elapsedMS, "version: old new")
	ses := s.run(ids(1), "m", "randomized-blocks", 0, nil)
	for i, x := range newRatio {
		s.add(ses, i+1, i+1, 0, "A", func(trialAt) outcome { return outcome{value: 100} })
		s.add(ses, i+1, i+1, 1, "", func(trialAt) outcome { return outcome{value: 100 * x} })
		s.add(ses, i+1, i+1, 0, "B", func(trialAt) outcome { return outcome{value: 100 / aa[i]} })
	}
	return s
}

func TestControlMustBeCleared(t *testing.T) {
	quiet, noisy := spread(12, 1, 0.02), spread(12, 1, 0.5)
	tests := []struct {
		name   string
		ratios []float64
		aa     []float64
		expect string
		want   Verdict
	}{
		{"clears a quiet control", spread(12, 0.95, 0.02), quiet, "ratio < 1", Supported},
		{"does not clear a noisy one", spread(12, 0.95, 0.02), noisy, "ratio < 1", Undecided},
		{"nor when refuting", spread(12, 1.05, 0.02), noisy, "ratio < 1", Undecided},
		{"clears it by far", spread(12, 0.50, 0.02), noisy, "ratio < 1", Supported},
		{"equivalence with a quiet control", spread(12, 1.01, 0.02), quiet, "ratio within 0.95..1.05", Supported},
		{"equivalence with a control outside", spread(12, 1.01, 0.02), noisy, "ratio within 0.95..1.05", Undecided},
		{"a biased control", spread(12, 0.95, 0.02), spread(12, 1.08, 0.02), "ratio < 1", Undecided},
	}
	for _, tt := range tests {
		got := judgeOne(controlled(tt.ratios, tt.aa), newOverOld(tt.expect))
		if got.Verdict != tt.want {
			t.Errorf("%s: %s (%s), want %s", tt.name, got.Verdict, got.Why, tt.want)
		}
	}
	// Both sides of 1 must be cleared as well: over two machines of 0.95 and
	// 1.05, with a quiet control and with a noisy one.
	for _, aa := range [][]float64{quiet, noisy} {
		s := controlled(spread(12, 0.95, 0.02), aa)
		other := controlled(spread(12, 1.05, 0.02), aa).sessions[0]
		other.Session, other.Machine = ids(2), "other"
		s.sessions = append(s.sessions, other)
		want := Supported
		if &aa[0] == &noisy[0] {
			want = Undecided
		}
		if got := judgeOne(s, newOverOld("ratio on both sides of 1")); got.Verdict != want {
			t.Errorf("both sides, control %v: %s (%s), want %s", aa, got.Verdict, got.Why, want)
		}
	}
	r := controlled(spread(12, 1, 0.02), noisy).result()
	floor := r.Floor("elapsed")
	if floor == nil || floor.Ratio.N != 12 || !near(floor.Ratio.Value, 1, 1e-9) {
		t.Fatalf("floor %+v", floor)
	}
	if n := mustValue(t, r, "n", "elapsed", "version=old"); n.Value != 12 {
		t.Errorf("the second label counts as a trial of the treatment: n = %v, want 12", n.Value)
	}
	if ratios(1, 1, 1).result().Floor("elapsed") != nil {
		t.Error("a floor without a control")
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

// A part that cannot be computed is undecided, and says why.
func TestPartsWithoutANumberAreUndecided(t *testing.T) {
	s := ratios(spread(10, 0.8, 0.1)...)
	for _, trial := range []int{1, 3, 5} {
		attempts(s.sessions[0], trial, row("timeout", math.NaN()))
	}
	if got := judgeOne(s, newOverOld("ratio < 1")); got.Verdict != Undecided || !strings.Contains(got.Why, "3 of 10 blocks incomplete") {
		t.Errorf("many incomplete blocks: %s %q", got.Verdict, got.Why)
	}
	if got := judgeOne(ratios(0, 0, 0, 0, 0), newOverOld("ratio < 1")); got.Verdict != Undecided || !strings.Contains(got.Why, "left side is 0") {
		t.Errorf("zeros: %s %q", got.Verdict, got.Why)
	}
	if got := judgeOne(ratios(0.5, 0.5), newOverOld("ratio < 1")); got.Verdict != Undecided || !strings.Contains(got.Why, "n = 2") {
		t.Errorf("two blocks: %s %q", got.Verdict, got.Why)
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
