package analysis

import (
	"math"
	"strings"
	"testing"

	"fieldbook/analysis/stat"
	"fieldbook/internal/session"
)

// timedOut is a study of two versions in blocks; new times out in so many of
// its n blocks.
func timedOut(metric session.Metric, n, times int) *study {
	s := newStudy(metric, "version: old new")
	s.run(ids(1), "m", "randomized-blocks", n, func(at trialAt) outcome {
		if at.levels[0] == "new" && at.block <= times {
			return outcome{status: session.Timeout}
		}
		return outcome{value: 10 + float64(at.block)}
	})
	for i := range s.sessions[0].Rows {
		if r := &s.sessions[0].Rows[i]; r.Status == session.Timeout {
			r.Reason, r.Duration = "no end within 1m0s", 60.2
		}
	}
	return s
}

// By ranks a trial that timed out lies above all others: the median and its
// bounds are those of the same numbers with anything large in its place.
func TestTimeoutsAreAboveAllInAMedian(t *testing.T) {
	r := timedOut(elapsedMS, 12, 3).result()
	var xs []float64
	for b := 4; b <= 12; b++ {
		xs = append(xs, 10+float64(b))
	}
	want := stat.Median(append(xs, 1e6, 2e6, 3e6), 0.95)
	got := mustValue(t, r, "median", "elapsed", "version=new")
	if got.Value != want.Value || got.Lo != want.Lo || !math.IsInf(got.Hi, 1) || got.N != 12 {
		t.Errorf("median %v, want %v with an open side", got.Estimate, want)
	}
	if p90 := mustValue(t, r, "p90", "elapsed", "version=new"); p90.Text() != "n/a (above 60 s: 3 of 12 trials timed out at 60 s)" {
		t.Errorf("p90: %s", p90.Text())
	}
	if one := mustValue(t, timedOut(elapsedMS, 30, 1).result(), "median", "elapsed", "version=new"); math.IsInf(one.Hi, 1) || one.N != 30 {
		t.Errorf("one of 30: %v, want both bounds", one.Estimate)
	}
}

func TestTimeoutsAreNeverLeftOutOfAMeanInSilence(t *testing.T) {
	r := timedOut(elapsedMS, 12, 3).result()
	for _, name := range []string{"mean", "geomean", "sd"} {
		e := mustValue(t, r, name, "elapsed", "version=new")
		if !hasWarning(e, CensoredData) || !strings.Contains(e.Warnings[len(e.Warnings)-1].Text, "3 of 12 trials timed out at 60 s") {
			t.Errorf("%s: %v", name, e.Warnings)
		}
	}
	r = timedOut(elapsedMS, 12, 7).result()
	for name, want := range map[string]string{
		"mean":    "n/a (7 of 12 trials timed out at 60 s: there is no mean of what is left)",
		"geomean": "n/a (7 of 12 trials timed out at 60 s: there is no geometric mean of what is left)",
		"median":  "n/a (above 60 s: 7 of 12 trials timed out at 60 s)",
		"max":     "n/a (above 60 s: 7 of 12 trials timed out at 60 s)",
	} {
		if got := mustValue(t, r, name, "elapsed", "version=new").Text(); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := mustValue(t, r, "mean", "elapsed", "version=old"); hasWarning(got, CensoredData) {
		t.Error("the other treatment did not time out")
	}
}

// Of a metric that is no time nothing is known of a trial that timed out.
func TestTimeoutsSayNothingOfOtherMetrics(t *testing.T) {
	m := elapsedMS
	m.Unit, m.Better = "1/s", "higher"
	r := timedOut(m, 12, 3).result()
	if e := mustValue(t, r, "median", "elapsed", "version=new"); e.N != 9 || !hasWarning(e, CensoredData) {
		t.Errorf("%v", e.Estimate)
	}
	if e := mustValue(t, timedOut(m, 12, 7).result(), "median", "elapsed", "version=new"); e.Refused == "" {
		t.Errorf("%v, want a refusal: the middle is not known", e.Estimate)
	}
}

func TestRatiosSayWhatTimedOut(t *testing.T) {
	c := mustCompare(t, timedOut(elapsedMS, 20, 3).result(), "elapsed", "version=new / version=old")
	if !hasWarning(c.Ratio, CensoredData) {
		t.Errorf("%v", c.Ratio.Warnings)
	}
}

func TestClaimsOfValuesKnowTimeouts(t *testing.T) {
	for _, tt := range []struct {
		stat, expect string
		times        int
		verdict      Verdict
		why          string
	}{
		{"median", "value < 40", 3, Undecided, ""}, // 9 of 12 below: the upper bound is open
		{"median", "value < 10", 3, Refuted, ""},
		{"median", "value < 40", 1, Supported, ""},
		{"mean", "value < 40", 3, Supported, "3 of 12 trials timed out at 60 s"},
		{"mean", "value < 40", 7, NotJudged, ""},
	} {
		s := timedOut(elapsedMS, 12, tt.times)
		s.in.Claims = []Claim{{Name: "c", Metric: "elapsed", Stat: tt.stat, Where: sel("version=new"), Expect: expect(tt.expect)}}
		c := s.result().Claims[0]
		if c.Verdict != tt.verdict && !(tt.verdict == NotJudged && c.Verdict == Undecided) || !strings.Contains(c.Why, tt.why) {
			t.Errorf("%s %s, %d timed out: %s, %q; want %s, %q", tt.stat, tt.expect, tt.times, c.Verdict, c.Why, tt.verdict, tt.why)
		}
	}
}
