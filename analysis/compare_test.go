package analysis

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/analysis/stat"
	"fieldbook/internal/session"
)

// driftStudy is two treatments without a real difference, on a machine that
// gets slower by half a millisecond per trial.
func driftStudy(t *testing.T, file, order string) *Result {
	s := newStudy(session.Metric{Name: "wall", Unit: "ms", Better: "lower", From: "wall"}, "variant: A B")
	ses := s.run(ids(1), "m", order, 0, nil)
	for i, row := range table(t, file) {
		block := i/2 + 1
		if order == "sequential" {
			block = 0
		}
		s.add(ses, block, block, map[string]int{"A": 0, "B": 1}[row["variant"]], "", func(trialAt) outcome {
			return outcome{value: number(t, row["wall_ms"])}
		})
	}
	return s.result()
}

func TestInterleavedDriftIsNoDifference(t *testing.T) {
	c := mustCompare(t, driftStudy(t, "drift_interleaved.csv", "randomized-blocks"), "wall", "variant=B / variant=A")
	if c.Difference.Value != 0 {
		t.Errorf("difference of means = %v, want 0: both means are 109.75", c.Difference.Value)
	}
	if got := strconv.FormatFloat(c.Ratio.Value, 'f', 3, 64); got != "1.000" {
		t.Errorf("ratio = %s, want 1.000", got)
	}
	if c.Ratio.Lo >= 1 || c.Ratio.Hi <= 1 || c.P < 0.05 || c.SignFlipP < 0.05 {
		t.Errorf("ratio %v [%v, %v], p = %v, sign flip %v: a difference is claimed where there is none", c.Ratio.Value, c.Ratio.Lo, c.Ratio.Hi, c.P, c.SignFlipP)
	}
	if words := c.Words(0); !strings.HasPrefix(words, "inconclusive") {
		t.Errorf("Words = %q, want no difference called", words)
	}
	if !c.Paired || c.Ratio.N != 20 {
		t.Errorf("paired %v over %d blocks, want 20 blocks", c.Paired, c.Ratio.N)
	}
}

func TestSequentialDriftIsWarnedOf(t *testing.T) {
	r := driftStudy(t, "drift_sequential.csv", "sequential")
	c := mustCompare(t, r, "wall", "variant=B / variant=A")
	left, right := mustValue(t, r, "mean", "wall", "variant=A"), mustValue(t, r, "mean", "wall", "variant=B")
	if left.Value != 104.75 || right.Value != 114.75 {
		t.Errorf("means %v and %v, want 104.75 and 114.75", left.Value, right.Value)
	}
	if !near(right.Value/left.Value, 1.0955, 1e-4) || !near(c.Ratio.Value, 1.0955, 1e-3) {
		t.Errorf("ratio of means %v, of geometric means %v, want about 1.0955", right.Value/left.Value, c.Ratio.Value)
	}
	if !hasWarning(c.Ratio, Confounded) || !hasWarning(c.Difference, Confounded) {
		t.Errorf("warnings %v: nothing says that treatment and time are confounded", c.Ratio.Warnings)
	}
	if words := c.Words(0); !strings.Contains(words, "confounded") {
		t.Errorf("Words = %q calls it a difference without the warning", words)
	}
	if c.Paired || !math.IsNaN(c.SignFlipP) {
		t.Errorf("paired %v, sign flip p %v: nothing was paired and nothing randomized", c.Paired, c.SignFlipP)
	}
}

