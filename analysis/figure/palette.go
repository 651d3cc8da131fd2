package figure

import (
	"fmt"
	"strings"
)

// How many colours and how many shapes there are.
const (
	colours = 8
	shapes  = 8
)

// sign is how a series is told apart: by colour and, since colour alone tells
// nothing to many readers and on many printers, by the shape of its markers
// and the dashes of its lines. Colours 2k and 2k+1 are the strong and the
// light tone of one hue.
type sign struct{ Colour, Shape int }

// neutral is the sign of what belongs to no series; it has the colour of text.
var neutral = sign{Colour: -1}

func (s sign) class() string {
	if s.Colour < 0 {
		return "cn"
	}
	return fmt.Sprintf("c%d", s.Colour%colours)
}

// tones are the values of one variable in the light and in the dark theme.
// The coloured ones are Okabe and Ito's hues (blue, vermilion and orange,
// green, purple), each in two tones, moved so far that every one has a
// contrast of at least 3 to the page in both themes.
var tones = []struct{ name, light, dark string }{
	{"ink", "#1d2126", "#e6e8ea"},
	{"soft", "#5b636d", "#9aa4ae"},
	{"line", "#dcdfe3", "#2e343b"},
	{"wash", "#f1f3f4", "#1c2126"},
	{"zone", "#dfe3e7", "#323941"},
	{"paper", "#fcfcfa", "#15181c"},
	{"ok", "#1a7f4b", "#5cc98f"},
	{"bad", "#b3382c", "#f0857a"},
	{"open", "#8a6100", "#e0b04c"},
	{"c0", "#00629e", "#3d9be0"},
	{"c1", "#4597d3", "#9fd2f5"},
	{"c2", "#b54400", "#e8752a"},
	{"c3", "#c08113", "#f6c981"},
	{"c4", "#005f45", "#1fab82"},
	{"c5", "#379f7e", "#a3e3cf"},
	{"c6", "#84346a", "#c868a6"},
	{"c7", "#c673a4", "#f7a8cf"},
}

// fonts is the list that text is set in; the last is generic, so that any
// script finds a font.
const fonts = `system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif`

// rules are the style of all figures. Fills and strokes take the colour of
// the class c0 to c7 around them.
var rules = []string{
	`.fig{font-family:` + fonts + `}`,
	`.fig text{white-space:pre;fill:var(--fig-ink);font-size:12.5px;font-variant-numeric:tabular-nums}`,
	`.fig .tick,.fig .soft{fill:var(--fig-soft);font-size:12px}`,
	`.fig .axis{fill:var(--fig-soft)}`,
	`.fig .head{font-weight:600}`,
	`.fig .grid{stroke:var(--fig-line)}`,
	`.fig .edge{stroke:var(--fig-soft);stroke-width:.75}`,
	`.fig .one{stroke:var(--fig-soft);stroke-dasharray:2 3}`,
	`.fig .band{fill:var(--fig-wash)}`,
	`.fig .zone{fill:var(--fig-zone)}`,
	`.fig .cn{color:var(--fig-ink)}`,
	`.fig .c0{color:var(--fig-c0)}.fig .c1{color:var(--fig-c1)}.fig .c2{color:var(--fig-c2)}.fig .c3{color:var(--fig-c3)}`,
	`.fig .c4{color:var(--fig-c4)}.fig .c5{color:var(--fig-c5)}.fig .c6{color:var(--fig-c6)}.fig .c7{color:var(--fig-c7)}`,
	`.fig .m{fill:currentColor}`,
	`.fig .dot{fill:currentColor;fill-opacity:.7}`,
	`.fig .o{fill:none;stroke:currentColor;stroke-width:1.5;pointer-events:all}`,
	`.fig .x{fill:none;stroke:currentColor;stroke-width:1.75;pointer-events:all}`,
	`.fig .l{fill:none;stroke:currentColor;stroke-width:1.75;stroke-linejoin:round}`,
	`.fig .iv{fill:none;stroke:currentColor;stroke-width:2.5}`,
	`.fig .st{fill:none;stroke:currentColor;stroke-width:1.25;stroke-opacity:.7}`,
	`.fig .rib{fill:currentColor;fill-opacity:.13}`,
	`.fig .stale{opacity:.45}`,
}

// placement is how a figure sits in a page: at its natural width where there
// is room, else as wide as the column; a wide one shrinks only so far, and
// scrolls on a phone. Marks of a page are points with wide ends, and .hit is
// where the page's script hangs their tooltips.
const placement = `.fig{display:block;max-width:100%;height:auto;overflow:hidden}
.fig.wide{min-width:640px}
.fig .rd,.fig .sq{fill:none;stroke:currentColor;stroke-linecap:round}
.fig .sq{stroke-linecap:square}
.fig .dot>.rd,.fig .dot>.sq{stroke-opacity:.7}
.fig .hit{fill:none;stroke:transparent;stroke-width:8;stroke-linecap:round;pointer-events:all}
`

// dashes are the patterns of lines, by the shape of their series.
var dashes = [shapes]string{"", "6 3", "2 3", "9 3 2 3", "4 2", "12 4", "1 2", "9 3 2 3 2 3"}

// Style is the CSS that a page with figures must contain, once. It sets the
// variables --fig-… for light and dark, by the reader's preference or by
// data-theme="light" or "dark" on the root element, and light on paper; a
// page may set them otherwise.
func Style() string {
	var light, dark strings.Builder
	for _, t := range tones {
		fmt.Fprintf(&light, "--fig-%s:%s;", t.name, t.light)
		fmt.Fprintf(&dark, "--fig-%s:%s;", t.name, t.dark)
	}
	var b strings.Builder
	fmt.Fprintf(&b, ":root{%s}\n", light.String())
	fmt.Fprintf(&b, "@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){%s}}\n", dark.String())
	fmt.Fprintf(&b, "@media screen{:root[data-theme=dark]{%s}}\n", dark.String())
	b.WriteString(placement + strings.Join(rules, "\n") + "\n")
	return b.String()
}

// resolved is the style with the colours of one theme in place of variables.
func resolved(theme string) string {
	var pairs []string
	for _, t := range tones {
		colour := t.light
		if theme == "dark" {
			colour = t.dark
		}
		pairs = append(pairs, "var(--fig-"+t.name+")", colour)
	}
	return strings.NewReplacer(pairs...).Replace(strings.Join(rules, "\n"))
}
