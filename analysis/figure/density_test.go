package figure

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldbook/internal/session"
)

func TestFigureOfADensity(t *testing.T) {
	s := small()
	s.blocks, s.noise = 11, 0.02
	spec := Spec{Kind: Density, Name: "fig-density", Where: selection(t, "command=new")}
	f := mustDraw(t, s.result(), spec)
	golden(t, "density.svg", append(bytes.ReplaceAll(f.SVG, []byte("><"), []byte(">\n<")), '\n'))
}

func TestADensityNamesItsBandwidthAndShowsTheTrials(t *testing.T) {
	r := pipelining().result()
	c := chartOf(t, r, Spec{Kind: Density, Name: "d"})
	strokes := 0
	for _, p := range c.Panels {
		for _, s := range p.Series {
			for _, m := range s.Marks {
				if m.Look == stroke {
					strokes++
					if m.Place >= 0 {
						t.Errorf("%s stands among the curves, at %v", m.Tip, m.Place)
					}
				}
			}
		}
	}
	if strokes != 72 {
		t.Errorf("%d strokes, want all 72 trials", strokes)
	}
	got, err := r.Density("elapsed", selection(t, "communication=queue sessions=1"), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{c.Desc, strings.Join(c.Notes, " ")} {
		if !strings.Contains(text, "bandwidth by Silverman’s rule: "+number(got.Bandwidth, got.Bandwidth)+" ms for queue 1") {
			t.Errorf("%q does not name the bandwidth %v", text, got.Bandwidth)
		}
	}
	for _, tick := range c.Panels[0].Place.Ticks {
		if tick.At < 0 {
			t.Errorf("the rows of trials are labelled as a density of %s", tick.Label)
		}
	}
}

func TestFewTrialsHaveNoDensity(t *testing.T) {
	_, err := Draw(small().result(), Spec{Kind: Density, Name: "d"})
	if err == nil || !strings.HasPrefix(err.Error(), "a density takes 10 trials, and there are ") || !strings.Contains(err.Error(), "points and ecdf") {
		t.Errorf("five and six trials: %v", err)
	}
	uneven := small()
	uneven.blocks = 10
	c := chartOf(t, uneven.result(), Spec{Kind: Density, Name: "d"}) // one trial of ten failed
	curves := 0
	for _, s := range c.Panels[0].Series {
		if s.Line == smooth {
			curves++
		}
	}
	if want := "a density takes 10 trials, and there are 9"; curves != 1 || !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.Contains(n, "No curve of ") && strings.Contains(n, want) }) {
		t.Errorf("%d curves, notes %q; want one, and why there is no other", curves, c.Notes)
	}
	equal := small()
	equal.blocks, equal.edit = 12, func(r *session.Row) { r.Metrics[0] = 3 }
	if _, err := Draw(equal.result(), Spec{Kind: Density, Name: "d"}); err == nil || !strings.Contains(err.Error(), "all values are equal") {
		t.Errorf("equal values: %v", err)
	}
}

// A coarse clock whose values differ in the last bit is smoothed like any
// other, and every trial is a stroke.
func TestADensityOfValuesThatDifferByUlps(t *testing.T) {
	rows := table(t, "ulps-apart.csv")[1:]
	s := small()
	s.factors[0].Levels, s.blocks = []string{"old"}, len(rows)
	s.edit = func(r *session.Row) {
		v, err := strconv.ParseFloat(rows[r.Block-1][0], 64)
		if err != nil {
			t.Fatal(err)
		}
		r.Metrics[0] = v
	}
	c := chartOf(t, s.result(), Spec{Kind: Density, Name: "d"})
	strokes, top := 0, 0.0
	for _, s := range c.Panels[0].Series {
		for _, m := range s.Marks {
			if m.Look == stroke {
				strokes++
			}
			top = math.Max(top, m.Place)
		}
	}
	if strokes != 23 || top > 30 {
		t.Errorf("%d strokes under a curve of height %v, want 23 under one of at most 30 per ms", strokes, top)
	}
}

func TestManyStrokesAreThinnedAndSaid(t *testing.T) {
	s := small()
	s.blocks, s.edit = 1500, nil
	c := chartOf(t, s.result(), Spec{Kind: Density, Name: "d"})
	strokes := 0
	for _, s := range c.Panels[0].Series {
		for _, m := range s.Marks {
			if m.Look == stroke {
				strokes++
			}
		}
	}
	if strokes > mostMarks || !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.Contains(n, "of 3000 trials are drawn") }) {
		t.Errorf("%d strokes, notes %q", strokes, c.Notes)
	}
}
