package figure

import (
	"math"
)

// Sizes in pixels.
const (
	fontSize   = 12.5
	lineHeight = 15.0
	edge       = 4.0  // kept free around everything
	titleSpace = 19.0 // of the title beside or below an axis
	strip      = 18.0 // at the edge, for trials without a value
)

// frame is the plot of a panel, in pixels.
type frame struct{ Left, Top, Right, Bottom float64 }

// plot is a panel with its place on the sheet.
type plot struct {
	*panel
	frame
	flat         bool
	horz, vert   scale
	horzT, vertT ticks
	rows         [][]string // labels of a category axis that runs downwards
	below        footing    // labels of a category axis that runs to the right
	marks        int        // how many there are
	unlabelled   bool       // the horizontal axis is that of a plot below
	titled       bool       // the horizontal axis has a title of its own
}

// horizontal and vertical are the axes by direction.
func (p *plot) horizontal() *axis {
	if p.flat {
		return &p.Value
	}
	return &p.Place
}

func (p *plot) vertical() *axis {
	if p.flat {
		return &p.Place
	}
	return &p.Value
}

// grid sets the panels in at most so many columns, and the size: one alone is
// tall, those beside each other share a wider figure and are low.
func (c *chart) grid(most int, tall, low float64) {
	c.Columns = min(most, len(c.Panels))
	c.Width, c.Height = 720, tall
	if c.Columns > 1 {
		c.Width, c.Height = 860, low
	}
}

// sheet is a chart with all coordinates.
type sheet struct {
	*chart
	plots   []*plot
	columns int
	top     float64 // where the panels begin
	left    float64 // of the plot in the first column
	titled  bool    // the vertical axis has a title beside it
	bottom  float64 // where the last panel's labels end
}

// layOut finds the place of each panel, from the widths of its labels.
func (c *chart) layOut(top float64) *sheet {
	s := &sheet{chart: c, columns: max(1, c.Columns), top: top}
	for i := range c.Panels {
		p := &plot{panel: &c.Panels[i], flat: c.Flat}
		for _, one := range p.Series {
			p.marks += len(one.Marks)
		}
		p.unlabelled = c.Stacked && i < len(c.Panels)-1
		p.titled = c.Titled
		s.plots = append(s.plots, p)
		if p.vertical().Kind == category {
			s.columns = 1
		}
	}
	s.layColumns()
	s.layRows()
	return s
}

// layColumns finds left and right of each plot.
func (s *sheet) layColumns() {
	labels, texts := 0.0, 0.0
	for _, p := range s.plots {
		labels = math.Max(labels, p.measureVertical(s.Height, s.Width))
		for _, t := range p.Rows {
			texts = math.Max(texts, measure(t, fontSize)+14)
		}
		s.titled = s.titled || p.vertical().Title != "" && p.vertical().Kind != category
	}
	beside := labels + 10
	if s.titled {
		beside += titleSpace
	}
	gap := 18.0
	if !s.oneVertical() {
		gap += beside
	}
	s.left = edge + beside
	width := (s.Width - s.left - edge - math.Max(10, texts) - gap*float64(s.columns-1)) / float64(s.columns)
	width = math.Max(width, 40)
	for i, p := range s.plots {
		p.Left = s.left + float64(i%s.columns)*(width+gap)
		p.Right = p.Left + width
		p.layHorizontal()
	}
}

// oneVertical says whether the axis beside the first panel of a row is that of
// all.
func (s *sheet) oneVertical() bool { return s.Shared || s.Flat }

// layRows finds top and bottom of each plot; those of one row end alike.
func (s *sheet) layRows() {
	y := s.top
	for first := 0; first < len(s.plots); first += s.columns {
		row := s.plots[first:min(first+s.columns, len(s.plots))]
		foot, above := 0.0, 8.0
		for _, p := range row {
			foot = math.Max(foot, p.below.height)
			if p.Title != "" {
				above = math.Max(above, 26)
			}
			if p.vertical().Kind == category && p.vertical().Title != "" {
				above = math.Max(above, 24)
			}
		}
		y += above
		height := s.Height
		for _, p := range row {
			if p.vertical().Kind == category {
				height = p.rowHeight(s.Row) * float64(max(1, len(p.vertical().Names)))
			}
		}
		for _, p := range row {
			p.Top, p.Bottom = y, y+height
			p.layVertical()
		}
		y += height + foot
	}
	s.bottom = y
}

