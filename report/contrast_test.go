package report

import (
	"math"
	"regexp"
	"strconv"
	"testing"
)

var variable = regexp.MustCompile(`--([a-z0-9-]+):\s*#([0-9a-f]{6})`)

// TestContrast holds the colours of text to WCAG's 4.5 on the paper and on
// the shaded parts, in both themes.
func TestContrast(t *testing.T) {
	page := string(build(t, Source{Name: "coin", Result: coin().result()}).HTML())
	themes := []map[string]string{{}, {}} // light stands first in the style, dark last
	for _, m := range variable.FindAllStringSubmatch(page, -1) {
		if themes[0][m[1]] == "" {
			themes[0][m[1]] = m[2]
		}
		themes[1][m[1]] = m[2]
	}
	for i, colours := range themes {
		for _, text := range []string{"fig-ink", "fig-soft", "fig-ok", "fig-bad", "fig-open", "link"} {
			for _, ground := range []string{"fig-paper", "fig-wash"} {
				if got := contrast(colours[text], colours[ground]); !(got >= 4.5) {
					t.Errorf("theme %d: %s on %s has a contrast of %.2f", i, text, ground, got)
				}
			}
		}
		if got := contrast(colours["fig-ink"], colours["mark"]); !(got >= 4.5) {
			t.Errorf("theme %d: text on a banner has a contrast of %.2f", i, got)
		}
	}
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// luminance is WCAG's relative luminance of rrggbb; NaN for what is none.
func luminance(hex string) float64 {
	if len(hex) != 6 {
		return math.NaN()
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			return math.NaN()
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
