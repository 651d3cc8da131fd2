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
	c = chartOf(t, s.result(), Spec{Kind: Points, Name: "p", X: "command", By: "control"})
	if n := drawn(c); n != 28 || len(c.Notes) != 0 {
		t.Errorf("points by control: %d marks, notes %q, want 24 trials and 4 estimates", n, c.Notes)
	}
	c = chartOf(t, s.result(), Spec{Kind: Forest, Name: "f", Facet: "command", Compare: []expr.Comparison{comparison(t, "control=B / control=A")}})
	if want := []string{"control B / control A"}; !slices.Equal(c.Panels[0].Place.Names, want) || len(c.Panels) != 2 || drawn(c) != 2 {
		t.Errorf("forest of the control: rows %q in %d panels", c.Panels[0].Place.Names, len(c.Panels))
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
		{Spec{Kind: Interaction, Over: "sessions"}, []string{"averaged over sessions"}},
		{Spec{Kind: Interaction, Where: selection(t, "communication=queue sessions=1")}, []string{"needs a factor for x"}},
		{Spec{Kind: Curves, X: "communication"}, []string{"needs numbers for x", "communication has none", "interaction"}},
		{Spec{Kind: Curves, Where: selection(t, "sessions=1")}, []string{"needs a numeric factor for x"}},
		{Spec{Kind: Curves, X: "sessions", Where: selection(t, "sessions=1")}, []string{"two levels of sessions"}},
		{Spec{Kind: Curves, X: "machine"}, []string{"needs numbers for x"}},
		{Spec{Kind: Order, X: "sessions"}, []string{"order has no use for x", "points, interaction, curve and spread"}},
		{Spec{Kind: Points, Stat: "cv"}, []string{"coefficient of variation has no place", "interaction"}},
		{Spec{Kind: Forest, Stat: "median"}, []string{"forest has no use for stat"}},
		{Spec{Kind: ECDF, Compare: []expr.Comparison{comparison(t, "sessions=2 / sessions=1")}}, []string{"no use for compare"}},
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
	for _, kind := range []string{Order, Points, Forest, Interaction, ECDF, Curves, Percentiles, Residuals, Density, Outliers, Modes, CarryOver} {
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
		{Kind: Percentiles}, {Kind: Percentiles, Facet: "size"}, {Kind: Residuals}, {Kind: Residuals, Facet: "size"},
		{Kind: Outliers}, {Kind: Modes}, {Kind: CarryOver},
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

// Among many levels a number says of which factor it is.
func TestNumbersAmongManyLevelsNameTheirFactor(t *testing.T) {
	s := pipelining()
	s.factors = append(s.factors, session.Factor{Name: "delay", Levels: []string{"0", "5"}, Numeric: true, Unit: "s"})
	c := chartOf(t, s.result(), Spec{Kind: Points, Name: "p"})
	if names := strings.Join(c.Panels[0].Place.Names, "; "); !strings.HasPrefix(names, "queue sessions 1 delay 0 s; queue sessions 1 delay 5 s; ") {
		t.Errorf("the rows are %q", names)
	}
}
