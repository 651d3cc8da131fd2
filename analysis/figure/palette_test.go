package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"fieldbook/internal/session"
)

// luminance is WCAG 2.1's relative luminance of #rrggbb.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func TestColoursStandOutFromThePage(t *testing.T) {
	contrast := func(a, b string) float64 {
		x, y := luminance(t, a), luminance(t, b)
		return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
	}
	paper := tones[0]
	for _, tone := range tones {
		if tone.name == "paper" {
			paper = tone
		}
	}
	for _, tone := range tones {
		want := 3.0 // WCAG 2.1, 1.4.11: graphical objects
		switch tone.name {
		case "ink", "soft", "ok", "bad", "open":
			want = 4.5 // text
		case "line", "wash", "zone", "paper":
			continue // carry nothing alone
		}
		if c := contrast(tone.light, paper.light); c < want {
			t.Errorf("%s has a contrast of %.2f in light, want %v", tone.name, c, want)
		}
		if c := contrast(tone.dark, paper.dark); c < want {
			t.Errorf("%s has a contrast of %.2f in dark, want %v", tone.name, c, want)
		}
	}
}

func TestStyleKnowsEveryClassAndVariable(t *testing.T) {
	css := Style()
	for i := range colours {
		if !strings.Contains(css, fmt.Sprintf(".c%d{", i)) {
			t.Errorf("no rule for class c%d", i)
		}
	}
	for _, v := range strings.Split(css, "var(")[1:] {
		name, _, _ := strings.Cut(v, ")")
		if n := strings.Count(css, name+":"); n != 3 {
			t.Errorf("variable %s is set %d times, want for light, for dark by preference, and for dark by choice", name, n)
		}
	}
	if strings.ContainsAny(resolved("dark"), "<&") || strings.Contains(resolved("dark"), "var(") {
		t.Error("the style of a figure alone depends on something, or is no XML")
	}
}

func TestShapesAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for shape := 1; shape < shapes; shape++ {
		if d := outline(shape, 10, 10, 4); seen[d] {
			t.Errorf("shape %d looks like another", shape)
		} else {
			seen[d] = true
		}
	}
}

func TestSignsTellTreatmentsApart(t *testing.T) {
	levels := func(n int) []string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf("l%d", i))
		}
		return all
	}
	for _, sizes := range [][]int{{1}, {2}, {4}, {5}, {8}, {9}, {20}, {2, 2}, {4, 2}, {3, 3}, {5, 2}, {2, 8}, {3, 2, 3}} {
		s := study{metric: session.Metric{Name: "m", Unit: "s"}, blocks: 1, sessions: []string{"x"}, of: func([]string) float64 { return 1 }}
		for i, n := range sizes {
			s.factors = append(s.factors, session.Factor{Name: fmt.Sprintf("f%d", i), Levels: levels(n)})
		}
		w, err := read(s.result(), Spec{Kind: Order})
		if err != nil {
			t.Fatal(err)
		}
		of, note := w.signs()
		seen := map[sign]string{}
		for _, g := range w.groups {
			if was, ok := seen[of[g]]; ok && note == "" {
				t.Errorf("factors of %v levels: %q and %q have one sign, and no note says so", sizes, was, g.name())
			}
			seen[of[g]] = g.name()
			if of[g].Colour < 0 || of[g].Colour >= colours || of[g].Shape < 0 || of[g].Shape >= shapes {
				t.Errorf("factors of %v levels: sign %v", sizes, of[g])
			}
		}
	}
}

func TestATreatmentLooksTheSameInSeveralFigures(t *testing.T) {
	r := pipelining().result()
	whole, err := read(r, Spec{Kind: Order})
	if err != nil {
		t.Fatal(err)
	}
	part, err := read(r, Spec{Kind: Order, Where: selection(t, "communication=batched,threaded")})
	if err != nil {
		t.Fatal(err)
	}
	inWhole, _ := whole.signs()
	inPart, _ := part.signs()
	for _, g := range part.groups {
		for _, h := range whole.groups {
			if g.fullName() == h.fullName() && inPart[g] != inWhole[h] {
				t.Errorf("%s has sign %v among all and %v among some", g.fullName(), inWhole[h], inPart[g])
			}
		}
	}
}
