package figure

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// canvas writes SVG elements. All coordinates are rounded to a tenth of a
// pixel and finite; all text is escaped.
type canvas struct {
	b bytes.Buffer
	// texts is where each text lies, for the test that none leaves the figure.
	texts []placedText
	// inline: marks of one look are one path, and their tooltips a list, for
	// pages whose script gives each mark its own.
	inline bool
	tips   []string
	pile   *pile // nil where not inline
	hollow bool  // the marks of the group are not filled
	silent bool  // the marks of the group have no tooltips
	coarse bool  // there are so many that whole pixels are exact enough for those
}

// pile is marks that are not written yet: outlines, or, where Width is above 0,
// dots of that width with round or square ends. They become two paths by turns,
// since within one path nothing shows where two marks overlap.
type pile struct {
	Class string
	Width float64
	n     int
	turns [2]struct {
		d    strings.Builder
		tips []string
		pen  pen
	}
}

// placedText is a text with the box that it takes.
type placedText struct {
	Text                     string
	Left, Top, Right, Bottom float64
	Turned                   bool
}

// coord writes a coordinate with at most one decimal.
func coord(v float64) string {
	if math.IsNaN(v) {
		v = 0
	}
	v = math.Max(-99999, math.Min(99999, v))
	text := strconv.FormatFloat(v, 'f', 1, 64)
	if text == "-0.0" {
		return "0"
	}
	return strings.TrimSuffix(text, ".0")
}

// element writes one element. Attributes come in pairs of name and value;
// those without a value are left out. Content is written as it is.
func (c *canvas) element(name, content string, attributes ...string) {
	c.open(name, attributes...)
	if content == "" {
		c.b.Truncate(c.b.Len() - 1)
		c.b.WriteString("/>")
		return
	}
	c.b.WriteString(content)
	c.close(name)
}

func (c *canvas) open(name string, attributes ...string) {
	c.b.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		if attributes[i+1] != "" {
			c.b.WriteString(" " + attributes[i] + `="` + escape(attributes[i+1]) + `"`)
		}
	}
	c.b.WriteByte('>')
}

func (c *canvas) close(name string) {
	c.flush()
	c.b.WriteString("</" + name + ">")
}

// tipped is what is added to the class of a group whose marks have their
// tooltips in the list.
func (c *canvas) tipped() string {
	if c.inline && !c.silent {
		return " t"
	}
	return ""
}

// heap puts a mark on the pile of those that look alike.
func (c *canvas) heap(class string, width float64, d, tip string) {
	if c.pile.Class != class || c.pile.Width != width {
		c.flush()
	}
	c.pile.Class, c.pile.Width = class, width
	turn := &c.pile.turns[c.pile.n%2]
	c.pile.n++
	turn.d.WriteString(d)
	turn.tips = append(turn.tips, brief(tip))
}

// heapStep is heap for a mark that begins at a point and draws on by d, which
// moves by dx and dy. Of marks without tooltips each begins where the one
// before ends, since nothing has to take their path apart again; and of very
// many no two lie within one pixel.
func (c *canvas) heapStep(class string, width, x, y float64, d string, dx, dy float64, tip string) {
	if !c.silent {
		c.heap(class, width, "M"+coord(x)+" "+coord(y)+d, tip)
		return
	}
	c.heap(class, width, "", "")
	turn := &c.pile.turns[(c.pile.n-1)%2]
	if c.coarse {
		x, y = math.Round(x), math.Round(y)
		if turn.pen.isAt(x+dx, y+dy) {
			return
		}
	}
	turn.d.WriteString(turn.pen.to("m", x, y) + d)
	turn.pen.moved(dx, dy)
}

// fewMarks are too few for two paths.
const fewMarks = 8

// flush writes the pile.
func (c *canvas) flush() {
	if c.pile == nil {
		return
	}
	p := c.pile
	c.pile = &pile{}
	width := ""
	if p.Width > 0 {
		width = coord(p.Width)
	}
	if p.n <= fewMarks && !c.silent {
		p.n = min(1, p.n)
		p.turns[0].d.WriteString(p.turns[1].d.String())
		p.turns[0].tips = append(p.turns[0].tips, p.turns[1].tips...)
	}
	for i := range min(2, p.n) {
		c.element("path", "", "class", p.Class, "stroke-width", width, "d", p.turns[i].d.String())
		if !c.silent {
			c.tips = append(c.tips, p.turns[i].tips...)
		}
	}
}

// mark writes the path of a mark with its tooltip.
func (c *canvas) mark(class, d, tip string) {
	if c.inline && class == "" {
		c.heap("", 0, d, tip)
		return
	}
	c.element("path", title(tip), "class", class, "d", d)
}
func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	c.element("line", "", "class", class, "x1", coord(x1), "y1", coord(y1), "x2", coord(x2), "y2", coord(y2))
}

func (c *canvas) rect(class string, x, y, w, h float64, tip string) {
	c.element("rect", title(tip), "class", class, "x", coord(x), "y", coord(y), "width", coord(math.Max(0, w)), "height", coord(math.Max(0, h)))
}

// title is the tooltip of the element that contains it.
func title(tip string) string {
	if tip == "" {
		return ""
	}
	return "<title>" + escape(brief(tip)) + "</title>"
}

// Anchors of a text.
const (
	start  = ""
	middle = "middle"
	end    = "end"
)

