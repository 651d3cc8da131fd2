package report

import (
	"fmt"
	"html/template"
	"net/url"
	"regexp"
	"strings"

	"fieldbook/analysis/figure"
	"fieldbook/report/markup"
	"fieldbook/report/theme"
)

// HTML is the page, whole: one file that asks nothing of the network.
func (d *Document) HTML() []byte {
	clear(d.regions)
	body := &page{doc: d}
	body.blocks(d.body)
	p := theme.Page{
		Title:    show(d.title.text()) + " · " + show(d.name),
		Over:     "Experiment · " + show(d.name),
		Heading:  template.HTML(d.html(d.title)),
		Lede:     show(d.question),
		Contents: contents(d.contents),
		Claims:   claimLinks(d.claimed),
		Home:     &theme.Entry{Href: "../index.html", Text: "Fieldbook"},
		Body:     template.HTML(body.b.String()),
		Foot:     d.foot(),
		Style:    figure.Style(),
	}
	for _, f := range d.facts {
		p.Facts = append(p.Facts, template.HTML(d.html(f)))
	}
	for _, f := range d.banners {
		p.Banners = append(p.Banners, template.HTML(d.html(f)))
	}
	return theme.Render(p)
}

func contents(list []entry) []theme.Entry {
	var out []theme.Entry
	for _, e := range list {
		out = append(out, theme.Entry{Href: "#" + url.PathEscape(e.ID), Text: show(e.Text)})
	}
	return out
}

func (d *Document) foot() string {
	return oneLine("Made by fieldbook " + show(d.version) + " from the data of this experiment; every number comes from it.")
}

// html is one phrase.
func (d *Document) html(p phrase) string {
	w := &page{doc: d}
	w.phrase(p)
	return w.b.String()
}

// page writes HTML. What comes from a person or from data passes text and
// attributes, which escape it. Whole are put in only the SVG of figures and
// the prose of markup, whose makers escape it.
type page struct {
	b   strings.Builder
	doc *Document
}

// open writes a start tag; attributes stand in pairs, and one with an empty
// value is left out.
func (w *page) open(tag string, attrs ...string) {
	w.b.WriteString("<" + tag)
	for i := 0; i+1 < len(attrs); i += 2 {
		if attrs[i+1] != "" {
			w.b.WriteString(" " + attrs[i] + `="` + markup.EscapeHTML(show(attrs[i+1])) + `"`)
		}
	}
	w.b.WriteByte('>')
}

func (w *page) close(tag string) { w.b.WriteString("</" + tag + ">") }

func (w *page) text(s string) { w.b.WriteString(markup.EscapeHTML(glued(show(s)))) }

// compared is a comparison with a number: of p, of n, or with nothing before it.
var compared = regexp.MustCompile(`(^|\b[np] )([<>=≤≥≈]) ([−0-9.])`)

// glued keeps a comparison and its number on one line, by blanks that do not
// break.
func glued(s string) string {
	if !strings.ContainsAny(s, "<>=≤≥≈") {
		return s
	}
	return compared.ReplaceAllStringFunc(s, func(m string) string { return strings.ReplaceAll(m, " ", "\u00a0") })
}

// element is an element that holds only text.
func (w *page) element(tag, text string, attrs ...string) {
	w.open(tag, attrs...)
	w.text(text)
	w.close(tag)
}

func (w *page) phrase(p phrase) {
	for _, s := range p {
		w.span(s)
	}
}

func (w *page) span(s span) {
	switch s := s.(type) {
	case plain:
		w.text(string(s))
	case strong:
		w.element("b", string(s))
	case soft:
		if s == "" {
			return
		}
		w.element("span", string(s), "class", "soft")
	case code:
		w.element("code", string(s))
	case value:
		w.value(s)
	case badge:
		_, class := signOf(s) // the style sets the sign before the word
		w.element("span", string(s), "class", strings.TrimSpace("badge "+class))
	case link:
		w.element("a", s.Text, "href", s.Href)
	case flaw:
		w.element("span", "error: "+string(s), "class", "flaw", "role", "note")
	case authored:
		w.b.WriteString(w.doc.writeup.InlineHTML(s.d, htmlParts{w.doc}))
	case lineEnd:
		w.b.WriteString("<br>")
	}
}

func (w *page) value(v value) {
	class := "v"
	if v.Long {
		class += " long"
	}
	if v.Stale {
		class += " stale"
	}
	w.open("span", "class", class, "title", strings.Trim(v.What+"; "+v.Tip, "; "))
	w.text(v.Text)
	if v.Interval != "" {
		w.text(" ")
		w.element("span", v.Interval, "class", "ci")
	}
	if v.Stale {
		w.text(" (stale)")
	}
	w.close("span")
}

func (w *page) blocks(list []block) {
	for _, b := range list {
		w.block(b)
	}
}

func (w *page) block(b block) {
	switch b := b.(type) {
	case heading:
		w.element(fmt.Sprintf("h%d", max(2, b.Level)), b.Text, "id", b.ID)
	case paragraph:
		w.open("p")
		w.phrase(b.Phrase)
		w.close("p")
	case bullets:
		w.open("ul")
		for _, p := range b.Items {
			w.open("li")
			w.phrase(p)
			w.close("li")
		}
		w.close("ul")
	case fold:
		w.open("details", "class", "fold", "id", b.ID)
		w.element("summary", b.Summary)
		w.blocks(b.Body)
		w.close("details")
	case listing:
		w.listing(b)
	case prose:
		w.b.WriteString(b.w.HTML(b.w.Root, htmlParts{w.doc}))
	case *tableBlock:
		w.table(b)
	case *figureBlock:
		w.figure(b)
	}
	w.b.WriteByte('\n')
}

// listing is code, with its number and caption where it has them.
func (w *page) listing(l listing) {
	name := l.Name
	if l.Number > 0 {
		name = "Listing " + itoa(l.Number)
		w.open("div", "class", "listing", "id", l.ID)
		w.open("p", "class", "caption")
		w.element("b", name+".")
		w.text(" ")
		w.phrase(l.Caption)
		w.b.WriteString(` <span class="tools" hidden></span>`)
		w.close("p")
	}
	w.open("pre", "tabindex", "0", "role", "region", "aria-label", name)
	w.b.WriteString("<code>" + markup.Highlight(l.Lang, showLines(l.Text)) + "</code>")
	w.close("pre")
	if l.Number > 0 {
		w.close("div")
	}
}
