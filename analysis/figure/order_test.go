package figure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

func TestOrderShowsEveryTrialWhereItRan(t *testing.T) {
	s := pipelining()
	s.edit = func(r *session.Row) {
		if r.Trial == 20 {
			r.Status, r.Reason, r.Metrics[0] = session.Timeout, "no end within 10s", math.NaN()
		}
	}
	c := chartOf(t, s.result(), Spec{Kind: Order, Name: "o"})
	places := map[float64]look{}
	for _, one := range c.Panels[0].Series {
		for _, m := range one.Marks {
			places[m.Place] = m.Look
			if m.Look == beyond && m.Value != 10_000 {
				t.Errorf("what timed out stands at %v ms, want its limit of 10 s", m.Value)
			}
		}
	}
	for i := 1; i <= 72; i++ {
		want := trial
		if i == 20 {
			want = beyond
		}
		if places[float64(i)] != want {
			t.Errorf("trial %d is drawn as %q, want %q", i, places[float64(i)], want)
		}
	}
	if len(c.Panels[0].Bands) != 6 || c.Panels[0].Bands[0] != (band{From: 6.5, To: 12.5}) {
		t.Errorf("bands %v, want every second of 12 blocks, from block 2 on", c.Panels[0].Bands)
	}
	if want := "Elapsed time of all 72 trials in the order in which they ran"; c.Title != want {
		t.Errorf("title %q, want %q", c.Title, want)
	}
	for _, want := range []string{"72 trials of 6 treatments in 12 blocks.", "for queue 1;", "1 of 72 trials has no value: 1 timeout."} {
		if !strings.Contains(c.Desc, want) {
			t.Errorf("description %q, want %q in it", c.Desc, want)
		}
	}
	if len(c.Table.Rows) != 72 || c.Table.Rows[19][5] != "timeout" || c.Table.Rows[19][6] != "" {
		t.Errorf("row 20 of %d is %q, want a timeout without a value", len(c.Table.Rows), c.Table.Rows[19])
	}
	f := mustDraw(t, s.result(), Spec{Kind: Order, Name: "o"})
	if want := "trial 20, block 4: threaded 2, timeout (no end within 10s)"; !strings.Contains(string(f.SVG), want) {
		t.Errorf("no tooltip %q", want)
	}
}

func TestOrderOfSeveralSessionsAndMachines(t *testing.T) {
	s := pipelining()
	s.sessions = []string{"a", "b", "a"}
	c := chartOf(t, s.result(), Spec{Kind: Order, Name: "o"})
	if len(c.Panels) != 2 || c.Panels[0].Title != "machine a" || c.Panels[1].Title != "machine b" {
		t.Fatalf("%d panels, want one a machine", len(c.Panels))
	}
	if r := c.Panels[0].Rules; len(r) != 1 || r[0] != (rule{At: 72.5, AtPlace: true}) {
		t.Errorf("rules %v, want one between the sessions of machine a", r)
	}
	if c.Panels[1].Place.Shown != (span{1, 72}) {
		t.Errorf("machine b shows places %v, want its own, from 1 on", c.Panels[1].Place.Shown)
	}
}

func TestOrderWithoutBlocksCountsTrials(t *testing.T) {
	s := small()
	s.edit = func(r *session.Row) { r.Block = 0 }
	in := s.input()
	for i := range in.Data.Sessions[0].Plan {
		in.Data.Sessions[0].Plan[i].Block = 0
	}
	c := chartOf(t, analysis.Analyze(in), Spec{Kind: Order, Name: "o"})
	if p := c.Panels[0]; p.Place.Title != "trial, in the order of running" || len(p.Bands) != 0 {
		t.Errorf("axis %q with %d bands, want trials and none", p.Place.Title, len(p.Bands))
	}
}

func TestInvalidTrialsStandAtTheEdgeWithTheirValue(t *testing.T) {
	s := small()
	s.edit = func(r *session.Row) {
		r.Metrics[0] = 20
		if r.Trial == 3 {
			r.Status, r.Reason = session.Invalid, "errors == 0 does not hold"
		}
	}
	f := mustDraw(t, s.result(), Spec{Kind: Order, Name: "o"})
	if want := "invalid (errors == 0 does not hold), 20 ms"; !strings.Contains(string(f.SVG), want) {
		t.Errorf("no tooltip with %q", want)
	}
	if want := "1 of 12 trials is invalid and does not count"; !slices.Contains(f.Notes, want) {
		t.Errorf("notes %q, want %q", f.Notes, want)
	}
}

// TestTrialsThatFailedWithAnotherMetric: the kind and the metric are named,
// and a metric's name makes no trial invalid.
func TestTrialsThatFailedWithAnotherMetric(t *testing.T) {
	s := small()
	s.edit = func(r *session.Row) {
		if r.Metrics[0] = 20; r.Trial == 3 {
			r.Status, r.Reason, r.Metrics[0] = session.Failed, "invalid: the value is NaN", math.NaN()
		}
	}
	in := s.input()
	in.Data.Sessions[0].Metrics = append(in.Data.Sessions[0].Metrics, session.Metric{Name: "invalid", Unit: "1"})
	c := chartOf(t, analysis.Analyze(in), Spec{Kind: Order, Name: "o"})
	if want := "1 of 12 left out: 1 NaN of metric invalid"; !slices.Contains(c.Notes, want) {
		t.Errorf("notes %q, want %q", c.Notes, want)
	}
	if !slices.ContainsFunc(c.Legend, func(k key) bool { return k.Label == "no value" }) {
		t.Errorf("legend %v, want a key for a trial with no value", c.Legend)
	}
}