// text writes one line of text with its baseline at y.
func (c *canvas) text(class string, x, y float64, anchor, s string) {
	c.remember(s, x, y, anchor, 0)
	c.element("text", escape(brief(s)), "class", class, "x", coord(x), "y", coord(y), "text-anchor", anchor)
}

// turned writes a text turned around its anchor, in degrees clockwise.
func (c *canvas) turned(class string, x, y float64, anchor string, degrees float64, s string) {
	c.remember(s, x, y, anchor, degrees)
	c.element("text", escape(brief(s)), "class", class, "text-anchor", anchor,
		"transform", "translate("+coord(x)+" "+coord(y)+") rotate("+coord(degrees)+")")
}

// remember notes the box of a text.
func (c *canvas) remember(s string, x, y float64, anchor string, degrees float64) {
	w := measure(s, fontSize)
	left := 0.0
	switch anchor {
	case middle:
		left = -w / 2
	case end:
		left = -w
	}
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	box := placedText{s, math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1), degrees != 0}
	for _, px := range []float64{left, left + w} {
		for _, py := range []float64{-0.8 * fontSize, 0.25 * fontSize} {
			qx, qy := x+px*cos-py*sin, y+px*sin+py*cos
			box.Left, box.Right = math.Min(box.Left, qx), math.Max(box.Right, qx)
			box.Top, box.Bottom = math.Min(box.Top, qy), math.Max(box.Bottom, qy)
		}
	}
	c.texts = append(c.texts, box)
}

// path writes a path with the pieces of its data.
func (c *canvas) path(class, dash, d string) {
	c.element("path", "", "class", class, "stroke-dasharray", dash, "d", d)
}

// marker draws a shape of radius r around a point. The class is that of the
// group around it where it is "".
func (c *canvas) marker(class string, shape int, x, y, r float64, tip string) {
	if c.inline && class == "" {
		c.heapMarker(shape, x, y, r, tip)
		return
	}
	if shape == 0 {
		c.element("circle", title(tip), "class", class, "cx", coord(x), "cy", coord(y), "r", coord(r))
		return
	}
	c.mark(class, outline(shape, x, y, r), tip)
}

// heapMarker is marker for the pile. Circles and squares that are filled are
// points with wide ends, which is the shortest way to write them.
func (c *canvas) heapMarker(shape int, x, y, r float64, tip string) {
	switch {
	case c.hollow && shape == 0:
		d := coord(r)
		c.heap("", 0, "M"+coord(x-r)+" "+coord(y)+"a"+d+" "+d+" 0 1 0 "+coord(2*r)+" 0a"+d+" "+d+" 0 1 0-"+coord(2*r)+" 0z", tip)
	case c.hollow || shape > 1:
		c.heap("", 0, outline(shape, x, y, r), tip)
	case shape == 0:
		c.heapStep("rd", 2*r, x, y, "h0", 0, 0, tip)
	default:
		c.heapStep("sq", 1.8*r, x, y, "h.1", 0.1, 0, tip) // not of no length: PDF paints no square ends of that
	}
}

// outlines are the shapes after the circle, as corners in units of a radius,
// all of about the same area.
var outlines = [shapes - 1][][2]float64{
	{{-.9, -.9}, {.9, -.9}, {.9, .9}, {-.9, .9}}, // square
	{{0, -1.25}, {1.2, .85}, {-1.2, .85}},        // triangle
	{{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}},   // diamond
	{{0, 1.25}, {-1.2, -.85}, {1.2, -.85}},       // triangle, point down
	{{-.4, -1.2}, {.4, -1.2}, {.4, -.4}, {1.2, -.4}, {1.2, .4}, {.4, .4}, {.4, 1.2}, {-.4, 1.2}, {-.4, .4}, {-1.2, .4}, {-1.2, -.4}, {-.4, -.4}}, // plus
	{{-1.15, -1}, {1.15, -1}, {.25, 0}, {1.15, 1}, {-1.15, 1}, {-.25, 0}},                                                                        // hourglass
	{{0, -1.35}, {.35, -.4}, {1.3, -.4}, {.55, .2}, {.8, 1.15}, {0, .6}, {-.8, 1.15}, {-.55, .2}, {-1.3, -.4}, {-.35, -.4}},                      // star
}

// outline is the path of a shape, in steps from corner to corner, which are
// the shortest way to write it.
func outline(shape int, x, y, r float64) string {
	corners := outlines[(shape-1)%len(outlines)]
	at := corners[0]
	var b strings.Builder
	b.WriteString("M" + coord(x+at[0]*r) + " " + coord(y+at[1]*r))
	for _, p := range corners[1:] {
		dx, dy := coord((p[0]-at[0])*r), coord((p[1]-at[1])*r)
		switch {
		case dy == "0":
			b.WriteString("h" + dx)
		case dx == "0":
			b.WriteString("v" + dy)
		case strings.HasPrefix(dy, "-"):
			b.WriteString("l" + dx + dy)
		default:
			b.WriteString("l" + dx + " " + dy)
		}
		at = p
	}
	return b.String() + "z"
}

// cross draws the mark of a trial without a value.
func (c *canvas) cross(class string, x, y, r float64, tip string) {
	d := coord(2 * r)
	c.mark(class, "M"+coord(x-r)+" "+coord(y-r)+"l"+d+" "+d+"m-"+d+" 0l"+d+"-"+d, tip)
}
