package figure

import (
	"math"
	"strings"
)

// aside is how far single trials and the estimate of a lane stand apart, at
// most, in pixels.
const aside = 9.0

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
	if s.Line == stairs {
		p.stairs(&d, s)
	} else {
		for i, m := range s.Marks {
			x, y := p.point(p.centre(s, m.Place), p.value().at(m.Value))
			d.WriteString([]string{"M", "L"}[min(i, 1)] + coord(x) + " " + coord(y))
		}
	}
	cv.open("g", "class", s.Sign.class())
	cv.element("path", title(s.Label), "class", "l", "stroke-dasharray", dashes[max(0, s.Sign.Shape)%shapes], "d", d.String())
	cv.close("g")
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

// drawMarks draws the marks of a series. On categories, single trials are
// spread so that none hides another, and stand aside of an estimate.
func (p *plot) drawMarks(cv *canvas, s series) {
	if s.Line == stairs {
		p.drawMiddle(cv, s)
		return
	}
	shift, spread := p.arrange(s)
	cv.open("g", "class", s.Sign.class())
	for i, m := range s.Marks {
		centre := p.centre(s, m.Place)
		value := p.value().at(m.Value)
		switch m.Look {
		case gone:
			p.drawGone(cv, m, centre)
		case mean, published:
			if m.Interval != nil {
				p.drawInterval(cv, s.Sign, m, centre+shift, value)
				break
			}
			x, y := p.point(centre+shift, value)
			cv.marker(m.class(), s.Sign.Shape, x, y, 4.2, m.Tip)
		default:
			x, y := p.point(centre-shift+spread[i], value)
			cv.marker(m.class(), s.Sign.Shape, x, y, p.radius(m), m.Tip)
		}
	}
	cv.close("g")
}

// class is how a mark is filled.
func (m mark) class() string {
	class := "m"
	switch m.Look {
	case dot:
		class = "dot"
	case published:
		class = "o"
	}
	if m.Stale {
		class += " stale"
	}
	return class
}

// radius is smaller where there are many.
func (p *plot) radius(m mark) float64 {
	n := 0
	for _, s := range p.Series {
		n += len(s.Marks)
	}
	switch {
	case m.Look == dot, n > 600:
		return 2.6
	case n > 200:
		return 3.1
	}
	return 3.8
}

// arrange says how far single trials (minus) and estimates (plus) stand from
// the middle of their lane, and how far each trial moves to the side.
func (p *plot) arrange(s series) (shift float64, spread []float64) {
	spread = make([]float64, len(s.Marks))
	if p.Place.Kind != category {
		return 0, spread
	}
	byPlace := map[float64][]int{}
	estimates := false
	for i, m := range s.Marks {
		switch m.Look {
		case dot, trial:
			byPlace[m.Place] = append(byPlace[m.Place], i)
		case mean, published:
			estimates = true
		}
	}
	half := p.half()
	if estimates && len(byPlace) > 0 {
		shift = math.Min(aside, half/2)
	}
	for _, of := range byPlace { // each place by itself: their order does not matter
		at := make([]float64, len(of))
		for k, i := range of {
			at[k] = p.value().at(s.Marks[i].Value)
		}
		for k, move := range swarm(at, 5.4, math.Max(0, half-shift-1)) {
			spread[of[k]] = move
		}
	}
	return shift, spread
}

// drawGone marks a trial without a value at the edge.
func (p *plot) drawGone(cv *canvas, m mark, centre float64) {
	if p.flat {
		cv.cross(p.Left+strip/2-2, centre, 3.2, m.Tip)
		return
	}
	cv.cross(centre, p.Bottom-strip/2+2, 3.2, m.Tip)
}

// drawInterval draws an interval with its mark, one tooltip for both.
func (p *plot) drawInterval(cv *canvas, s sign, m mark, centre, value float64) {
	lo, hi := p.value().at(m.Interval.Lo), p.value().at(m.Interval.Hi)
	cv.open("g")
	cv.b.WriteString(title(m.Tip))
	class := "ci"
	if m.Stale {
		class += " stale"
	}
	x1, y1 := p.point(centre, lo)
	x2, y2 := p.point(centre, hi)
	cv.path(class, "", "M"+coord(x1)+" "+coord(y1)+"L"+coord(x2)+" "+coord(y2)+
		p.arrow(centre, lo, m.Interval.CutLo, lo-hi)+p.arrow(centre, hi, m.Interval.CutHi, hi-lo))
	x, y := p.point(centre, value)
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
