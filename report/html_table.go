package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"fieldbook/analysis/figure"
	"fieldbook/report/markup"
)

func (w *page) table(t *tableBlock) {
	class := "tab"
	w.open("div", "class", class, "id", t.ID)
	w.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", w.doc.region(t.label()))
	form := t.form()
	w.open("table", "class", strings.TrimSpace(t.Class+" sortable"+form.class))
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
	w.head(t.Head, form)
	w.open("tbody")
	for _, r := range t.Rows {
		w.row(t, r, form)
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

// label names the part of the page that scrolls a table.
func (t *tableBlock) label() string {
	if t.Number == 0 {
		return "table: " + t.Caption.text()
	}
	return t.name()
}

// region is the name of a part of the page that scrolls, told apart from the
// others of that name.
func (d *Document) region(label string) string {
	if d.regions == nil {
		d.regions = map[string]int{}
	}
	if d.regions[label]++; d.regions[label] > 1 {
		label += fmt.Sprintf(" (%d)", d.regions[label])
	}
	return label
}

func (w *page) head(columns []column, f tableForm) {
	w.open("thead")
	w.open("tr")
	for i, c := range columns {
		tip := strings.Join(f.tips[i], "; ")
		switch {
		case c.Bar != nil:
			w.open("th", "scope", "col", "data-bar", "1")
			w.element("span", c.title(), "class", "sr")
			w.b.WriteString(c.Bar.svg())
			w.close("th")
		case markup.LongWord(c.title()):
			w.element("th", c.title(), "scope", "col", "class", "long", "title", tip)
		case c.Num:
			w.element("th", c.title(), "scope", "col", "class", "num", "title", tip)
		case f.wide[i]:
			w.element("th", c.title(), "scope", "col", "class", "wide", "title", tip)
		default:
			w.element("th", c.title(), "scope", "col", "title", tip)
		}
	}
	w.close("tr")
	w.close("thead")
}

// row writes a row. HTML ends cells and rows where the next one begins, so that
// no end tags are needed: a table of some hundred rows is a fifth shorter.
func (w *page) row(t *tableBlock, r row, f tableForm) {
	w.open("tr", "id", r.ID)
	for i, c := range r.Cells {
		tag, class, label, sort := "td", "", "", c.Sort
		if i < r.Heads {
			tag = "th scope=row"
		}
		if i < len(t.Head) {
			label = t.Head[i].Phone
			if t.Head[i].Num && (!f.numbered[i] || hasSoft(c.Phrase)) {
				class = "num"
			}
		}
		if class == "" && i < r.Heads && oneName(c.Phrase.text()) {
			class = "nb"
		}
		if f.inOrder[i] {
			sort = ""
		}
		p, tip := takeTip(c.Phrase, f.tips[i])
		if remark, ok := onlySoft(p); ok && class == "" && c.Bar == nil {
			p, class = say(remark), "soft"
		}
		if markup.LongWord(c.Phrase.text()) {
			class = strings.TrimSpace(class + " long")
		}
		w.open(tag, "class", class, "data-label", label, "data-sort", sort, "title", tip)
		if c.Bar != nil {
			w.b.WriteString(c.Bar.svg())
		}
		if i < len(t.Head) && t.Head[i].Num && c.Bar == nil && longReason(p) {
			w.open("span", "class", "soft") // broken into lines, which numbers are not
			w.cell(p, f.tips[i])
			w.close("span")
			continue
		}
		w.cell(p, f.tips[i])
	}
	w.b.WriteByte('\n')
}

// onlySoft is the text of a phrase of one less important text.
func onlySoft(p phrase) (string, bool) {
	if len(p) != 1 {
		return "", false
	}
	s, ok := p[0].(soft)
	return string(s), ok && s != ""
}

// oneName says whether a text is one name that a browser would break at its
// hyphens, and short enough to be left whole.
func oneName(s string) bool {
	return strings.Contains(s, "-") && !strings.Contains(s, " ") && len([]rune(s)) <= 20
}

// longReason says whether a sentence stands where numbers are expected.
func longReason(p phrase) bool { return len([]rune(p.text())) > 2*longText }

// hasSoft says whether a cell of numbers has text that may be broken into lines.
func hasSoft(p phrase) bool {
	return longReason(p) || slices.ContainsFunc(p, func(s span) bool { _, ok := s.(soft); return ok })
}

func (w *page) figure(f *figureBlock) {
	name := f.name()
	w.open("figure", "id", f.ID, "data-number", name)
	if f.Figure != nil {
		w.open("div", "class", "scroll plot", "tabindex", "0", "role", "region", "aria-label", name)
		w.b.Write(f.Figure.Inline)
		w.close("div")
	}
	w.open("figcaption")
	if f.Number > 0 {
		w.element("b", name+".")
		w.text(" ")
	}
	w.phrase(f.Caption)
	if f.Figure != nil {
		for _, n := range f.Figure.Notes {
			w.text(" " + sentence(n))
		}
		w.b.WriteString(` <span class="tools" hidden></span>`)
	}
	w.close("figcaption")
	if f.Figure != nil && len(f.Figure.Table.Listed()) > 0 {
		w.data(name, f.Figure.Table)
	}
	if f.Figure != nil {
		w.tips(f.Figure.Tips)
	}
	w.close("figure")
}

// name is "Figure 2", or that of one without a number.
func (f *figureBlock) name() string {
	if f.Number == 0 {
		return f.Name
	}
	return fmt.Sprintf("Figure %d", f.Number)
}

// data is the table of the numbers behind a figure, as text with a tab
// between cells, which is short and readable as it is; the page's script makes
// a table of it when it is opened. Columns that say the same in every row stand
// once, in the line before it; what the first columns of a row say as the row
// above does is left out.
func (w *page) data(name string, t figure.Table) {
	behind := "he numbers behind " + strings.ToLower(name[:1]) + name[1:]
	t.Rows = t.Listed()
	t, same := varying(t)
	t = grouped(t)
	w.open("details", "class", "data")
	w.element("summary", "t"+behind)
	caption := "T" + behind
	for i := 0; i+1 < len(same); i += 2 {
		caption += "; " + same[i] + ": " + same[i+1]
	}
	w.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", "data of "+name)
	whole := wholeColumns(t)
	w.open("pre", "data-same", list(same), "data-whole", itoa(whole), "data-caption", caption+".")
	for i, r := range append([][]string{t.Head}, t.Rows...) {
		if i > 1 {
			r = ditto(r, t.Rows[i-2], whole)
		}
		for i, c := range r {
			if i > 0 {
				w.b.WriteByte('\t')
			}
			w.text(c) // without tabs and line ends, which show makes blanks
		}
		w.b.WriteByte('\n')
	}
	w.close("pre")
	w.close("div")
	w.close("details")
}

// tips are the tooltips of a figure's marks, a line for each text and one for
// its numbers, which the page's script hangs at the marks when they are
// pointed at.
func (w *page) tips(folded []string) {
	if len(folded) == 0 {
		return
	}
	w.b.WriteString(`<div class="tips" hidden>`)
	for i, line := range folded {
		if i > 0 {
			w.b.WriteByte('\n')
		}
		w.b.WriteString(markup.EscapeHTML(visible(line, "")))
	}
	w.b.WriteString("</div>")
}

// list is texts as the page's script reads them; "" for none.
func list(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	cut := make([]string, len(texts)) // whole they must be, so that the script can read them
	for i, t := range texts {
		cut[i] = short(t, mostShown/(2*len(texts))) // an escape takes more bytes than it stands for
	}
	b, _ := json.Marshal(cut) // texts always have a form in JSON
	return string(b)
}
