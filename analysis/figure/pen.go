package figure

import (
	"math"
	"strconv"
	"strings"
)

// pen writes the points of a path as steps from one to the next, which is
// shorter than where they lie. It counts in tenths of a pixel, so that
// rounding does not add up.
type pen struct {
	x, y int
	down bool // it has been somewhere
}

// to is the command that brings the pen to a point: "m" moves, "l" draws. The
// first point of a path stands as it is, whatever the command.
func (p *pen) to(command string, x, y float64) string {
	tx, ty := tenths(x), tenths(y)
	dx, dy := tx-p.x, ty-p.y
	p.x, p.y = tx, ty
	if !p.down {
		p.down = true
		return "M" + coord(x) + " " + coord(y)
	}
	across, down := tenthsText(dx), tenthsText(dy)
	switch {
	case command == "l" && dy == 0:
		return "h" + across
	case command == "l" && dx == 0:
		return "v" + down
	case strings.HasPrefix(down, "-"):
		return command + across + down
	case strings.HasPrefix(down, ".") && strings.Contains(across, "."):
		return command + across + down
	}
	return command + across + " " + down
}

// isAt says whether the pen is at a point.
func (p *pen) isAt(x, y float64) bool { return p.down && p.x == tenths(x) && p.y == tenths(y) }

// moved says that the pen has gone on by so many pixels.
func (p *pen) moved(dx, dy float64) {
	p.x += tenths(dx)
	p.y += tenths(dy)
}

// tenths is a coordinate as coord writes it, in tenths.
func tenths(v float64) int {
	n, err := strconv.ParseFloat(coord(v), 64)
	if err != nil {
		return 0
	}
	return int(math.Round(10 * n))
}

// tenthsText writes tenths without what a path can do without.
func tenthsText(n int) string {
	text := coord(float64(n) / 10)
	if rest, ok := strings.CutPrefix(text, "-0."); ok {
		return "-." + rest
	}
	if rest, ok := strings.CutPrefix(text, "0."); ok {
		return "." + rest
	}
	return text
}
