package analysis

import (
	"testing"
)

// Naming the labels of an A/A control compares them like any two sides.
func TestLabelsOfAControlCanBeCompared(t *testing.T) {
	r := controlled(spread(12, 1, 0.1), spread(12, 1.08, 0.02)).result()
	floor := r.Floor("elapsed")
	c := mustCompare(t, r, "elapsed", "control=A / control=B where version=old")
	if floor == nil || c.Ratio.Value != floor.Ratio.Value || c.Ratio.N != 12 || !c.Paired {
		t.Errorf("by labels %s over %d blocks, floor %+v", c.Ratio.Text(), c.Ratio.N, floor)
	}
	if e := mustValue(t, r, "n", "elapsed", "version=old control=B"); e.Value != 12 {
		t.Errorf("n under label B = %v, want 12", e.Value)
	}
}

// Each session alone tells its own story; the order of time hides none.
func TestComparisonBySession(t *testing.T) {
	s := newStudy(elapsedMS, "version: old new")
	for i, ratio := range []float64{0.8, 1, 1.25} {
		s.run(ids(i+1), "m", "randomized-blocks", 8, withNoise(func(l []string) float64 {
			return map[string]float64{"old": 100, "new": 100 * ratio}[l[0]]
		}, 0.03))
	}
	all, err := s.result().BySession("elapsed", comparison("version=new / version=old"))
	if err != nil || len(all) != 3 {
		t.Fatalf("%d sessions, %v", len(all), err)
	}
	for i, want := range []bool{true, false, true} {
		if all[i].Session != ids(i+1) || all[i].Found() != want || all[i].Ratio.N != 8 {
			t.Errorf("%s: %s over %d blocks, found %v, want %v", all[i].Session, all[i].Ratio.Text(), all[i].Ratio.N, all[i].Found(), want)
		}
	}
}
