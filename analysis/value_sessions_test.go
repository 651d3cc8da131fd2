package analysis

import (
	"math"
	"strings"
	"testing"

	"fieldbook/analysis/stat"
)

// days is a study of one treatment with a session for each row of numbers.
func days(rows ...[]float64) *study {
	s := newStudy(elapsedMS, "version: old")
	for i, xs := range rows {
		s.run(ids(i+1), "m", "randomized-blocks", len(xs), func(at trialAt) outcome { return outcome{value: xs[at.block-1]} })
	}
	return s
}

// Of sessions of one length the interval is Student's of their means.
func TestAValueOverSessionsHasTheSessionAsItsUnit(t *testing.T) {
	r := days([]float64{10, 12, 11}, []float64{20, 22, 21}, []float64{15, 14, 16}, []float64{12, 12, 12}).result()
	want := stat.Mean([]float64{11, 21, 15, 12}, 0.95)
	got := mustValue(t, r, "mean", "elapsed", "")
	if !near(got.Value, want.Value, 1e-12) || !near(got.Lo, want.Lo, 1e-12) || !near(got.Hi, want.Hi, 1e-12) || got.N != 4 || got.DF != 3 {
		t.Errorf("mean %v, want %v with 3 degrees of freedom", got.Estimate, want)
	}
	logs := make([]float64, 4)
	for i, xs := range [][]float64{{10, 12, 11}, {20, 22, 21}, {15, 14, 16}, {12, 12, 12}} {
		logs[i] = meanLog(xs)
	}
	want, got = through(stat.Mean(logs, 0.95), math.Exp), mustValue(t, r, "geomean", "elapsed", "")
	if !near(got.Lo, want.Lo, 1e-12) || !near(got.Hi, want.Hi, 1e-12) || hasWarning(got, Sessions) {
		t.Errorf("geometric mean %v, want %v without a doubt", got.Estimate, want)
	}
	if got := mustValue(t, r, "median", "elapsed", ""); !hasWarning(got, Sessions) {
		t.Errorf("the median has no unit but the trial, and does not say so: %v", got.Warnings)
	}
}

// Sessions of different length: the value stays the mean of all trials, and
// the longer session weighs more. By hand: weights 1/7, 2/7, 4/7 of the means
// 10, 20, 30 about 170/7, so that se = sqrt(3/2 * sum of squares of
// 1/7*(-100/7), 2/7*(-30/7), 4/7*(40/7)).
func TestLongerSessionsWeighMore(t *testing.T) {
	r := days([]float64{10}, []float64{20, 20}, []float64{29, 30, 30, 31}).result()
	got := mustValue(t, r, "mean", "elapsed", "")
	half := stat.TQuantile(0.975, 2) * math.Sqrt(1.5*(100*100+60*60+160*160)) / 49
	if !near(got.Value, 170.0/7, 1e-12) || !near(got.Hi-got.Value, half, 1e-12) {
		t.Errorf("%v ± %v, want %v ± %v", got.Value, got.Hi-got.Value, 170.0/7, half)
	}
}

func TestTwoSessionsAreDoubted(t *testing.T) {
	r := days([]float64{10, 12, 11}, []float64{20, 22, 21}).result()
	one := stat.Mean([]float64{10, 12, 11, 20, 22, 21}, 0.95)
	if got := mustValue(t, r, "mean", "elapsed", ""); !hasWarning(got, Sessions) || !near(got.Lo, one.Lo, 1e-12) {
		t.Errorf("%v, want the interval over trials with a doubt", got.Estimate)
	}
	if got := mustValue(t, r, "max", "elapsed", ""); len(got.Warnings) > 0 {
		t.Errorf("a maximum has no interval to doubt: %v", got.Warnings)
	}
	if got := mustValue(t, days([]float64{10, 12, 11}).result(), "mean", "elapsed", ""); hasWarning(got, Sessions) {
		t.Errorf("one session: %v", got.Warnings)
	}
}

// The claim of a value is judged by the same interval, and one that rests on
// trials of two sessions says it.
func TestClaimsOfValuesKnowSessions(t *testing.T) {
	for n, want := range map[int]struct {
		verdict Verdict
		why     string
	}{2: {Supported, "trials of 2 sessions are taken as independent"}, 3: {Undecided, "sessions would decide it"}} {
		s := days([][]float64{{10, 10.1, 10.2, 10.1}, {14, 14.1, 14, 14.2}, {10, 10.1, 10, 10}}[:n]...)
		s.in.Claims = []Claim{{Name: "c", Metric: "elapsed", Expect: expect("value < 16")}}
		if c := s.result().Claims[0]; c.Verdict != want.verdict || !strings.Contains(c.Why, want.why) {
			t.Errorf("%d sessions: %s, %q; want %s, %q", n, c.Verdict, c.Why, want.verdict, want.why)
		}
	}
}
