package figure

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// disturbed is a study of three versions in which trials after new take 8 %
// longer, trial 33 takes twice as long, and, where two is given, that share of
// trials takes 30 % longer.
func disturbed(blocks int, two float64) study {
	g := rand.New(rand.NewPCG(3, 4))
	before := ""
	s := small()
	s.factors = []session.Factor{{Name: "version", Levels: []string{"old", "new", "tuned"}}}
	s.blocks, s.noise, s.of = blocks, 0.02, func([]string) float64 { return 40 }
	s.edit = func(r *session.Row) {
		if before == "new" {
			r.Metrics[0] *= 1.08
		}
		if r.Trial == 33 {
			r.Metrics[0] *= 2
		}
		if two > 0 && g.Float64() < two {
			r.Metrics[0] *= 1.3
		}
		before = r.Levels[0]
	}
	return s
}

func TestModelsAndFiguresOfChecks(t *testing.T) {
	for kind, s := range map[string]study{Outliers: disturbed(12, 0), CarryOver: disturbed(12, 0), Modes: disturbed(60, 0.4)} {
		spec := Spec{Kind: kind, Name: "fig-" + kind}
		c := chartOf(t, s.result(), spec)
		model, err := json.MarshalIndent(c, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if kind != Modes { // 160 places of a curve and 180 strokes are no readable golden
			golden(t, kind+".json", append(compact(model), '\n'))
		}
		f := mustDraw(t, s.result(), spec)
		golden(t, kind+".svg", append(bytes.ReplaceAll(f.SVG, []byte("><"), []byte(">\n<")), '\n'))
	}
}

// looking are the marks of one look in all panels.
func looking(c *chart, l look) (all []mark) {
	for _, p := range c.Panels {
		for _, s := range p.Series {
			for _, m := range s.Marks {
				if m.Look == l {
					all = append(all, m)
				}
			}
		}
	}
	return all
}

func TestOutliersAreMarkedBeyondTheFences(t *testing.T) {
	r := disturbed(20, 0).result()
	c := chartOf(t, r, Spec{Kind: Outliers, Name: "o"})
	far := looking(c, marked)
	if len(far) != 1 || !strings.HasPrefix(far[0].Tip, "trial 33, block 11: ") || !strings.Contains(far[0].Tip, " off the median of its treatment") {
		t.Fatalf("marked: %+v, want trial 33 alone", far)
	}
	looks, err := r.Outliers("wall", nil)
	if err != nil {
		t.Fatal(err)
	}
	fences := looking(c, fitted)
	if len(fences) != 4 || fences[0].Value != looks[0].Lo || fences[2].Value != looks[0].Hi || far[0].Value <= looks[0].Hi {
		t.Errorf("fences %+v, trial 33 at %v, want them at %v and %v and it above", fences, far[0].Value, looks[0].Lo, looks[0].Hi)
	}
	if n := len(looking(c, dot)); n != 59 || !strings.Contains(c.Desc, "1 of 60 lies far from the others of the same treatment: trial 33, ") {
		t.Errorf("%d other trials, want 59; %s", n, c.Desc)
	}
	f := mustDraw(t, r, Spec{Kind: Outliers, Name: "o"})
	yes := 0
	for _, row := range f.Table.Rows {
		if row[len(row)-1] == "yes" {
			yes++
		}
	}
	if len(f.Table.Rows) != 60 || yes != 1 {
		t.Errorf("%d rows, %d of trials that lie far, want 60 and 1", len(f.Table.Rows), yes)
	}
	if l := f.Table.Listed(); len(l) != 1 || l[0][len(l[0])-1] != "yes" || !slices.Contains(f.Notes, "The numbers behind it list what lies far; the other 59 trials are not listed") {
		t.Errorf("listed are %q, want the trial that lies far alone, and the figure to say so: %q", l, f.Notes)
	}
}

// However many trials there are, those that a check has found are drawn.
func TestOutliersOfManyTrialsAreAllDrawn(t *testing.T) {
	s := disturbed(1000, 0)
	edit := s.edit
	s.edit = func(r *session.Row) {
		if edit(r); r.Trial%100 == 7 {
			r.Metrics[0] *= 3
		}
	}
	c := chartOf(t, s.result(), Spec{Kind: Outliers, Name: "o"})
	if far, others := len(looking(c, marked)), len(looking(c, dot)); far < 30 || others > mostQuiet {
		t.Errorf("%d trials that lie far and %d others are drawn, want at least 30 and at most %d", far, others, mostQuiet)
	}
}

func TestCarryOverIsShownByWhatRanBefore(t *testing.T) {
	r := disturbed(30, 0).result()
	c := chartOf(t, r, Spec{Kind: CarryOver, Name: "c"})
	if names := c.Panels[0].Place.Names; !slices.Equal(names, []string{"old", "new", "tuned"}) {
		t.Fatalf("rows %q, want the versions in their order", names)
	}
	means, dots := looking(c, mean), looking(c, dot)
	if len(means) != 3 || len(dots) != 89 {
		t.Fatalf("%d means and %d trials, want 3 and all 90 but the first", len(means), len(dots))
	}
	for _, m := range means {
		sum, n := 0.0, 0.0
		for _, d := range dots {
			if d.Place == m.Place {
				sum, n = sum+math.Log1p(d.Value/100), n+1
			}
		}
		if got := 100 * math.Expm1(sum/n); math.Abs(got-m.Value) > 0.1 || m.Interval == nil || m.Interval.Lo >= m.Value || m.Interval.Hi <= m.Value {
			t.Errorf("row %v: mean at %v with %+v, and its trials have %v", m.Place, m.Value, m.Interval, got)
		}
	}
	if after := means[1]; after.Interval.Lo < 2 || !strings.HasPrefix(after.Tip, "after new: +") {
		t.Errorf("after new: %+v, want well above 0", after)
	}
	if !strings.Contains(c.Desc, "after new +") || !strings.Contains(c.Desc, "F(2, ") {
		t.Error(c.Desc)
	}
}

// Six treatments in twelve blocks have not all followed one another twice: the
// levels of their factors tell.
func TestCarryOverIsShownByTheFactorsOfWhatRanBefore(t *testing.T) {
	c := chartOf(t, pipelining().result(), Spec{Kind: CarryOver, Name: "c"})
	if len(c.Panels) != 2 || !slices.Equal(c.Panels[0].Place.Names, []string{"queue", "batched", "threaded"}) || !slices.Equal(c.Panels[1].Place.Names, []string{"sessions 1", "sessions 2"}) {
		t.Fatalf("%d panels: %+v", len(c.Panels), c.Panels)
	}
	s := pipelining()
	s.blocks = 60
	s.sessions = []string{"a", "b"}
	c = chartOf(t, s.result(), Spec{Kind: CarryOver, Name: "c"})
	if len(c.Panels) != 2 || c.Panels[1].Title != "b" || len(looking(c, dot)) != 2*359 || len(looking(c, mean)) != 12 {
		t.Errorf("two machines: %d panels, %d trials, %d means", len(c.Panels), len(looking(c, dot)), len(looking(c, mean)))
	}
	s.blocks, s.sessions = 100, []string{"a"}
	c = chartOf(t, s.result(), Spec{Kind: CarryOver, Name: "c"})
	if len(looking(c, dot)) != 0 || len(looking(c, mean)) != 6 || !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.HasPrefix(n, "Single trials are not drawn") }) {
		t.Errorf("600 trials: %d drawn, notes %q", len(looking(c, dot)), c.Notes)
	}
}

