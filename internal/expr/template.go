package expr

import (
	"errors"
	"slices"
	"strings"
)

// Template is a parsed string with `{…}`.
type Template struct {
	src    string
	pieces []piece
}

// piece is literal text, or an expression that begins at off in the
// template, just after its brace.
type piece struct {
	text string
	expr *Expr
	off  int
}

// ParseTemplate reads a string with `{NAME}` and `{EXPRESSION}`; `{{` and
// `}}` are braces. A `{…}` that cannot be read, or that mentions no name (as
// the {5} of a regular expression), is an error.
func ParseTemplate(src string) (*Template, error) {
	t := &Template{src: src}
	var text strings.Builder
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case (c == '{' || c == '}') && strings.HasPrefix(src[i+1:], string(c)):
			text.WriteByte(c)
			i += 2
		case c == '}':
			return nil, errorAt(i, "a brace } that closes nothing").hint("write }} for a brace")
		case c == '{':
			p, n, err := parsePiece(src[i:], i)
			if err != nil {
				return nil, err
			}
			t.pieces = append(t.pieces, piece{text: text.String()}, p)
			text.Reset()
			i += n
		default:
			text.WriteByte(c)
			i++
		}
	}
	t.pieces = append(t.pieces, piece{text: text.String()})
	return t, nil
}

// parsePiece reads the `{…}` at the start of s, which begins at off, and its
// length.
func parsePiece(s string, off int) (piece, int, error) {
	end := closing(s)
	if end < 0 {
		return piece{}, 0, errorAt(off, "the brace { is never closed").hint("write {{ for a brace")
	}
	e, err := Parse(s[1:end])
	if err != nil {
		inner := asError(err)
		return piece{}, 0, errorAt(off+1+inner.Off, "cannot read %q: %s", s[:end+1], inner.Msg).hint("%swrite {{ for a brace", semicolon(inner.Hint))
	}
	if len(e.names) == 0 {
		return piece{}, 0, errorAt(off, "%q mentions no name", s[:end+1]).hint("write {{ for a brace")
	}
	return piece{expr: e, off: off + 1}, end + 1, nil
}

// closing is the index of the brace that closes the one at the start of s,
// outside double quotes; -1 where there is none.
func closing(s string) int {
	quoted := false
	for i := 1; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == '}' && !quoted:
			return i
		}
	}
	return strings.IndexByte(s, '}') // a quote that stands open is told by Parse
}

func semicolon(hint string) string {
	if hint == "" {
		return ""
	}
	return hint + "; or "
}

// asError is an error of this package as what it is.
func asError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{Msg: err.Error()}
}

// String is the template as written.
func (t *Template) String() string { return t.src }

// Names are the names used, in the order of the text, repeats included.
func (t *Template) Names() []Name {
	var names []Name
	for _, p := range t.pieces {
		if p.expr == nil {
			continue
		}
		for _, n := range p.expr.names {
			names = append(names, Name{n.Name, p.off + n.Off})
		}
	}
	return names
}

// Expand is the text with every `{…}` replaced: `{NAME}` by the value as
// written, other expressions by the shortest decimal of their number.
func (t *Template) Expand(env Env) (string, error) {
	var b strings.Builder
	for _, p := range t.pieces {
		s, err := p.expand(env)
		if err != nil {
			return "", err
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

func (p piece) expand(env Env) (string, error) {
	if p.expr == nil {
		return p.text, nil
	}
	v, err := p.expr.Eval(env)
	if err != nil {
		inner := asError(err)
		return "", &Error{Off: p.off + inner.Off, Msg: inner.Msg + ` in "{` + p.expr.src + `}"`, Hint: inner.Hint}
	}
	if v.Kind == KindBool {
		return "", errorAt(p.off, "%q is a truth value, not a text", "{"+p.expr.src+"}").hint("write if(condition, a, b)")
	}
	return v.Text, nil
}

var doubled = strings.NewReplacer("{", "{{", "}", "}}")

// Partial is Expand for what is known early: expressions that mention a late
// name stay as written, followed by the values of the early names in them,
// sorted: {share(calls, clients, client) where calls=1000 clients=4}. Braces
// of the text and of values are doubled, so that two different commands
// never give one text. Identities are hashed from it, so it must not change.
// TestPartialPinned guards it.
func (t *Template) Partial(env Env, late func(name string) bool) (string, error) {
	var b strings.Builder
	for _, p := range t.pieces {
		if p.expr != nil && slices.ContainsFunc(p.expr.names, func(n Name) bool { return late(n.Name) }) {
			s, err := p.known(env, late)
			if err != nil {
				return "", err
			}
			b.WriteString(s)
			continue
		}
		s, err := p.expand(env)
		if err != nil {
			return "", err
		}
		b.WriteString(doubled.Replace(s))
	}
	return b.String(), nil
}

// known is an expression with late names as Partial leaves it.
func (p piece) known(env Env, late func(name string) bool) (string, error) {
	var terms []string
	for _, n := range p.expr.names {
		if late(n.Name) {
			continue
		}
		v, ok := env(n.Name)
		if !ok {
			return "", errorAt(p.off+n.Off, "unknown name %q in %q", n.Name, "{"+p.expr.src+"}")
		}
		terms = append(terms, n.Name+"="+QuoteLevel(v.Text))
	}
	if len(terms) == 0 {
		return "{" + p.expr.src + "}", nil
	}
	slices.Sort(terms)
	return "{" + p.expr.src + " where " + strings.Join(slices.Compact(terms), " ") + "}", nil
}

// Braces is the length of the `{…}` at the start of s, up to the brace that
// closes it outside double quotes; 0 where none does.
func Braces(s string) int { return closing(s) + 1 }
