package figure

import (
	"slices"
	"strings"
	"testing"

	"fieldbook/analysis"
)

// Panels that lie many decades apart have axes of their own, on each of which
// two labels lie within what it shows; those that can be read on one share it.
func TestPanelsOnLogAxesHaveLabelsWithinWhatTheyShow(t *testing.T) {
	panels := func(values ...[]float64) *chart {
		c := upright(logarith, nil)
		c.Shared, c.Panels = true, nil
		for _, vs := range values {
			var ms []mark
			for i, v := range vs {
				ms = append(ms, mark{Place: float64(i), Value: v, Look: trial})
			}
			c.Panels = append(c.Panels, upright(logarith, ms).Panels[0])
		}
		drawChecked(t, c)
		return c
	}
	c := panels([]float64{2.1, 3, 5.5}, []float64{12, 40, 95}, []float64{1.01, 1.03, 1.05}, []float64{1e-9, 1e-5, 1e9})
	if c.Shared || !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.HasPrefix(n, "Each panel has a value axis of its own") }) {
		t.Errorf("panels of 1.01 to 1.05 and of 18 decades share an axis, notes %q", c.Notes)
	}
	for _, p := range c.Panels {
		n := 0
		for _, at := range chooseTicks(logarith, p.Value.Shown, p.Value.Domain, func([]tick) bool { return true }).Ticks {
			if at.At >= p.Value.Shown.Lo && at.At <= p.Value.Shown.Hi {
				n++
			}
		}
		if n < 2 {
			t.Errorf("%d labels within %v, want at least 2", n, p.Value.Shown)
		}
	}
	if c := panels([]float64{2.1, 3, 5.5}, []float64{12, 40, 95}); !c.Shared {
		t.Errorf("panels within two decades do not share an axis, notes %q", c.Notes)
	}
}

// A trial that has no place on the axis counts once, whatever else is drawn of it.
func TestValuesLeftOutAreTrials(t *testing.T) {
	c := upright(logarith, []mark{{Place: 0, Value: 0, Look: trial}, {Place: 0, Value: 0, Look: mean}, {Place: 1, Value: 3, Look: trial}})
	drawChecked(t, c)
	if c.Out.NotPositive != 1 || c.Out.Of != 2 {
		t.Errorf("%d of %d values left out, want 1 of 2 trials", c.Out.NotPositive, c.Out.Of)
	}
	c = upright(logarith, []mark{{Place: 0, Value: 0, Look: mean}, {Place: 1, Value: 3, Look: mean}})
	drawChecked(t, c)
	if c.Out.NotPositive != 1 {
		t.Errorf("%d estimates left out, want 1 where there are no trials", c.Out.NotPositive)
	}
}

// What is far too small for the unit of the axis is told in its own unit.
func TestSmallValuesAreToldInTheirOwnUnit(t *testing.T) {
	w := &wish{unit: "s"}
	w.show([]float64{75, 0.00116, 4e-10})
	for v, want := range map[float64]string{75: "75 s", 0.00116: "1.16 ms", 1.46e-6: "1.46 µs", 4e-10: "0.4 ns", 0: "0 s"} {
		if got := w.withUnit(v, 0); got != want {
			t.Errorf("%v s is told as %q, want %q", v, got, want)
		}
	}
	if got := w.between([]float64{3.9e-10, 4.1e-10}); got != "from 0.390 to 0.410 ns" {
		t.Errorf("a range is told as %q", got)
	}
	e := analysis.Estimate{Unit: "s"}
	e.Value, e.Lo, e.Hi, e.N, e.Confidence, e.Method = 4e-10, 3.8e-10, 4.3e-10, 3, 0.95, "t"
	if got := w.text(e); !strings.HasPrefix(got, "0.40 ns [") && !strings.HasPrefix(got, "0.400 ns [") {
		t.Errorf("an estimate is told as %q, want nanoseconds", got)
	}
}
