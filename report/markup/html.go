package markup

import (
	"bytes"
	"fmt"
	gohtml "html"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// Parts says what stands in the place of roles, directives and pictures, in
// the language that is being rendered.
type Parts interface {
	Role(*Role) string
	Directive(*Directive) string
	// Around gives what stands before and after the blocks that a directive
	// holds, in the place of Directive.
	Around(*Directive) (before, after string)
	// Picture gives the address of a picture, or "" where there is none.
	Picture(*Link) string
}

// HTML renders a node with all that it holds; the root is the whole writeup.
func (w *Writeup) HTML(n ast.Node, p Parts) string {
	var b bytes.Buffer
	// The writer is a buffer and the renderers give no error of their own.
	down := slices.ContainsFunc(w.Headings, func(h *Heading) bool { return h.Level == 1 })
	_ = w.renderer(p, down).Render(&b, w.Text, n)
	return b.String()
}

// InlineHTML renders what a directive's body or a paragraph holds, without
// the paragraph itself; several paragraphs are set apart by a line break.
func (w *Writeup) InlineHTML(n ast.Node, p Parts) string {
	var b bytes.Buffer
	r := w.renderer(p, false)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() == ast.TypeBlock {
			if b.Len() > 0 {
				b.WriteString("<br>")
			}
			b.WriteString(w.InlineHTML(c, p))
			continue
		}
		_ = r.Render(&b, w.Text, c)
	}
	return b.String()
}

func (w *Writeup) renderer(p Parts, down bool) renderer.Renderer {
	return renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(&htmlRenderer{w, p, down, map[string]int{}}, 100),
		util.Prioritized(extension.NewFootnoteHTMLRenderer(extension.WithFootnoteBacklinkTitle("back to the text")), 500),
		util.Prioritized(extension.NewTableHTMLRenderer(), 500),
		util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
		util.Prioritized(html.NewRenderer(), 1000),
	))
}

// htmlRenderer renders what goldmark does not know, or renders less well.
type htmlRenderer struct {
	w    *Writeup
	p    Parts
	down bool // headings move down by one level
	// regions counts the names of tables.
	regions map[string]int
}

// RegisterFuncs implements renderer.NodeRenderer.
func (h *htmlRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(KindRole, h.role)
	reg.Register(KindDirective, h.directive)
	reg.Register(ast.KindHeading, h.heading)
	reg.Register(ast.KindRawHTML, h.rawHTML)
	reg.Register(ast.KindHTMLBlock, h.htmlBlock)
	reg.Register(ast.KindLink, h.link)
	reg.Register(ast.KindAutoLink, h.autoLink)
	reg.Register(ast.KindImage, h.image)
	reg.Register(ast.KindBlockquote, h.blockquote)
	reg.Register(ast.KindCodeBlock, h.code)
	reg.Register(ast.KindFencedCodeBlock, h.code)
	reg.Register(extast.KindTable, h.table)
	reg.Register(extast.KindTableCell, h.cell)
	reg.Register(extast.KindTaskCheckBox, h.checkBox)
}

func (h *htmlRenderer) role(b util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = b.WriteString(h.p.Role(n.(*Role)))
	}
	return ast.WalkSkipChildren, nil
}

func (h *htmlRenderer) directive(b util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	d := n.(*Directive)
	if d.Holds() {
		before, after := h.p.Around(d)
		_, _ = b.WriteString(map[bool]string{true: before, false: after}[entering])
		return ast.WalkContinue, nil
	}
	if entering {
		_, _ = b.WriteString(h.p.Directive(d))
	}
	return ast.WalkSkipChildren, nil
}

// heading has no level 1, which is the page's title: where the text has
// sections of level 1, all of them move down by one.
func (h *htmlRenderer) heading(b util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	level := max(2, n.(*ast.Heading).Level)
	if h.down {
		level = min(6, n.(*ast.Heading).Level+1)
	}
	if !entering {
		_, _ = fmt.Fprintf(b, "</h%d>\n", level)
		return ast.WalkContinue, nil
	}
	id, number := "", ""
	if head := h.w.headings[n]; head != nil && head.ID != "" {
		id = ` id="` + EscapeHTML(head.ID) + `"`
		if head.Number != "" {
			number = `<span class="secno">` + head.Number + `</span> `
		}
	}
	_, _ = fmt.Fprintf(b, "<h%d%s>%s", level, id, number)
	return ast.WalkContinue, nil
}

func (h *htmlRenderer) rawHTML(b util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = b.WriteString(EscapeHTML(withoutComments(string(n.(*ast.RawHTML).Segments.Value(src)))))
	}
	return ast.WalkSkipChildren, nil
}

func (h *htmlRenderer) htmlBlock(b util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if t := h.w.rawText(n.(*ast.HTMLBlock)); entering && len(bytes.TrimSpace([]byte(t))) > 0 {
		_, _ = b.WriteString(`<p class="raw">` + EscapeHTML(t) + "</p>\n")
	}
	return ast.WalkSkipChildren, nil
}

