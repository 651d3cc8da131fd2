package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"fieldbook/analysis"
)

// axis is the scale that the small intervals of one table share: ratios, on
// a log scale, from Lo to Hi.
type axis struct {
	Lo, Hi float64
	Ticks  []float64
}

// bar is an interval drawn small. Values outside of the axis are cut at its
// edge, with an arrow.
type bar struct {
	Axis          *axis
	Value, Lo, Hi float64
	ZoneLo        float64 // the margin of an equivalence; NaN: none
	ZoneHi        float64
	Verdict       analysis.Verdict
	Text          string // "ratio 0.98, interval 0.95 to 1.01"
}

const (
	barWidth  = 150.0
	barHeight = 26.0
	barInset  = 10.0
)

// niceRatios are where an axis of ratios may end and have a tick.
var niceRatios = []float64{1, 1.02, 1.05, 1.1, 1.2, 1.5, 2, 3, 4, 5, 7, 10, 20, 50, 100, 1000, 1e4, 1e6, 1e9}

// newAxis is an axis that shows all the values that are finite and positive,
// the same way on both sides of 1.
func newAxis(values []float64) *axis {
	reach := 1.05
	for _, v := range values {
		if v > 0 && !math.IsInf(v, 0) {
			reach = math.Max(reach, math.Max(v, 1/v))
		}
	}
	end := niceRatios[len(niceRatios)-1]
	for _, n := range niceRatios {
		if n >= reach {
			end = n
			break
		}
	}
	return &axis{Lo: 1 / end, Hi: end, Ticks: []float64{1 / end, 1, end}}
}

// x is where a ratio lies, and whether it had to be cut.
func (a *axis) x(v float64) (float64, bool) {
	switch {
	case v < a.Lo:
		return barInset / 2, true
	case v > a.Hi:
		return barWidth - barInset/2, true
	}
	share := (math.Log(v) - math.Log(a.Lo)) / (math.Log(a.Hi) - math.Log(a.Lo))
	return barInset + share*(barWidth-2*barInset), false
}

// svg is the axis's head.
func (a *axis) svg() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="bar" viewBox="0 0 %g %g" aria-hidden="true">`, barWidth, barHeight)
	for _, t := range a.Ticks {
		x, _ := a.x(t)
		fmt.Fprintf(&b, `<line class="tick" x1="%s" x2="%s" y1="20" y2="26"/><text x="%s" y="15" text-anchor="middle">%s×</text>`,
			coord(x), coord(x), coord(x), tickText(t))
	}
	b.WriteString("</svg>")
	return b.String()
}

// tickText is a ratio of an axis in two significant digits, from a hundred on
// in all before the point.
func tickText(x float64) string {
	if x >= 99.5 && x < 1e6 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 2, 64)
}

// svg is the bar. It stands in a cell beside the same numbers as text.
func (r *bar) svg() string {
	var b strings.Builder
	_, class := signOf(badge(r.Verdict))
	if class == "" {
		class = "none"
	}
	fmt.Fprintf(&b, `<svg class="bar %s" viewBox="0 0 %g %g" role="img" aria-label="%s">`, class, barWidth, barHeight, r.Text)
	if r.ZoneLo > 0 && r.ZoneHi > 0 {
		lo, _ := r.Axis.x(r.ZoneLo)
		hi, _ := r.Axis.x(r.ZoneHi)
		fmt.Fprintf(&b, `<rect class="zone" x="%s" y="3" width="%s" height="20" rx="2"/>`, coord(lo), coord(hi-lo))
	}
	one, _ := r.Axis.x(1)
	fmt.Fprintf(&b, `<line class="one" x1="%s" x2="%s" y1="2" y2="24"/>`, coord(one), coord(one))
	if r.Lo > 0 && r.Hi > 0 {
		b.WriteString(r.whisker())
	}
	if r.Value > 0 && !math.IsInf(r.Value, 0) {
		x, cut := r.Axis.x(r.Value)
		if !cut {
			fmt.Fprintf(&b, `<circle class="dot" cx="%s" cy="13" r="3.5"/>`, coord(x))
		}
	}
	b.WriteString("</svg>")
	return b.String()
}

// whisker is the interval, with an arrow where it goes on beyond the axis.
func (r *bar) whisker() string {
	lo, cutLo := r.Axis.x(r.Lo)
	hi, cutHi := r.Axis.x(r.Hi)
	path := fmt.Sprintf("M%s 13H%s", coord(lo), coord(hi))
	if cutLo {
		path += fmt.Sprintf("M%s 9L%s 13L%s 17", coord(lo+4), coord(lo), coord(lo+4))
	}
	if cutHi {
		path += fmt.Sprintf("M%s 9L%s 13L%s 17", coord(hi-4), coord(hi), coord(hi-4))
	}
	return `<path class="lo-hi" d="` + path + `"/>`
}

// coord is a coordinate with one decimal.
func coord(x float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0")
}

// signOf is the sign and the class of a verdict.
func signOf(v badge) (sign, class string) {
	switch analysis.Verdict(v) {
	case analysis.Supported, analysis.Holds:
		return "✓", "ok"
	case analysis.Refuted, analysis.Fails:
		return "✕", "bad"
	case analysis.Undecided:
		return "?", "open"
	}
	return "–", ""
}
