package experiment

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v4"

	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
)

// origin says where a text stands: in which node, and which byte of the
// node's value each byte of the text is. offs nil: the text is the value.
type origin struct {
	node *yaml.Node
	offs []int
}

// place is the position in the file of a byte of a text.
func (r *reader) place(o origin, off int) diag.Pos {
	if o.node == nil {
		return diag.Pos{File: r.file, Line: 1}
	}
	if o.offs != nil {
		off = o.offs[min(max(off, 0), len(o.offs)-1)]
	}
	return r.within(o.node, off)
}

// problem adds an error of package expr at its place in a text.
func (r *reader) problem(o origin, err error) {
	e, ok := errors.AsType[*expr.Error](err)
	if !ok {
		e = &expr.Error{Msg: err.Error()}
	}
	r.Errorf(r.place(o, e.Off), "%s", e.Msg)
	if e.Hint != "" {
		r.Hint("%s", e.Hint)
	}
}

// within is the position of a byte of a scalar's value. It walks through the
// source beside the value, since quotes, escapes, indentation and folded
// lines make the two differ.
func (r *reader) within(n *yaml.Node, off int) diag.Pos {
	w := walker{lines: r.lines, line: n.Line - 1, col: n.Column - 1}
	switch {
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		w.block = true
		w.nextLine()
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		w.quote = '\''
		if n.Style&yaml.DoubleQuotedStyle != 0 {
			w.quote = '"'
		}
		w.col++
	}
	for i, c := range n.Value {
		if i >= off {
			break
		}
		w.step(c)
	}
	w.settle()
	return diag.Pos{File: r.file, Line: w.line + 1, Col: w.col + 1}
}

// walker is a place in the source that moves along with a value.
type walker struct {
	lines     []string
	line, col int // from 0; col in characters
	quote     rune
	block     bool
}

func (w *walker) rest() []rune {
	if w.line >= len(w.lines) {
		return nil
	}
	line := []rune(w.lines[w.line])
	return line[min(w.col, len(line)):]
}

// nextLine goes to the first character of the next line that is not blank.
func (w *walker) nextLine() {
	for w.line+1 < len(w.lines) {
		w.line++
		line := []rune(w.lines[w.line])
		w.col = len(line) - len([]rune(strings.TrimLeft(w.lines[w.line], " \t")))
		if w.col < len(line) {
			return
		}
	}
}

// settle leaves the end of a line where the value goes on in the next one.
func (w *walker) settle() {
	if w.quote == '"' && string(w.rest()) == `\` {
		w.nextLine()
	}
}

// step moves past what the source has for one character of the value.
func (w *walker) step(c rune) {
	w.settle()
	rest := w.rest()
	if folded := strings.TrimSpace(string(rest)) == ""; folded && (c == ' ' || c == '\n') {
		w.nextLine()
		return
	}
	if len(rest) == 0 {
		return
	}
	switch {
	case c == '\n' && rest[0] != '\\':
		return // a further blank line of the same break
	case w.quote == '\'' && rest[0] == '\'':
		w.col += 2
	case w.quote == '"' && rest[0] == '\\' && len(rest) > 1:
		w.col += 2 + map[rune]int{'x': 2, 'u': 4, 'U': 8}[rest[1]]
	default:
		w.col++
	}
}

// comment is the place of a comment that directly follows a plain scalar on
// its last line; false where there is none.
func (r *reader) comment(n *yaml.Node) (diag.Pos, bool) {
	const marked = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Style&marked != 0 || n.Value == "" {
		return diag.Pos{}, false
	}
	end := r.within(n, len(n.Value))
	if end.Line < 1 || end.Line > len(r.lines) {
		return diag.Pos{}, false
	}
	line := []rune(r.lines[end.Line-1])
	tail := line[min(end.Col-1, len(line)):]
	blanks := len(tail) - len([]rune(strings.TrimLeft(string(tail), " \t")))
	return end.Shift(blanks), blanks > 0 && blanks < len(tail) && tail[blanks] == '#'
}
