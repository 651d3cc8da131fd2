package figure

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestZeroOnALogAxisIsLeftOutAndSaid(t *testing.T) {
	var out leftOut
	c := upright(logarith, marksOf(t, table(t, "zero-on-log.csv")[1:], 0, 1, trial, &out))
	f, _ := drawChecked(t, c)
	if n := drawn(c); n != 4 {
		t.Errorf("%d points drawn, want 4", n)
	}
	if got := c.Panels[0].Value.Shown; got != (span{1, 1000}) {
		t.Errorf("the axis shows %v, want from the smallest positive value, 1, to 1000", got)
	}
	if want := "1 value <= 0 cannot be shown on a log axis"; !slices.Contains(f.Notes, want) {
		t.Errorf("notes %q, want %q among them", f.Notes, want)
	}
}

func TestLogAxesWithinOneDecadeAndOverMany(t *testing.T) {
	rows := table(t, "decades.csv")[1:]
	c := upright(logarith, nil)
	c.Columns, c.Width, c.Panels = 2, 860, nil
	for _, name := range []string{"a", "b", "c", "d"} {
		in := slices.DeleteFunc(slices.Clone(rows), func(r []string) bool { return r[0] != name })
		p := upright(logarith, marksOf(t, in, 1, 2, trial, &leftOut{})).Panels[0]
		p.Title = "panel " + name
		c.Panels = append(c.Panels, p)
	}
	drawChecked(t, c)
	for _, p := range c.layOut(20).plots {
		var labels []string
		within := 0
		for i, tk := range p.vertT.Ticks {
			labels = append(labels, tk.Label)
			if tk.At >= p.Value.Shown.Lo && tk.At <= p.Value.Shown.Hi {
				within++
			}
			if i > 0 && math.Abs(p.vert.at(tk.At)-p.vert.at(p.vertT.Ticks[i-1].At)) < fontSize {
				t.Errorf("%s: labels %q and %q overlap", p.Title, p.vertT.Ticks[i-1].Label, tk.Label)
			}
		}
		if within < 2 {
			t.Errorf("%s: %d labels inside the data, want at least 2: %q", p.Title, within, labels)
		}
		slices.Sort(labels)
		if len(slices.Compact(labels)) != len(p.vertT.Ticks) || strings.Contains(strings.Join(labels, " "), "9999") {
			t.Errorf("%s: labels %q", p.Title, labels)
		}
	}
}

func TestValuesThatAreNotFiniteAreCounted(t *testing.T) {
	rows := table(t, "not-finite.csv")[1:]
	for name, flat := range map[string]bool{"over numbers": false, "in rows": true} {
		var out leftOut
		c := upright(linear, marksOf(t, rows, 1, 2, dot, &out))
		c.Out = out
		if flat {
			c.Flat, c.Row = true, 40
			c.Panels[0].Place = axis{Kind: category, Names: []string{"v"}}
			for i := range c.Panels[0].Series[0].Marks {
				c.Panels[0].Series[0].Marks[i].Place = 0
			}
		}
		f, _ := drawChecked(t, c)
		if n := drawn(c); n != 4 {
			t.Errorf("%s: %d values drawn, want 4", name, n)
		}
		if want := "5 of 9 left out: 2 NaN, 2 infinite, 1 empty"; !slices.Contains(f.Notes, want) {
			t.Errorf("%s: notes %q, want %q among them", name, f.Notes, want)
		}
	}
}

func TestValuesThatDifferByUlpsAreAllDrawn(t *testing.T) {
	c := upright(linear, nil)
	c.Flat, c.Row = true, 40
	c.Panels[0].Place = axis{Kind: category, Names: []string{"time"}}
	rows := table(t, "ulps-apart.csv")[1:]
	for i := range rows {
		rows[i] = append(rows[i], "0")
	}
	c.Panels[0].Series[0].Marks = marksOf(t, rows, 1, 0, dot, &leftOut{})
	f, _ := drawChecked(t, c)
	if n := strings.Count(string(f.SVG), "<circle"); n != 23 {
		t.Errorf("%d dots, want 23", n)
	}
	p := c.layOut(0).plots[0]
	if a, b, d := p.horz.at(3.1), p.horz.at(3.2), p.horz.at(3.25); b-a < 20 || d-b < 20 {
		t.Errorf("3.1, 3.2 and 3.25 lie at %v, %v, %v: not apart", a, b, d)
	}
}

