package markup

import (
	"fmt"
	"unicode/utf8"
)

// turning says whether a character makes the text after it run the other way,
// so that a page would show what is not written. Marks that tell the direction
// of a single place, as Arabic and Hebrew need them, do not.
func turning(r rune) bool { return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 }

// takeTurning puts U+FFFD, which is as long, for each such character.
func (w *Writeup) takeTurning() {
	for off := w.Head; off < len(w.Text); {
		r, size := utf8.DecodeRune(w.Text[off:])
		if turning(r) {
			w.flaws = append(w.flaws, flaw{off, "the character " + fmt.Sprintf("%U", r) + " turns the direction of text and is not shown", "take it out"})
			copy(w.Text[off:], "\uFFFD")
		}
		off += size
	}
}
