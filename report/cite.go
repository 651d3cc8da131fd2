package report

import (
	"regexp"
	"strings"

	"fieldbook/analysis"
)

// cite is how to cite the report, in plain text and as BibTeX: what the data
// and the front matter say, and nothing else. Without authors in the front
// matter there are none in it.
func (b *builder) cite(r *analysis.Result) []block {
	b.place("cite", r)
	return []block{
		paragraph{say(b.citation(r))},
		listing{Name: "BibTeX", Lang: "bibtex", Text: b.bibtex(r)},
	}
}

// citation is "A. Author, B. Author. Title. Experiment NAME of the notebook
// N; recorded 30 Nov 2026 on machine M."
func (b *builder) citation(r *analysis.Result) string {
	var parts []string
	if authors := b.authorsOf(r); len(authors) > 0 {
		parts = append(parts, inWords(authors))
	}
	parts = append(parts, b.titleOf(r))
	where := "Experiment " + r.Experiment
	if b.Notebook != "" {
		where += " of the notebook " + b.Notebook
	}
	parts = append(parts, where+recorded(r))
	for i, p := range parts {
		parts[i] = sentence(p)
	}
	return strings.Join(parts, " ")
}

// recorded says when and where the newest data is from.
func recorded(r *analysis.Result) string {
	if len(r.Data.Sessions) == 0 {
		return ", not recorded yet"
	}
	text := "; recorded"
	if when := day(r.Data.Sessions[len(r.Data.Sessions)-1]); when != "" {
		text += " " + when
	}
	return text + " on " + placesOf(r)
}

func (b *builder) bibtex(r *analysis.Result) string {
	var out strings.Builder
	out.WriteString("@misc{" + bibKey(r.Experiment) + ",\n")
	field := func(name, text string) {
		if text != "" {
			out.WriteString("  " + name + " = {" + text + "},\n")
		}
	}
	var authors []string
	for _, a := range b.authorsOf(r) {
		authors = append(authors, "{"+bibText(a)+"}")
	}
	field("author", strings.Join(authors, " and "))
	field("title", "{"+bibText(b.titleOf(r))+"}")
	if n := len(r.Data.Sessions); n > 0 {
		if when := day(r.Data.Sessions[n-1]); len(when) > 4 {
			field("year", when[len(when)-4:])
		}
	}
	how := "Experiment " + r.Experiment
	if b.Notebook != "" {
		how += " of the notebook " + b.Notebook
	}
	field("howpublished", bibText(how))
	field("note", bibText(b.bibNote(r)))
	return out.String() + "}\n"
}

// bibNote is when, where, from which commit and with which tool.
func (b *builder) bibNote(r *analysis.Result) string {
	note := strings.TrimPrefix(strings.TrimPrefix(recorded(r), "; "), ", ")
	if n := len(r.Data.Sessions); n > 0 {
		if commit, known := commitOf(r.Data.Sessions[n-1]); known {
			note += ", commit " + commit
		}
	}
	if b.Version != "" {
		note += ", fieldbook " + b.Version
	}
	return sentenceCase(note)
}

// authorsOf are those that the writeup's front matter names; of another
// experiment nobody is known here.
func (b *builder) authorsOf(r *analysis.Result) []string {
	if r != b.r {
		return nil
	}
	return b.front.Authors
}

func (b *builder) titleOf(r *analysis.Result) string {
	switch {
	case r == b.r && b.doc.title.text() != "":
		return b.doc.title.text()
	case r.Title != "":
		return r.Title
	}
	return r.Experiment
}

var notInKey = regexp.MustCompile(`[^A-Za-z0-9-]+`)

// bibKey is a name as BibTeX takes it for a key.
func bibKey(name string) string {
	if key := strings.Trim(notInKey.ReplaceAllString(name, "-"), "-"); key != "" {
		return key
	}
	return "experiment"
}

// bibText escapes what TeX would read.
func bibText(s string) string { return texText.Replace(show(oneLine(s))) }

var texText = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "%", `\%`, "&", `\&`, "#", `\#`, "$", `\$`, "_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`)
