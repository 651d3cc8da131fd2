package report

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"strings"

	"fieldbook/analysis/figure"
	"fieldbook/report/markup"
	"fieldbook/report/theme"
)

// HTML is the page, whole: one file that asks nothing of the network.
func (d *Document) HTML() []byte {
	body := &page{doc: d}
	body.blocks(d.body)
	p := theme.Page{
		Title:    show(d.title.text()) + " · " + show(d.name),
		Over:     "Experiment · " + show(d.name),
		Heading:  template.HTML(d.html(d.title)),
		Lede:     show(d.question),
		Contents: contents(d.contents),
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

func (w *page) text(s string) { w.b.WriteString(markup.EscapeHTML(show(s))) }

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
		w.element("span", string(s), "class", "soft")
	case code:
		w.element("code", string(s))
	case value:
		w.value(s)
	case badge:
		sign, class := signOf(s)
		w.open("span", "class", strings.TrimSpace("badge "+class))
		w.element("span", sign, "aria-hidden", "true")
		w.text(" " + string(s))
		w.close("span")
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
	w.open("span", "class", class, "title", v.Tip)
	w.text(v.Text)
	if v.Interval != "" {
		w.text(" ")
		w.element("span", v.Interval, "class", "ci")
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
		w.open("pre", "tabindex", "0", "role", "region", "aria-label", b.Name)
		w.b.WriteString("<code>" + markup.EscapeHTML(showLines(b.Text)) + "</code>")
		w.close("pre")
	case prose:
		w.b.WriteString(b.w.HTML(b.w.Root, htmlParts{w.doc}))
	case *tableBlock:
		w.table(b)
	case *figureBlock:
		w.figure(b)
	}
	w.b.WriteByte('\n')
}

func (w *page) table(t *tableBlock) {
	class := "tab"
	w.open("div", "class", class, "id", t.ID)
	w.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", t.name())
	w.open("table", "class", strings.TrimSpace(t.Class+" sortable"))
	w.open("caption")
	w.open("span")
	if t.Number > 0 {
		w.element("b", t.name()+".")
		w.text(" ")
	}
	w.phrase(t.Caption)
	w.text(" ")
	w.b.WriteString(`<span class="tools" hidden></span>`)
	w.close("span")
	w.close("caption")
	w.head(t.Head)
	w.open("tbody")
	for _, r := range t.Rows {
		w.row(t, r)
	}
	w.close("tbody")
	w.close("table")
	w.close("div")
	for _, n := range t.Notes {
		w.open("p", "class", "notes")
		w.phrase(n)
		w.close("p")
	}
	w.close("div")
}

// name is "Table 2", or "table" where it has no number.
func (t *tableBlock) name() string {
	if t.Number == 0 {
		return "table"
	}
	return fmt.Sprintf("Table %d", t.Number)
}

func (w *page) head(columns []column) {
	w.open("thead")
	w.open("tr")
	for _, c := range columns {
		switch {
		case c.Bar != nil:
			w.open("th", "scope", "col", "data-bar", "1")
			w.element("span", c.title(), "class", "sr")
			w.b.WriteString(c.Bar.svg())
			w.close("th")
		case c.Num:
			w.element("th", c.title(), "scope", "col", "class", "num")
		default:
			w.element("th", c.title(), "scope", "col")
		}
	}
	w.close("tr")
	w.close("thead")
}

func (w *page) row(t *tableBlock, r row) {
	w.open("tr", "id", r.ID)
	for i, c := range r.Cells {
		tag, scope, class, label := "td", "", "", ""
		if i < r.Heads {
			tag, scope = "th", "row"
		}
		if i < len(t.Head) && t.Head[i].Num {
			class = "num"
		}
		if i < len(t.Head) {
			label = t.Head[i].Phone
		}
		w.open(tag, "scope", scope, "class", class, "data-label", label, "data-sort", c.Sort)
		if c.Bar != nil {
			w.b.WriteString(c.Bar.svg())
		}
		w.phrase(c.Phrase)
		w.close(tag)
	}
	w.close("tr")
	w.b.WriteByte('\n')
}

func (w *page) figure(f *figureBlock) {
	name := fmt.Sprintf("Figure %d", f.Number)
	w.open("figure", "id", f.ID, "data-number", name)
	if f.Figure != nil {
		w.open("div", "class", "scroll plot", "tabindex", "0", "role", "region", "aria-label", name)
		w.b.Write(f.Figure.SVG)
		w.close("div")
	}
	w.open("figcaption")
	w.element("b", name+".")
	w.text(" ")
	w.phrase(f.Caption)
	if f.Figure != nil {
		for _, n := range f.Figure.Notes {
			w.text(" " + sentence(n))
		}
		w.b.WriteString(` <span class="tools" hidden></span>`)
	}
	w.close("figcaption")
	if f.Figure != nil && len(f.Figure.Table.Rows) > 0 {
		w.data(name, f.Figure.Table)
	}
	w.close("figure")
}

// data is the table of the numbers behind a figure. Columns that say the same
// in every row stand once, in its caption.
func (w *page) data(name string, t figure.Table) {
	behind := "he numbers behind " + strings.ToLower(name[:1]) + name[1:]
	t, same := varying(t)
	w.open("details", "class", "data")
	w.element("summary", "t"+behind)
	w.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", "data of "+name)
	w.open("table", "class", "sortable", "data-same", list(same))
	caption := "T" + behind
	for i := 0; i+1 < len(same); i += 2 {
		caption += "; " + same[i] + ": " + same[i+1]
	}
	w.element("caption", caption+".")
	w.open("thead")
	w.open("tr")
	for _, h := range t.Head {
		w.element("th", h, "scope", "col")
	}
	w.close("tr")
	w.close("thead")
	w.open("tbody")
	for _, r := range t.Rows {
		w.open("tr")
		for _, c := range r {
			w.element("td", c)
		}
		w.close("tr")
	}
	w.close("tbody")
	w.close("table")
	w.close("div")
	w.close("details")
}

// list is texts as the page's script reads them; "" for none.
func list(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	b, _ := json.Marshal(texts) // texts always have a form in JSON
	return string(b)
}

// varying takes out the columns of a table in which all rows are alike, and
// gives their heads and values.
func varying(t figure.Table) (figure.Table, []string) {
	var same []string
	var keep []int
	for i, h := range t.Head {
		alike := len(t.Rows) > 1
		for _, r := range t.Rows {
			alike = alike && i < len(r) && r[i] == t.Rows[0][i]
		}
		if !alike {
			keep = append(keep, i)
		} else if t.Rows[0][i] != "" {
			same = append(same, h, t.Rows[0][i])
		}
	}
	pick := func(cells []string) []string {
		var out []string
		for _, i := range keep {
			if i < len(cells) {
				out = append(out, cells[i])
			}
		}
		return out
	}
	out := figure.Table{Head: pick(t.Head)}
	for _, r := range t.Rows {
		out.Rows = append(out.Rows, pick(r))
	}
	return out, same
}