// R 4.2.2: t.test(log(a), log(b)) on the two groups of groups.csv, exp of
// estimate and interval; wilcox.test(conf.int = TRUE, exact = TRUE), whose
// estimate and interval are those of the exact rank sum.
func TestUnpairedIsWelch(t *testing.T) {
	groups := map[string][]float64{}
	for _, row := range table(t, "groups.csv") {
		groups[row["group"]] = append(groups[row["group"]], number(t, row["value"]))
	}
	c := mustCompare(t, pairOf(groups["b"], groups["a"], "complete-randomization"), "elapsed", "version=new / version=old")
	for _, tt := range []struct {
		name      string
		got, want float64
	}{
		{"ratio", c.Ratio.Value, 1.0242752137404}, {"lo", c.Ratio.Lo, 1.00092891648237}, {"hi", c.Ratio.Hi, 1.04816605475841},
		{"p", c.P, 0.0422369126679306}, {"df", c.Ratio.DF, 19.7891147113041},
		{"HL", c.HL.Value, 1 / 0.971408563704188}, {"HL lo", c.HL.Lo, 1 / 0.997999162915097}, {"HL hi", c.HL.Hi, 1 / 0.953588596055031},
		{"p by ranks", c.Ranks.P, 0.0249162602103779}, {"Shapiro-Wilk", c.Ranks.Normality.P, 0.10204435535},
	} {
		if !near(tt.got, tt.want, 1e-9) {
			t.Errorf("%s = %.12f, want %.12f", tt.name, tt.got, tt.want)
		}
	}
	if !hasWarning(c.Ratio, NoBlocks) || c.Paired || c.Ranks.Test != "Mann-Whitney" {
		t.Errorf("nothing is paired: warnings %v, paired %v, test %q", c.Ratio.Warnings, c.Paired, c.Ranks.Test)
	}
}

// R 4.2.2 on the block contrasts of machine m1 of factorial.csv: t.test,
// wilcox.test(conf.int=TRUE, exact=TRUE), full enumeration of sign flips.
func TestComparisonAgainstReference(t *testing.T) {
	r := factorialStudy(t).result()
	c := mustCompare(t, r, "time", "sessions=2 / sessions=1 where mode=pipelined,threaded machine=m1")
	for _, tt := range []struct {
		name      string
		got, want float64
	}{
		{"ratio", c.Ratio.Value, 0.991698669952577}, {"lo", c.Ratio.Lo, 0.983398019137511}, {"hi", c.Ratio.Hi, 1.00006938477287},
		{"p", c.P, 0.0515490691347027}, {"sign flip", c.SignFlipP, 0.052734375},
		{"HL", c.HL.Value, 0.991587160061452}, {"HL lo", c.HL.Lo, 0.982774746289268}, {"HL hi", c.HL.Hi, 1.00083017943633},
	} {
		if !near(tt.got, tt.want, 1e-9) {
			t.Errorf("%s = %.12f, want %.12f", tt.name, tt.got, tt.want)
		}
	}
	if want := math.Exp(math.Max(math.Abs(math.Log(c.Ratio90.Lo)), math.Abs(math.Log(c.Ratio90.Hi)))); c.Smallest != want {
		t.Errorf("smallest provable margin %v, want %v", c.Smallest, want)
	}
	if len(c.Pairs) != 10 || c.Incomplete != 0 {
		t.Errorf("%d pairs, %d incomplete, want 10 and 0", len(c.Pairs), c.Incomplete)
	}
}

// factorialStudy is the reference data set of three machines.
func factorialStudy(t *testing.T) *study {
	s := newStudy(session.Metric{Name: "time", Unit: "s", Better: "lower"}, "mode: pipelined threaded", "sessions: 1 2")
	byMachine := map[string]*session.Session{}
	for _, row := range table(t, "factorial.csv") {
		m := row["machine"]
		if byMachine[m] == nil {
			byMachine[m] = s.run("20261101T100000Z-"+m, m, "randomized-blocks", 0, nil)
		}
		at := slices.IndexFunc(s.treatments, func(l []string) bool { return l[0] == row["mode"] && l[1] == row["sessions"] })
		block, _ := strconv.Atoi(row["block"])
		s.add(byMachine[m], block, block, at, "", func(trialAt) outcome { return outcome{value: number(t, row["time_s"])} })
	}
	return s
}

