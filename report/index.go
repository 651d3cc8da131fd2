package report

import (
	"html/template"
	"strings"

	"fieldbook/analysis"
	"fieldbook/analysis/figure"
	"fieldbook/report/theme"
)

// Entry is one experiment on the index page.
type Entry struct {
	Name   string
	Result *analysis.Result
	State  string // "fresh", "stale", …, as the status verb says it
}

// Index is the page that lists the experiments of a notebook. Its links are
// relative, so that it works wherever the folder lies.
func Index(title string, entries []Entry) []byte {
	w := &page{doc: &Document{}}
	w.open("ul", "class", "cards")
	for _, e := range entries {
		w.entry(e)
	}
	w.close("ul")
	if len(entries) == 0 {
		w.b.Reset()
		w.open("p")
		w.text("No experiment has a report yet.")
		w.close("p")
	}
	return theme.Render(theme.Page{
		Title: show(title), Over: "Notebook", Heading: template.HTML((&Document{}).html(say(title))),
		Body: template.HTML(w.b.String()), Style: figure.Style(), Contents: indexContents(entries),
	})
}

func indexContents(entries []Entry) []theme.Entry {
	var list []theme.Entry
	for _, e := range entries {
		list = append(list, theme.Entry{Href: pageOf(e.Name), Text: show(e.Name)})
	}
	return list
}

// pageOf is the address of an experiment's page from the index.
func pageOf(name string) string {
	path := address(name + "/index.html")
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ":") {
		return "./" + path // else it would read as a scheme
	}
	return path
}

func (w *page) entry(e Entry) {
	title := e.Name
	if e.Result != nil && e.Result.Title != "" {
		title = e.Result.Title
	}
	w.open("li")
	w.open("h2")
	w.element("a", title, "href", pageOf(e.Name))
	w.close("h2")
	if e.Result == nil {
		w.close("li")
		return
	}
	if q := e.Result.Question; q != "" {
		w.element("p", q)
	}
	w.verdicts(e)
	k, compared := w.result(e.Result)
	w.open("ul", "class", "facts")
	facts := []phrase{{code(e.Name)}, {plain(e.State)}}
	if len(e.Result.Data.Sessions) > 0 {
		facts = append(facts, trialFact(e.Result), sessionFact(e.Result), machineFact(e.Result))
	}
	for _, f := range facts {
		if f.text() != "" {
			w.open("li")
			w.phrase(f)
			w.close("li")
		}
	}
	w.close("ul")
	w.history(e.Result, k, compared)
	w.close("li")
}

// verdicts counts an experiment's claims by verdict.
func (w *page) verdicts(e Entry) {
	claims := shownClaims(e.Result)
	if len(claims) == 0 {
		return
	}
	w.open("p", "class", "verdicts")
	for _, v := range []analysis.Verdict{analysis.Supported, analysis.Refuted, analysis.Undecided, analysis.NotJudged} {
		n := 0
		for _, c := range claims {
			if c.Verdict == v {
				n++
			}
		}
		if n == 0 {
			continue
		}
		_, class := signOf(badge(v))
		w.element("span", itoa(n)+" "+string(v), "class", strings.TrimSpace("badge "+class))
		w.b.WriteByte(' ')
	}
	w.close("p")
}
