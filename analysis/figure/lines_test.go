package figure

import (
	"slices"
	"testing"

	"fieldbook/internal/session"
)

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

func TestInteractionOfASpreadHasItsOwnAxis(t *testing.T) {
	c := chartOf(t, pipelining().result(), Spec{Kind: Interaction, Name: "i", X: "sessions", Stat: "cv"})
	if a := c.Panels[0].Value; a.Title != "coefficient of variation of elapsed" || a.Unit != "" || a.Shown.Hi > 0.2 {
		t.Errorf("the axis is %+v, want the coefficient without a unit", a)
	}
	if want := "Coefficient of variation of elapsed time over sessions, a line for each communication"; c.Title != want {
		t.Errorf("title %q, want %q", c.Title, want)
	}
}
