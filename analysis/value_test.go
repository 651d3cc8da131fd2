package analysis

import (
	"math"
	"strings"
	"testing"

	"fieldbook/internal/session"
)

// valuesOf is one treatment with the given numbers, in blocks.
func valuesOf(xs ...float64) *study {
	s := newStudy(elapsedMS, "version: v")
	s.run(ids(1), "m", "randomized-blocks", len(xs), func(at trialAt) outcome { return outcome{value: xs[at.block-1]} })
	return s
}

// R: mean, median, sd, quantile(type=7), t.test; order statistics by the ranks
// 2 and 9 of qbinom.
func TestValueStatistics(t *testing.T) {
	xs := []float64{12, 15, 11, 19, 14, 17, 13, 20, 16, 18}
	r := valuesOf(xs...).result()
	tests := []struct {
		stat   string
		want   float64
		lo, hi float64 // NaN: none
	}{
		{"n", 10, math.NaN(), math.NaN()}, {"mean", 15.5, 13.334149, 17.665851}, {"median", 15.5, 12, 19},
		{"min", 11, math.NaN(), math.NaN()}, {"max", 20, math.NaN(), math.NaN()}, {"sd", 3.02765, math.NaN(), math.NaN()},
		{"cv", 3.02765 / 15.5, math.NaN(), math.NaN()}, {"p90", 19.1, 16, math.Inf(1)}, {"p25", 13.25, math.Inf(-1), 17},
		{"geomean", 15.227765, 13.196032, 17.572314},
	}
	for _, tt := range tests {
		e := mustValue(t, r, tt.stat, "elapsed", "version=v")
		if !near(e.Value, tt.want, 1e-6) {
			t.Errorf("%s = %v, want %v", tt.stat, e.Value, tt.want)
		}
		if !math.IsInf(tt.hi, 0) && !math.IsInf(tt.lo, 0) && (!near(e.Lo, tt.lo, 1e-3) || !near(e.Hi, tt.hi, 1e-3)) {
			t.Errorf("%s: [%v, %v], want [%v, %v]", tt.stat, e.Lo, e.Hi, tt.lo, tt.hi)
		}
		if math.IsInf(tt.hi, 1) && !math.IsInf(e.Hi, 1) {
			t.Errorf("%s: ten trials bound it by %v from above", tt.stat, e.Hi)
		}
	}
	for i, o := range r.Observations("elapsed", nil) {
		if o.Value != xs[i] {
			t.Fatalf("the order of trials has changed: %v", o.Value)
		}
	}
}

func TestValueRefusals(t *testing.T) {
	s := newStudy(elapsedMS, "version: old new", "size: 1 2")
	of := func(trialAt) outcome { return outcome{value: 5} }
	s.run(ids(1), "north", "randomized-blocks", 3, of)
	s.run(ids(2), "south", "randomized-blocks", 3, of)
	r := s.result()
	for _, tt := range []struct{ selection, why string }{
		{"version=old", "size is open: name size=1 or size=2"},
		{"", "version is open: name version=old or version=new; size is open"},
		{"version=old size=1", "several machines: name machine=north or machine=south"},
	} {
		if e := mustValue(t, r, "mean", "elapsed", tt.selection); !strings.HasPrefix(e.Refused, tt.why) || !math.IsNaN(e.Value) {
			t.Errorf("%q: %v %q, want %q", tt.selection, e.Value, e.Refused, tt.why)
		}
	}
	if e := mustValue(t, r, "mean", "elapsed", "version=old size=1 machine=south"); e.Value != 5 || e.N != 3 {
		t.Errorf("one machine: %v, n = %d", e.Value, e.N)
	}
	if e := mustValue(t, r, "n", "elapsed", "version=old"); e.Value != 12 {
		t.Errorf("n over treatments and machines = %v, want 12", e.Value)
	}
}

func TestSessionsOfOneMachineArePooled(t *testing.T) {
	s := newStudy(elapsedMS, "version: old new")
	for i := range 3 {
		s.run(ids(i+1), "m", "randomized-blocks", 4, func(at trialAt) outcome {
			x := 100 * float64(i+1) // another speed on each day
			if at.levels[0] == "new" {
				x *= 1.1
			}
			return outcome{value: x}
		})
	}
	r := s.result()
	if c := mustCompare(t, r, "elapsed", "version=new / version=old"); c.Ratio.N != 12 || !near(c.Ratio.Value, 1.1, 1e-12) || len(c.Pairs) != 12 {
		t.Errorf("ratio %v over %d blocks, want 1.1 over 12", c.Ratio.Value, c.Ratio.N)
	}
	if e := mustValue(t, r, "n", "elapsed", "version=old session="+ids(2)); e.Value != 4 {
		t.Errorf("n in one session = %v", e.Value)
	}
}

func TestQuestionsThatMakeNoSense(t *testing.T) {
	r := ratios(1, 1, 1).result()
	for _, tt := range []struct{ metric, stat, selection, want string }{
		{"elapse", "mean", "", `unknown metric "elapse"; did you mean "elapsed"?`},
		{"elapsed", "meddian", "", `unknown statistic "meddian"; did you mean "median"?`},
		{"elapsed", "p100", "", `unknown statistic "p100"`},
		{"elapsed", "mean", "versoin=old", `unknown factor "versoin"; did you mean "version"?`},
		{"elapsed", "mean", "version=odl", `unknown level "odl" of version; did you mean "old"?`},
		{"elapsed", "mean", "machine=x", `unknown machine "x"; known: m`},
	} {
		_, err := r.Value(Query{Metric: tt.metric, Stat: tt.stat, Selection: sel(tt.selection)})
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s %s %s: %v, want %s", tt.stat, tt.metric, tt.selection, err, tt.want)
		}
	}
}

func TestSessionLeftOutSaysWhy(t *testing.T) {
	in := ratios(1, 1, 1).input()
	in.Data.LeftOut = []session.LeftOut{{Session: ids(9), Reason: "pilot"}}
	_, err := Analyze(in).Value(Query{Metric: "elapsed", Stat: "mean", Selection: sel("version=old session=" + ids(9))})
	if err == nil || err.Error() != "session "+ids(9)+" is not used: pilot" {
		t.Errorf("%v", err)
	}
}

func TestNoDataSaysWhy(t *testing.T) {
	s := newStudy(elapsedMS, "version: old new")
	s.run(ids(1), "m", "randomized-blocks", 3, func(at trialAt) outcome {
		if at.levels[0] == "old" {
			return outcome{status: []string{session.Failed, session.Timeout, session.Timeout}[at.block-1]}
		}
		return outcome{value: 1}
	})
	r := s.result()
	if e := mustValue(t, r, "mean", "elapsed", "version=old"); e.Refused != "no data: none of 3 trials gave a number (1 failed, 2 timeout)" {
		t.Errorf("%q", e.Refused)
	}
	if c := mustCompare(t, r, "elapsed", "version=new / version=old"); c.Ratio.Refused != "no data: in none of 3 blocks did both sides give a number" || c.Words(0) == "" {
		t.Errorf("%q, %q", c.Ratio.Refused, c.Words(0))
	}
	empty := newStudy(elapsedMS, "version: old new").result()
	if e := mustValue(t, empty, "mean", "elapsed", ""); e.Refused != "no data: no treatment is declared" {
		t.Errorf("without any session: %q", e.Refused)
	}
}
