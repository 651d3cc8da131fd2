package figure

import (
	"math"
	"slices"
	"strings"
)

// off is how far single trials stand from the middle of a lane that holds an
// estimate too, at most, in pixels.
const off = 7.0

// upward is the triangle that points up, the shape of what timed out.
const upward = 2

// strokeHalf is half the length of a trial that is drawn as a stroke.
const strokeHalf = 4.0

// centre is the middle of a series' lane at a place, in pixels.
func (p *plot) centre(s series, place float64) float64 {
	sc := p.place()
	lanes := float64(max(1, p.Lanes))
	step := math.Min(6, 20/lanes) // between series at numbers, so that intervals do not hide each other
	if sc.kind == category {
		step = sc.band() * 0.86 / lanes
	}
	return sc.at(place) + (float64(s.Lane)-(lanes-1)/2)*step
}

// half is half the width of a lane of a category axis, in pixels.
func (p *plot) half() float64 {
	return p.place().band() * 0.86 / float64(max(1, p.Lanes)) / 2
}

// drawLine joins the marks of a series.
func (p *plot) drawLine(cv *canvas, s series) {
	if s.Line == "" || len(s.Marks) == 0 {
		return
	}
	var d strings.Builder
	var at pen
	if s.Line == stairs {
		p.stairs(&d, s)
	} else {
		for i, m := range s.Marks {
			x, y := p.point(p.centre(s, m.Place), p.value().at(m.Value))
			if cv.inline {
				d.WriteString(at.to("l", x, y))
				continue
			}
			d.WriteString([]string{"M", "L"}[min(i, 1)] + coord(x) + " " + coord(y))
		}
	}
	cv.open("g", "class", s.Sign.class())
	defer cv.close("g")
	switch s.Line {
	case dashed:
		cv.fit(s.Label, d.String())
		return
	case solid, smooth:
		cv.element("path", title(s.Label), "class", "l", "d", d.String())
		return
	}
	cv.element("path", title(s.Label), "class", "l", "stroke-dasharray", dashes[max(0, s.Sign.Shape)%shapes], "d", d.String())
}

// drawRibbon shades what lies between the intervals of neighbouring marks. It
// ends where an interval is missing, and with the outermost marks.
func (p *plot) drawRibbon(cv *canvas, s series) {
	if !s.Ribbon {
		return
	}
	var there, back string
	n := 0
	flush := func() {
		if n > 1 {
			cv.element("path", "", "class", "rib "+s.Sign.class(), "d", "M"+there[1:]+back+"z")
		}
		there, back, n = "", "", 0
	}
	for _, m := range s.Marks {
		if m.Interval == nil || m.Look != mean {
			flush()
			continue
		}
		at := p.centre(s, m.Place)
		x1, y1 := p.point(at, p.value().at(m.Interval.Hi))
		x2, y2 := p.point(at, p.value().at(m.Interval.Lo))
		there += "L" + coord(x1) + " " + coord(y1)
		back = "L" + coord(x2) + " " + coord(y2) + back
		n++
	}
	flush()
}

// fit draws a fitted line: paler than what was measured, and dashed.
func (c *canvas) fit(tip, d string) {
	c.element("path", title(tip), "class", "l", "opacity", ".6", "stroke-dasharray", "5 4", "d", d)
}

// stairs is the path of a flat step function: from no share at the first
// value up to the whole at the last.
func (p *plot) stairs(d *strings.Builder, s series) {
	d.WriteString("M" + coord(p.horz.at(s.Marks[0].Value)) + " " + coord(p.vert.at(0)))
	for i, m := range s.Marks {
		if i > 0 {
			d.WriteString("H" + coord(p.horz.at(m.Value)))
		}
		d.WriteString("V" + coord(p.vert.at(m.Place)))
	}
}

// drawMiddle puts the marker of a step function at its middle, so that lines
// are told apart by more than colour and dashes.
func (p *plot) drawMiddle(cv *canvas, s series) {
	for _, m := range s.Marks {
		if m.Place >= 0.5 {
			cv.open("g", "class", s.Sign.class())
			cv.marker("m", s.Sign.Shape, p.horz.at(m.Value), p.vert.at(0.5), 4.2, s.Label)
			cv.close("g")
			return
		}
	}
}

