package expr

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind sorts the words of an expression.
type tokenKind int

const (
	tokEnd tokenKind = iota
	tokNumber
	tokText // in double quotes; text holds the unquoted text
	tokName
	tokOp // operators, parentheses, comma, and the words and, or, not
)

type token struct {
	kind tokenKind
	text string
	off  int
}

// operators are all signs of an expression, longer ones before their
// beginnings.
var operators = []string{"==", "!=", "<=", ">=", "//", "<", ">", "+", "-", "*", "/", "%", "(", ")", ","}

// lex splits an expression into tokens, with one tokEnd last.
func lex(src string) ([]token, error) {
	var tokens []token
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRuneInString(src[i:])
		if unicode.IsSpace(r) {
			i += size
			continue
		}
		t, n, err := next(src[i:], i)
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, t)
		i += n
	}
	return append(tokens, token{off: len(src)}), nil
}

// next reads the token at the start of s, which begins at off, and its length.
func next(s string, off int) (token, int, error) {
	if s[0] == '"' {
		text, n, err := unquote(s, off)
		return token{tokText, text, off}, n, err
	}
	if n := scanNumber(s); n > 0 {
		if n < len(s) && (isWord(s[n]) || s[n] == '.') {
			return token{}, 0, errorAt(off, "cannot read %q: neither a number nor a name", wordAt(s))
		}
		return token{tokNumber, s[:n], off}, n, nil
	}
	if n := scanName(s); n > 0 {
		kind := tokName
		if w := s[:n]; w == "and" || w == "or" || w == "not" {
			kind = tokOp
		}
		return token{kind, s[:n], off}, n, nil
	}
	for _, op := range operators {
		if strings.HasPrefix(s, op) {
			return token{tokOp, op, off}, len(op), nil
		}
	}
	return token{}, 0, unexpectedSign(s, off)
}

// unexpectedSign words the error for a sign that no expression has; some
// come from other languages, and the hint says what is meant.
func unexpectedSign(s string, off int) *Error {
	for _, w := range []struct{ sign, hint string }{
		{"&&", "write and"}, {"||", "write or"}, {"!", "write not"},
		{"=", "write == to compare"}, {"^", "there is no power; multiply"}, {"'", "texts stand in double quotes"},
	} {
		if strings.HasPrefix(s, w.sign) {
			return errorAt(off, "unexpected %q", w.sign).hint("%s", w.hint)
		}
	}
	r, _ := utf8.DecodeRuneInString(s)
	return errorAt(off, "unexpected %q", r)
}

// scanName is the length of the name at the start of s: a word, and further
// words after dots, such as latency.p99. It takes capital letters too, since
// the columns that a workload reports are named by the workload.
func scanName(s string) int {
	if s == "" || !isWord(s[0]) || '0' <= s[0] && s[0] <= '9' {
		return 0
	}
	n := 0
	for {
		for n < len(s) && isWord(s[n]) {
			n++
		}
		if n+1 >= len(s) || s[n] != '.' || !isWord(s[n+1]) {
			return n
		}
		n++
	}
}

func isWord(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// wordAt is the run of word characters and dots at the start of s.
func wordAt(s string) string {
	n := 0
	for n < len(s) && (isWord(s[n]) || s[n] == '.') {
		n++
	}
	return s[:n]
}

// unquote reads the text in double quotes at the start of s, which begins at
// off; \" \\ \n \t are its escapes. It returns the text and the length of
// the quoted form.
func unquote(s string, off int) (string, int, error) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; c {
		case '"':
			return b.String(), i + 1, nil
		case '\\':
			i++
			if i == len(s) {
				break
			}
			plain, ok := map[byte]byte{'"': '"', '\\': '\\', 'n': '\n', 't': '\t'}[s[i]]
			if !ok {
				return "", 0, errorAt(off+i-1, "unknown escape %q", s[i-1:i+1]).hint(`known: \" \\ \n \t`)
			}
			b.WriteByte(plain)
		default:
			b.WriteByte(c)
		}
	}
	return "", 0, errorAt(off, "the double quote is never closed")
}

// quote is the form that unquote reads back.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
}
