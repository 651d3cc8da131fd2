package analysis

import (
	"math"
	"testing"

	"fieldbook/analysis/stat"
)

// part is a finding about a value below or above a bound.
func boundPart(aim target, lo, hi, pSupport float64) finding {
	f := finding{aim: aim, pSupport: pSupport, pRefute: 1}
	f.Verdict = Supported
	f.rests.i95 = stat.Estimate{Value: (lo + hi) / 2, Lo: lo, Hi: hi}
	f.rests.i90, f.rests.mean = f.rests.i95, (lo+hi)/2
	return f
}

func TestPartNearestToFailingIsShown(t *testing.T) {
	below := target{lo: math.Inf(-1), hi: 0.05}
	above := target{lo: 1, hi: math.Inf(1)}
	margin := target{lo: -0.1, hi: 0.1}
	for _, tt := range []struct {
		name  string
		parts []finding
		want  int
	}{
		{"equal p-values", []finding{boundPart(below, 0.0002, 0.0004, 0.002), boundPart(below, 0.03, 0.04, 0.002)}, 1},
		{"a larger p-value far from the bound", []finding{boundPart(below, 0.001, 0.02, 0.01), boundPart(below, 0.044, 0.046, 1e-9)}, 1},
		{"above a bound", []finding{boundPart(above, 1.1, 1.2, 0.001), boundPart(above, 3, 4, 0.001)}, 0},
		{"within a margin", []finding{boundPart(margin, -0.01, 0.02, 0.001), boundPart(margin, -0.09, -0.05, 0.001)}, 1},
	} {
		v := verdictCase{verdict: Supported, parts: tt.parts}
		if got := v.weakest(); got != tt.want {
			t.Errorf("%s: part %d is shown, want %d", tt.name, got, tt.want)
		}
	}
	v := verdictCase{verdict: Supported, parts: []finding{{pSupport: 0.01}, {pSupport: 0.03}}}
	if got := v.weakest(); got != 1 {
		t.Errorf("of parts without bounds part %d is shown, want that with the larger p-value", got)
	}
}