// drawPeak puts the marker of a curve at its highest place.
func (p *plot) drawPeak(cv *canvas, s series) {
	if len(s.Marks) == 0 {
		return
	}
	top := s.Marks[0]
	for _, m := range s.Marks {
		if m.Place > top.Place {
			top = m
		}
	}
	x, y := p.point(p.centre(s, top.Place), p.value().at(top.Value))
	cv.open("g", "class", s.Sign.class())
	cv.marker("m", s.Sign.Shape, x, y, 4.2, s.Label)
	cv.close("g")
}

// drawMarks draws the marks of a series. On categories, single trials are
// spread so that none hides another, and stand aside of an estimate.
func (p *plot) drawMarks(cv *canvas, s series) {
	switch s.Line {
	case stairs:
		p.drawMiddle(cv, s)
		return
	case smooth:
		p.drawPeak(cv, s)
		return
	case dashed:
		return
	}
	shift, spread := p.arrange(s)
	if cv.inline {
		p.drawIntervals(cv, s, shift)
	}
	cv.silent = cv.inline && !slices.ContainsFunc(s.Marks, func(m mark) bool { return m.Tip != "" })
	cv.coarse = p.marks > manyMarks
	defer func() { cv.silent = false }()
	inGroup := ""
	for i, m := range s.Marks {
		class := s.Sign.class()
		if m.Interval == nil || cv.inline {
			class += " " + m.class()
		}
		if class != inGroup {
			if inGroup != "" {
				cv.close("g")
			}
			cv.open("g", "class", class+cv.tipped())
			cv.hollow = m.Look == published || m.Look == hollow || m.Look == beyond
			inGroup = class
		}
		p.drawMark(cv, s, m, shift, spread[i])
	}
	if inGroup != "" {
		cv.close("g")
	}
}

// drawMark draws one mark; what it looks like is the class of the group
// around it, unless it has an interval.
func (p *plot) drawMark(cv *canvas, s series, m mark, shift, spread float64) {
	centre := p.centre(s, m.Place)
	value := p.value().at(m.Value)
	switch {
	case m.Look == gone:
		p.drawGone(cv, m, centre)
	case m.Interval != nil:
		p.drawInterval(cv, s.Sign, m, centre+shift, value)
	case m.Look == beyond:
		x, y := p.point(centre+spread, value)
		cv.marker("", upward, x, y, p.radius(m), m.Tip)
	case m.Look == stroke:
		x1, y1 := p.point(centre-strokeHalf, value)
		x2, y2 := p.point(centre+strokeHalf, value)
		if cv.inline {
			cv.heapStep("", 0, x1, y1, pathTo(x2-x1, y2-y1), x2-x1, y2-y1, m.Tip)
			return
		}
		cv.mark("", "M"+coord(x1)+" "+coord(y1)+"L"+coord(x2)+" "+coord(y2), m.Tip)
	case m.Look == mean || m.Look == published || m.Look == hollow:
		x, y := p.point(centre+shift, value)
		cv.marker("", s.Sign.Shape, x, y, 4.2, m.Tip)
	default:
		x, y := p.point(centre+spread, value)
		cv.marker("", s.Sign.Shape, x, y, p.radius(m), m.Tip)
	}
}

// pathTo is a line along an axis.
func pathTo(dx, dy float64) string {
	if coord(dy) == "0" {
		return "h" + coord(dx)
	}
	return "v" + coord(dy)
}

// class is how a mark is filled.
func (m mark) class() string {
	class := "m"
	switch m.Look {
	case dot:
		class = "dot"
	case published, hollow, beyond:
		class = "o"
	case stroke:
		class = "st"
	case gone:
		class = "x"
	}
	if m.Stale {
		class += " stale"
	}
	return class
}

// manyMarks is from how many marks on each of them is small.
const manyMarks = 600

// radius is smaller where there are many.
func (p *plot) radius(m mark) float64 {
	switch {
	case m.Look == dot, p.marks > manyMarks:
		return 2.6
	case p.marks > 200:
		return 3.1
	}
	return 3.8
}