// A number with a unit and a letter say nothing without their factor, not in
// a row of carry-over and not among the labels of treatments and comparisons.
func TestLevelsThatAreNoWordsHaveTheirFactor(t *testing.T) {
	s := pipelining()
	s.factors = []session.Factor{{Name: "delay", Levels: []string{"0", "3"}, Numeric: true, Unit: "s"}, {Name: "x", Levels: []string{"a", "1 0 a", "queue", "4"}, Labels: []string{"", "", "", "4 KiB"}}}
	s.of = func([]string) float64 { return 40 }
	c := chartOf(t, s.result(), Spec{Kind: CarryOver, Name: "c"})
	var rows []string
	for _, p := range c.Panels {
		rows = append(rows, p.Place.Names...)
	}
	if want := []string{"delay 0 s", "delay 3 s", "x a", "x 1 0 a", "queue", "4 KiB"}; !slices.Equal(rows, want) {
		t.Errorf("the rows are %q, want %q", rows, want)
	}
	if !strings.Contains(c.Desc, "after delay 0 s ") {
		t.Errorf("the description names no factor: %s", c.Desc)
	}
	points := chartOf(t, s.result(), Spec{Kind: Points, Name: "p"})
	if !strings.Contains(points.Desc, "for 0 s x a;") || !strings.Contains(points.Desc, "for 0 s queue") {
		t.Errorf("treatments are named otherwise than by what says something: %s", points.Desc)
	}
}

