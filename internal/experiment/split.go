package experiment

import (
	"fmt"
	"strings"

	"fieldbook/internal/expr"
)

// word of a split command: its text without quotes, and for each byte of it,
// and for its end, the byte of the command that it comes from.
type argument struct {
	text string
	offs []int
}

// split cuts a command into words as a shell would, with single quotes,
// double quotes and backslashes, and refuses whatever a shell would act on,
// since no shell will be there. `{…}` of a template stays whole.
func split(src string) ([]argument, *expr.Error) {
	s := &splitter{src: src}
	for s.at < len(src) {
		if err := s.next(); err != nil {
			return nil, err
		}
	}
	s.end()
	if len(s.words) == 0 {
		return nil, &expr.Error{Msg: "the command is empty"}
	}
	if err := assignment(s.words[0]); err != nil {
		return nil, err
	}
	return s.words, nil
}

type splitter struct {
	src   string
	at    int
	words []argument
	text  strings.Builder
	offs  []int
	open  bool // a word has begun
}

// add appends the byte at i of the source to the word.
func (s *splitter) add(i int) {
	s.open = true
	s.text.WriteByte(s.src[i])
	s.offs = append(s.offs, i)
}

func (s *splitter) end() {
	if s.open {
		s.words = append(s.words, argument{s.text.String(), append(s.offs, s.at)})
	}
	s.text.Reset()
	s.offs, s.open = nil, false
}

// next takes what stands at the current place.
func (s *splitter) next() *expr.Error {
	c := s.src[s.at]
	switch {
	case c == ' ' || c == '\t' || c == '\n' && strings.TrimSpace(s.src[s.at:]) == "":
		s.end()
		s.at++
	case c == '\\':
		return s.backslash()
	case c == '\'':
		return s.single()
	case c == '"':
		return s.double()
	case c == '{':
		s.braces()
	case s.acts(c):
		return refuse(s.at, c)
	default:
		s.add(s.at)
		s.at++
	}
	return nil
}

// acts says whether a shell would act on an unquoted character: # and ~ at
// the start of a word, [ inside one.
func (s *splitter) acts(c byte) bool {
	switch c {
	case '#', '~':
		return !s.open
	case '[':
		alone := s.at+1 == len(s.src) || strings.ContainsRune(" \t\n", rune(s.src[s.at+1]))
		return s.open || !alone
	}
	return strings.IndexByte("|><&;*?$`()\n", c) >= 0
}

func refuse(off int, c byte) *expr.Error {
	what := fmt.Sprintf("the shell character %c", c)
	if c == '\n' {
		what = "a line break"
	}
	return &expr.Error{Off: off, Msg: what + " stands outside quotes, and no shell reads this command", Hint: "put it in single quotes, or set shell: true"}
}

func (s *splitter) backslash() *expr.Error {
	if s.at+1 == len(s.src) {
		return &expr.Error{Off: s.at, Msg: "the command ends in a backslash"}
	}
	s.at++
	if s.src[s.at] != '\n' { // a backslash before a line break joins the lines
		s.add(s.at)
	}
	s.at++
	return nil
}

func (s *splitter) single() *expr.Error {
	start := s.at
	s.open = true
	for s.at++; s.at < len(s.src); s.at++ {
		if s.src[s.at] == '\'' {
			s.at++
			return nil
		}
		s.add(s.at)
	}
	return &expr.Error{Off: start, Msg: "the single quote is never closed"}
}

// double reads a text in double quotes. There a shell would still act on
// $ and `, so these are refused, too.
func (s *splitter) double() *expr.Error {
	start := s.at
	s.open = true
	for s.at++; s.at < len(s.src); s.at++ {
		switch c := s.src[s.at]; {
		case c == '"':
			s.at++
			return nil
		case c == '$' || c == '`':
			return &expr.Error{Off: s.at, Msg: fmt.Sprintf("the shell character %c stands in double quotes, and no shell reads this command", c), Hint: "put it in single quotes, or set shell: true"}
		case c == '\\' && s.at+1 < len(s.src) && strings.IndexByte("\"\\$`\n", s.src[s.at+1]) >= 0:
			if s.at++; s.src[s.at] != '\n' {
				s.add(s.at)
			}
		default:
			s.add(s.at)
		}
	}
	return &expr.Error{Off: start, Msg: "the double quote is never closed"}
}

// braces takes {{, or a whole {…} with the blanks, quotes and parentheses in
// it.
func (s *splitter) braces() {
	n := 2
	if !strings.HasPrefix(s.src[s.at:], "{{") {
		n = expr.Braces(s.src[s.at:])
	}
	for range max(n, 1) {
		s.add(s.at)
		s.at++
	}
}

// assignment refuses NAME=VALUE as the first word, which only a shell takes
// for a variable.
func assignment(first argument) *expr.Error {
	name, _, ok := strings.Cut(first.text, "=")
	if ok && expr.ValidName(strings.ToLower(strings.TrimLeft(name, "_"))) {
		return &expr.Error{Off: first.offs[0], Msg: fmt.Sprintf("%s sets a variable only in a shell", first.text), Hint: "write env: {" + name + ": …}, or set shell: true"}
	}
	return nil
}