func TestNearlyEqualValuesAreLabelledTruly(t *testing.T) {
	rows := table(t, "nearly-equal.csv")[1:]
	tests := []struct {
		panel, labels, title string
		equal                bool
	}{
		{"success", "0.77", "value, ms", true},
		{"ratio", "100", "value, ms", true},
		{"bytes", "0.0000 0.0005 0.0010 0.0015 0.0020", "value − 1\u202f000\u202f000\u202f000, ms", false},
	}
	for _, tt := range tests {
		in := slices.DeleteFunc(slices.Clone(rows), func(r []string) bool { return r[0] != tt.panel })
		c := upright(linear, marksOf(t, in, 1, 2, trial, &leftOut{}))
		f, _ := drawChecked(t, c)
		p := c.layOut(20).plots[0]
		var labels []string
		for _, tk := range p.vertT.Ticks {
			labels = append(labels, tk.Label)
		}
		if got := strings.Join(labels, " "); got != tt.labels {
			t.Errorf("%s: labels %q, want %q", tt.panel, got, tt.labels)
		}
		if got := p.Value.title(p.vertT); got != tt.title {
			t.Errorf("%s: title %q, want %q", tt.panel, got, tt.title)
		}
		said := slices.ContainsFunc(f.Notes, func(n string) bool { return strings.Contains(n, "are equal") })
		if said != tt.equal {
			t.Errorf("%s: notes %q; says that all is equal: %v, want %v", tt.panel, f.Notes, said, tt.equal)
		}
	}
}

func TestLongAndForeignLabels(t *testing.T) {
	rows := table(t, "labels.csv")[1:]
	var names []string
	var ms []mark
	for i, r := range rows {
		names = append(names, r[0])
		ms = append(ms, mark{Place: float64(i), Value: float64(i + 6), Look: trial})
	}
	for _, flat := range []bool{true, false} {
		for _, width := range []float64{320, 600, 860} {
			c := upright(linear, slices.Clone(ms))
			c.Flat, c.Row, c.Width = flat, 30, width
			c.Panels[0].Place = axis{Kind: category, Names: names}
			f, cv := drawChecked(t, c)
			var all []string
			for _, p := range cv.texts {
				all = append(all, p.Text)
			}
			for _, want := range []string{"(empty)", "مقارنة", "🙂 fast"} {
				if !slices.Contains(all, want) {
					t.Errorf("flat %v, width %v: no text %q among %q", flat, width, want, all)
				}
			}
			if !strings.Contains(string(f.SVG), "基準") {
				t.Errorf("flat %v, width %v: the Japanese label is gone", flat, width)
			}
			checkApart(t, cv)
		}
	}
}

// checkApart says which level texts lie upon each other.
func checkApart(t *testing.T, cv *canvas) {
	t.Helper()
	for i, a := range cv.texts {
		for _, b := range cv.texts[:i] {
			if a.Turned || b.Turned {
				continue // the box of a turned text is larger than the text
			}
			if a.Left < b.Right-1 && b.Left < a.Right-1 && a.Top < b.Bottom-2 && b.Top < a.Bottom-2 {
				t.Errorf("texts %q and %q overlap: %+v %+v", a.Text, b.Text, a, b)
			}
		}
	}
}

func TestIntervalsDoNotPressEverythingTogether(t *testing.T) {
	c := upright(linear, []mark{
		{Place: 1, Value: 10, Look: mean, Interval: &interval{Lo: 9, Hi: 11}},
		{Place: 2, Value: 12, Look: mean, Interval: &interval{Lo: -5000, Hi: 9000}},
		{Place: 3, Value: 11, Look: mean, Interval: &interval{Lo: math.Inf(-1), Hi: math.Inf(1)}},
		{Place: 4, Value: 11, Look: mean, Interval: &interval{Lo: math.NaN(), Hi: 12}},
	})
	f, _ := drawChecked(t, c)
	if w := c.Panels[0].Value.Shown.width(); w > 40 {
		t.Errorf("the axis is %v wide for values from 10 to 12", w)
	}
	if want := "2 intervals go on beyond the edge of the figure"; !slices.Contains(f.Notes, want) {
		t.Errorf("notes %q, want %q among them", f.Notes, want)
	}
	if c.Panels[0].Series[0].Marks[3].Interval != nil {
		t.Error("an interval without a lower bound is drawn")
	}
}