// arrange says how far from the middle of their lane estimates stand, and
// each single trial: the trials swarm on one side, the estimate stands next to
// them on the other.
func (p *plot) arrange(s series) (estimate float64, trials []float64) {
	trials = make([]float64, len(s.Marks))
	if p.Place.Kind != category {
		return 0, trials
	}
	byPlace, estimates := s.byPlace()
	half, back := p.half(), 0.0
	if estimates && len(byPlace) > 0 {
		back = math.Min(off, half/2)
	}
	farthest := 0.0
	for _, of := range byPlace { // each place by itself: their order does not matter
		at := make([]float64, len(of))
		for k, i := range of {
			at[k] = p.value().at(s.Marks[i].Value)
		}
		for k, move := range swarm(at, 5.4, math.Max(0, half-back-2)) {
			trials[of[k]] = move - back
			farthest = math.Max(farthest, move)
		}
	}
	if back > 0 {
		estimate = math.Min(half-back, math.Max(off+2, farthest+5))
	}
	return estimate, trials
}

// byPlace are the single trials of a series by their place, and whether it
// has estimates beside them.
func (s series) byPlace() (trials map[float64][]int, estimates bool) {
	trials = map[float64][]int{}
	for i, m := range s.Marks {
		switch m.Look {
		case dot, trial, beyond:
			trials[m.Place] = append(trials[m.Place], i)
		case mean, published, hollow:
			estimates = true
		}
	}
	return trials, estimates
}

// drawGone marks a trial without a value at the edge.
func (p *plot) drawGone(cv *canvas, m mark, centre float64) {
	if p.flat {
		cv.cross("", p.Left+strip/2-2, centre, 3.2, m.Tip)
		return
	}
	cv.cross("", centre, p.Bottom-strip/2+2, 3.2, m.Tip)
}

// drawIntervals draws the intervals of a series before its marks, as one path.
func (p *plot) drawIntervals(cv *canvas, s series, shift float64) {
	for _, stale := range []bool{false, true} {
		d := ""
		for _, m := range s.Marks {
			if m.Interval != nil && m.Look != gone && m.Stale == stale {
				d += p.interval(m, p.centre(s, m.Place)+shift)
			}
		}
		if d != "" {
			cv.path(intervalClass(stale)+" "+s.Sign.class(), "", d)
		}
	}
}

func intervalClass(stale bool) string {
	if stale {
		return "iv stale"
	}
	return "iv"
}

// interval is the path of a mark's interval.
func (p *plot) interval(m mark, centre float64) string {
	lo, hi := p.value().at(m.Interval.Lo), p.value().at(m.Interval.Hi)
	x1, y1 := p.point(centre, lo)
	x2, y2 := p.point(centre, hi)
	return "M" + coord(x1) + " " + coord(y1) + "L" + coord(x2) + " " + coord(y2) +
		p.arrow(centre, lo, m.Interval.CutLo, lo-hi) + p.arrow(centre, hi, m.Interval.CutHi, hi-lo)
}

// drawInterval draws an interval with its mark, one tooltip for both.
func (p *plot) drawInterval(cv *canvas, s sign, m mark, centre, value float64) {
	x, y := p.point(centre, value)
	if cv.inline {
		cv.marker("", s.Shape, x, y, 4.4, m.Tip)
		return
	}
	cv.open("g")
	cv.b.WriteString(title(m.Tip))
	cv.path(intervalClass(m.Stale), "", p.interval(m, centre))
	cv.marker(m.class(), s.Shape, x, y, 4.4, "")
	cv.close("g")
}

// arrow is the path of an arrowhead at the end of an interval that goes on,
// pointing the way that toward has the sign of.
func (p *plot) arrow(centre, at float64, cut bool, toward float64) string {
	if !cut {
		return ""
	}
	back := at - math.Copysign(5, toward)
	x1, y1 := p.point(centre-4, back)
	x2, y2 := p.point(centre, at)
	x3, y3 := p.point(centre+4, back)
	return "M" + coord(x1) + " " + coord(y1) + "L" + coord(x2) + " " + coord(y2) + "L" + coord(x3) + " " + coord(y3)
}