func pairOf(a, b []float64, order string) *Result {
	s := newStudy(elapsedMS, "version: old new")
	ses := s.run(ids(1), "m", order, 0, nil)
	for i := range max(len(a), len(b)) {
		for k, xs := range [][]float64{a, b} {
			if i < len(xs) {
				block := i + 1
				if order == "complete-randomization" {
					block = 0
				}
				s.add(ses, i+1, block, k, "", func(trialAt) outcome { return outcome{value: xs[i]} })
			}
		}
	}
	return s.result()
}

func TestOneTrialHasNoInterval(t *testing.T) {
	r := pairOf([]float64{20.1, 20.4, 20.2, 20.3, 20.5}, []float64{22.19}, "complete-randomization")
	old, sd := mustValue(t, r, "mean", "elapsed", "version=old"), mustValue(t, r, "sd", "elapsed", "version=old")
	if !near(old.Value, 20.3, 1e-12) || math.IsNaN(old.Lo) || !near(sd.Value, 0.1581, 1e-3) {
		t.Errorf("old: mean %v [%v, %v], sd %v", old.Value, old.Lo, old.Hi, sd.Value)
	}
	if got := mustValue(t, r, "sd", "elapsed", "version=new").Text(); !strings.HasPrefix(got, "n/a (n = 1)") {
		t.Errorf("sd of one trial: %q", got)
	}
	if e := mustValue(t, r, "mean", "elapsed", "version=new"); e.Value != 22.19 || e.IntervalText() != "n/a (n = 1)" {
		t.Errorf("mean of one trial: %v, %q", e.Value, e.IntervalText())
	}
	c := mustCompare(t, r, "elapsed", "version=new / version=old")
	if !near(c.Ratio.Value, 1.0931, 1e-4) || !math.IsNaN(c.Ratio.Lo) || !math.IsNaN(c.P) {
		t.Errorf("ratio %v [%v, %v], p %v, want 1.0931 alone", c.Ratio.Value, c.Ratio.Lo, c.Ratio.Hi, c.P)
	}
	if !math.IsNaN(c.Ranks.P) || !math.IsNaN(c.SignFlipP) || !math.IsNaN(c.Ranks.Normality.P) {
		t.Errorf("p by ranks %v, by randomization %v, of normal %v, want none of five trials against one", c.Ranks.P, c.SignFlipP, c.Ranks.Normality.P)
	}
	if words := c.Words(1.1); !strings.Contains(words, "nothing can be said") {
		t.Errorf("Words = %q", words)
	}
}

func TestAllEqualIsDegenerate(t *testing.T) {
	ones := []float64{1, 1, 1, 1, 1, 1}
	for _, order := range []string{"randomized-blocks", "complete-randomization"} {
		c := mustCompare(t, pairOf(ones, ones, order), "elapsed", "version=new / version=old")
		if c.Ratio.Value != 1 || c.Ratio.Lo != 1 || c.Ratio.Hi != 1 || c.P != 1 || c.Difference.Value != 0 {
			t.Errorf("%s: ratio %v [%v, %v], p %v, difference %v", order, c.Ratio.Value, c.Ratio.Lo, c.Ratio.Hi, c.P, c.Difference.Value)
		}
		if !slices.ContainsFunc(c.Ratio.Estimate.Warnings, func(w stat.Warning) bool { return strings.Contains(w.Text, "degenerate") }) {
			t.Errorf("%s: warnings %v do not say degenerate", order, c.Ratio.Warnings)
		}
		if text := c.Ratio.Text() + c.Ratio.PercentText() + c.Words(0); strings.Contains(text, "NaN") {
			t.Errorf("%s: %q", order, text)
		}
	}
}

