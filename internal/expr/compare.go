package expr

import "strings"

// Comparison sets two selections side by side, left over right. Where holds
// for both sides. Other means that the right side is each other treatment
// within Where, one at a time.
type Comparison struct {
	Left, Right Selection
	Other       bool
	Where       Selection
}

// String is the canonical text, which ParseComparison reads back.
func (c Comparison) String() string {
	right := c.Right.String()
	if c.Other {
		right = "other"
	}
	s := c.Left.String() + " / " + right
	if len(c.Where) > 0 {
		s += " where " + c.Where.String()
	}
	return s
}

const comparisonForm = "a comparison is SELECTION / SELECTION [where SELECTION]"

// ParseComparison reads `SELECTION / SELECTION [where SELECTION]`, left over
// right. The right side may be the word other.
func ParseComparison(src string) (Comparison, error) {
	var c Comparison
	s := &scanner{src: src}
	var err error
	if c.Left, err = s.side("left"); err != nil {
		return Comparison{}, err
	}
	if s.at == len(src) || src[s.at] != '/' {
		return Comparison{}, s.unexpected("a / is missing")
	}
	s.at++
	if s.blanks(); s.takeWord("other") {
		c.Other = true
	} else if c.Right, err = s.side("right"); err != nil {
		return Comparison{}, err
	}
	if s.blanks(); s.takeWord("where") {
		if c.Where, err = s.side("where"); err != nil {
			return Comparison{}, err
		}
	}
	if s.at < len(src) {
		return Comparison{}, s.unexpected("")
	}
	return c, c.overlap()
}

// side reads one selection that must not be empty.
func (s *scanner) side(name string) (Selection, error) {
	s.blanks()
	sel, err := s.selection()
	if err == nil && len(sel) == 0 {
		return nil, s.unexpected("the " + name + " selection is missing")
	}
	return sel, err
}

// takeWord takes a word that stands alone.
func (s *scanner) takeWord(word string) bool {
	if !strings.HasPrefix(s.src[s.at:], word) || s.word() != word || strings.HasPrefix(s.src[s.at+len(word):], "=") {
		return false
	}
	s.at += len(word)
	return true
}

// unexpected is the error for what stands here, or for what is missing at
// the end.
func (s *scanner) unexpected(missing string) *Error {
	if s.at < len(s.src) {
		return errorAt(s.at, "unexpected %q in a comparison", s.word()).hint(comparisonForm)
	}
	return errorAt(s.at, "%s", missing).hint(comparisonForm)
}

// overlap refuses a factor that stands on a side and in where, since where
// holds for both sides.
func (c Comparison) overlap() error {
	for _, t := range c.Where {
		if !c.Other && (c.Left.Levels(t.Factor) != nil || c.Right.Levels(t.Factor) != nil) {
			return errorAt(t.Off, "%q stands on a side and in where", t.Factor).hint("where holds for both sides")
		}
	}
	return nil
}
