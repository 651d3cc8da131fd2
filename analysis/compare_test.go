package analysis

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

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
// estimate and interval.
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
	} {
		if !near(tt.got, tt.want, 1e-9) {
			t.Errorf("%s = %.12f, want %.12f", tt.name, tt.got, tt.want)
		}
	}
	if !hasWarning(c.Ratio, NoBlocks) || c.Paired || c.HL.Refused == "" {
		t.Errorf("nothing is paired: warnings %v, paired %v, exact interval %q", c.Ratio.Warnings, c.Paired, c.HL.Refused)
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
