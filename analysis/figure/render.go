package figure

import (
	"fmt"
	"math"
	"strconv"
)

// draw settles a chart and writes it.
func (c *chart) draw() *Figure {
	cv := &canvas{}
	return c.drawOn(cv)
}

// drawOn is draw on a given canvas, whose texts a test can look at.
func (c *chart) drawOn(cv *canvas) *Figure {
	c.settle()
	svg, head := c.write(cv)
	short := &canvas{inline: true, pile: &pile{}}
	inline, _ := c.write(short)
	return &Figure{
		Title: c.Title, Desc: c.Desc, SVG: svg, Inline: inline, Tips: foldTips(short.tips), Wide: c.wide(),
		Table: c.Table, Notes: c.Notes, afterHead: head,
	}
}

// write draws a settled chart, and gives the length of its head too.
func (c *chart) write(cv *canvas) (svg []byte, head int) {
	height := 64.0
	if c.empty() {
		cv.text("soft", c.Width/2, 36, middle, "no data")
	} else {
		height = c.drawSheet(cv)
	}
	begin := c.head(height)
	svg = append([]byte(begin), cv.b.Bytes()...)
	return append(svg, "</svg>"...), len(begin)
}

// wide says whether a figure is too wide to shrink to a phone's screen.
func (c *chart) wide() bool { return c.Width > 480 }

// empty says whether there is nothing to draw.
func (c *chart) empty() bool {
	for _, p := range c.Panels {
		for _, s := range p.Series {
			if len(s.Marks) > 0 {
				return false
			}
		}
	}
	return true
}

// head is the root element with title and description.
func (c *chart) head(height float64) string {
	class := "fig"
	if c.wide() {
		class += " wide"
	}
	id := identifier(c.Name)
	w, h := coord(c.Width), coord(math.Ceil(height))
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" class="%s" width="%s" height="%s" viewBox="0 0 %s %s" role="img" aria-labelledby="%s-t %s-d">`+
		`<title id="%s-t">%s</title><desc id="%s-d">%s</desc>`,
		class, w, h, w, h, id, id, id, escape(brief(clean(c.Title))), id, escape(brief(clean(c.Desc))))
}

// identifier is a name as an id may be; different names stay different.
func identifier(name string) string {
	id := ""
	for i, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', i > 0 && (r >= '0' && r <= '9' || r == '-'):
			id += string(r)
		default:
			id += "_" + strconv.FormatInt(int64(r), 16)
		}
	}
	if id == "" {
		return "fig"
	}
	return id
}

// drawSheet draws legend, panels and titles of axes, and returns the height.
func (c *chart) drawSheet(cv *canvas) float64 {
	s := c.layOut(c.drawLegend(cv, edge))
	titles := make([]string, len(s.plots))
	for i, p := range s.plots {
		titles[i] = p.Title
	}
	if len(s.plots) > 0 {
		titles = fit(titles, s.plots[0].Right-s.plots[0].Left, fontSize*1.15) // bold is wider
	}
	for i, p := range s.plots {
		if p.Title != "" {
			cv.text("head", p.Left, p.Top-9, start, titles[i])
		}
		p.draw(cv, !s.oneVertical() || i%s.columns == 0)
	}
	return s.drawTitles(cv)
}

// drawTitles writes the titles of the axes: beside the first plot of each
// row, and once below all.
func (s *sheet) drawTitles(cv *canvas) float64 {
	for i, p := range s.plots {
		a := p.vertical()
		switch {
		case a.Kind == category && a.Title != "":
			s.titleRows(cv, p, a.Title)
		case s.titled && (i%s.columns == 0 || !s.oneVertical()):
			text := fit([]string{a.title(p.vertT)}, p.Bottom-p.Top, fontSize)[0]
			x := p.Left - s.left + edge + 11
			cv.turned("axis", x, (p.Top+p.Bottom)/2, middle, -90, text)
		}
	}
	if s.Titled {
		s.titleEach(cv)
		return s.bottom + edge
	}
	last := s.plots[len(s.plots)-1]
	text := last.horizontal().title(last.horzT)
	if text == "" {
		return s.bottom + edge
	}
	room := s.plots[min(s.columns, len(s.plots))-1].Right
	centre := (s.left + room) / 2
	text = fit([]string{text}, 2*math.Min(centre, s.Width-centre)-2*edge, fontSize)[0]
	cv.text("axis", centre, s.bottom+lineHeight-3, middle, text)
	return s.bottom + titleSpace + edge
}

