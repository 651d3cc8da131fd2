package figure

import (
	"math"
	"regexp"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

var command = regexp.MustCompile(`([MmlhvH])([^MmlhvH]*)`)
var amount = regexp.MustCompile(`-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)`)

// walk is what a browser does with a path of these commands: the points.
func walk(t *rapid.T, d string) [][2]float64 {
	var points [][2]float64
	x, y := 0.0, 0.0
	for _, c := range command.FindAllStringSubmatch(d, -1) {
		var by []float64
		for _, a := range amount.FindAllString(c[2], -1) {
			v, err := strconv.ParseFloat(a, 64)
			if err != nil {
				t.Fatal(err)
			}
			by = append(by, v)
		}
		switch {
		case c[1] == "M":
			x, y = by[0], by[1]
		case c[1] == "h":
			x += by[0]
		case c[1] == "v":
			y += by[0]
		default:
			x, y = x+by[0], y+by[1]
		}
		points = append(points, [2]float64{x, y})
	}
	return points
}

func TestPathOfStepsMeetsEveryPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Float64Range(-50, 900)
		var p pen
		d := ""
		var want [][2]float64
		for range rapid.IntRange(1, 60).Draw(t, "points") {
			x, y := at.Draw(t, "x"), at.Draw(t, "y")
			d += p.to(rapid.SampledFrom([]string{"m", "l"}).Draw(t, "command"), x, y)
			want = append(want, [2]float64{x, y})
		}
		got := walk(t, d)
		if len(got) != len(want) {
			t.Fatalf("%q has %d points, want %d", d, len(got), len(want))
		}
		for i, g := range got {
			if math.Hypot(g[0]-want[i][0], g[1]-want[i][1]) > 0.08 {
				t.Fatalf("point %d of %q is %v, want %v", i, d, g, want[i])
			}
		}
	})
}

// Marks without tooltips are many and small: a figure of them is short in a
// page, and draws each where its file does.
func TestManySilentMarksAreShort(t *testing.T) {
	f := mustDraw(t, disturbed(700, 0).result(), Spec{Kind: Outliers, Name: "o"})
	if per := float64(len(f.Inline)) / 1400; per > 14 {
		t.Errorf("%.1f bytes for each of 1400 trials, want at most 14", per)
	}
}
