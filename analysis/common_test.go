package analysis

import (
	"slices"
	"strings"
	"testing"
)

// overBenchmarks is a study of benchmarks with the numbers of two versions;
// one without numbers was not planned.
func overBenchmarks(numbers map[string][2][]float64) *Result {
	var names []string
	for n := range numbers {
		names = append(names, n)
	}
	slices.Sort(names)
	s := newStudy(elapsedMS, "benchmark: "+strings.Join(names, " "), "version: old new")
	s.treatments = slices.DeleteFunc(s.treatments, func(l []string) bool { return numbers[l[0]][version(l)] == nil })
	s.run(ids(1), "m", "randomized-blocks", 3, func(at trialAt) outcome {
		return outcome{value: numbers[at.levels[0]][version(at.levels)][at.block-1]}
	})
	in := s.input()
	in.Identity = map[string]string{}
	for _, l := range s.treatments {
		in.Identity[treatmentKey(l)] = "id1"
	}
	return Analyze(in)
}

func version(levels []string) int { return slices.Index([]string{"old", "new"}, levels[1]) }

// R 4.2.2: exp(mean(log(c(100, 101, 99, 9800, 10000, 10200)))) and likewise.
func TestMeanOverWhatBothSidesHave(t *testing.T) {
	r := overBenchmarks(map[string][2][]float64{
		"a": {{100, 101, 99}, {50, 50.5, 49.5}}, "b": {{9800, 10000, 10200}, {9800, 10000, 10200}},
		"c": {{5, 5, 5}, nil}, "d": {nil, {7, 7, 7}}, "zero": {{0, 0, 0}, {0, 0, 0}},
	})
	c, out, err := r.CompareOver("elapsed", comparison("version=new / version=old"), []string{"benchmark"})
	if err != nil {
		t.Fatal(err)
	}
	if !near(c.Ratio.Value, 0.7071067811865, 1e-9) || !near(c.Right.Value, 999.91665597, 1e-9) || !near(c.Left.Value, 707.047848058, 1e-9) {
		t.Errorf("ratio %v of %v and %v, want 0.7071 of geometric means over a and b", c.Ratio.Value, c.Left.Value, c.Right.Value)
	}
	want := []LeftOut{{"benchmark=c", "only on the right side"}, {"benchmark=d", "only on the left side"}, {"benchmark=zero", "0 on both sides"}}
	if !slices.Equal(out, want) {
		t.Errorf("left out %v, want %v", out, want)
	}
	if c.Text != "version=new / version=old where benchmark=a,b" {
		t.Errorf("text %q does not name what went in", c.Text)
	}
}

func TestNoMeanOverLevelsWithoutARatio(t *testing.T) {
	zero, some := []float64{0, 0, 0}, []float64{0.3, 0.2, 0.4}
	for _, tt := range []struct {
		name    string
		numbers map[string][2][]float64
		why     []string
	}{
		{"a zero on one side", map[string][2][]float64{"fine": {some, some}, "idle": {zero, some}, "gone": {some, zero}},
			[]string{"benchmark=gone: the left side is 0", "benchmark=idle: the baseline is 0"}},
		{"nothing left", map[string][2][]float64{"noop": {zero, zero}, "old": {some, nil}},
			[]string{"no level of benchmark has a ratio", "benchmark=noop: 0 on both sides", "benchmark=old: only on the right side"}},
	} {
		c, _, err := overBenchmarks(tt.numbers).CompareOver("elapsed", comparison("version=new / version=old"), []string{"benchmark"})
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		for _, why := range tt.why {
			if !strings.Contains(c.Ratio.Text(), why) {
				t.Errorf("%s: %q, want %q in it", tt.name, c.Ratio.Text(), why)
			}
		}
	}
	r := overBenchmarks(map[string][2][]float64{"a": {some, some}})
	if _, _, err := r.CompareOver("elapsed", comparison("version=new / version=old"), []string{"version"}); err == nil {
		t.Error("a factor that is compared was averaged over")
	}
}

// A value that differs on a side of equal ones is not dropped, and the
// permutation of all ten values is exact: 2 of 252 splits are as extreme.
// R 4.2.2: the share of combn(10, 5) whose rank sum, with mid-ranks, is as far
// from 27.5.
func TestOneSideConstant(t *testing.T) {
	r := pairOf([]float64{212, 211, 212, 212, 212}, []float64{140.5, 140.5, 140.5, 140.5, 140.5}, "complete-randomization")
	c := mustCompare(t, r, "elapsed", "version=new / version=old")
	if !near(c.SignFlipP, 2.0/252, 1e-12) || c.P > 0.05 {
		t.Errorf("exact p %v, want 2/252; t %v", c.SignFlipP, c.P)
	}
	old, new := mustValue(t, r, "mean", "elapsed", "version=old"), mustValue(t, r, "mean", "elapsed", "version=new")
	if old.N != 5 || new.N != 5 || !near(new.Value/old.Value, 0.66336, 1e-5) {
		t.Errorf("n %d and %d, mean ratio %v", old.N, new.N, new.Value/old.Value)
	}
	if m := mustValue(t, r, "median", "elapsed", "version=new").Value / mustValue(t, r, "median", "elapsed", "version=old").Value; !near(m, 0.66274, 1e-5) {
		t.Errorf("median ratio %v, want 0.66274", m)
	}
}
