package figure

import (
	"math"
	"strings"
)

// footing is how the labels below an axis are written.
type footing struct {
	lines  [][]string
	slant  bool
	every  int // one in so many labels is written
	height float64
}

// layFooting writes the names of categories, each as wide as its band: level
// in up to three lines, and slanted where the bands are too narrow for that.
func layFooting(names []string, band, left float64) footing {
	f := footing{every: 1}
	if limit := band - 8; widest(words(names)) <= limit {
		f.lines = wrap(names, 3, limit, fontSize)
		n := 1
		for _, lines := range f.lines {
			n = max(n, len(lines))
		}
		f.height = float64(n)*lineHeight + 8
		return f
	}
	limit := math.Min(150, (left+band/2)/math.Cos(slantAngle)-8)
	f.slant = true
	deepest := 0.0
	for _, text := range fit(names, limit, fontSize) {
		f.lines = append(f.lines, []string{text})
		deepest = math.Max(deepest, measure(text, fontSize))
	}
	f.every = max(1, int(math.Ceil(lineHeight/math.Max(band*math.Sin(slantAngle), 0.01))))
	f.height = deepest*math.Sin(slantAngle) + lineHeight + 6
	return f
}

// slantAngle is that of slanted labels, in radians.
const slantAngle = 40 * math.Pi / 180

// words are what a line break should not part: what stands between blanks and
// signs, and single characters of scripts that break anywhere.
func words(names []string) []string {
	parts := func(r rune) bool { return strings.ContainsRune(breaks, r) || r >= 0x2e80 && r < 0xa000 }
	var all []string
	for _, n := range names {
		all = append(all, strings.FieldsFunc(shown(n), parts)...)
	}
	return all
}

func widest(texts []string) float64 {
	w := 0.0
	for _, t := range texts {
		w = math.Max(w, measure(t, fontSize))
	}
	return w
}
