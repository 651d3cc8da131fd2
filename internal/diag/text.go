package diag

import (
	"fmt"
	"strings"
	"unicode"
)

// Printable replaces control characters, line breaks, the characters that
// change the direction of text and those that cannot be seen by escapes, so
// that a name from a file can neither move a terminal's cursor nor pretend to
// be another message or name.
func Printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if Hidden(r) {
			b.WriteString(Escape(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Hidden says whether a character is one of those that Printable replaces.
func Hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) || r == unicode.ReplacementChar || Unseen(r)
}

// Escape is a character as Go's strings write it.
func Escape(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf("\\U%08x", r)
	}
	return fmt.Sprintf("\\u%04x", r)
}

// Unseen says whether a character takes no place and shows nothing, so that
// two names that differ by it look alike: a zero-width space, a soft hyphen, a
// tag. The two joiners and the variation selectors are none of them, since
// several scripts and emoji cannot be written without.
func Unseen(r rune) bool {
	switch {
	case r == '\u200c' || r == '\u200d' || unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point)
}

// Nearest is the candidate closest to word by edit distance, or "" where
// none is close enough to be what was meant: at most two edits, and fewer
// than half of the word's letters.
func Nearest(word string, candidates []string) string {
	best, found := "", 3
	for _, c := range candidates {
		if far := len([]rune(word)) - len([]rune(c)); far > 2 || far < -2 {
			continue
		}
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d < found && 2*d < len([]rune(word))+1 {
			best, found = c, d
		}
	}
	return best
}

// Meant is a hint: `did you mean "blocks"?` where a candidate is near, else
// "known: a, b, c", else "".
func Meant(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(candidates) == 0 {
		return ""
	}
	return "known: " + strings.Join(candidates, ", ")
}

// distance counts the insertions, deletions, replacements and swaps of
// neighbours that turn a into b (optimal string alignment).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	prev2, prev, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			change := 1
			if x[i-1] == y[j-1] {
				change = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev, row = prev, row, prev2
	}
	return prev[len(y)]
}
