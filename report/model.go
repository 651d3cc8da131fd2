package report

import (
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/analysis/figure"
	"fieldbook/report/markup"
)

// A phrase is text in pieces. Everything that a document says, in whatever
// language it is rendered, is made of these pieces.
type phrase []span

// span is one piece of a phrase.
type span interface{ isSpan() }

type (
	plain  string // text
	strong string
	soft   string // less important: an interval, a remark
	code   string
	// value is a number of the data, with what stands behind it.
	value struct {
		Text, Interval string
		What           string // what it is, such as "ratio of elapsed, sessions=2 / sessions=1"
		Tip            string // n, method, rows
		Stale          bool
		Long           bool               // a clause, which may go over several lines
		of             *analysis.Estimate // what is shown; nil: no single estimate
	}
	badge analysis.Verdict
	// link points into the page (#id) or to a relative address.
	link struct{ Href, Text string }
	// flaw is an error in place of what it concerns.
	flaw string
	// authored is a directive's body: a person's text with roles.
	authored struct{ d *markup.Directive }
	lineEnd  struct{}
)

func (plain) isSpan()    {}
func (strong) isSpan()   {}
func (soft) isSpan()     {}
func (code) isSpan()     {}
func (value) isSpan()    {}
func (badge) isSpan()    {}
func (link) isSpan()     {}
func (flaw) isSpan()     {}
func (authored) isSpan() {}
func (lineEnd) isSpan()  {}

// say is a phrase of one plain text.
func say(parts ...string) phrase { return phrase{plain(strings.Join(parts, ""))} }

// block is a part of the page.
type block interface{ isBlock() }

type (
	heading struct {
		Level    int
		ID, Text string
	}
	paragraph struct{ Phrase phrase }
	bullets   struct{ Items []phrase }
	// fold is long and dry: closed on the screen, open in print.
	fold struct {
		ID, Summary string
		Body        []block
	}
	// listing is text that is shown as it is. One without a number stands in
	// the text and has no caption.
	listing struct {
		ID               string
		Number           int
		Caption          phrase
		Name, Lang, Text string
	}
	// prose is the evaluated writeup.
	prose struct{ w *evaluated }
	// tableBlock is a table.
	tableBlock struct {
		ID      string
		Number  int    // 0: none
		Class   string // "claims", or ""
		Caption phrase
		Head    []column
		Rows    []row
		Notes   []phrase
	}
	// figureBlock is a figure with the table of its data.
	figureBlock struct {
		ID      string
		Number  int    // 0: none
		Name    string // of one without a number: "the figure of …"
		Caption phrase
		Figure  *figure.Figure // nil: Caption says why there is none
	}
)

func (heading) isBlock()      {}
func (paragraph) isBlock()    {}
func (bullets) isBlock()      {}
func (fold) isBlock()         {}
func (listing) isBlock()      {}
func (prose) isBlock()        {}
func (*tableBlock) isBlock()  {}
func (*figureBlock) isBlock() {}

// column is the head of a column. Unit stands behind the title; Num says that
// the cells are numbers, right-aligned. Phone is what stands before a cell on
// a phone, where the table of claims becomes a list.
type column struct {
	Title, Unit string
	Num         bool
	Phone       string
	Bar         *axis // its cells are intervals on this axis; it is left out in Markdown
}

// row is a row of a table. Its first cells, as many as Heads, name it; Key does
// where these say more than its name.
type row struct {
	ID    string
	Key   string
	Heads int
	Cells []cell
}

// cell is a cell of a table. Sort orders its rows where its text does not.
type cell struct {
	Phrase phrase
	Sort   string
	Bar    *bar
}

// path of the figure's file for one theme.
func (f *figureBlock) path(theme string) string {
	return "figures/" + fileName(f.ID) + "-" + theme + ".svg"
}

// fileName keeps of an id what is harmless in a file's name on any system.
func fileName(id string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"/\|?*`, r) || r < ' ' {
			return '-'
		}
		return r
	}, id)
}

// title is the column's head in one text.
func (c column) title() string {
	if c.Unit == "" {
		return c.Title
	}
	return c.Title + ", " + c.Unit
}

// text is a phrase without any markup.
func (p phrase) text() string {
	var b strings.Builder
	for _, s := range p {
		switch s := s.(type) {
		case plain:
			b.WriteString(string(s))
		case strong:
			b.WriteString(string(s))
		case soft:
			b.WriteString(string(s))
		case code:
			b.WriteString(string(s))
		case value:
			b.WriteString(s.whole())
		case badge:
			b.WriteString(string(s))
		case link:
			b.WriteString(s.Text)
		case flaw:
			b.WriteString(string(s))
		case lineEnd:
			b.WriteString(" ")
		}
	}
	return b.String()
}

// whole is the value with its interval.
func (v value) whole() string {
	if v.Interval == "" {
		return v.Text
	}
	return v.Text + " " + v.Interval
}

// dropEmpty takes out the columns in which no row says anything.
func (t *tableBlock) dropEmpty() {
	for i := len(t.Head) - 1; i > 0; i-- {
		if slices.ContainsFunc(t.Rows, func(r row) bool { return i < len(r.Cells) && r.Cells[i].Phrase.text() != "" }) {
			continue
		}
		t.Head = slices.Delete(t.Head, i, i+1)
		for j := range t.Rows {
			t.Rows[j].Cells = slices.Delete(t.Rows[j].Cells, i, i+1)
		}
	}
}