func TestRatiosWithZero(t *testing.T) {
	zero := []float64{0, 0, 0}
	some := []float64{0.3, 0.2, 0.4}
	tests := []struct {
		name     string
		old, new []float64
		ratio    string
		diff     float64
	}{
		{"idle", zero, some, "n/a (baseline is 0)", 0.3},
		{"noop", zero, zero, "n/a (baseline is 0)", 0},
		{"gone", some, zero, "0×", -0.3},
		{"now and then", []float64{0.3, 0, 0.4}, some, "n/a (baseline is 0 in 1 trial)", 0.2/3 + 1e-17},
		{"negative", []float64{0.3, -1, 0.4}, some, "n/a (baseline is negative in 1 trial)", 0.4},
	}
	for _, tt := range tests {
		c := mustCompare(t, pairOf(tt.old, tt.new, "randomized-blocks"), "elapsed", "version=new / version=old")
		if got := c.Ratio.ValueText(); got != tt.ratio {
			t.Errorf("%s: ratio %q, want %q", tt.name, got, tt.ratio)
		}
		if !near(c.Difference.Value, tt.diff, 1e-12) {
			t.Errorf("%s: difference %v, want %v", tt.name, c.Difference.Value, tt.diff)
		}
		for _, text := range []string{c.Ratio.Text(), c.HL.Text(), c.Difference.Text(), c.Words(0), c.Left.Text()} {
			if strings.Contains(text, "NaN") || strings.Contains(strings.ToLower(text), "inf") {
				t.Errorf("%s: %q", tt.name, text)
			}
		}
	}
}

func TestIncompleteBlocks(t *testing.T) {
	s := newStudy(elapsedMS, "version: old new")
	failing := map[int]bool{3: true}
	of := func(at trialAt) outcome {
		if failing[at.block] && at.levels[0] == "new" {
			return outcome{status: session.Timeout}
		}
		return outcome{value: 100 + float64(at.block)}
	}
	s.run(ids(1), "m", "randomized-blocks", 10, of)
	c := mustCompare(t, s.result(), "elapsed", "version=new / version=old")
	if c.Incomplete != 1 || c.Ratio.N != 9 || !hasWarning(c.Ratio, Incomplete) || c.Left.N != 9 {
		t.Errorf("%d incomplete, n = %d, warnings %v", c.Incomplete, c.Ratio.N, c.Ratio.Warnings)
	}
	failing[1], failing[2] = true, true
	s.sessions = nil
	s.run(ids(1), "m", "randomized-blocks", 10, of)
	c = mustCompare(t, s.result(), "elapsed", "version=new / version=old")
	if c.Incomplete != 3 || c.Ratio.Refused != "3 of 10 blocks incomplete: more than a fifth" || !math.IsNaN(c.Ratio.Value) {
		t.Errorf("%d incomplete: %v %q", c.Incomplete, c.Ratio.Value, c.Ratio.Refused)
	}
}

func TestBlocksThatNeverRanAreNone(t *testing.T) {
	s := newStudy(elapsedMS, "version: old new")
	s.run(ids(1), "m", "randomized-blocks", 10, func(at trialAt) outcome {
		if at.block > 4 {
			return outcome{status: "unrun"}
		}
		return outcome{value: 100}
	})
	if c := mustCompare(t, s.result(), "elapsed", "version=new / version=old"); c.Incomplete != 0 || c.Ratio.N != 4 {
		t.Errorf("%d incomplete of %d: a session that was stopped early has no incomplete blocks", c.Incomplete, c.Ratio.N)
	}
}

func TestFixedCycleIsWarnedOf(t *testing.T) {
	s := newStudy(elapsedMS, "version: old new")
	s.run(ids(1), "m", "modulus", 10, func(at trialAt) outcome { return outcome{value: 100 + float64(at.position)} })
	c := mustCompare(t, s.result(), "elapsed", "version=new / version=old")
	if !c.Paired || !hasWarning(c.Ratio, NotRandomized) || !math.IsNaN(c.SignFlipP) {
		t.Errorf("paired %v, warnings %v, sign flip p %v", c.Paired, c.Ratio.Warnings, c.SignFlipP)
	}
	if words := c.Words(0); !strings.Contains(words, "nothing was randomized") {
		t.Errorf("Words = %q", words)
	}
}