func TestNoDataIsAFigureThatSaysSo(t *testing.T) {
	for name, c := range map[string]*chart{
		"no panels":   {Name: "a", Title: "A", Width: 600},
		"no series":   {Name: "a", Title: "A", Width: 600, Height: 100, Panels: []panel{{}}},
		"nothing fit": upright(logarith, []mark{{Place: 1, Value: -1}, {Place: 2, Value: math.NaN()}}),
	} {
		_, cv := drawChecked(t, c)
		if len(cv.texts) != 1 || cv.texts[0].Text != "no data" {
			t.Errorf("%s: texts %v, want \"no data\"", name, cv.texts)
		}
	}
}

func TestOnePointAndEqualValues(t *testing.T) {
	for _, kind := range []axisKind{linear, logarith} {
		for _, v := range []float64{1, 0.001, 5e300, 1e-300} {
			drawChecked(t, upright(kind, []mark{{Place: 1, Value: v, Look: trial}}))
			c := upright(kind, []mark{{Place: 1, Value: v, Look: trial}, {Place: 2, Value: v, Look: trial}})
			drawChecked(t, c)
			if n := drawn(c); n != 2 || !c.Panels[0].Value.Equal {
				t.Errorf("%s, all %v: %d points, equal %v", kind, v, n, c.Panels[0].Value.Equal)
			}
		}
	}
	drawChecked(t, upright(linear, []mark{{Place: 1, Value: 0, Look: trial}}))
	drawChecked(t, upright(linear, []mark{{Place: 1, Value: 0, Look: gone}}))
}

func TestManyMarksAreThinnedAndSaid(t *testing.T) {
	var ms []mark
	for i := range 9000 {
		v := float64(i % 100)
		if i == 4711 {
			v = 1000 // the greatest is never left out
		}
		ms = append(ms, mark{Place: float64(i), Value: v, Look: trial, Tip: "a trial"})
	}
	c := upright(linear, ms)
	f, _ := drawChecked(t, c)
	if n := drawn(c); n > mostMarks || n < mostMarks/2 {
		t.Errorf("%d marks drawn, want about %d", n, mostMarks)
	}
	if !slices.ContainsFunc(c.Panels[0].Series[0].Marks, func(m mark) bool { return m.Value == 1000 }) {
		t.Error("the greatest value is not drawn")
	}
	if !slices.ContainsFunc(f.Notes, func(n string) bool { return strings.Contains(n, "of 9000 trials are drawn, one in 5") }) {
		t.Errorf("notes %q do not say that trials were left out", f.Notes)
	}
}

func TestPanelsFarFromEachOtherHaveTheirOwnAxes(t *testing.T) {
	panels := func(values ...float64) *chart {
		c := upright(linear, nil)
		c.Shared, c.Loose, c.Panels = true, true, nil
		for _, v := range values {
			c.Panels = append(c.Panels, upright(linear, []mark{{Place: 1, Value: v}, {Place: 2, Value: v * 1.1}}).Panels[0])
		}
		drawChecked(t, c)
		return c
	}
	if c := panels(1, 1.05); !c.Shared || c.Panels[0].Value.Domain != c.Panels[1].Value.Domain {
		t.Error("panels of like values do not share their axis")
	}
	c := panels(1, 100)
	if c.Shared || c.Panels[0].Value.Shown.Hi != 1.1 || !slices.Contains(c.Notes, "Each panel has a value axis of its own") {
		t.Errorf("panels of 1 and of 100 show %v on one axis, notes %q", c.Panels[0].Value.Shown, c.Notes)
	}
}