func TestModesAreMarkedWithTheValleyBetween(t *testing.T) {
	r := disturbed(60, 0.4).result()
	c := chartOf(t, r, Spec{Kind: Modes, Name: "m"})
	looks, err := r.Modality("wall", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range looks[0].Samples {
		if s.Smoothed.Bandwidth <= 0 || !strings.Contains(c.Desc, "bandwidth by Silverman’s rule: ") {
			t.Errorf("sample %d: bandwidth %v, %s", i, s.Smoothed.Bandwidth, c.Desc)
		}
	}
	s := disturbed(150, 0.4)
	c = chartOf(t, s.result(), Spec{Kind: Modes, Name: "m"})
	modes := looking(c, hollow)
	if len(modes) != 6 || len(c.Panels[0].Zones) != 3 || !strings.Contains(modes[0].Tip, "a mode of ") {
		t.Fatalf("%d modes and %d valleys, want 6 and 3 of three treatments: %s", len(modes), len(c.Panels[0].Zones), c.Desc)
	}
	for i, z := range c.Panels[0].Zones {
		if lo, hi := modes[2*i].Value, modes[2*i+1].Value; !(lo < z.Lo && z.Lo < z.Hi && z.Hi < hi) {
			t.Errorf("the valley from %v to %v does not lie between modes at %v and %v", z.Lo, z.Hi, lo, hi)
		}
	}
	c = chartOf(t, disturbed(20, 0).result(), Spec{Kind: Modes, Name: "m"})
	if len(looking(c, hollow)) != 0 || len(looking(c, stroke)) != 60 || !strings.Contains(c.Desc, "All trials, less their treatments' means: no more than one mode is seen (dip test, p = ") {
		t.Errorf("one mode: %d marked, %d trials; %s", len(looking(c, hollow)), len(looking(c, stroke)), c.Desc)
	}
}

func TestChecksWithoutALookAreNotDrawn(t *testing.T) {
	few := disturbed(2, 0)
	cycle := disturbed(12, 0)
	in := cycle.input()
	for i := range in.Data.Sessions[0].Plan { // a fixed cycle
		of := in.Data.Sessions[0].Treatments[i%3]
		in.Data.Sessions[0].Plan[i].Treatment, in.Data.Sessions[0].Plan[i].Levels = of.Number, of.Levels
		in.Data.Sessions[0].Rows[i].Treatment, in.Data.Sessions[0].Rows[i].Levels = of.Number, of.Levels
	}
	for _, tt := range []struct {
		r    *analysis.Result
		spec Spec
		want string
	}{
		{few.result(), Spec{Kind: Outliers}, "it takes 10 trials, and there are 6"},
		{few.result(), Spec{Kind: Modes}, "it takes 50 trials, and there are 6"},
		{few.result(), Spec{Kind: CarryOver}, "it takes each treatment twice right after each other one"},
		{analysis.Analyze(in), Spec{Kind: CarryOver}, "the order is a fixed cycle"},
		{cycle.result(), Spec{Kind: CarryOver, Facet: "version"}, "no use for facet"},
		{cycle.result(), Spec{Kind: Outliers, Facet: "version"}, "panels of machine or session"},
		{cycle.result(), Spec{Kind: Modes, By: "version"}, "no use for by"},
	} {
		if _, err := Draw(tt.r, tt.spec); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.spec.Kind, err, tt.want)
		}
	}
}