// titleEach writes below each plot what its axis to the right is.
func (s *sheet) titleEach(cv *canvas) {
	for _, p := range s.plots {
		text := fit([]string{p.horizontal().title(p.horzT)}, p.Right-p.Left, fontSize)[0]
		cv.text("axis", (p.Left+p.Right)/2, p.Bottom+2*lineHeight+2, middle, text)
	}
}

// titleRows writes above the labels of rows what they are levels of: beside
// the panel's title, or over the plot where there is none.
func (s *sheet) titleRows(cv *canvas, p *plot, title string) {
	if limit := p.Left - 8 - edge; p.Title != "" || measure(shown(title), fontSize) <= limit {
		cv.text("soft", p.Left-8, p.Top-9, end, fit([]string{title}, limit, fontSize)[0])
		return
	}
	cv.text("soft", edge, p.Top-9, start, fit([]string{title}, s.Width-2*edge, fontSize)[0])
}

// title is what an axis says of itself: quantity, unit, and how to read it.
func (a *axis) title(t ticks) string {
	text := a.Title
	if t.From != "" {
		text += " − " + t.From
	}
	if a.Unit != "" && a.Unit != "1" {
		text += ", " + a.Unit
	}
	if a.Kind == logarith {
		text += " (log)"
	}
	return text
}

// draw draws one panel; labels says whether those of the vertical axis are
// written.
func (p *plot) draw(cv *canvas, labels bool) {
	p.drawBands(cv)
	p.drawZones(cv)
	p.drawGrid(cv)
	p.drawAxes(cv, labels)
	p.drawRules(cv)
	for _, s := range p.Series {
		p.drawRibbon(cv, s)
	}
	for _, s := range p.Series {
		p.drawLine(cv, s)
	}
	for _, s := range p.Series {
		p.drawMarks(cv, s)
	}
	for i, text := range p.Rows {
		cv.text("", p.Right+14, p.vert.at(float64(i))+4.5, start, text)
	}
}

// place and value are the scales by meaning.
func (p *plot) place() scale {
	if p.flat {
		return p.vert
	}
	return p.horz
}

func (p *plot) value() scale {
	if p.flat {
		return p.horz
	}
	return p.vert
}

// box draws a rectangle between two places and two values, in pixels.
func (p *plot) box(cv *canvas, class string, place1, place2, value1, value2 float64, tip string) {
	if p.flat {
		place1, place2, value1, value2 = value1, value2, place1, place2
	}
	cv.rect(class, math.Min(place1, place2), math.Min(value1, value2), math.Abs(place2-place1), math.Abs(value2-value1), tip)
}

// point is where a place and a value, in pixels, lie on the sheet.
func (p *plot) point(place, value float64) (x, y float64) {
	if p.flat {
		return value, place
	}
	return place, value
}

// extent is the whole plot in the directions of places and of values.
func (p *plot) extent() (place, value span) {
	place, value = span{p.Left, p.Right}, span{p.Top, p.Bottom}
	if p.flat {
		place, value = value, place
	}
	return place, value
}

func (p *plot) drawBands(cv *canvas) {
	_, across := p.extent()
	for _, b := range p.Bands {
		p.box(cv, "band", p.place().at(b.From), p.place().at(b.To), across.Lo, across.Hi, b.Tip)
	}
}