func TestComparisonsThatMakeNoSense(t *testing.T) {
	s := newStudy(elapsedMS, "version: old new", "size: 1 2")
	s.run(ids(1), "m", "randomized-blocks", 3, func(trialAt) outcome { return outcome{value: 5} })
	in := s.input()
	in.Identity = map[string]string{"old\x1f1": "id1", "old\x1f2": "id1", "new\x1f1": "id1"} // new at 2 is excluded
	for _, tt := range []struct {
		r          *Result
		text, want string
	}{
		{s.result(), "version=new / version=old", "on the left side size is open: name size=1 or size=2"},
		{s.result(), "version=new size=1 / size=2", "on the right side version is open"},
		{s.result(), "version=new / other where size=1", "`other` stands for several comparisons"},
		{s.result(), "version=new size=1 / version=new size=1", "both sides hold the treatment size=1 version=new"},
		{s.result(), "version=new / vresion=old where size=1", `unknown factor "vresion"`},
		{Analyze(in), "version=new / version=old where size=1,2", "the sides average over different levels of size: 1 and 1 and 2"},
		{Analyze(in), "version=new / version=old where size=2", "the left side, size=2 version=new, selects no treatment"},
	} {
		_, err := tt.r.Compare("elapsed", comparison(tt.text))
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.text, err, tt.want)
		}
	}
}

func TestMachinesAreNeverPooled(t *testing.T) {
	r := factorialStudy(t).result()
	c := mustCompare(t, r, "time", "sessions=2 / sessions=1 where mode=pipelined")
	if !strings.HasPrefix(c.Ratio.Refused, "several machines: name machine=m1, machine=m2 or machine=m3") {
		t.Errorf("%v %q", c.Ratio.Value, c.Ratio.Refused)
	}
	across := mustCompare(t, r, "time", "machine=m1 / machine=m2 where mode=pipelined sessions=1")
	if across.Paired || math.IsNaN(across.Ratio.Value) || !hasWarning(across.Ratio, Confounded) {
		t.Errorf("machine over machine: paired %v, %v, %v", across.Paired, across.Ratio.Value, across.Ratio.Warnings)
	}
}

// Several short sessions one treatment after the other: the sessions are
// strata, and the speed of a day is in neither side.
func TestSequentialSessionsAreStrata(t *testing.T) {
	s := newStudy(elapsedMS, "version: old new")
	for i := range 4 {
		day := 100 * float64(1+10*i)
		s.run(ids(i+1), "m", "sequential", 5, func(at trialAt) outcome {
			x := day * (1 + 0.001*float64(at.block))
			if at.levels[0] == "new" {
				x *= 1.1
			}
			return outcome{value: x}
		})
	}
	c := mustCompare(t, s.result(), "elapsed", "version=new / version=old")
	if !near(c.Ratio.Value, 1.1, 1e-9) || c.Ratio.N != 40 || c.Ratio.Hi > 1.102 || !hasWarning(c.Ratio, Confounded) {
		t.Errorf("ratio %s, n = %d, %v", c.Ratio.Text(), c.Ratio.N, c.Ratio.Warnings)
	}
}

func TestComparisonAcrossWholePlots(t *testing.T) {
	s := newStudy(elapsedMS, "place!: one two", "version: old new")
	s.run(ids(1), "m", "randomized-blocks", 6, withNoise(func(l []string) float64 { return map[string]float64{"one": 100, "two": 130}[l[0]] }, 0.02))
	across := mustCompare(t, s.result(), "elapsed", "place=two / place=one where version=old,new")
	if across.Ratio.N != 6 || !strings.Contains(across.Ratio.Method, "whole plots") {
		t.Errorf("n = %d, method %q: a block is the unit, and the method says so", across.Ratio.N, across.Ratio.Method)
	}
	if within := mustCompare(t, s.result(), "elapsed", "version=new / version=old where place=one"); strings.Contains(within.Ratio.Method, "whole plots") {
		t.Errorf("method %q within plots", within.Ratio.Method)
	}
}

