package analysis

import (
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"fieldbook/internal/session"
)

// calling is a study whose trials print calls: of gives the number of each.
func calling(blocks, calls int, of func(g *rand.Rand, version string, call int) float64) *study {
	s := newStudy(session.Metric{Name: "rtt.p50", Unit: "us", Better: "lower", From: "samples", Reduce: "p50", Key: "rtt"}, "version: old new")
	ses := s.run(ids(1), "m", "randomized-blocks", blocks, func(trialAt) outcome { return outcome{value: 100} })
	ses.SampleColumns = []session.Column{{Name: "rtt", Unit: "us"}}
	s.in.Samples = func(string) iter.Seq2[session.Sample, error] {
		return func(yield func(session.Sample, error) bool) {
			g := rand.New(rand.NewPCG(7, 7))
			values := make([]float64, 1) // used again, as those of a file are
			for _, row := range ses.Rows {
				for k := range calls {
					values[0] = of(g, row.Levels[0], k)
					if !yield(session.Sample{Trial: row.Trial, Attempt: 1, Client: 1, Index: k + 1, Values: values}, nil) {
						return
					}
				}
			}
		}
	}
	return s
}

// callCheck is what was seen of the calls.
func callCheck(t *testing.T, r *Result) Diagnostic {
	t.Helper()
	for _, d := range r.Diagnostics() {
		if d.Check == "calls" {
			return d
		}
	}
	t.Fatal("nobody looked at the calls")
	return Diagnostic{}
}

func steadyCall(g *rand.Rand, _ string, _ int) float64 { return 100 * math.Exp(0.05*g.NormFloat64()) }

func TestWarmUpOfCallsIsTold(t *testing.T) {
	s := calling(12, 240, func(g *rand.Rand, version string, call int) float64 {
		x := steadyCall(g, version, call)
		if version == "new" && call < 60 {
			x *= 1.3
		}
		return x
	})
	d := callCheck(t, s.result())
	want := "calls: in 12 of 12 trials of version=new the first 60 calls are 30 % slower than the rest (medians; by MSER it is the first 60); they are in every number. To leave a start out, "
	if !d.Flag || d.Metric != "rtt.p50" || d.Value != 0.5 || !strings.HasPrefix(d.Text, want) {
		t.Errorf("%+v, want %q", d, want)
	}
	if n := mustValue(t, s.result(), "n", "rtt.p50", "version=new"); n.Value != 12 {
		t.Errorf("%v trials count, want all 12", n.Value)
	}
}

func TestSteadyCallsAreQuiet(t *testing.T) {
	if d := callCheck(t, calling(10, 200, steadyCall).result()); d.Flag || d.Text != "quiet: calls are steady from the first on in 20 of 20 trials" {
		t.Errorf("%+v", d)
	}
	if d := callCheck(t, calling(10, 40, steadyCall).result()); !d.Skipped() || !strings.HasSuffix(d.Text, "it takes 100 calls of a trial, and there are 40 at the most") {
		t.Errorf("%+v", d)
	}
	if d := callCheck(t, calling(10, 0, steadyCall).result()); !d.Skipped() || !strings.HasSuffix(d.Text, "no samples were kept") {
		t.Errorf("%+v", d)
	}
}

func TestCallsThatNeverSettleAreTold(t *testing.T) {
	d := callCheck(t, calling(8, 300, func(g *rand.Rand, version string, call int) float64 {
		return steadyCall(g, version, call) * (1 + 0.01*float64(call))
	}).result())
	if !d.Flag || !strings.Contains(d.Text, " of 8 trials of version=old they still change in the last third; in ") || !strings.HasSuffix(d.Text, "; they are in every number") {
		t.Errorf("%+v", d)
	}
}

// Of many trials the first ones stand for all, and the rest is not read.
func TestOnlyTheFirstTrialsAreRead(t *testing.T) {
	s := calling(60, 120, steadyCall)
	most := 0
	all := s.in.Samples
	s.in.Samples = func(name string) iter.Seq2[session.Sample, error] {
		return func(yield func(session.Sample, error) bool) {
			for one, err := range all(name) {
				most = max(most, one.Trial)
				if !yield(one, err) {
					return
				}
			}
		}
	}
	if d := callCheck(t, s.result()); d.Flag || !strings.HasSuffix(d.Text, " of 60 trials, of the first trials of each treatment") || most > 2*mostSettled+1 {
		t.Errorf("read up to trial %d: %+v", most, d)
	}
}

func TestFormulaOverCallsIsLookedAt(t *testing.T) {
	s := calling(6, 200, func(g *rand.Rand, version string, call int) float64 {
		x := steadyCall(g, version, call)
		if call < 50 {
			x *= 0.5
		}
		return x
	})
	s.metrics[0] = session.Metric{Name: "rate.mean", Unit: "1/s", Better: "higher", From: "samples", Reduce: "mean", Formula: "1000000 / rtt"}
	if d := callCheck(t, s.result()); !d.Flag || !strings.Contains(d.Text, "in 6 of 6 trials of version=old the first 50 calls are 10") || !strings.Contains(d.Text, "% higher than the rest") {
		t.Errorf("%+v", d)
	}
}

func TestUnreadableSamplesAreSaid(t *testing.T) {
	s := calling(6, 200, steadyCall)
	s.in.Samples = func(string) iter.Seq2[session.Sample, error] {
		return func(yield func(session.Sample, error) bool) {
			yield(session.Sample{}, errors.New("samples.csv is torn"))
		}
	}
	if d := callCheck(t, s.result()); !d.Skipped() || !strings.HasSuffix(d.Text, "samples.csv is torn") {
		t.Errorf("%+v", d)
	}
}
