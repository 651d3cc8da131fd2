package figure

import (
	"slices"
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

func TestPointsShowTheEstimatesOfTheAnalysis(t *testing.T) {
	r := pipelining().result()
	c := chartOf(t, r, Spec{Kind: Points, Name: "p"})
	if got := len(c.Panels[0].Place.Names); got != 6 || c.Panels[0].Place.Names[0] != "queue 1" {
		t.Fatalf("%d rows %v, want 6 from queue 1 on", got, c.Panels[0].Place.Names)
	}
	want, err := r.Value(analysis.Query{Metric: "elapsed", Stat: "geomean", Selection: selection(t, "communication=queue sessions=1")})
	if err != nil {
		t.Fatal(err)
	}
	marks := c.Panels[0].Series[0].Marks
	m := marks[len(marks)-1]
	if len(marks) != 13 || m.Look != mean || m.Value != want.Value || m.Interval.Lo != want.Lo || m.Interval.Hi != want.Hi {
		t.Errorf("the first row ends in %+v of %d marks, want 12 trials and the estimate %v", m, len(marks), want)
	}
	if !strings.Contains(m.Tip, want.Text()) || !strings.Contains(c.Desc, want.Text()) {
		t.Errorf("tooltip %q and description do not hold %q as the report writes it", m.Tip, want.Text())
	}
	if len(c.Table.Rows) != 72+6 {
		t.Errorf("%d rows in the table, want every trial and every estimate", len(c.Table.Rows))
	}
}

func TestPointsOverAFactorGiveEachSeriesItsLane(t *testing.T) {
	c := chartOf(t, pipelining().result(), Spec{Kind: Points, Name: "p", X: "communication", By: "sessions"})
	p := c.Panels[0]
	if !slices.Equal(p.Place.Names, []string{"queue", "batched", "threaded"}) || p.Lanes != 2 {
		t.Fatalf("places %v in %d lanes", p.Place.Names, p.Lanes)
	}
	for _, s := range p.Series {
		if want := map[string]int{"1": 0, "2": 1}[s.Label]; s.Lane != want || s.Sign.Shape != p.Series[want].Sign.Shape {
			t.Errorf("series %q stands in lane %d with sign %v", s.Label, s.Lane, s.Sign)
		}
	}
	if c.Heading != "sessions" {
		t.Errorf("the legend is headed %q", c.Heading)
	}
}

func TestPointsWithValuesThatAreNotPositive(t *testing.T) {
	s := small()
	s.metric = session.Metric{Name: "errors", Unit: "1"}
	s.of = func([]string) float64 { return 1 }
	s.edit = func(r *session.Row) { r.Metrics[0] = []float64{0, 10, 100, 1000}[r.Trial%4] }
	c := chartOf(t, s.result(), Spec{Kind: Points, Name: "p"})
	if c.Panels[0].Value.Kind != linear {
		t.Error("a quarter of the values is 0 and the axis is logarithmic")
	}
	if !strings.Contains(c.Legend[1].Label, "median") {
		t.Errorf("the legend says %q, want the median where there is no geometric mean", c.Legend[1].Label)
	}
}

// An estimate that the data bounds on neither side has no bar.
func TestOneValueHasNoInterval(t *testing.T) {
	s := small()
	s.blocks = 1
	for _, stat := range []string{"median", "geomean"} {
		c := chartOf(t, s.result(), Spec{Kind: Points, Name: "p", Stat: stat})
		for _, m := range c.Panels[0].Series[0].Marks {
			if m.Interval != nil {
				t.Errorf("%s has an interval of one trial: %+v", m.Tip, *m.Interval)
			}
		}
		if slices.ContainsFunc(c.Notes, func(n string) bool { return strings.Contains(n, "beyond the edge") }) {
			t.Errorf("the %s of one trial: notes %q", stat, c.Notes)
		}
	}
}

func TestPublishedNumbersAreOpenMarksWithoutIntervals(t *testing.T) {
	in := pipelining().input()
	in.Published = &analysis.Published{Source: "2004", Rows: []analysis.PublishedRow{
		{Machine: "old", Levels: map[string]string{"communication": "queue", "sessions": "1"}, Metric: "elapsed", Value: 1.2, Unit: "s", Aggregate: "sum", N: 10},
		{Machine: "old", Levels: map[string]string{"communication": "queue", "sessions": "2"}, Metric: "elapsed", Value: 0.9, Unit: "s", Aggregate: "sum"},
		{Machine: "old", Levels: map[string]string{"communication": "batched", "sessions": "2"}, Metric: "elapsed", Value: 90, Unit: "ms", Aggregate: "value"},
	}}
	r := analysis.Analyze(in)
	for _, kind := range []string{Points, Interaction} {
		c := chartOf(t, r, Spec{Kind: kind, Name: "p", Published: true})
		var values []float64
		for _, s := range c.Panels[0].Series {
			for _, m := range s.Marks {
				if m.Look == published {
					values = append(values, m.Value)
					if m.Interval != nil {
						t.Errorf("%s: a published number with an interval", kind)
					}
				}
			}
		}
		// The sum of a number of runs that is not stated is no number of one run.
		if !slices.Equal(values, []float64{120, 90}) {
			t.Errorf("%s: published %v, want 120 and 90 ms", kind, values)
		}
		f := mustDraw(t, r, Spec{Kind: kind, Name: "p", Published: true})
		if n := strings.Count(string(f.SVG), "<title>published, old: "); n != 2 || !strings.Contains(string(f.SVG), ` o">`) {
			t.Errorf("%s: %d open marks, want 2", kind, n)
		}
	}
}
