package markup

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

// Escape makes text of a stranger into Markdown that shows exactly that text
// in prose and in a table's cell: no markup, no entity, no link, no formula
// is read into it. Line breaks become blanks. It escapes no more than needed,
// so that the Markdown still reads well.
func Escape(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
	var b strings.Builder
	for i, r := range s {
		if special(s, i, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return edges(b.String())
}

// special says whether the character at offset i would mean something.
func special(s string, i int, r rune) bool {
	switch r {
	case '\\', '`', '*', '[', ']', '|', '~', '$':
		return true
	case '<':
		return tagStart.MatchString(s[i:])
	case '_':
		return !(wordBefore(s, i) && wordAfter(s, i+1))
	case '&':
		return entity.MatchString(s[i:])
	case '>', '#':
		return atStart(s, i)
	case '+', '-', '=':
		return atStart(s, i) && marker.MatchString(s[i:])
	case ':':
		return strings.HasPrefix(s[i:], "://")
	case '.', ')':
		return i < 20 && numbered.MatchString(s[:i]) && strings.TrimSpace(s[i+1:min(i+2, len(s))]) == "" ||
			r == '.' && strings.EqualFold(s[max(0, i-3):i], "www")
	case '{':
		return true // a role, where the page is read as a writeup again
	case '@':
		return true
	}
	return false
}

var (
	marker   = regexp.MustCompile(`^([+-]([ \t]|$)|[-= \t]+$|[-][ \t]*[-])`)
	tagStart = regexp.MustCompile(`^<[A-Za-z/!?]`)
	entity   = regexp.MustCompile(`^&(#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);`)
	numbered = regexp.MustCompile(`^\s*[0-9]{1,9}$`)
)

// atStart says whether only blanks stand before an offset.
func atStart(s string, i int) bool {
	for ; i > 0; i-- {
		if s[i-1] != ' ' && s[i-1] != '\t' {
			return false
		}
	}
	return true
}

func wordBefore(s string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

func wordAfter(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// edges keeps blanks at both ends, which Markdown would drop.
func edges(s string) string {
	inner := strings.Trim(s, " \t")
	if inner == s {
		return s
	}
	lead := len(s) - len(strings.TrimLeft(s, " \t"))
	return strings.Repeat("&#32;", lead) + inner + strings.Repeat("&#32;", len(s)-lead-len(inner))
}

// Code makes text into a code span, or into escaped text where a span could
// not show it as it is.
func Code(s string) string {
	if s == "" || strings.TrimSpace(s) != s || strings.ContainsAny(s, "`|\\\n\r") {
		return Escape(s)
	}
	return "`" + s + "`"
}

// Fence makes text into a fenced block, with a fence longer than any run of
// backticks in it.
func Fence(lang, s string) string {
	longest, run := 2, 0
	for _, c := range s {
		if c == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", longest+1)
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return fence + lang + "\n" + s + fence
}

// EscapeHTML makes text safe in HTML's text and in quoted attributes.
func EscapeHTML(s string) string { return htmlText.Replace(s) }

var htmlText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// withoutComments takes HTML comments out of a text; an unfinished one stays.
func withoutComments(s string) string {
	var b strings.Builder
	for {
		before, rest, open := strings.Cut(s, "<!--")
		_, after, closed := strings.Cut(rest, "-->")
		if !open || !closed {
			break
		}
		b.WriteString(before)
		s = after
	}
	return b.String() + s
}

// rawText is the text of an HTML block without its comments.
func (s *Source) rawText(n *ast.HTMLBlock) string {
	t := string(n.Lines().Value(s.Text))
	if n.HasClosure() {
		t += string(n.ClosureLine.Value(s.Text))
	}
	return strings.Trim(withoutComments(t), "\n")
}
