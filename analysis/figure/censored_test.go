package figure

import (
	"math"
	"strings"
	"testing"

	"fieldbook/internal/session"
)

// A trial that timed out stands at its limit as an open triangle among the
// trials of its treatment, with a legend; where nothing is known of it, because
// the metric is no time, it stays at the edge.
func TestTimeoutsStandAtTheirLimit(t *testing.T) {
	s := pipelining()
	s.edit = func(r *session.Row) {
		if r.Trial == 20 {
			r.Status, r.Reason, r.Metrics[0] = session.Timeout, "no end within 10s", math.NaN()
		}
	}
	count := func(c *chart) (n int, values []float64) {
		for _, p := range c.Panels {
			for _, one := range p.Series {
				for _, m := range one.Marks {
					if m.Look == beyond {
						n, values = n+1, append(values, m.Value)
					}
				}
			}
		}
		return n, values
	}
	c := chartOf(t, s.result(), Spec{Kind: Points, Name: "p"})
	if n, values := count(c); n != 1 || values[0] != 10_000 {
		t.Errorf("%d marks at %v, want one at 10,000 ms", n, values)
	}
	f := mustDraw(t, s.result(), Spec{Kind: Points, Name: "p"})
	for _, want := range []string{"timed out: above this", "timeout (no end within 10s)"} {
		if !strings.Contains(string(f.SVG), want) {
			t.Errorf("the figure lacks %q", want)
		}
	}
	s.metric.Unit, s.metric.Better = "1/s", "higher"
	if n, _ := count(chartOf(t, s.result(), Spec{Kind: Order, Name: "o"})); n != 0 {
		t.Errorf("%d trials stand at a limit that says nothing of a rate", n)
	}
}
