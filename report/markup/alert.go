package markup

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

var alertWords = map[string]string{
	"note": "Note", "tip": "Tip", "important": "Important", "warning": "Warning", "caution": "Caution",
}

var alertLine = regexp.MustCompile(`^\[!([A-Za-z]+)\][ \t]*\n?$`)

// markAlert finds out which of the five alerts of code hosts a quote is,
// takes the mark out of the quote and notes the kind as its attribute.
func (w *Writeup) markAlert(quote ast.Node) {
	p, ok := quote.FirstChild().(*ast.Paragraph)
	if !ok || p.Lines().Len() == 0 {
		return
	}
	first := p.Lines().At(0)
	m := alertLine.FindSubmatch(first.Value(w.Text))
	if m == nil || alertWords[strings.ToLower(string(m[1]))] == "" {
		w.strayAlert(first.Value(w.Text), first.Start)
		return
	}
	quote.SetAttributeString("alert", strings.ToLower(string(m[1])))
	for c := p.FirstChild(); c != nil; {
		next := c.NextSibling()
		if t, ok := c.(*ast.Text); ok && t.Segment.Start < first.Stop {
			p.RemoveChild(p, c)
		}
		c = next
	}
	if !p.HasChildren() {
		quote.RemoveChild(quote, p)
	}
}

// alert is the kind that markAlert noted, or "".
func alert(quote ast.Node) string {
	kind, _ := quote.AttributeString("alert")
	s, _ := kind.(string)
	return s
}
