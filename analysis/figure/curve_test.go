package figure

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// roundtrip is a study over clients: on a line with own objects, bent with a
// shared one.
func roundtrip() study {
	return study{
		factors: []session.Factor{
			{Name: "object", Levels: []string{"own", "shared"}},
			{Name: "clients", Levels: []string{"1", "2", "4", "8"}, Numeric: true, Scale: "log"},
		},
		metric: session.Metric{Name: "elapsed", Unit: "ms", Better: "lower"},
		blocks: 6, sessions: []string{"lab"}, noise: 0.03,
		of: func(l []string) float64 {
			n, _ := strconv.ParseFloat(l[1], 64)
			if l[0] == "own" {
				return 10 + 2*n
			}
			return 10 + 0.5*n*n
		},
		edit: func(r *session.Row) { r.Metrics[0] = math.Round(r.Metrics[0]*10) / 10 },
	}
}

// withPublished is the result beside an earlier study of own objects.
func (s study) withPublished() *analysis.Result {
	in := s.input()
	in.Published = &analysis.Published{Source: "then"}
	for _, n := range []string{"1", "4", "8"} {
		in.Published.Rows = append(in.Published.Rows, analysis.PublishedRow{
			Machine: "then", Levels: map[string]string{"object": "own", "clients": n}, Metric: "elapsed", Value: 20, Unit: "ms", Aggregate: "mean", N: 3,
		})
	}
	return analysis.Analyze(in)
}

func TestModelAndFigureOfACurve(t *testing.T) {
	spec := Spec{Kind: Curves, Name: "fig-curve", By: "object", Published: true}
	c := chartOf(t, roundtrip().withPublished(), spec)
	model, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "curve.json", append(compact(model), '\n'))
	f := mustDraw(t, roundtrip().withPublished(), spec)
	golden(t, "curve.svg", append(bytes.ReplaceAll(f.SVG, []byte("><"), []byte(">\n<")), '\n'))
}

// No line goes beyond the levels that were measured, whichever it is.
func TestNoLineOfACurveGoesBeyondWhatWasMeasured(t *testing.T) {
	for _, where := range []string{"", "clients=1,2,4,8"} {
		c := chartOf(t, roundtrip().result(), Spec{Kind: Curves, Name: "c", X: "clients", Where: selection(t, where)})
		fits := 0
		for _, s := range c.Panels[0].Series {
			if s.Line == dashed {
				fits++
			}
			for _, m := range s.Marks {
				if m.Place < 1 || m.Place > 8 {
					t.Errorf("%s has a point at %v, beyond 1 to 8", s.Label, m.Place)
				}
			}
		}
		if fits != 2 || c.Panels[0].Place.Kind != logarith {
			t.Errorf("%d fitted lines on a %s axis, want 2 on a log one", fits, c.Panels[0].Place.Kind)
		}
	}
}

func TestAFittedLineIsTheOneOfTheAnalysis(t *testing.T) {
	r := roundtrip().result()
	c := chartOf(t, r, Spec{Kind: Curves, Name: "c", Where: selection(t, "object=own")})
	of, err := r.Curve("elapsed", "clients", selection(t, "object=own"))
	if err != nil {
		t.Fatal(err)
	}
	line := c.Panels[0].Series[0]
	for _, i := range []int{0, 7, steps} {
		if m := line.Marks[i]; line.Line != dashed || math.Abs(m.Value-of.Series[0].Line.At(m.Place)) > 1e-9 {
			t.Errorf("the line is at %v for %v, want %v", m.Value, m.Place, of.Series[0].Line.At(m.Place))
		}
	}
	if want := "Elapsed time over clients, with object=own"; c.Title != want {
		t.Errorf("title %q, want %q", c.Title, want)
	}
	for _, words := range []string{"the line (", "lack of fit p", "best model by AICc: "} {
		if !strings.Contains(strings.ToLower(c.Desc), strings.ToLower(words)) {
			t.Errorf("description %q, want %q in it", c.Desc, words)
		}
	}
	rows := 0
	for _, row := range c.Table.Rows {
		if slices.Contains(row, "fitted line") {
			rows++
		}
	}
	if rows != 4 {
		t.Errorf("%d rows of the fitted line in the table, want 4", rows)
	}
}

func TestWhyACurveHasNoLine(t *testing.T) {
	three := roundtrip()
	three.factors[1].Levels = []string{"1", "2", "4"}
	c := chartOf(t, three.result(), Spec{Kind: Curves, Name: "c", By: "object"})
	if n := drawn(c); n != 6 || !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.Contains(n, "No line is fitted to own: a fit takes 4 levels") }) {
		t.Errorf("%d marks, want the estimates of 6 treatments; notes %q", n, c.Notes)
	}
	c = chartOf(t, roundtrip().result(), Spec{Kind: Curves, Name: "c", By: "object", Stat: "median"})
	if n := drawn(c); n != 8 || !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.Contains(n, "not drawn beside the median") }) {
		t.Errorf("%d marks, want the medians of 8 treatments; notes %q", n, c.Notes)
	}
	zero := roundtrip()
	zero.factors[1].Levels = []string{"0", "1", "2", "3"}
	if _, err := Draw(zero.result(), Spec{Kind: Curves, Name: "c", X: "clients"}); err == nil || !strings.Contains(err.Error(), "no place on its log axis") {
		t.Errorf("a level 0 on a log axis: %v", err)
	}
}

func TestCurvesOfFacets(t *testing.T) {
	s := roundtrip()
	s.sessions = []string{"lab", "lab"}
	for _, facet := range []string{"object", "session"} {
		c := chartOf(t, s.result(), Spec{Kind: Curves, Name: "c", X: "clients", Facet: facet})
		lines := 0
		for _, p := range c.Panels {
			for _, one := range p.Series {
				if one.Line == dashed {
					lines++
				}
			}
		}
		if want := map[string]int{"object": 2, "session": 4}[facet]; len(c.Panels) != 2 || lines != want {
			t.Errorf("by %s: %d panels with %d lines, want 2 with %d: %q", facet, len(c.Panels), lines, want, c.Notes)
		}
	}
}

// Bands reach from one measured level to the next that has an interval, and
// no farther.
func TestBandsJoinIntervalsOfMeasuredLevels(t *testing.T) {
	between := func(where string) []string {
		f := mustDraw(t, roundtrip().result(), Spec{Kind: Curves, Name: "c", X: "clients", Where: selection(t, where)})
		return regexp.MustCompile(`class="rib c[0-9]" d="([^"]*)"`).FindAllString(string(f.SVG), -1)
	}
	if got := between(""); len(got) != 2 || strings.Count(got[0], "L") != 7 {
		t.Errorf("bands %q, want one for each curve, with two corners at each of four levels", got)
	}
	lonely := roundtrip()
	lonely.edit = func(r *session.Row) { // the level 4 has one trial, and so no interval
		if r.Levels[1] == "4" && r.Block > 1 {
			r.Status, r.Metrics[0] = session.Failed, math.NaN()
		}
	}
	f := mustDraw(t, lonely.result(), Spec{Kind: Curves, Name: "c", X: "clients", Where: selection(t, "object=own")})
	if got := regexp.MustCompile(`class="rib c[0-9]" d="([^"]*)"`).FindAllString(string(f.SVG), -1); len(got) != 1 || strings.Count(got[0], "L") != 3 {
		t.Errorf("bands %q, want one from 1 to 2 and none over the level without an interval", got)
	}
}
