package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"fieldbook/analysis/figure"
)

func (w *page) table(t *tableBlock) {
	class := "tab"
	w.open("div", "class", class, "id", t.ID)
	w.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", t.label())
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
	shared := t.sharedTips()
	w.head(t.Head, shared)
	w.open("tbody")
	for _, r := range t.Rows {
		w.row(t, r, shared)
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

func (w *page) head(columns []column, shared map[int][]string) {
	w.open("thead")
	w.open("tr")
	for i, c := range columns {
		tip := strings.Join(shared[i], "; ")
		switch {
		case c.Bar != nil:
			w.open("th", "scope", "col", "data-bar", "1")
			w.element("span", c.title(), "class", "sr")
			w.b.WriteString(c.Bar.svg())
			w.close("th")
		case c.Num:
			w.element("th", c.title(), "scope", "col", "class", "num", "title", tip)
		default:
			w.element("th", c.title(), "scope", "col", "title", tip)
		}
	}
	w.close("tr")
	w.close("thead")
}

func (w *page) row(t *tableBlock, r row, shared map[int][]string) {
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
		w.cell(c.Phrase, shared[i])
		w.close(tag)
	}
	w.close("tr")
	w.b.WriteByte('\n')
}

func (w *page) figure(f *figureBlock) {
	name := f.name()
	w.open("figure", "id", f.ID, "data-number", name)
	if f.Figure != nil {
		w.open("div", "class", "scroll plot", "tabindex", "0", "role", "region", "aria-label", name)
		w.b.Write(f.Figure.SVG)
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
	if f.Figure != nil && len(f.Figure.Table.Rows) > 0 {
		w.data(name, f.Figure.Table)
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
// once, in the line before it.
func (w *page) data(name string, t figure.Table) {
	behind := "he numbers behind " + strings.ToLower(name[:1]) + name[1:]
	t, same := varying(t)
	w.open("details", "class", "data")
	w.element("summary", "t"+behind)
	caption := "T" + behind
	for i := 0; i+1 < len(same); i += 2 {
		caption += "; " + same[i] + ": " + same[i+1]
	}
	w.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", "data of "+name)
	w.open("pre", "data-same", list(same), "data-caption", caption+".")
	for _, r := range append([][]string{t.Head}, t.Rows...) {
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
