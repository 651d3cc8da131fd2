package markup

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"fieldbook/internal/diag"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// Source is the text of a writeup and the way from a byte offset to a place.
type Source struct {
	File  string
	Text  []byte // line ends are \n, the front matter is blanked
	Head  int    // where the writeup proper begins
	lines []int  // offset of each line's first byte
	begun []int  // how many characters begin before each multiple of stride
}

// stride is how far apart the offsets are up to which characters are counted.
const stride = 1024

// newSource prepares a text for parsing without moving anything to another
// line or column: a byte order mark and carriage returns at line ends go,
// what is no UTF-8 and NUL become U+FFFD.
func newSource(file string, src []byte, head int) Source {
	body := Clean(src[min(head, len(src)):])
	s := Source{File: file}
	for range bytes.Count(src[:min(head, len(src))], []byte{'\n'}) {
		s.Text = append(s.Text, '\n')
	}
	s.Head = len(s.Text)
	s.Text = append(s.Text, body...)
	s.lines = []int{0}
	n := 0
	for i, c := range s.Text {
		if i%stride == 0 {
			s.begun = append(s.begun, n)
		}
		n += begins(c)
		if c == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

// Clean makes text of bytes: valid UTF-8, lines that end in \n, no byte order
// mark, and U+FFFD for each control character that is neither tab nor newline.
func Clean(src []byte) []byte {
	t := strings.ToValidUTF8(string(src), "\uFFFD")
	t = strings.TrimPrefix(t, "\uFEFF")
	t = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(t)
	return []byte(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || r == '\uFFFE' || r == '\uFFFF' {
			return '\uFFFD'
		}
		return r
	}, t))
}

// foreign is where a writeup's bytes first are no UTF-8, with the way out.
// The rest is shown with U+FFFD in their place.
func (s *Source) foreign(body []byte) (flaw, bool) {
	if wide := len(body) > 1 && (body[0] == 0) != (body[1] == 0); wide ||
		bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff")) {
		return flaw{s.Head, "the file is UTF-16, want UTF-8", "save it as UTF-8"}, true
	}
	for i := 0; i < len(body); {
		r, size := utf8.DecodeRune(body[i:])
		if r == utf8.RuneError && size == 1 {
			return flaw{s.Head + len(Clean(body[:i])), fmt.Sprintf("the byte 0x%02x is not UTF-8", body[i]), "save the file as UTF-8"}, true
		}
		i += size
	}
	return flaw{}, false
}

// Pos is the place of a byte offset.
func (s *Source) Pos(off int) diag.Pos {
	off = max(0, min(off, len(s.Text)))
	line := sort.SearchInts(s.lines, off+1) - 1
	return diag.Pos{File: s.File, Line: line + 1, Col: s.characters(off) - s.characters(s.lines[line]) + 1}
}

// characters counts those that begin before an offset.
func (s *Source) characters(off int) int {
	n, rest := s.counted(off)
	for _, c := range rest {
		n += begins(c)
	}
	return n
}

// counted is how many characters begin before some bytes in front of an offset,
// and those bytes, fewer than stride, which are left to count.
func (s *Source) counted(off int) (int, []byte) {
	k := min(off/stride, len(s.begun)-1)
	if k < 0 {
		return 0, nil
	}
	return s.begun[k], s.Text[k*stride : off]
}

// begins is 1 for the first byte of a character in UTF-8, else 0.
func begins(c byte) int {
	if c&0xc0 == 0x80 {
		return 0
	}
	return 1
}

// Line is the text of a line, counted from 1, without its end.
func (s *Source) Line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	rest := s.Text[s.lines[n-1]:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	return string(rest)
}

// unescape is the text that a piece of Markdown text shows.
func unescape(b []byte) []byte {
	return util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(b)))
}

// Plain is the text that a node shows, without markup and without roles.
func (s *Source) Plain(n ast.Node) string {
	return s.PlainWith(n, func(*Role) string { return "" })
}

// PlainWith is Plain with a text for each role.
func (s *Source) PlainWith(n ast.Node, role func(*Role) string) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch c := c.(type) {
		case *Role:
			b.WriteString(role(c))
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			b.Write(unescape(c.Value(s.Text)))
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(c.Value)
		case *ast.AutoLink:
			b.Write(c.Label(s.Text))
		case *ast.RawHTML:
			b.WriteString(withoutComments(string(c.Segments.Value(s.Text))))
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}
