package markup

import (
	"fmt"
	"strings"
	"unicode"
)

// IDs hands out the ids of one document. Each is used once; the same texts in
// the same order get the same ids.
type IDs struct {
	taken map[string]bool
	last  map[string]int // the number that a text's id had last
}

// Reserve takes an id as it is; false means that it is taken already.
func (s *IDs) Reserve(id string) bool {
	if s.taken == nil {
		s.taken = map[string]bool{}
	}
	if s.taken[id] {
		return false
	}
	s.taken[id] = true
	return true
}

// Take makes an id from a heading's text as code hosts do, so that one anchor
// serves both renderings, and numbers it where it is taken.
func (s *IDs) Take(text string) string {
	base := Slug(text)
	if base == "" {
		base = "section"
	}
	if s.last == nil {
		s.last = map[string]int{}
	}
	id := base
	for !s.Reserve(id) {
		s.last[base]++
		id = fmt.Sprintf("%s-%d", base, s.last[base])
	}
	return id
}

// mostSlug is how many bytes an id has at most, apart from its number.
const mostSlug = 1000

// Slug is a text in lower case with hyphens for blanks; of the rest, letters,
// marks and digits of any script stay, and hyphens and underscores.
func Slug(text string) string {
	var b strings.Builder
	for _, r := range strings.TrimSpace(text) {
		if b.Len() >= mostSlug {
			break
		}
		r = unicode.ToLower(r)
		switch {
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r):
			b.WriteRune(r)
		case unicode.IsSpace(r):
			b.WriteByte('-')
		}
	}
	return b.String()
}
