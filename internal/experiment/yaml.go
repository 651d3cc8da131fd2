package experiment

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"fieldbook/internal/diag"
)

// maxSize is the largest experiment file in bytes. A file that a person
// writes stays far below.
const maxSize = 1 << 20

// reader gathers what is wrong in one file while it is read.
type reader struct {
	file  string
	lines []string // of the source, without line ends
	diag.List

	origins map[any]origin  // templates and expressions -> where they stand
	patched map[[2]int]bool // line and column of values that YAML could not read

	chosenBy map[string][]string // part of the file -> factors of its {by: ...}
	unsure   map[string]bool     // services of which scope or each is wrong
	named    string              // of the commands of the short form, the one that is being read
}

func (r *reader) at(n *yaml.Node) diag.Pos {
	return diag.Pos{File: r.file, Line: n.Line, Col: n.Column}
}

// parse reads the text as one YAML document. Values that YAML refuses for
// their first character are reported and replaced by a filler of the same
// length, so that the rest of the file is still checked. It returns nil
// where the rest cannot be read.
func (r *reader) parse(src []byte) *yaml.Node {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if !r.readable(src) {
		return nil
	}
	r.lines = splitLines(string(src))
	const most = 50
	for range most {
		root, problem := load(src)
		if problem == nil {
			return root
		}
		next, ok := r.patch(src, problem)
		if !ok {
			r.syntax(problem)
			return nil
		}
		src = next
	}
	return nil
}

// readable checks size and encoding.
func (r *reader) readable(src []byte) bool {
	start := diag.Pos{File: r.file, Line: 1}
	switch {
	case len(src) > maxSize:
		r.Errorf(start, "the file has %d bytes, allowed are %d", len(src), maxSize)
		return false
	case bytes.HasPrefix(src, []byte("\xff\xfe")), bytes.HasPrefix(src, []byte("\xfe\xff")),
		len(src) > 1 && (src[0] == 0) != (src[1] == 0):
		r.Errorf(start, "the file is UTF-16, want UTF-8")
		r.Hint("save it as UTF-8")
		return false
	}
	line, col := 1, 1
	for i := 0; i < len(src); {
		c, size := utf8.DecodeRune(src[i:])
		at := diag.Pos{File: r.file, Line: line, Col: col}
		switch {
		case c == utf8.RuneError && size == 1:
			r.Errorf(at, "the byte 0x%02x is not UTF-8", src[i])
			r.Hint("save the file as UTF-8")
			return false
		case c < ' ' && c != '\t' && c != '\n' && c != '\r', c == 0x7f, c > 0x7f && c < 0xa0 && c != 0x85,
			c == 0xfeff, c == 0xfffe, c == 0xffff:
			r.Errorf(at, "the control character %U cannot stand in the file", c)
			return false
		}
		if col++; c == '\n' {
			line, col = line+1, 1
		}
		i += size
	}
	return true
}

// splitLines cuts at the line breaks that YAML knows.
func splitLines(src string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(src), "\n")
}

// unquotable are the characters with which no plain value may begin, since
// they mean something in YAML.
const unquotable = ">|%*&@`!"

// patch reports a value that YAML refuses for its first character or for a
// colon inside, and returns the text with the value replaced by a filler of
// the same length. It says false where the error is of another kind.
func (r *reader) patch(src []byte, e *yaml.LoadError) ([]byte, bool) {
	lines := splitLines(string(src))
	mark := begin(e)
	if mark.Line < 1 || mark.Line > len(lines) {
		return nil, false
	}
	line := []rune(lines[mark.Line-1])
	if mark.Column < 1 || mark.Column > len(line) {
		return nil, false
	}
	from, text := mark.Column-1, ""
	switch start := valueStart(line); {
	case strings.Contains(e.Message, "mapping values are not allowed") && 0 <= start && start < from:
		from, text = start, "a colon followed by a blank inside a plain value"
	case strings.ContainsRune(unquotable, line[from]):
		text = fmt.Sprintf("a plain value begins with %q", line[from])
	default:
		return nil, false
	}
	r.Errorf(diag.Pos{File: r.file, Line: mark.Line, Col: mark.Column}, "%s", text)
	r.Hint("put the value in double quotes")
	r.patched[[2]int{mark.Line, from + 1}] = true
	for i, end := from, valueEnd(line, from); i < end; i++ {
		line[i] = 'x'
	}
	lines[mark.Line-1] = string(line)
	return []byte(strings.Join(lines, "\n")), true
}

