package figure

import "math"

// drawLegend writes the legend from y on, entry after entry in lines, and
// returns where it ends.
func (c *chart) drawLegend(cv *canvas, y float64) float64 {
	if len(c.Legend) == 0 {
		return y
	}
	x := edge
	y += lineHeight
	if c.Heading != "" {
		text := fit([]string{c.Heading}, c.Width*0.4, fontSize)[0]
		cv.text("soft", x, y, start, text)
		x += measure(text, fontSize) + 16
	}
	first := x
	if first > c.Width*0.3 {
		first = edge
	}
	for i, label := range c.legendLabels() {
		w := measure(label, fontSize)
		icon := c.Legend[i].Look.iconWidth()
		if x+icon+w > c.Width-edge && x > first {
			x, y = first, y+lineHeight+4
		}
		cv.open("g", "class", c.Legend[i].Sign.class())
		cv.icon(c.Legend[i], x, y-4.5)
		cv.close("g")
		cv.text("", x+icon, y, start, label)
		x += icon + w + 18
	}
	return y + 10
}

// legendLabels are the labels, none wider than a third of the figure.
func (c *chart) legendLabels() []string {
	labels := make([]string, len(c.Legend))
	for i, k := range c.Legend {
		labels[i] = k.Label
	}
	return fit(labels, math.Max(120, c.Width*0.34), fontSize)
}

// iconWidth is the space that an icon takes, the gap after it included.
func (l look) iconWidth() float64 {
	switch l {
	case joined, unbroken, fitted, mean, margin:
		return 34
	}
	return 17
}

// icon draws what an entry of the legend stands for, from x on.
func (cv *canvas) icon(k key, x, y float64) {
	switch k.Look {
	case joined:
		cv.path("l", dashes[k.Sign.Shape%shapes], "M"+coord(x)+" "+coord(y)+"H"+coord(x+28))
		cv.marker("m", k.Sign.Shape, x+14, y, 4, "")
	case unbroken:
		cv.path("l", "", "M"+coord(x)+" "+coord(y)+"H"+coord(x+28))
		cv.marker("m", k.Sign.Shape, x+14, y, 4, "")
	case fitted:
		cv.fit("", "M"+coord(x)+" "+coord(y)+"H"+coord(x+28))
	case mean:
		cv.path("iv", "", "M"+coord(x)+" "+coord(y)+"H"+coord(x+28))
		cv.marker("m", k.Sign.Shape, x+14, y, 4.2, "")
	case margin:
		cv.rect("zone", x, y-6, 28, 12, "")
	case beyond:
		cv.marker("o", upward, x+6, y, 4, "")
	case gone:
		cv.cross("x", x+6, y, 3.4, "")
	case stroke:
		cv.path("st", "", "M"+coord(x+6)+" "+coord(y-strokeHalf)+"V"+coord(y+strokeHalf))
	case published, hollow:
		cv.marker("o", k.Sign.Shape, x+6, y, 4, "")
	case dot:
		cv.marker("dot", k.Sign.Shape, x+6, y, 3, "")
	default:
		cv.marker("m", k.Sign.Shape, x+6, y, 4, "")
	}
}
