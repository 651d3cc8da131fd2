package markup

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Markdown is the writeup's own text with each role and directive replaced:
// all else stays byte for byte as it was written, except that raw HTML is
// escaped, refused links are text, and headings whose text comes from data
// get an anchor.
func (w *Writeup) Markdown(p Parts) string {
	whole := text.NewSegments()
	whole.Append(text.NewSegment(w.Head, len(w.Text)))
	return splice(w.Text, whole, w.edits(w.Root, p))
}

// InlineMarkdown is the text of a directive's body, in one line.
func (w *Writeup) InlineMarkdown(n ast.Node, p Parts) string {
	var parts []string
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() == ast.TypeBlock {
			t := splice(w.Text, c.Lines(), w.edits(c, p))
			parts = append(parts, strings.Join(strings.Fields(t), " "))
		}
	}
	return strings.Join(parts, "<br>")
}

// edit replaces the bytes from start to stop.
type edit struct {
	start, stop int
	text        string
}

// splice is the text of the segments with the edits made.
func splice(src []byte, segments *text.Segments, edits []edit) string {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	at := 0
	for _, seg := range segments.Sliced(0, segments.Len()) {
		at = max(at, seg.Start)
		for len(edits) > 0 && edits[0].start < seg.Stop {
			e := edits[0]
			edits = edits[1:]
			if e.start < at {
				continue
			}
			b.Write(src[at:e.start])
			b.WriteString(e.text)
			at = e.stop
		}
		if at < seg.Stop {
			b.Write(src[at:seg.Stop])
			at = seg.Stop
		}
	}
	return b.String()
}

// edits are the replacements within a node.
func (w *Writeup) edits(n ast.Node, p Parts) []edit {
	var list []edit
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch c := c.(type) {
		case *Role:
			list = append(list, edit{c.Start, c.Stop, p.Role(c)})
		case *Directive:
			if c.Holds() {
				list = append(list, w.around(c, p)...)
				return ast.WalkContinue, nil
			}
			before, after := w.apart(c)
			list = append(list, edit{c.Start, c.Stop, w.nested(c.Start, before+p.Directive(c)+after)})
			return ast.WalkSkipChildren, nil
		case *ast.RawHTML:
			list = append(list, w.escaped(c.Segments, false)...)
		case *ast.HTMLBlock:
			lines := text.NewSegments()
			lines.AppendAll(c.Lines().Sliced(0, c.Lines().Len()))
			if c.HasClosure() {
				lines.Append(c.ClosureLine)
			}
			list = append(list, w.escaped(lines, true)...)
		case *ast.Heading:
			list = append(list, w.anchor(c)...)
		case *ast.Link, *ast.Image, *ast.AutoLink:
			list = append(list, w.unlink(c, p)...)
		}
		return ast.WalkContinue, nil
	})
	return list
}

// around sets what a directive holds between two texts, each with a blank
// line towards it.
func (w *Writeup) around(d *Directive, p Parts) []edit {
	before, after := p.Around(d)
	above, below := w.apart(d)
	list := []edit{{d.Start, d.headEnd, w.nested(d.Start, above+strings.TrimRight(before, "\n")+"\n")}}
	if d.closeAt >= 0 {
		list = append(list, edit{d.closeAt, d.Stop, w.nested(d.Start, "\n"+strings.Trim(after, "\n")+below)})
	}
	return list
}

// apart is a line end before or after what a directive becomes, where a line
// of text touches its fence: else that line would become a row of the table,
// a part of the last paragraph, or raw HTML.
func (w *Writeup) apart(d *Directive) (above, below string) {
	const around = " \t>"
	start := lineStart(w.Text, d.Start)
	marker := strings.Trim(string(w.Text[start:d.Start]), around) // of a list's item
	if start > w.Head && marker == "" && strings.Trim(string(w.Text[lineStart(w.Text, start-1):start-1]), around) != "" {
		above = "\n"
	}
	end := endOfLine(w.Text, d.Stop)
	if _, directive := d.NextSibling().(*Directive); directive || end == len(w.Text) {
		return above, "" // that one looks above itself
	}
	next := strings.Trim(string(w.Text[end+1:endOfLine(w.Text, end+1)]), around)
	if next != "" && (d.Holds() || !item.MatchString(next)) {
		below = "\n"
	}
	return above, below
}

// item begins a list's item, which ends a table and a paragraph by itself.
var item = regexp.MustCompile(`^([-+*]|\d+[.)])[ \t]`)

// lineStart is where the line that holds an offset begins.
func lineStart(src []byte, off int) int { return bytes.LastIndexByte(src[:off], '\n') + 1 }

// nested gives each further line of a block the prefix of its first, so that
// it stays within the quotes and lists that the block stands in.
func (w *Writeup) nested(at int, block string) string {
	prefix := strings.Map(func(r rune) rune {
		if r == '>' || r == '\t' {
			return r
		}
		return ' '
	}, string(w.Text[lineStart(w.Text, at):at]))
	return strings.ReplaceAll(block, "\n", "\n"+prefix)
}

// escaped shows raw HTML as text, line by line, without its comments.
func (w *Writeup) escaped(segments *text.Segments, block bool) []edit {
	var list []edit
	var all strings.Builder
	for _, seg := range segments.Sliced(0, segments.Len()) {
		all.Write(w.Text[seg.Start:seg.Stop])
	}
	if kept := withoutComments(all.String()); len(kept) != all.Len() {
		// With a comment in it the raw text is short; it moves to its first line.
		for i, seg := range segments.Sliced(0, segments.Len()) {
			t := ""
			if i == 0 {
				t = escapeLines(kept, block)
			}
			list = append(list, edit{seg.Start, seg.Stop, t})
		}
		return list
	}
	for _, seg := range segments.Sliced(0, segments.Len()) {
		list = append(list, edit{seg.Start, seg.Stop, escapeLines(string(w.Text[seg.Start:seg.Stop]), block)})
	}
	return list
}

// escapeLines escapes text; of a block also its leading blanks go, which
// could make it code.
func escapeLines(s string, block bool) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if block {
			l = strings.TrimSpace(l)
		}
		if strings.TrimSpace(l) != "" {
			lines[i] = Escape(l)
		} else {
			lines[i] = l
		}
	}
	return strings.Join(lines, "\n")
}

// anchor stands before a heading that has a number, or whose text changes with
// the data, since code hosts make the anchor from the text. The number stands
// before the text.
func (w *Writeup) anchor(n *ast.Heading) []edit {
	h := w.headings[n]
	if h == nil || h.ID == "" || !h.Roles && h.Number == "" {
		return nil
	}
	list := []edit{{h.Start, h.Start, w.nested(h.Start, `<a id="`+EscapeHTML(h.ID)+`"></a>`+"\n\n")}}
	if lines := n.Lines(); h.Number != "" && lines.Len() > 0 {
		at := lines.At(0).Start
		list = append(list, edit{at, at, h.Number + " "})
	}
	return list
}

// unlink makes a refused link or a missing picture text.
func (w *Writeup) unlink(n ast.Node, p Parts) []edit {
	l := w.linkOf(n)
	refused := l.Refused != "" || l.Image && p.Picture(l) == ""
	if !refused || n.Pos() < 0 {
		return nil
	}
	at := n.Pos()
	list := []edit{{at, at, `\`}}
	if l.Image {
		list = append(list, edit{at + 1, at + 1, `\`})
	}
	return list
}
