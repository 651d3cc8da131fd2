package report

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"fieldbook/report/markup"
)

// Markdown is the same for a code host; its images are Files.
func (d *Document) Markdown() []byte {
	m := &paper{doc: d}
	m.part("# " + m.phrase(d.title))
	if d.question != "" {
		m.part("*" + markup.Escape(show(d.question)) + "*")
	}
	if len(d.facts) > 0 {
		var facts []string
		for _, f := range d.facts {
			facts = append(facts, m.phrase(f))
		}
		m.part(strings.Join(facts, " · "))
	}
	for _, f := range d.banners {
		m.part("> [!WARNING]\n> " + m.phrase(f))
	}
	m.part(m.contents())
	m.blocks(d.body)
	m.part("---\n\n" + markup.Escape(d.foot()))
	return []byte(strings.Join(m.parts, "\n\n") + "\n")
}

// fewContents is how many sections need no table of contents.
const fewContents = 2

// contents is the table of contents in one line.
func (m *paper) contents() string {
	if len(m.doc.contents) <= fewContents {
		return ""
	}
	var links []string
	for _, e := range m.doc.contents {
		links = append(links, "["+markup.Escape(show(e.Text))+"](#"+address(e.ID)+")")
	}
	return "Contents: " + strings.Join(links, " · ")
}

// paper writes Markdown: parts with a blank line between them.
type paper struct {
	parts []string
	doc   *Document
}

func (m *paper) part(s string) {
	if s = strings.Trim(s, "\n"); s != "" {
		m.parts = append(m.parts, s)
	}
}

func (m *paper) blocks(list []block) {
	for _, b := range list {
		m.part(m.block(b))
	}
}

// phrase is in one line.
func (m *paper) phrase(p phrase) string {
	var b strings.Builder
	for _, s := range p {
		b.WriteString(m.span(s))
	}
	return b.String()
}

func (m *paper) span(s span) string {
	switch s := s.(type) {
	case plain:
		return pieces(string(s))
	case strong:
		return "**" + markup.Escape(strings.TrimSpace(show(string(s)))) + "**"
	case soft:
		return pieces(string(s))
	case code:
		return markup.Code(show(string(s)))
	case value:
		t := unescaped(markup.Escape(show(s.whole())))
		if s.Stale {
			t += " (stale)"
		}
		return t
	case badge:
		sign, _ := signOf(s)
		return sign + " " + string(s)
	case link:
		return "[" + markup.Escape(show(s.Text)) + "](" + s.Href + ")"
	case flaw:
		return "**error: " + markup.Escape(show(string(s))) + "**"
	case authored:
		return m.doc.writeup.InlineMarkdown(s.d, markdownParts{m.doc})
	case lineEnd:
		return "<br>"
	}
	return ""
}

// interval is an escaped interval of numbers. Its brackets need no escape,
// which would spoil the reading, unless a link could be made of them.
var interval = regexp.MustCompile(`\\\[([−+0-9.e∞ -]+, [−+0-9.e∞ -]+)\\?([])])`)

func unescaped(s string) string { return interval.ReplaceAllString(s, "[$1$2") }

// pieces escapes a piece of a phrase, whose blanks at the ends separate it
// from the next.
func pieces(s string) string {
	s = show(s)
	inner := strings.Trim(s, " ")
	if inner == "" {
		return s
	}
	lead := len(s) - len(strings.TrimLeft(s, " "))
	return s[:lead] + unescaped(markup.Escape(inner)) + s[lead+len(inner):]
}

func (m *paper) block(b block) string {
	switch b := b.(type) {
	case heading:
		return strings.Repeat("#", max(2, b.Level)) + " " + markup.Escape(show(b.Text))
	case paragraph:
		return m.phrase(b.Phrase)
	case bullets:
		var items []string
		for _, p := range b.Items {
			items = append(items, "- "+m.phrase(p))
		}
		return strings.Join(items, "\n")
	case fold:
		inner := &paper{doc: m.doc}
		inner.blocks(b.Body)
		return m.anchor(b.ID) + "<details>\n<summary>" + markup.EscapeHTML(show(b.Summary)) + "</summary>\n\n" + strings.Join(inner.parts, "\n\n") + "\n\n</details>"
	case listing:
		text := markup.Fence(b.Lang, showLines(b.Text))
		if b.Number > 0 {
			text = m.anchor(b.ID) + "**Listing " + itoa(b.Number) + ".** " + m.phrase(b.Caption) + "\n\n" + text
		}
		return text
	case prose:
		return b.w.Markdown(markdownParts{m.doc})
	case *tableBlock:
		return m.table(b)
	case *figureBlock:
		return m.figure(b)
	}
	return ""
}

// anchor is where a link arrives; code hosts keep an id, in a paragraph of
// its own.
func (m *paper) anchor(id string) string {
	if id == "" {
		return ""
	}
	return `<a id="` + markup.EscapeHTML(show(id)) + `"></a>` + "\n\n"
}

func (m *paper) table(t *tableBlock) string {
	var b strings.Builder
	b.WriteString(m.anchor(t.ID))
	if t.Number > 0 {
		b.WriteString("**" + t.name() + ".** ")
	}
	b.WriteString(m.phrase(t.Caption) + "\n\n")
	heads, rules := []string{}, []string{}
	for _, c := range t.Head {
		if c.Bar != nil {
			continue
		}
		heads = append(heads, markup.Escape(show(c.title())))
		rules = append(rules, map[bool]string{true: "--:", false: "---"}[c.Num])
	}
	b.WriteString("| " + strings.Join(heads, " | ") + " |\n|" + strings.Join(rules, "|") + "|\n")
	for _, r := range t.Rows {
		b.WriteString("| " + strings.Join(m.cells(t, r), " | ") + " |\n")
	}
	for _, n := range t.Notes {
		b.WriteString("\n" + m.phrase(n) + "\n")
	}
	return b.String()
}

func (m *paper) cells(t *tableBlock, r row) []string {
	var cells []string
	for i, c := range r.Cells {
		if i < len(t.Head) && t.Head[i].Bar != nil {
			continue
		}
		text := m.phrase(c.Phrase)
		if i == 0 && r.ID != "" {
			text = strings.TrimSpace(m.anchor(r.ID)) + text
		}
		cells = append(cells, text)
	}
	return cells
}

// figure is a picture for the light theme and one for the dark.
func (m *paper) figure(f *figureBlock) string {
	var b strings.Builder
	b.WriteString(m.anchor(f.ID))
	if f.Figure != nil {
		alt := markup.EscapeHTML(oneLine(show(f.Figure.Title + ". " + f.Figure.Desc)))
		fmt.Fprintf(&b, "<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"%s\">\n  <img alt=\"%s\" src=\"%s\">\n</picture>\n\n",
			address(f.path("dark")), alt, address(f.path("light")))
	}
	if f.Number > 0 {
		b.WriteString("**" + f.name() + ".** ")
	}
	b.WriteString(m.phrase(f.Caption))
	if f.Figure != nil {
		for _, n := range f.Figure.Notes {
			b.WriteString(" " + pieces(sentence(n)))
		}
	}
	return b.String()
}

// address is a relative path as a link writes it.
func address(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = strings.NewReplacer("(", "%28", ")", "%29", "'", "%27", ",", "%2C").Replace(url.PathEscape(p))
	}
	return strings.Join(parts, "/")
}
