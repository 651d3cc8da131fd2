package report

import (
	"fmt"
	"strings"
	"unicode"
)

// show is a text of a stranger as a page shows it: line breaks and tabs are
// blanks, other control characters and those that change the direction of
// text are escapes, so that nothing pretends to be something else.
func show(s string) string { return visible(s, "") }

// showLines is show for text whose lines and tabs stay.
func showLines(s string) string { return visible(strings.ReplaceAll(s, "\r\n", "\n"), "\n\t") }

func visible(s, keep string) string {
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !hidden(r) || strings.ContainsRune(keep, r):
			b.WriteRune(r)
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		default:
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}

func hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == unicode.ReplacementChar || r == '\uFFFE' || r == '\uFFFF'
}
