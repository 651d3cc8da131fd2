package figure

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// latencies is a study whose trials had so many samples each, reduced to
// percentiles.
func latencies(blocks, samples int) analysis.Input {
	s := study{
		factors: []session.Factor{{Name: "server", Levels: []string{"old", "new"}}},
		metric:  session.Metric{Name: "latency.p50", Unit: "ms", Better: "lower", From: "samples", Key: "rtt", Reduce: "p50"},
		blocks:  blocks, sessions: []string{"lab"}, noise: 0.05,
		of: func(l []string) float64 { return map[string]float64{"old": 0.099, "new": 0.08}[l[0]] },
	}
	in := s.input()
	for _, reduce := range []string{"p90", "p99", "count"} {
		in.Metrics = append(in.Metrics, session.Metric{Name: "latency." + reduce, Unit: "ms", From: "samples", Key: "rtt", Reduce: reduce})
	}
	ses := in.Data.Sessions[0]
	ses.Metrics = in.Metrics
	for i := range ses.Rows {
		x := math.Round(ses.Rows[i].Metrics[0]*1e5) / 1e5
		ses.Rows[i].Metrics = []float64{x, 1.25 * x, 8 * x, float64(samples)}
	}
	return in
}

func latencyChart(t *testing.T, in analysis.Input, s Spec) *chart {
	t.Helper()
	s.Kind, s.Name = Percentiles, "fig-percentiles"
	return chartOf(t, analysis.Analyze(in), s)
}

func TestModelAndFigureOfPercentiles(t *testing.T) {
	c := latencyChart(t, latencies(6, 1000), Spec{Metric: "latency.p50"})
	model, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "percentiles.json", append(compact(model), '\n'))
	f := mustDraw(t, analysis.Analyze(latencies(6, 1000)), Spec{Kind: Percentiles, Name: "fig-percentiles", Metric: "latency.p50"})
	golden(t, "percentiles.svg", append(bytes.ReplaceAll(f.SVG, []byte("><"), []byte(">\n<")), '\n'))
}

// estimates are the marks of a chart that stand for several trials.
func estimates(c *chart) (all []mark) {
	for _, p := range c.Panels {
		for _, s := range p.Series {
			for _, m := range s.Marks {
				if m.Look == mean || m.Look == hollow {
					all = append(all, m)
				}
			}
		}
	}
	return all
}

func TestAPercentileHasItsIntervalAndItsTrials(t *testing.T) {
	c := latencyChart(t, latencies(6, 1000), Spec{Metric: "latency.p99"})
	trials := 0
	for _, p := range c.Panels {
		for _, s := range p.Series {
			for _, m := range s.Marks {
				if m.Look == dot {
					trials++
				}
			}
		}
	}
	if got := estimates(c); len(got) != 6 || trials != 36 {
		t.Fatalf("%d estimates and %d trials, want 3 percentiles of 2 treatments and 6 trials of each", len(got), trials)
	}
	for _, m := range estimates(c) {
		if m.Look != mean || m.Interval == nil || m.Interval.CutLo || m.Interval.CutHi {
			t.Errorf("%s: %+v has no whole interval; six trials bound a median", m.Tip, m.Interval)
		}
	}
	if places := c.Panels[0].Place.Ticks; len(places) != 3 || math.Abs(places[2].At-2) > 1e-9 || math.Abs(places[1].At-1) > 1e-9 {
		t.Errorf("ticks %v: p90 and p99 lie as far apart as p0 and p90", places)
	}
}

func TestNothingIsDrawnThatTheDataDoesNotBound(t *testing.T) {
	c := latencyChart(t, latencies(4, 200), Spec{Metric: "latency.p50"})
	for _, m := range estimates(c) {
		if m.Look != hollow || m.Interval != nil || m.Place > 1.01 {
			t.Errorf("%s: %v at %v; four trials bound no median, and 200 samples carry no p99", m.Tip, m.Interval, m.Place)
		}
	}
	for _, want := range []string{"p99 is not drawn: p99 takes 1000 samples in each trial, and the smallest has 200", "4 marks are hollow"} {
		if !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.Contains(n, want) }) {
			t.Errorf("notes %q, want %q", c.Notes, want)
		}
	}
	trials := chartOf(t, pipelining().result(), Spec{Kind: Percentiles, Name: "p", Where: selection(t, "sessions=1")})
	for _, m := range estimates(trials) {
		if open := m.Place > 0.31; open != (m.Look == hollow) || m.Interval == nil {
			t.Errorf("%s: %s with %+v; twelve trials bound p50 on both sides and p75, p90 on one", m.Tip, m.Look, m.Interval)
		} else if open && m.Interval.Hi != m.Value {
			t.Errorf("%s: a bar up to %v, where nothing bounds it", m.Tip, m.Interval.Hi)
		}
	}
}

func TestPercentilesWithoutEnoughOfAnythingAreRefused(t *testing.T) {
	_, err := Draw(analysis.Analyze(latencies(4, 10)), Spec{Kind: Percentiles, Name: "p", Metric: "latency.p50"})
	if err == nil || !strings.Contains(err.Error(), "p50, p90 and p99 are not drawn: p50 takes 20 samples in each trial, and the smallest has 10") {
		t.Errorf("%v", err)
	}
}

func TestADescriptionHasOneUnit(t *testing.T) {
	in := latencies(6, 1000)
	r := analysis.Analyze(in)
	for _, s := range []Spec{{Kind: Percentiles, Metric: "latency.p50"}, {Kind: Points, Metric: "latency.p50"}, {Kind: Interaction, Metric: "latency.p90", X: "server"}} {
		s.Name = "unit"
		c := chartOf(t, r, s)
		text := c.Desc
		for _, p := range c.Panels {
			for _, one := range p.Series {
				for _, m := range one.Marks {
					text += m.Tip
				}
			}
		}
		if strings.Contains(text, " µs") && strings.Contains(text, " ms") {
			t.Errorf("%s: µs and ms in one figure: %q", s.Kind, c.Desc)
		}
	}
}
