package expr

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Selection is a conjunction of terms, `FACTOR=LEVEL …`. The zero value
// selects everything.
type Selection []Term

// Term says which levels of one factor are selected: any of Levels, which is
// never empty. `machine`, `session` and `experiment` stand as Factor like the
// others.
type Term struct {
	Factor string
	Levels []string
	Off    int // byte offset of the factor's name in the parsed text
}

// Matches says whether every term holds of a treatment, or of a row, whose
// levels the function gives. A factor that it does not have matches no term.
func (s Selection) Matches(level func(factor string) (string, bool)) bool {
	for _, t := range s {
		l, ok := level(t.Factor)
		if !ok || !slices.Contains(t.Levels, l) {
			return false
		}
	}
	return true
}

// Levels are the levels selected of a factor, nil where no term names it.
func (s Selection) Levels(factor string) []string {
	for _, t := range s {
		if t.Factor == factor {
			return t.Levels
		}
	}
	return nil
}

// String is the canonical text, which ParseSelection reads back: experiment,
// machine and session first, then the factors by name; levels by number
// where both are numbers, else by text, without repeats.
func (s Selection) String() string {
	terms := slices.SortedStableFunc(slices.Values(s), func(a, b Term) int {
		return cmp.Or(cmp.Compare(rank(a.Factor), rank(b.Factor)), cmp.Compare(a.Factor, b.Factor))
	})
	words := make([]string, len(terms))
	for i, t := range terms {
		words[i] = t.String()
	}
	return strings.Join(words, " ")
}

// rank is the place of the names that are no factors.
func rank(factor string) int {
	if i := slices.Index([]string{"experiment", "machine", "session"}, factor); i >= 0 {
		return i
	}
	return 3
}

// String is FACTOR=LEVEL, or FACTOR=LEVEL,LEVEL.
func (t Term) String() string {
	levels := slices.Compact(slices.SortedFunc(slices.Values(t.Levels), CompareLevels))
	for i, l := range levels {
		levels[i] = QuoteLevel(l)
	}
	return t.Factor + "=" + strings.Join(levels, ",")
}

// CompareLevels orders numbers before texts, numbers by size, texts by
// their bytes.
func CompareLevels(a, b string) int {
	x, isX := IsNumber(a)
	y, isY := IsNumber(b)
	switch {
	case isX && isY:
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	case isX:
		return -1
	case isY:
		return 1
	}
	return cmp.Compare(a, b)
}

// QuoteLevel is a level as a selection writes it: in double quotes where it
// is empty or holds a blank, a control character, a quote, or / = ,
func QuoteLevel(level string) string {
	if level == "" || strings.ContainsFunc(level, endsLevel) {
		return quote(level)
	}
	return level
}

// endsLevel says whether a character cannot stand in a level without quotes.
func endsLevel(r rune) bool {
	return strings.ContainsRune(`/=,"`, r) || unicode.IsSpace(r) || unicode.IsControl(r)
}

// ParseSelection reads `FACTOR=LEVEL …`; several levels of one factor are
// separated by commas. Nothing selects everything.
func ParseSelection(src string) (Selection, error) {
	s := &scanner{src: src}
	sel, err := s.selection()
	if err != nil {
		return nil, err
	}
	if s.at < len(src) {
		return nil, errorAt(s.at, "unexpected %q in a selection", s.word()).hint("a selection is FACTOR=LEVEL …")
	}
	return sel, nil
}

// scanner walks through a selection or comparison.
type scanner struct {
	src string
	at  int
}

func (s *scanner) blanks() {
	for s.at < len(s.src) {
		r, size := utf8.DecodeRuneInString(s.src[s.at:])
		if !unicode.IsSpace(r) {
			return
		}
		s.at += size
	}
}

// word is the text from here to the next blank or sign, at least one
// character, for messages.
func (s *scanner) word() string {
	rest := s.src[s.at:]
	if n := strings.IndexFunc(rest, endsLevel); n > 0 {
		return rest[:n]
	} else if n == 0 {
		_, size := utf8.DecodeRuneInString(rest)
		return rest[:size]
	}
	return rest
}

// selection reads terms as long as there are any, and stops at what is none.
func (s *scanner) selection() (Selection, error) {
	var sel Selection
	for s.blanks(); s.at < len(s.src); s.blanks() {
		off := s.at
		n := scanName(s.src[off:])
		if n == 0 || off+n == len(s.src) || s.src[off+n] != '=' {
			return sel, nil
		}
		t := Term{Factor: s.src[off : off+n], Off: off}
		if sel.Levels(t.Factor) != nil {
			return nil, errorAt(off, "%q stands twice in one selection", t.Factor).hint("write %s=a,b for several levels", t.Factor)
		}
		s.at += n + 1
		var err error
		if t.Levels, err = s.levels(t.Factor); err != nil {
			return nil, err
		}
		sel = append(sel, t)
	}
	return sel, nil
}

// levels reads LEVEL,LEVEL,…
func (s *scanner) levels(factor string) ([]string, error) {
	var levels []string
	for {
		l, err := s.level(factor)
		if err != nil {
			return nil, err
		}
		levels = append(levels, l)
		if s.at == len(s.src) || s.src[s.at] != ',' {
			return levels, s.endOfTerm()
		}
		s.at++
	}
}

func (s *scanner) level(factor string) (string, error) {
	rest := s.src[s.at:]
	if strings.HasPrefix(rest, `"`) {
		text, n, err := unquote(rest, s.at)
		s.at += n
		return text, err
	}
	n := strings.IndexFunc(rest, endsLevel)
	if n < 0 {
		n = len(rest)
	}
	if n == 0 {
		return "", errorAt(s.at, "a level of %q is missing", factor).hint(`write %s=LEVEL without blanks, an empty level as ""`, factor)
	}
	s.at += n
	return rest[:n], nil
}

// endOfTerm refuses what is glued to a term: `a=b=c`, `a="b"c`.
func (s *scanner) endOfTerm() error {
	if s.at == len(s.src) || s.src[s.at] == '/' {
		return nil
	}
	if r, _ := utf8.DecodeRuneInString(s.src[s.at:]); unicode.IsSpace(r) {
		return nil
	}
	return errorAt(s.at, "unexpected %q in a level", s.word()).hint(`put a level that holds a blank or / = , in double quotes`)
}
