package figure

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longest is how many characters of one label are ever drawn or put into a
// tooltip; the table has the whole.
const longest = 200

// clean is any text as XML may hold it and as a reader sees it. Control
// characters become their pictures, so that two labels that differ in them
// still differ; what XML forbids, what would turn the direction of the text
// around it and what cannot be seen becomes the replacement character.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x20:
			return 0x2400 + r
		case r == 0x7f:
			return '\u2421'
		case r < 0xa0 && r > 0x7f, r == 0xfffe, r == 0xffff, turns(r), unseen(r):
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(s, string(utf8.RuneError)))
}

// turns says whether a character changes the direction of what follows.
func turns(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// unseen says whether a character shows nothing, as diag.Unseen does.
func unseen(r rune) bool {
	return r != '\u200c' && r != '\u200d' && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) &&
		unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point)
}

// shown is a label as it is read: clean, and something to see even where it
// is empty or blank.
func shown(label string) string {
	switch label = clean(label); {
	case label == "":
		return "(empty)"
	case strings.TrimFunc(label, unicode.IsSpace) == "":
		return "(blank)"
	}
	return label
}

// longestText is how many bytes one text of a drawing has at most, such as a
// value with a unit that somebody wrote without end.
const longestText = 4000

// brief cuts a text that has no end, between characters.
func brief(s string) string {
	if len(s) <= longestText {
		return s
	}
	cut := longestText
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// within is a label inside a sentence: not longer than the longest, and
// isolated where it runs from right to left, so that it does not take the
// numbers after it along.
func within(label string) string {
	label = shown(label)
	if utf8.RuneCountInString(label) > longest {
		label = string([]rune(label)[:longest-1]) + "…"
	}
	if strings.IndexFunc(label, leftward) >= 0 {
		return "\u2068" + label + "\u2069"
	}
	return label
}

// leftward says whether a character belongs to a script that runs from right
// to left.
func leftward(r rune) bool {
	return r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfeff ||
		r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// escape is a clean text for XML, as content and as attribute.
func escape(s string) string { return escaper.Replace(s) }

// widths are the advances of the printable ASCII characters in hundredths of
// the font size, in DejaVu Sans: of the fonts in the list the widest, so that
// what fits by this table fits in all of them.
var widths = [...]uint8{32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
	34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69,
	39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84}

// measure is about how wide a text is, in pixels, and rather too much than
// too little: its font is not known here.
func measure(s string, size float64) float64 {
	sum := 0.0
	for _, r := range s {
		sum += advance(r)
	}
	return sum * size * 1.02
}

// advance is the width of one character in units of the font size.
func advance(r rune) float64 {
	switch {
	case r >= 0x20 && r < 0x7f:
		return float64(widths[r-0x20]) / 100
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r == 0x202f:
		return 0.32
	case r == 0xb2 || r == 0xb3 || r == 0xb9 || r >= 0x2070 && r < 0x2090:
		return 0.53
	case r == '×' || r == '−' || r == '≤':
		return 0.84
	case r == 0xfdfd:
		return 9
	case unicode.In(r, unicode.Latin, unicode.Greek, unicode.Hebrew, unicode.Arabic) && r < 0xfb50:
		return 0.85
	case r >= 0x1f000:
		return 1.3
	case r >= 0x2e80: // ideographs and their like fill a square
		return 1
	}
	return 1.1
}
