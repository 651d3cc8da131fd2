package figure

import (
	"slices"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
)

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

func TestForestOfPanelsAndAverages(t *testing.T) {
	r := pipelining().result()
	c := chartOf(t, r, Spec{Kind: Forest, Name: "f", Facet: "communication"})
	if len(c.Panels) != 3 || c.Panels[1].Title != "communication batched" || !slices.Equal(c.Panels[1].Place.Names, []string{"2"}) {
		t.Errorf("panels %+v, want one for each communication with sessions 2 against 1", c.Panels)
	}
	if want := "Ratios of elapsed time, each treatment against 1"; c.Title != want {
		t.Errorf("title %q, want %q", c.Title, want)
	}
	asked := comparison(t, "sessions=2 / sessions=1")
	c = chartOf(t, r, Spec{Kind: Forest, Name: "f", Over: "communication", Compare: []expr.Comparison{asked}})
	asked.Where = selection(t, "communication=queue,batched,threaded")
	want, err := r.Compare("elapsed", asked)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Panels[0].Series[0].Marks[0].Value; got != want.Ratio.Value {
		t.Errorf("over communication: %v, want the mean %v", got, want.Ratio.Value)
	}
}
