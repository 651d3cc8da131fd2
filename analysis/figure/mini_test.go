package figure

import (
	"math"
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/analysis/stat"
)

func ratio(v, lo, hi float64) analysis.Estimate {
	return analysis.Estimate{Estimate: stat.Estimate{Value: v, Lo: lo, Hi: hi, N: 12, Confidence: 0.95}, Kind: analysis.Ratio, Unit: "1"}
}

func TestMiniBarsShareAnAxis(t *testing.T) {
	for _, tt := range []struct {
		ratios []float64
		want   string
	}{
		{nil, "0.8× 1× 1.25×"}, {[]float64{0.98, 1.1}, "0.8× 1× 1.25×"}, {[]float64{0.62, 1.9}, "0.5× 1× 2×"},
		{[]float64{0.3}, "0.2× 1× 5×"}, {[]float64{1e9, math.Inf(1), math.NaN(), 0, -1}, "0.01× 1× 100×"},
	} {
		var labels []string
		for _, part := range strings.Split(string(NewMiniScale(tt.ratios...).Head()), "</text>") {
			if at := strings.LastIndex(part, ">"); strings.HasSuffix(part, "×") {
				labels = append(labels, part[at+1:])
			}
		}
		if got := strings.Join(labels, " "); got != tt.want {
			t.Errorf("axis of %v is labelled %q, want %q", tt.ratios, got, tt.want)
		}
	}
}

func TestMiniBarTellsTheVerdictByShapeToo(t *testing.T) {
	s := NewMiniScale(0.5, 2)
	draw := func(v analysis.Verdict) string {
		return string(Mini{Ratio: ratio(0.98, 0.9, 1.06), MarginLo: 0.9, MarginHi: 1.11, Verdict: v}.Draw(s))
	}
	for _, tt := range []struct {
		verdict analysis.Verdict
		want    []string
	}{
		{analysis.Supported, []string{`<g class="s">`, `<circle class="m" cx="92.5" cy="13" r="4"/>`}},
		{analysis.Refuted, []string{`<g class="r">`, `<path class="m" d="M`}},
		{analysis.Undecided, []string{`<g class="u">`, `<circle class="o"`}},
		{analysis.NotJudged, []string{`<g class="n">`, `<circle class="o"`}},
	} {
		svg := draw(tt.verdict)
		wellFormed(t, []byte(svg))
		for _, w := range append(tt.want, `class="zone"`, `class="one"`, `aria-label="ratio 0.980×, interval [0.900, 1.060]"`) {
			if !strings.Contains(svg, w) {
				t.Errorf("%s: no %s in %s", tt.verdict, w, svg)
			}
		}
	}
}

func TestMiniBarBeyondTheAxisAndWithoutANumber(t *testing.T) {
	s := NewMiniScale(1)
	beyond := string(Mini{Ratio: ratio(3, 2, math.Inf(1)), Verdict: analysis.Refuted}.Draw(s))
	if strings.Contains(beyond, `class="m"`) || !strings.Contains(beyond, "M176 9L181 13L176 17") {
		t.Errorf("a ratio beyond the axis is no arrow: %s", beyond)
	}
	if strings.Contains(beyond, "zone") {
		t.Errorf("a margin that nobody declared: %s", beyond)
	}
	none := ratio(math.NaN(), math.NaN(), math.NaN())
	none.Refused = "baseline is 0"
	if got := string(Mini{Ratio: none, Verdict: analysis.NotJudged}.Draw(s)); !strings.Contains(got, `aria-label="no ratio"`) || strings.Contains(got, "NaN") {
		t.Errorf("a refused ratio is drawn as %s", got)
	}
}