func TestAllPairs(t *testing.T) {
	s := newStudy(elapsedMS, "version: a b c")
	s.run(ids(1), "m", "randomized-blocks", 8, withNoise(func(l []string) float64 { return map[string]float64{"a": 100, "b": 101, "c": 140}[l[0]] }, 0.02))
	all, err := s.result().AllPairs("elapsed", nil)
	if err != nil || len(all) != 3 {
		t.Fatalf("%d comparisons, %v", len(all), err)
	}
	texts := []string{"version=b / version=a", "version=c / version=a", "version=c / version=b"}
	for i, c := range all {
		if c.Text != texts[i] || !c.Exploratory || c.Holm < c.P {
			t.Errorf("%q, exploratory %v, p %v, Holm %v", c.Text, c.Exploratory, c.P, c.Holm)
		}
		again := mustCompare(t, s.result(), "elapsed", c.Text)
		if again.Ratio.Value != c.Ratio.Value {
			t.Errorf("%s: %v here and %v by its text", c.Text, c.Ratio.Value, again.Ratio.Value)
		}
	}
	many := newStudy(elapsedMS, "version: a b c d e f g h i")
	many.run(ids(1), "m", "randomized-blocks", 3, func(trialAt) outcome { return outcome{value: 1} })
	if all, _ := many.result().AllPairs("elapsed", nil); len(all) != 8 || all[7].Text != "version=i / version=a" {
		t.Errorf("nine treatments: %d comparisons, want each with the first", len(all))
	}
	three, err := factorialStudy(t).result().AllPairs("time", sel("mode=pipelined"))
	if err != nil || len(three) != 3 || three[2].Text != "sessions=2 / sessions=1 where machine=m3 mode=pipelined" {
		t.Errorf("three machines: %d comparisons, %v", len(three), err)
	}
	declared := s.input()
	declared.Claims = []Claim{{Name: "c", Metric: "elapsed", Compare: ptr(comparison("version=c / version=a")), Expect: expect("ratio > 1")}}
	if all, _ := Analyze(declared).AllPairs("elapsed", nil); all[1].Exploratory || !all[0].Exploratory {
		t.Error("a comparison that a claim declares is not exploratory, others are")
	}
}

func TestRandomizationTestFollowsTheOrder(t *testing.T) {
	a, b := []float64{1, 2, 3}, []float64{4, 5, 6}
	for order, want := range map[string]float64{
		"complete-randomization": 2.0 / 20, // of 20 ways to deal six values, two are as extreme
		"randomized-blocks":      2.0 / 8,  // of 8 assignments of signs
		"williams":               math.NaN(), "sequential": math.NaN(), "modulus": math.NaN(),
	} {
		if c := mustCompare(t, pairOf(a, b, order), "elapsed", "version=new / version=old"); !near(c.SignFlipP, want, 1e-12) {
			t.Errorf("%s: p = %v, want %v", order, c.SignFlipP, want)
		}
	}
}

// What is shown of the sides is what the ratio is made of.
func TestSidesBelongToTheRatio(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, text := range []string{"version=new / version=old where size=1", "version=new / version=old where size=1,2"} {
			c, err := drawn(t).result().Compare("elapsed", comparison(text))
			if err != nil {
				t.Fatal(err)
			}
			if c.Ratio.Refused == "" && !near(c.Left.Value/c.Right.Value, c.Ratio.Value, 1e-9) {
				t.Fatalf("%s: %v / %v is not %v", text, c.Left.Value, c.Right.Value, c.Ratio.Value)
			}
		}
	})
}
