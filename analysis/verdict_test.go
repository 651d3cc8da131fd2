package analysis

import (
	"math"
	"strings"
	"testing"

	"fieldbook/analysis/stat"
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