func (h *htmlRenderer) link(b util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	l := h.w.linkOf(n)
	switch {
	case l.Refused != "" && entering:
		_, _ = b.WriteString("[")
	case l.Refused != "":
		_, _ = b.WriteString("](" + EscapeHTML(l.Target) + ")")
	case entering:
		_, _ = b.WriteString(`<a href="` + EscapeHTML(inPage(l.Target)) + `"` + title(n.(*ast.Link).Title) + `>`)
	default:
		_, _ = b.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

func title(t []byte) string {
	if len(t) == 0 {
		return ""
	}
	return ` title="` + EscapeHTML(string(unescape(t))) + `"`
}

func (h *htmlRenderer) autoLink(b util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	l, label := h.w.linkOf(n), EscapeHTML(string(n.(*ast.AutoLink).Label(src)))
	if l.Refused != "" {
		_, _ = b.WriteString("&lt;" + label + "&gt;")
		return ast.WalkContinue, nil
	}
	_, _ = b.WriteString(`<a href="` + EscapeHTML(l.Target) + `">` + label + "</a>")
	return ast.WalkContinue, nil
}

func (h *htmlRenderer) image(b util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	l, alt := h.w.linkOf(n), EscapeHTML(h.w.PlainWith(n, h.shown))
	address := ""
	if l.Refused == "" {
		address = h.p.Picture(l)
	}
	if address == "" {
		_, _ = b.WriteString("![" + alt + "](" + EscapeHTML(l.Target) + ")")
	} else {
		_, _ = b.WriteString(`<img src="` + EscapeHTML(address) + `" alt="` + alt + `"` + title(n.(*ast.Image).Title) + `>`)
	}
	return ast.WalkSkipChildren, nil
}

// shown is the text of what a role became, as the alternative to a picture
// has it.
func (h *htmlRenderer) shown(r *Role) string {
	return gohtml.UnescapeString(tag.ReplaceAllString(h.p.Role(r), ""))
}

var tag = regexp.MustCompile(`<[^>]*>`)

// code can be reached by the keyboard, since it scrolls where it is wide.
func (h *htmlRenderer) code(b util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		lang := ""
		if f, ok := n.(*ast.FencedCodeBlock); ok {
			lang = string(f.Language(src))
		}
		_, _ = b.WriteString(`<pre tabindex="0"><code>` + Highlight(lang, string(n.Lines().Value(src))) + "</code></pre>\n")
	}
	return ast.WalkSkipChildren, nil
}

func (h *htmlRenderer) table(b util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		label := h.tableLabel(n)
		_, _ = b.WriteString(`<div class="scroll" tabindex="0" role="region" aria-label="` + EscapeHTML(label) + `"><table>` + "\n")
	} else {
		_, _ = b.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}

// tableLabel names the part of the page that scrolls a table by the heads of
// its columns, told apart from tables before it that have the same heads.
func (h *htmlRenderer) tableLabel(n ast.Node) string {
	label := "table: " + h.w.heads(n)
	if h.regions[label]++; h.regions[label] > 1 {
		label += fmt.Sprintf(" (%d)", h.regions[label])
	}
	return label
}

// heads are the heads of the columns of a table, as plain text.
func (w *Writeup) heads(table ast.Node) string {
	var heads []string
	for cell := table.FirstChild().FirstChild(); cell != nil; cell = cell.NextSibling() {
		heads = append(heads, w.Plain(cell))
	}
	return strings.Join(heads, ", ")
}

func (h *htmlRenderer) cell(b util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tag, scope := "td", ""
	if n.Parent().Kind() == extast.KindTableHeader {
		tag, scope = "th", ` scope="col"`
	}
	if !entering {
		_, _ = b.WriteString("</" + tag + ">\n")
		return ast.WalkContinue, nil
	}
	class := ""
	switch align := n.(*extast.TableCell).Alignment; {
	case LongWord(h.w.Plain(n)):
		class = ` class="long"`
	case align == extast.AlignRight:
		class = ` class="num"`
	case align == extast.AlignCenter:
		class = ` class="mid"`
	}
	_, _ = b.WriteString("<" + tag + scope + class + ">")
	return ast.WalkContinue, nil
}

// LongWord says whether a text has a word that could make a table wider than a
// sheet of paper, so that it has to be broken somewhere.
func LongWord(s string) bool {
	return slices.ContainsFunc(strings.Fields(s), func(word string) bool { return utf8.RuneCountInString(word) > 40 })
}

func (h *htmlRenderer) checkBox(b util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		mark := map[bool]string{true: "☑ ", false: "☐ "}[n.(*extast.TaskCheckBox).IsChecked]
		_, _ = b.WriteString(mark)
	}
	return ast.WalkContinue, nil
}

// blockquote knows the alerts of code hosts: a quote that begins [!NOTE].
func (h *htmlRenderer) blockquote(b util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	kind := alert(n)
	switch {
	case kind == "" && entering:
		_, _ = b.WriteString("<blockquote>\n")
	case kind == "":
		_, _ = b.WriteString("</blockquote>\n")
	case entering:
		_, _ = b.WriteString(`<div class="alert ` + kind + `" role="note" aria-label="` + alertWords[kind] + `"><p class="alert-head">` + alertWords[kind] + "</p>\n")
	default:
		_, _ = b.WriteString("</div>\n")
	}
	return ast.WalkContinue, nil
}
