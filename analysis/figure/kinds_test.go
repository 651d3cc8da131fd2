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
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

func selection(t testing.TB, text string) expr.Selection {
	t.Helper()
	s, err := expr.ParseSelection(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func comparison(t testing.TB, text string) expr.Comparison {
	t.Helper()
	c, err := expr.ParseComparison(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// chartOf is the settled model of a figure.
func chartOf(t testing.TB, r *analysis.Result, s Spec) *chart {
	t.Helper()
	w, err := read(r, s)
	if err != nil {
		t.Fatal(err)
	}
	c, err := kinds[s.Kind](w)
	if err != nil {
		t.Fatal(err)
	}
	drawChecked(t, c)
	return c
}

// small is a study of two treatments, one trial of which failed.
func small() study {
	return study{
		factors: []session.Factor{{Name: "command", Levels: []string{"old", "new"}}},
		metric:  session.Metric{Name: "wall", Unit: "ms", Better: "lower"},
		blocks:  6, sessions: []string{"lab"}, noise: 0.05,
		of: func(l []string) float64 { return map[string]float64{"old": 20, "new": 16}[l[0]] },
		edit: func(r *session.Row) {
			r.Metrics[0] = math.Round(r.Metrics[0]*10) / 10
			if r.Trial == 5 {
				r.Status, r.Reason, r.Metrics[0] = session.Failed, "exit code 7", math.NaN()
			}
		},
	}
}

func TestModelsAndFiguresOfEachKind(t *testing.T) {
	for _, kind := range []string{Order, Points, Forest, Interaction, ECDF} {
		c := chartOf(t, small().result(), Spec{Kind: kind, Name: "fig-" + kind, Metric: "wall"})
		model, err := json.MarshalIndent(c, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, kind+".json", append(compact(model), '\n'))
		f := mustDraw(t, small().result(), Spec{Kind: kind, Name: "fig-" + kind, Metric: "wall"})
		golden(t, kind+".svg", append(bytes.ReplaceAll(f.SVG, []byte("><"), []byte(">\n<")), '\n'))
	}
}

var (
	compactSpans = regexp.MustCompile(`\{\s+"Lo": ([^,]+),\s+"Hi": ([^\s]+)\s+\}`)
	longNumbers  = regexp.MustCompile(`[0-9]+\.[0-9]{10,}`)
)

// compact writes a model shorter, with numbers of ten digits, which are the
// same on every processor.
func compact(model []byte) []byte {
	model = longNumbers.ReplaceAllFunc(model, func(n []byte) []byte {
		v, err := strconv.ParseFloat(string(n), 64)
		if err != nil {
			return n
		}
		return strconv.AppendFloat(nil, v, 'g', 10, 64)
	})
	return compactSpans.ReplaceAll(model, []byte(`{"Lo": $1, "Hi": $2}`))
}

func TestOrderShowsEveryTrialWhereItRan(t *testing.T) {
	s := pipelining()
	s.edit = func(r *session.Row) {
		if r.Trial == 20 {
			r.Status, r.Reason, r.Metrics[0] = session.Timeout, "took longer than 10 s", math.NaN()
		}
	}
	c := chartOf(t, s.result(), Spec{Kind: Order, Name: "o"})
	places := map[float64]look{}
	for _, one := range c.Panels[0].Series {
		for _, m := range one.Marks {
			places[m.Place] = m.Look
		}
	}
	for i := 1; i <= 72; i++ {
		want := trial
		if i == 20 {
			want = gone
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
	if len(c.Table.Rows) != 72 || c.Table.Rows[19][6] != "timeout" || c.Table.Rows[19][7] != "" {
		t.Errorf("row 20 of %d is %q, want a timeout without a value", len(c.Table.Rows), c.Table.Rows[19])
	}
	f := mustDraw(t, s.result(), Spec{Kind: Order, Name: "o"})
	if want := "trial 20, block 4: threaded 2, timeout (took longer than 10 s)"; !strings.Contains(string(f.SVG), want) {
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
		if n := strings.Count(string(f.SVG), `class="o"`); n != 3 {
			t.Errorf("%s: %d open marks, want 2 and one in the legend", kind, n)
		}
	}
}

func TestForestComparesWithTheFirst(t *testing.T) {
	in := pipelining().input()
	claimed := comparison(t, "sessions=2 / sessions=1")
	in.Claims = []analysis.Claim{{Name: "small", Metric: "elapsed", Compare: &claimed, Where: selection(t, "communication=queue"),
		Expect: &analysis.Expect{Of: "ratio", Op: "within", Lo: 0.9, Hi: 1.11}}}
	r := analysis.Analyze(in)
	c := chartOf(t, r, Spec{Kind: Forest, Name: "f"})
	p := c.Panels[0]
	if !slices.Equal(p.Place.Names, []string{"queue 2", "batched 1", "batched 2", "threaded 1", "threaded 2"}) {
		t.Errorf("rows %v", p.Place.Names)
	}
	want, err := r.Compare("elapsed", comparison(t, "communication=threaded sessions=2 / communication=queue sessions=1"))
	if err != nil {
		t.Fatal(err)
	}
	m := p.Series[0].Marks[4]
	if m.Value != want.Ratio.Value || m.Interval.Lo != want.Ratio.Lo || p.Rows[4] != want.Ratio.Text() {
		t.Errorf("the last row is %+v, %q, want %v", m, p.Rows[4], want.Ratio)
	}
	if !slices.Equal(p.Rules, []rule{{At: 1}}) || p.Value.Kind != logarith {
		t.Errorf("rules %v on a %s axis, want a line at 1 on a log axis", p.Rules, p.Value.Kind)
	}
	if len(p.Zones) != 1 || p.Zones[0].Row != 0 || p.Zones[0].Lo != 0.9 || p.Zones[0].Hi != 1.11 {
		t.Errorf("zones %v, want the claim's margin behind the first row", p.Zones)
	}
	if want := "Ratios of elapsed time, each treatment against queue 1"; c.Title != want {
		t.Errorf("title %q, want %q", c.Title, want)
	}
}

func TestForestOfWishes(t *testing.T) {
	r := pipelining().result()
	c := chartOf(t, r, Spec{Kind: Forest, Name: "f", Where: selection(t, "sessions=1"), Compare: []expr.Comparison{
		comparison(t, "communication=queue / other"), comparison(t, "communication=batched / communication=threaded"),
	}})
	want := []string{"queue / batched", "queue / threaded", "batched / threaded"}
	if got := c.Panels[0].Place.Names; !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	c = chartOf(t, r, Spec{Kind: Forest, Name: "f", Compare: []expr.Comparison{
		comparison(t, "sessions=2 / sessions=1 where communication=queue"), comparison(t, "sessions=2 / sessions=1 where communication=batched"),
	}})
	want = []string{"sessions 2 / sessions 1 (queue)", "sessions 2 / sessions 1 (batched)"}
	if got := c.Panels[0].Place.Names; !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
}

func TestInteractionHasALineForEachOtherLevel(t *testing.T) {
	s := pipelining()
	s.factors = append(s.factors, session.Factor{Name: "workers", Levels: []string{"2", "8", "32"}, Numeric: true, Scale: "log"})
	c := chartOf(t, s.result(), Spec{Kind: Interaction, Name: "i", X: "workers", By: "communication", Where: selection(t, "sessions=1")})
	p := c.Panels[0]
	if p.Place.Kind != logarith || p.Place.Shown != (span{2, 32}) || len(p.Place.Ticks) != 3 {
		t.Errorf("places %+v, want the levels on their scale", p.Place)
	}
	if len(p.Series) != 3 || p.Series[0].Line != straight || len(p.Series[0].Marks) != 3 || p.Series[0].Marks[1].Place != 8 {
		t.Errorf("series %+v, want a line for each communication through three levels", p.Series)
	}
	zero := pipelining()
	zero.factors = []session.Factor{{Name: "workers", Levels: []string{"0", "1", "2"}, Numeric: true, Scale: "log"}}
	zero.of = func([]string) float64 { return 1 }
	if c := chartOf(t, zero.result(), Spec{Kind: Interaction, Name: "i"}); c.Panels[0].Place.Kind != category {
		t.Error("a level 0 has no place on a log axis, and the axis is one")
	}
}

func TestECDFStepsThroughEachTrial(t *testing.T) {
	c := chartOf(t, small().result(), Spec{Kind: ECDF, Name: "e"})
	for _, s := range c.Panels[0].Series {
		last := s.Marks[len(s.Marks)-1]
		if last.Place != 1 || !slices.IsSortedFunc(s.Marks, func(a, b mark) int { return compareFloats(a.Value, b.Value) }) {
			t.Errorf("series %q ends at share %v, sorted or not", s.Label, last.Place)
		}
	}
	if n := drawn(c); n != 11 {
		t.Errorf("%d steps, want one for each trial that is ok, 11", n)
	}
}

func TestValuesAreShownInAReadableUnit(t *testing.T) {
	s := small()
	s.metric.Unit = "s"
	s.of = func([]string) float64 { return 0.000025 }
	s.edit = nil
	c := chartOf(t, s.result(), Spec{Kind: Order, Name: "o"})
	if c.Panels[0].Value.Unit != "µs" {
		t.Errorf("the axis is in %q, want µs", c.Panels[0].Value.Unit)
	}
	head, row := c.Table.Head[len(c.Table.Head)-1], c.Table.Rows[0]
	v, err := strconv.ParseFloat(row[len(row)-1], 64)
	if head != "wall, s" || err != nil || v > 1e-4 {
		t.Errorf("the table has %q under %q, want seconds in full", row[len(row)-1], head)
	}
}

func TestTheSecondLabelOfAControlIsShownWhereAllTrialsAre(t *testing.T) {
	s := small()
	s.twice, s.edit = true, nil
	if n := drawn(chartOf(t, s.result(), Spec{Kind: Order, Name: "o"})); n != 24 {
		t.Errorf("order: %d marks, want all 24 trials", n)
	}
	c := chartOf(t, s.result(), Spec{Kind: Points, Name: "p"})
	if n := drawn(c); n != 14 {
		t.Errorf("points: %d marks, want 12 trials of label A and 2 estimates", n)
	}
	c = chartOf(t, s.result(), Spec{Kind: ECDF, Name: "e", By: "control"})
	if len(c.Panels[0].Series) != 4 {
		t.Errorf("ECDF by control: %d series, want 4", len(c.Panels[0].Series))
	}
}

func TestWishesThatCannotBeDrawnAreRefused(t *testing.T) {
	r := pipelining().result()
	tests := []struct {
		spec Spec
		want []string
	}{
		{Spec{Kind: "pie"}, []string{"unknown kind of figure \"pie\"", "ecdf"}},
		{Spec{Kind: Order, Metric: "elapsd"}, []string{"unknown metric \"elapsd\"", "elapsed"}},
		{Spec{Kind: Points, X: "comunication"}, []string{"comunication", "communication"}},
		{Spec{Kind: Points, Where: expr.Selection{{Factor: "sessions", Levels: []string{"3"}}}}, []string{"3"}},
		{Spec{Kind: Points, Stat: "avg"}, nil},
		{Spec{Kind: Interaction, Over: "sessions"}, []string{"average over sessions"}},
		{Spec{Kind: Interaction, Where: selection(t, "communication=queue sessions=1")}, []string{"needs a factor for x"}},
		{Spec{Kind: Forest, Compare: []expr.Comparison{comparison(t, "sessions=2 / sessions=1")}}, []string{"communication"}},
	}
	for _, tt := range tests {
		f, err := Draw(r, tt.spec)
		if tt.want == nil {
			if err != nil || len(f.Notes) == 0 {
				t.Errorf("Draw(%+v): %v; want the reason in a note", tt.spec, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("Draw(%+v) gave a figure, want an error", tt.spec)
			continue
		}
		for _, w := range tt.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("Draw(%+v): %q, want %q in it", tt.spec, err, w)
			}
		}
	}
}

func TestWithoutDataEachKindSaysSo(t *testing.T) {
	in := pipelining().input()
	in.Data = &session.Dataset{}
	for _, kind := range []string{Order, Points, Forest, Interaction, ECDF} {
		f := mustDraw(t, analysis.Analyze(in), Spec{Kind: kind, Name: "none"})
		checkFigure(t, f)
		if !strings.Contains(string(f.SVG), ">no data<") || !strings.HasPrefix(f.Title, "No ") {
			t.Errorf("%s without data is titled %q", kind, f.Title)
		}
	}
}

func TestOneTrialOfOneTreatment(t *testing.T) {
	s := small()
	s.factors[0].Levels, s.blocks, s.edit = []string{"old"}, 1, nil
	for _, kind := range []string{Order, Points, Forest, ECDF} {
		chartOf(t, s.result(), Spec{Kind: kind, Name: "one"})
	}
	chartOf(t, s.result(), Spec{Kind: Interaction, Name: "one", X: "command"})
}

func TestEqualValues(t *testing.T) {
	s := small()
	s.edit = func(r *session.Row) { r.Metrics[0] = 1 }
	for _, kind := range []string{Order, Points, Forest, Interaction, ECDF} {
		f := mustDraw(t, s.result(), Spec{Kind: kind, Name: "equal"})
		checkFigure(t, f)
		if !slices.ContainsFunc(f.Notes, func(n string) bool { return strings.Contains(n, "are equal") }) {
			t.Errorf("%s: notes %q do not say that all is equal", kind, f.Notes)
		}
	}
}

func TestHostileTextIsOnlyText(t *testing.T) {
	var levels []string
	for _, row := range table(t, "hostile.csv")[1:] {
		levels = append(levels, row[0])
	}
	levels = append(levels, "a\x00b\x1b[31m\x7f", "\xff\xfe", "\u202eevil\u2066", strings.Repeat("long ", 2000), strings.Repeat("\u0301", 500), "]]>", "'\"&<>")
	s := study{
		factors: []session.Factor{{Name: "variant", Levels: levels}, {Name: "size", Levels: []string{"1", "2"}, Numeric: true, Unit: `<b onload="x">`}},
		metric:  session.Metric{Name: `</title><script>alert(1)</script>`, Unit: `"><img src=x onerror=alert(2)>`},
		blocks:  4, sessions: []string{"<machine>"}, noise: 0.1, of: func(l []string) float64 { return float64(10 + len(l[0])%7) },
		edit: func(r *session.Row) {
			if r.Trial%17 == 0 {
				r.Status, r.Reason, r.Metrics[0] = session.Failed, `<script>alert("reason")</script>`+strings.Repeat("x", 10_000), math.NaN()
			}
		},
	}
	r := s.result()
	for _, spec := range []Spec{
		{Kind: Order}, {Kind: Points}, {Kind: Forest}, {Kind: Interaction, X: "size"}, {Kind: ECDF},
		{Kind: Order, Facet: "variant"}, {Kind: Points, X: "variant"}, {Kind: Interaction, X: "variant"}, {Kind: ECDF, Facet: "size"}, {Kind: Points, Facet: "size"},
	} {
		spec.Name = `x" onload="alert(1)`
		c := chartOf(t, r, spec)
		f := c.again(t, r, spec)
		text := string(f.SVG)
		for _, level := range levels[:11] {
			if (spec.Kind == Order || spec.Kind == Points && spec.X == "") && spec.Facet == "" && !strings.Contains(text, escape(within(level))) {
				t.Errorf("%s: the level %q is nowhere to be read", spec.Kind, level)
			}
		}
		if len(text) > 600_000 {
			t.Errorf("%s: %d bytes", spec.Kind, len(text))
		}
	}
}

// again draws a wish a second time and wants the same bytes.
func (c *chart) again(t *testing.T, r *analysis.Result, s Spec) *Figure {
	t.Helper()
	one, two := mustDraw(t, r, s), mustDraw(t, r, s)
	if !bytes.Equal(one.SVG, two.SVG) || one.Title != c.Title {
		t.Errorf("%s drawn twice differs", s.Kind)
	}
	return one
}

func TestManyTrialsStaySmall(t *testing.T) {
	s := pipelining()
	s.blocks = 600
	f := mustDraw(t, s.result(), Spec{Kind: Order, Name: "o"})
	if n := strings.Count(string(f.SVG), "<title>"); n > mostMarks+10 {
		t.Errorf("%d marks, want at most %d", n, mostMarks)
	}
	if len(f.Table.Rows) != 3600 {
		t.Errorf("%d rows in the table, want all 3600 trials", len(f.Table.Rows))
	}
}