func (p *plot) drawZones(cv *canvas) {
	along, _ := p.extent()
	for _, z := range p.Zones {
		from, to := along.Lo, along.Hi
		if z.Row >= 0 {
			from, to = p.place().at(float64(z.Row)-0.4), p.place().at(float64(z.Row)+0.4)
		}
		p.box(cv, "zone", from, to, p.value().at(z.Lo), p.value().at(z.Hi), z.Tip)
	}
}

// drawGrid draws a line at each tick of the value axis, and of a place axis
// that counts something.
func (p *plot) drawGrid(cv *canvas) {
	d := ""
	line := func(x1, y1, x2, y2 float64) {
		if !cv.inline {
			cv.line("grid", x1, y1, x2, y2)
			return
		}
		d += "M" + coord(x1) + " " + coord(y1) + "L" + coord(x2) + " " + coord(y2)
	}
	if !p.flat || p.Place.Kind != category {
		for _, t := range p.vertT.Ticks {
			y := p.vert.at(t.At)
			line(p.Left, y, p.Right, y)
		}
	}
	if p.flat {
		for _, t := range p.horzT.Ticks {
			x := p.horz.at(t.At)
			line(x, p.Top, x, p.Bottom)
		}
	}
	if d != "" {
		cv.path("grid", "", d)
	}
	if p.strip() > 0 {
		if p.flat {
			cv.line("edge", p.Left+strip-4, p.Top, p.Left+strip-4, p.Bottom)
		} else {
			cv.line("edge", p.Left, p.Bottom-strip+4, p.Right, p.Bottom-strip+4)
		}
	}
}

func (p *plot) drawAxes(cv *canvas, labels bool) {
	for i, lines := range p.rows {
		y := p.vert.at(float64(i)) + 4.5 - float64(len(lines)-1)*lineHeight/2
		for _, l := range lines {
			cv.text("", p.Left-8, y, end, l)
			y += lineHeight
		}
	}
	if labels {
		for _, t := range p.vertT.Ticks {
			cv.text("tick", p.Left-8, p.vert.at(t.At)+4.2, end, t.Label)
		}
	}
	if p.unlabelled {
		return
	}
	for _, t := range p.horzT.Ticks {
		cv.text("tick", p.clamped(p.horz.at(t.At), t.Label), p.Bottom+lineHeight, middle, t.Label)
	}
	p.drawFooting(cv)
}

// clamped moves the middle of a label so that it ends where the plot's
// surroundings do.
func (p *plot) clamped(x float64, label string) float64 {
	return math.Min(x, p.Right+10-measure(label, fontSize)/2)
}

func (p *plot) drawFooting(cv *canvas) {
	for i, lines := range p.below.lines {
		x := p.horz.at(float64(i))
		if p.below.slant {
			if i%p.below.every == 0 {
				cv.turned("tick", x+4, p.Bottom+lineHeight-2, end, -slantAngle*180/math.Pi, lines[0])
			}
			continue
		}
		for j, l := range lines {
			cv.text("tick", x, p.Bottom+float64(j+1)*lineHeight, middle, l)
		}
	}
}

// drawRules draws reference lines; labels stand inside at the far end.
func (p *plot) drawRules(cv *canvas) {
	along, across := p.extent()
	for _, r := range p.Rules {
		x1, y1 := p.point(along.Lo, p.value().at(r.At))
		x2, y2 := p.point(along.Hi, p.value().at(r.At))
		if r.AtPlace {
			x1, y1 = p.point(p.place().at(r.At), across.Lo)
			x2, y2 = p.point(p.place().at(r.At), across.Hi)
		}
		cv.line("one", x1, y1, x2, y2)
		if r.Label != "" {
			cv.text("soft", x1+4, math.Min(y1, y2)+12, start, fit([]string{r.Label}, p.Right-x1-8, fontSize)[0])
		}
	}
}
