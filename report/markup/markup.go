// Package markup reads a writeup: Markdown with roles, {name}`text`, and
// fenced directives. It knows where each of them stands and how prose becomes
// HTML and Markdown again, with something else in the place of every role and
// directive; what that is, the caller decides. It knows no experiment and no
// number, and it lets no markup through that a writeup brings along: raw HTML
// is shown as the text that it is.
package markup

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"fieldbook/internal/diag"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Writeup is a parsed writeup.
type Writeup struct {
	Source
	Root        ast.Node
	Roles       []*Role      // in the order of the text
	Directives  []*Directive // in the order of the text
	Headings    []*Heading   // in the order of the text
	Links       []*Link      // links and images, in the order of the text
	Fences      []CodeFence  // blocks of code between fences, in the order of the text
	Definitions []Definition // of links, in the order of the text
	// Refused says why nothing but the front matter was read; empty: all was.
	Refused string

	flaws    []flaw
	links    map[ast.Node]*Link
	headings map[ast.Node]*Heading
	referred map[string]bool // labels of definitions, as links compare them
}

// Heading is a heading with the id that AssignIDs gave it.
type Heading struct {
	Node   *ast.Heading
	Level  int
	ID     string
	Plain  string // its text without roles
	Number string // "2.1", where Number was called
	Roles  bool   // it holds roles, so that its text changes with the data
	Start  int    // byte offset of its line
}

// Link is a link or an image of the writeup. Refused says why it must not be
// followed, and is empty for most.
type Link struct {
	Node    ast.Node // *ast.Link, *ast.Image or *ast.AutoLink
	Target  string
	Image   bool
	At      int // byte offset
	Refused string
}

// Parse reads a writeup. The first head bytes, which are the front matter,
// are passed over; places are counted from the beginning of the file all the
// same. The list holds what is wrong in the form of roles, directives, code and
// alerts, links that no page may carry, and footnotes that nothing refers to or
// that nothing defines.
func Parse(file string, src []byte, head int) (*Writeup, diag.List) {
	w := &Writeup{Source: newSource(file, src, head), links: map[ast.Node]*Link{}, headings: map[ast.Node]*Heading{}}
	if f, ok := w.foreign(src[min(head, len(src)):]); ok {
		w.flaws = append(w.flaws, f)
	}
	w.takeTurning()
	pc := parser.NewContext()
	w.Root = newParser().Parse(text.NewReader(w.Text), parser.WithContext(pc))
	var problems diag.List
	w.checkTargets(pc)
	if x, ok := pc.Get(excessKey).(flaw); ok {
		problems.Errorf(w.Pos(x.off), "%s", x.text)
		problems.Hint("%s", x.hint)
		w, _ = Parse(file, src[:min(head, len(src))], head)
		w.Refused = x.text
		return w, problems
	}
	for _, p := range found(pc) {
		problems.Errorf(w.Pos(p.off), "%s", p.text)
		problems.Hint("%s", p.hint)
	}
	w.collect()
	w.flawed(&problems)
	w.check(&problems)
	return w, problems
}

// newParser is that of CommonMark, GFM and footnotes, with roles, directives
// and limits.
func newParser() parser.Parser {
	inline := append(parser.DefaultInlineParsers(), util.Prioritized(roleParser{}, 90),
		util.Prioritized(extension.NewFootnoteParser(), 101), util.Prioritized(extension.NewStrikethroughParser(), 500))
	p := parser.NewParser(
		parser.WithBlockParsers(blockParsers()...),
		parser.WithInlineParsers(measure(inline)...),
		parser.WithInlineParsers(util.Prioritized(extension.NewTaskCheckBoxParser(), 0), util.Prioritized(extension.NewLinkifyParser(), 999)),
		parser.WithParagraphTransformers(util.Prioritized(fewDefinitions{}, 100)),
		parser.WithASTTransformers(util.Prioritized(strayNotes{}, 998), util.Prioritized(extension.NewFootnoteASTTransformer(), 999)),
	)
	p.AddOptions(tables()...)
	return p
}

// flaw is a problem found while parsing, by its offset.
type flaw struct {
	off        int
	text, hint string
}

var flawsKey = parser.NewContextKey()

func found(pc parser.Context) []flaw {
	list, _ := pc.Get(flawsKey).([]flaw)
	return list
}

func report(pc parser.Context, f flaw) { pc.Set(flawsKey, append(found(pc), f)) }

var excessKey = parser.NewContextKey()

// tooMuch notes what makes a writeup one that no person writes; the first
// counts.
func tooMuch(pc parser.Context, f flaw) {
	if pc.Get(excessKey) == nil {
		pc.Set(excessKey, f)
	}
}

// strayNotes finds the footnotes that nothing refers to, before goldmark
// drops them.
type strayNotes struct{}

