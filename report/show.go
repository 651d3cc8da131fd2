package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"fieldbook/internal/diag"
)

// How many bytes of one text of a stranger a page shows: of a name or a
// sentence, and of a listing. No person reads more of it, and a page of
// hundreds of megabytes opens nowhere.
const (
	mostShown  = 20_000
	mostListed = 1_000_000
)

// show is a text of a stranger as a page shows it: line breaks and tabs are
// blanks, other control characters, those that change the direction of text
// and those that cannot be seen are escapes, so that nothing pretends to be something else. What is
// longer than mostShown is cut, and says so.
func show(s string) string { return visible(short(s, mostShown), "") }

// showLines is show for text whose lines and tabs stay.
func showLines(s string) string {
	return visible(strings.ReplaceAll(short(s, mostListed), "\r\n", "\n"), "\n\t")
}

// short cuts a text between characters and says how much is missing.
func short(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return fmt.Sprintf("%s… (%d more bytes)", s[:most], len(s)-most)
}

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
			b.WriteString(diag.Escape(r))
		}
	}
	return b.String()
}

func hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || diag.Unseen(r) || r == unicode.ReplacementChar || r == '\uFFFE' || r == '\uFFFF'
}
