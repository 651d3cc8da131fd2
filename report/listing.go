package report

import (
	"fieldbook/report/markup"
)

// listingKinds are what {listing} can show.
var listingKinds = []string{"commands", "experiment", "trials"}

// listing is a numbered listing: the experiment file as it stands, the commands
// that record the sessions shown, or those of each treatment's trials.
func (w *wish) listing() []block {
	kind := w.d.Argument
	l := listing{ID: w.slot.id, Number: w.slot.number, Name: "commands", Lang: "sh"}
	if kind == "commands" {
		l.Caption, l.Text = w.caption(say("The commands that record the data and render this page.")), w.b.commands(w.r)
		return []block{l}
	}
	if len(w.b.Listing) == 0 || w.r != w.b.r {
		w.wrong(w.d.ArgumentAt, "", "there is no experiment file of %s here to show", w.r.Experiment)
		return nil
	}
	if kind == "trials" {
		l.Caption, l.Text = w.caption(say("What a trial of each treatment runs.")), w.b.Trials
		return []block{l}
	}
	w.b.place("listing", w.r)
	l.Name, l.Lang, l.Text = "experiment.yaml", "yaml", string(w.b.Listing)
	l.Caption = w.caption(phrase{plain("The experiment, "), code("experiment.yaml"), plain(".")})
	return []block{l}
}

// details checks a folded part of the text. What it holds is the writeup's
// own, so that nothing stands in the directive's place but what is wrong.
func (w *wish) details() []block {
	if w.d.Argument == "" {
		w.wrong(w.d.Start, "write what it is about behind {details}", "{details} has no summary")
	}
	if !w.d.HasChildren() {
		w.wrong(w.d.Start, "", "{details} folds nothing")
	}
	return nil
}

// Around is what stands before and after what a directive folds.
func (p htmlParts) Around(d *markup.Directive) (before, after string) {
	w := &page{doc: p.d}
	w.open("details", "class", "fold", "id", p.d.writeup.folds[d])
	w.element("summary", d.Argument)
	w.blocks(p.d.writeup.directives[d])
	return w.b.String(), "</details>\n"
}

// Around is the same for code hosts.
func (p markdownParts) Around(d *markup.Directive) (before, after string) {
	m := &paper{doc: p.d}
	m.blocks(p.d.writeup.directives[d])
	before = m.anchor(p.d.writeup.folds[d]) + "<details>\n<summary>" + markup.EscapeHTML(show(d.Argument)) + "</summary>"
	for _, part := range m.parts {
		before += "\n\n" + part
	}
	return before, "\n</details>"
}