// fitsDown says whether labels stand apart on an axis that runs upwards.
func fitsDown(sc scale) room {
	return func(ts []tick) bool {
		for i := 1; i < len(ts); i++ {
			if math.Abs(sc.at(ts[i].At)-sc.at(ts[i-1].At)) < lineHeight+3 {
				return false
			}
		}
		return true
	}
}

// fitsAcross is the same for an axis that runs to the right.
func fitsAcross(sc scale) room {
	return func(ts []tick) bool {
		for i := 1; i < len(ts); i++ {
			between := (measure(ts[i].Label, fontSize) + measure(ts[i-1].Label, fontSize)) / 2
			if sc.at(ts[i].At)-sc.at(ts[i-1].At) < between+12 {
				return false
			}
		}
		return true
	}
}

// choose gives an axis its ticks: its own, if it has any, as many as fit.
func (a *axis) choose(sc scale, fits room) ticks {
	switch {
	case a.Ticks != nil && fits(a.Ticks):
		return ticks{Ticks: a.Ticks}
	case a.Ticks != nil:
		return ticks{Ticks: some(a.Ticks, fits)}
	}
	t := chooseTicks(a.Kind, a.Shown, a.Domain, func(ts []tick) bool { return fits(a.suffixed(ts)) })
	t.Ticks = a.suffixed(t.Ticks)
	return t
}

// suffixed are ticks with the axis's suffix at their labels.
func (a *axis) suffixed(ts []tick) []tick {
	with := make([]tick, len(ts))
	for i, t := range ts {
		with[i] = tick{t.At, t.Label + a.Suffix}
	}
	return with
}

// measureVertical is the width of the labels left of a plot of this height.
// It chooses the ticks.
func (p *plot) measureVertical(height, width float64) float64 {
	a := p.vertical()
	widest := 0.0
	if a.Kind == category {
		p.rows = wrap(a.Names, 2, width*0.34, fontSize)
		for _, lines := range p.rows {
			for _, l := range lines {
				widest = math.Max(widest, measure(l, fontSize))
			}
		}
		return widest
	}
	sc := scale{a.Kind, a.Domain, height - p.strip(), 0}
	p.vertT = a.choose(sc, fitsDown(sc))
	for _, t := range p.vertT.Ticks {
		widest = math.Max(widest, measure(t.Label, fontSize))
	}
	return widest
}

// strip is the space for trials without a value, if there are any.
func (p *plot) strip() float64 {
	for _, s := range p.Series {
		for _, m := range s.Marks {
			if m.Look == gone {
				return strip
			}
		}
	}
	return 0
}

// rowHeight is the wished one, or what the labels need.
func (p *plot) rowHeight(wish float64) float64 {
	for _, lines := range p.rows {
		wish = math.Max(wish, float64(len(lines))*lineHeight+8)
	}
	return wish
}

func (p *plot) layHorizontal() {
	a := p.horizontal()
	p.horz = scale{a.Kind, a.Domain, p.Left, p.Right}
	if a.Kind == category {
		p.horz.domain = span{-0.5, float64(max(1, len(a.Names))) - 0.5}
		p.below = layFooting(a.Names, p.horz.band(), p.Left)
		return
	}
	if p.flat {
		p.horz.from += p.strip()
	}
	p.horzT = a.choose(p.horz, fitsAcross(p.horz))
	switch p.below.height = lineHeight + 6; {
	case p.unlabelled:
		p.below.height = 2
	case p.titled:
		p.below.height += titleSpace
	}
}

func (p *plot) layVertical() {
	a := p.vertical()
	if a.Kind == category {
		p.vert = scale{a.Kind, span{-0.5, float64(max(1, len(a.Names))) - 0.5}, p.Top, p.Bottom}
		return
	}
	p.vert = scale{a.Kind, a.Domain, p.Bottom, p.Top}
	if !p.flat {
		p.vert.from -= p.strip()
	}
}
