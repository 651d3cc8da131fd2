package analysis

import (
	"strings"
	"testing"
)

// Block 3 was completed after a pause in which the machine got slower for one
// of the two: without it the verdict is another.
func TestHeadlinesWithAndWithoutCutBlocks(t *testing.T) {
	s := ratios(0.80, 0.81, 2.50, 0.79, 0.80, 0.82)
	result := func() *Result {
		in := s.input()
		in.Claims = []Claim{newOverOld("ratio < 1")}
		return Analyze(in)
	}
	if n, list := result().CutBlocks("elapsed"); n != 0 || list != nil {
		t.Errorf("%d cut blocks with headlines %v, want none", n, list)
	}
	for i := 5; i < len(s.sessions[0].Rows); i++ {
		s.sessions[0].Rows[i].Part = 2
	}
	s.sessions[0].Parts = append(s.sessions[0].Parts, s.sessions[0].Parts...)
	n, list := result().CutBlocks("elapsed")
	if n != 1 || len(list) != 3 {
		t.Fatalf("%d cut blocks with headlines %v, want 1 with three", n, list)
	}
	if h := list[0]; h.Name != "c" || !strings.HasPrefix(h.With, "undecided, ") || !strings.HasPrefix(h.Without, "supported, 0.80") {
		t.Errorf("the claim is %q with, %q without the block", h.With, h.Without)
	}
	if h := list[2]; h.Name != "median elapsed, version=new" || h.With == h.Without {
		t.Errorf("the headline of a treatment is %+v", h)
	}
	if again := result(); len(again.Data.Sessions[0].Rows) != 12 {
		t.Error("the data itself has lost rows")
	}
}