// begin is where the piece begins that YAML could not read: for those that
// a character opens, that character.
func begin(e *yaml.LoadError) yaml.Mark {
	for _, opened := range []string{"alias", "anchor", "block scalar", "tag"} {
		if e.ContextMark.Line > 0 && strings.Contains(e.ContextMsg, opened) {
			return e.ContextMark
		}
	}
	return e.Mark
}

// valueStart is the index after the first `key: ` of a line, -1 where the
// line has no such beginning.
func valueStart(line []rune) int {
	for i := 0; i+1 < len(line); i++ {
		if line[i] == ':' && line[i+1] == ' ' {
			for i++; i < len(line) && line[i] == ' '; i++ {
			}
			return i
		}
		if strings.ContainsRune(`"'{[#`, line[i]) {
			return -1
		}
	}
	return -1
}

// valueEnd is the index after the plain value that begins at from: the end
// of the line or a comment, and inside brackets also , ] }.
func valueEnd(line []rune, from int) int {
	flow := strings.ContainsAny(string(line[:from]), "{[")
	for i := from; i < len(line); i++ {
		comment := i+1 < len(line) && line[i] == ' ' && line[i+1] == '#'
		if comment || flow && strings.ContainsRune(",]}", line[i]) {
			return i
		}
	}
	return len(line)
}

// syntax words an error of the YAML parser.
func (r *reader) syntax(e *yaml.LoadError) {
	if len(r.patched) > 0 {
		return // may be a consequence of what is already reported
	}
	mark, text, hint := e.Mark, e.Message, ""
	switch m := e.Message; {
	case errors.Is(e, errSecond):
		text, hint = "a second document begins here", "one file holds one experiment; remove ---"
	case strings.Contains(m, "did not find expected ',' or"), strings.Contains(m, "did not find expected node content"):
		mark = known(e.ContextMark, e.Mark)
		text = fmt.Sprintf("the bracket opened here is not closed, or a comma is missing, up to line %d, column %d", e.Mark.Line, e.Mark.Column)
	case strings.Contains(e.ContextMsg, "quoted scalar") && strings.Contains(m, "end of stream"):
		mark, text = e.ContextMark, "the quote opened here is never closed"
	case strings.Contains(m, "unknown escape"):
		text, hint = "an unknown escape in double quotes", "write \\\\ for a backslash, or use single quotes"
	case strings.Contains(m, "cannot start any token") && r.charAt(mark) == '\t':
		text, hint = "a tab cannot indent", "use blanks"
	case strings.Contains(m, "did not find expected key"), strings.Contains(m, "did not find expected '-'"):
		text, hint = "this line does not fit what stands above it", "check the indentation, and quote a text that begins with a quote or bracket"
	case strings.Contains(m, "mapping values are not allowed"):
		text, hint = "a colon where no key can stand", "check the indentation, or put the value in double quotes"
	}
	r.Errorf(diag.Pos{File: r.file, Line: max(mark.Line, 1), Col: mark.Column}, "cannot read the YAML: %s", text)
	if hint != "" {
		r.Hint("%s", hint)
	}
}

func known(m, or yaml.Mark) yaml.Mark {
	if m.Line > 0 {
		return m
	}
	return or
}

func (r *reader) charAt(m yaml.Mark) rune {
	if m.Line < 1 || m.Line > len(r.lines) {
		return 0
	}
	line := []rune(r.lines[m.Line-1])
	if m.Column < 1 || m.Column > len(line) {
		return 0
	}
	return line[m.Column-1]
}

// isMissing says whether nothing at all was written: `key:` without a value.
func isMissing(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0
}

// kindName is what a node is, for messages.
func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	if isMissing(n) {
		return "missing"
	}
	return fmt.Sprintf("%q", short(n.Value))
}

// short cuts a long text for a message.
func short(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "…"
	}
	return s
}
