package markup

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Run is the text of one paragraph, heading, table cell or caption as its
// writer typed it. Code, roles and what stands in quotation marks are blanks.
type Run struct {
	Text   string
	pieces []piece
}

// Source is the byte offset in the writeup of an offset in the run.
func (r Run) Source(off int) int {
	return sourceOf(r.pieces, off, 0)
}

// Prose is all that the writer of a writeup says in words of their own, in
// the order of the text: without code, without quotations, and without what a
// directive's own lines say.
func (w *Writeup) Prose() []Run {
	var runs []Run
	_ = ast.Walk(w.Root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n.Kind() {
		case ast.KindCodeBlock, ast.KindFencedCodeBlock, ast.KindHTMLBlock:
			return ast.WalkSkipChildren, nil
		case ast.KindBlockquote:
			if alert(n) == "" {
				return ast.WalkSkipChildren, nil
			}
		}
		if first := n.FirstChild(); first != nil && first.Type() == ast.TypeInline {
			runs = append(runs, w.run(n))
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return runs
}

// run joins the text that a block holds.
func (w *Writeup) run(block ast.Node) Run {
	var r Run
	var b strings.Builder
	_ = ast.Walk(block, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *Role, *ast.CodeSpan, *ast.AutoLink, *ast.RawHTML, *ast.Image:
			b.WriteString(gap)
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			r.pieces = append(r.pieces, piece{b.Len(), n.Segment.Start})
			b.Write(n.Segment.Value(w.Text))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	r.Text = string(withoutQuotes([]byte(b.String())))
	return r
}

// Raw is the raw HTML of the writeup, which is shown as text. Comments, which
// are not shown, are blanks.
func (w *Writeup) Raw() []Run {
	var runs []Run
	_ = ast.Walk(w.Root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.HTMLBlock:
			if entering {
				lines := slices.Clone(n.Lines().Sliced(0, n.Lines().Len()))
				if n.HasClosure() {
					lines = append(lines, n.ClosureLine)
				}
				runs = append(runs, w.segments(lines))
			}
		case *ast.RawHTML:
			if entering {
				runs = append(runs, w.segments(n.Segments.Sliced(0, n.Segments.Len())))
			}
		}
		return ast.WalkContinue, nil
	})
	return runs
}

// segments joins pieces of the writeup without the comments in them.
func (w *Writeup) segments(list []text.Segment) Run {
	var r Run
	var b strings.Builder
	for _, s := range list {
		r.pieces = append(r.pieces, piece{b.Len(), s.Start})
		b.Write(w.Text[s.Start:s.Stop])
	}
	r.Text = comment.ReplaceAllStringFunc(b.String(), func(c string) string { return strings.Repeat(" ", len(c)) })
	return r
}

var comment = regexp.MustCompile(`(?s)<!--.*?-->`)

// gap stands for what is no prose. It is no blank, so that what stands before
// and after is never read as one.
const gap = "\uFFFC"

var quotes = [][2]string{{"“", "”"}, {"„", "“"}, {"«", "»"}, {`"`, `"`}}

// withoutQuotes makes blanks of what stands in quotation marks.
func withoutQuotes(text []byte) []byte {
	for _, q := range quotes {
		open, end := []byte(q[0]), []byte(q[1])
		for from := 0; ; {
			i := bytes.Index(text[from:], open)
			if i < 0 {
				break
			}
			i += from
			j := bytes.Index(text[i+len(open):], end)
			if j < 0 {
				break
			}
			from = i + len(open) + j + len(end)
			for k := i; k < from; k++ {
				text[k] = ' '
			}
		}
	}
	return text
}
