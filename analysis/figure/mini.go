package figure

import (
	"math"

	"fieldbook/analysis"
)

// Size of a small bar, in pixels.
const (
	miniWidth  = 190.0
	miniHeight = 26.0
)

// MiniScale is the axis that the small bars of one table share: ratios on a
// log scale, as far on both sides of 1.
type MiniScale struct{ reach float64 }

// NewMiniScale is an axis on which all the ratios have a place, so far as
// they are positive and not beyond a factor of 100; others end in an arrow.
func NewMiniScale(ratios ...float64) MiniScale {
	farthest := 1.0
	for _, r := range ratios {
		if r > 0 && !math.IsInf(r, 0) {
			farthest = math.Max(farthest, math.Max(r, 1/r))
		}
	}
	// Only ends whose reciprocals are short decimals, to be labelled exactly.
	for _, reach := range []float64{1.25, 2, 5, 10} {
		if farthest <= reach*1.001 {
			return MiniScale{reach}
		}
	}
	return MiniScale{100}
}

func (s MiniScale) scale() scale {
	return scale{logarith, span{1 / s.reach, s.reach}, 9, miniWidth - 9}
}

// Head is the axis with its labels, for the head of the table's column.
func (s MiniScale) Head() []byte {
	cv := miniCanvas("")
	for _, v := range []float64{1 / s.reach, 1, s.reach} {
		x, label := s.scale().at(v), number(v, 0)+"×"
		cv.line("grid", x, 20, x, 26)
		half := measure(label, fontSize) / 2
		cv.text("tick", math.Max(half, math.Min(miniWidth-half, x)), 15, middle, label)
	}
	cv.close("svg")
	return cv.b.Bytes()
}

// Mini is a small bar: the interval of a ratio, with its verdict by colour
// and by shape (supported a filled circle, refuted a filled diamond, undecided
// an open circle), the line at 1, and the margin within which a difference
// counts as none; MarginLo and MarginHi 0 where none was declared.
type Mini struct {
	Ratio              analysis.Estimate
	MarginLo, MarginHi float64
	Verdict            analysis.Verdict
}

// miniSigns are class and marker of each verdict.
var miniSigns = map[analysis.Verdict]struct {
	class, look string
	shape       int
}{
	analysis.Supported: {"s", "m", 0}, analysis.Holds: {"s", "m", 0},
	analysis.Refuted: {"r", "m", 3}, analysis.Fails: {"r", "m", 3},
	analysis.Undecided: {"u", "o", 0},
}

// Draw draws the bar on the axis of its table.
func (m Mini) Draw(s MiniScale) []byte {
	sc := s.scale()
	cv := miniCanvas(m.label())
	if m.MarginHi > 0 {
		cv.rect("zone", sc.at(m.MarginLo), 3, sc.at(m.MarginHi)-sc.at(m.MarginLo), miniHeight-6, "")
	}
	cv.line("one", sc.at(1), 2, sc.at(1), miniHeight-2)
	sign, ok := miniSigns[m.Verdict]
	if !ok {
		sign.class, sign.look = "n", "o"
	}
	cv.open("g", "class", sign.class)
	m.drawInterval(cv, sc)
	if v := m.Ratio.Value; v >= sc.domain.Lo && v <= sc.domain.Hi {
		cv.marker(sign.look, sign.shape, sc.at(v), miniHeight/2, 4, "")
	}
	cv.close("g")
	cv.close("svg")
	return cv.b.Bytes()
}

// drawInterval draws the interval; an end beyond the axis is an arrow. An
// open circle is no longer open where a line runs through it, so the line
// leaves it out.
func (m Mini) drawInterval(cv *canvas, sc scale) {
	lo, hi := m.Ratio.Lo, m.Ratio.Hi
	if math.IsNaN(lo) || math.IsNaN(hi) || math.IsNaN(m.Ratio.Value) {
		return
	}
	y := miniHeight / 2
	from, to, at := sc.at(lo), sc.at(hi), sc.at(m.Ratio.Value)
	d := ""
	if from < at-4 {
		d += "M" + coord(from) + " " + coord(y) + "H" + coord(at-4)
	}
	if to > at+4 {
		d += "M" + coord(at+4) + " " + coord(y) + "H" + coord(to)
	}
	p := plot{panel: &panel{}, flat: true}
	d += p.arrow(y, from, lo < sc.domain.Lo, -1) + p.arrow(y, to, hi > sc.domain.Hi, 1)
	if d != "" {
		cv.path("iv", "", d)
	}
}

// label says the bar in words.
func (m Mini) label() string {
	if m.Ratio.Refused != "" || math.IsNaN(m.Ratio.Value) {
		return "no ratio"
	}
	text := "ratio " + clean(m.Ratio.ValueText())
	if m.Ratio.NoInterval() == "" {
		text += ", interval " + clean(m.Ratio.IntervalText())
	}
	return text
}

// miniCanvas begins a bar; without a label it is hidden from readers who hear
// the page, since the table's cells say the same.
func miniCanvas(label string) *canvas {
	cv := &canvas{}
	role, hidden := "img", ""
	if label == "" {
		role, hidden = "", "true"
	}
	cv.open("svg", "xmlns", "http://www.w3.org/2000/svg", "class", "fig mini", "width", coord(miniWidth), "height", coord(miniHeight),
		"viewBox", "0 0 "+coord(miniWidth)+" "+coord(miniHeight), "role", role, "aria-label", label, "aria-hidden", hidden)
	return cv
}