func (strayNotes) Transform(doc *ast.Document, r text.Reader, pc parser.Context) {
	defined := map[string]bool{}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		note, ok := n.(*extast.Footnote)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		ref := string(note.Ref)
		switch {
		case defined[ref]:
			report(pc, flaw{max(note.Pos(), 0), "the footnote \"" + ref + "\" is written twice, and only the first would show", ""})
		case note.Index < 0:
			report(pc, flaw{max(note.Pos(), 0), "nothing refers to the footnote \"" + ref + "\", so that it would vanish",
				"refer to it by [^" + ref + "] or take it out"})
		}
		defined[ref] = true
		return ast.WalkContinue, nil
	})
}

// collect gathers what the caller has to look at.
func (w *Writeup) collect() {
	_ = ast.Walk(w.Root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *Role:
			w.Roles = append(w.Roles, n)
		case *Directive:
			w.Directives = append(w.Directives, n)
		case *ast.Blockquote:
			w.markAlert(n)
		case *ast.FencedCodeBlock:
			w.takeFence(n)
		case *ast.Paragraph:
			w.takeParagraph(n)
		case *ast.Heading:
			w.headings[n] = w.heading(n)
			w.Headings = append(w.Headings, w.headings[n])
		case *ast.LinkReferenceDefinition:
			w.Definitions = append(w.Definitions, Definition{Label: string(n.Label), Key: util.ToLinkReference(n.Label), At: max(n.Pos(), 0)})
		case *ast.Link:
			w.addLink(n, string(n.Destination), false)
			w.refer(n.Reference)
		case *ast.Image:
			w.addLink(n, string(n.Destination), true)
			w.refer(n.Reference)
		case *ast.AutoLink:
			w.addLink(n, string(n.URL(w.Text)), false)
		}
		return ast.WalkContinue, nil
	})
}

func (w *Writeup) addLink(n ast.Node, dest string, image bool) {
	w.links[n] = w.link(n, dest, image)
	w.Links = append(w.Links, w.links[n])
}

func (w *Writeup) heading(n *ast.Heading) *Heading {
	h := &Heading{Node: n, Level: n.Level, Start: max(n.Pos(), 0)}
	h.Start = bytes.LastIndexByte(w.Text[:h.Start], '\n') + 1
	h.Plain = w.Plain(n)
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if _, ok := c.(*Role); ok {
			h.Roles = true
		}
		return ast.WalkContinue, nil
	})
	return h
}

// AssignIDs gives each heading its id.
func (w *Writeup) AssignIDs(ids *IDs) {
	for _, h := range w.Headings {
		h.ID = ids.Take(h.Plain)
	}
}

// Number numbers the headings, level by level from the uppermost that there
// is: 1, 1.1, 1.2, 2. A level that is passed over counts as its first.
func (w *Writeup) Number() {
	top := 6
	for _, h := range w.Headings {
		top = min(top, h.Level)
	}
	var counts []int
	for _, h := range w.Headings {
		depth := h.Level - top + 1
		for len(counts) < depth {
			counts = append(counts, 0)
		}
		counts = counts[:depth]
		counts[depth-1]++
		var parts []string
		for _, n := range counts {
			parts = append(parts, strconv.Itoa(max(n, 1)))
		}
		h.Number = strings.Join(parts, ".")
	}
}

// TakeTitle takes a heading of level 1 that the writeup begins with out of
// it, and gives its text: the title. A title that was declared is the page's
// whatever the writeup begins with; a heading that says something else than
// that, or that has roles, is a section and stays.
func (w *Writeup) TakeTitle(declared string) string {
	if len(w.Headings) == 0 {
		return declared
	}
	h := w.Headings[0]
	if h.Level != 1 || h.Roles || w.Root.FirstChild() != ast.Node(h.Node) || declared != "" && declared != h.Plain {
		return declared
	}
	w.Root.RemoveChild(w.Root, h.Node)
	w.Headings = w.Headings[1:]
	end := h.Start
	if lines := h.Node.Lines(); lines.Len() > 0 {
		end = lines.At(lines.Len() - 1).Stop
	}
	w.Head = w.nextLine(end)
	if !atx.Match(w.Text[h.Start:]) {
		w.Head = w.nextLine(w.Head + 1) // the line under the title
	}
	return h.Plain
}

var atx = regexp.MustCompile(`^ {0,3}#([ \t\n]|$)`)

// nextLine is the offset of the first line that begins at off or after it.
func (s *Source) nextLine(off int) int {
	if off > 0 && off <= len(s.Text) && s.Text[off-1] == '\n' {
		return off
	}
	if i := bytes.IndexByte(s.Text[min(off, len(s.Text)):], '\n'); i >= 0 {
		return off + i + 1
	}
	return len(s.Text)
}
