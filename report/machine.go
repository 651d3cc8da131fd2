package report

import (
	"slices"
	"strconv"

	"fieldbook/analysis"
	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
)

// What several machines measured is never pooled, so that a number of the text
// is of one of them: the one that the question names, else the one that front
// matter names, else the one of the newest session, which the page then says.
// Tables and figures without a machine show that of front matter, else each
// machine apart. Claims are judged on every machine whatever the writeup says.

// checkMachine complains about a machine in front matter that has no data.
func (b *builder) checkMachine(front FrontMatter) {
	known := b.r.Machines()
	if front.Machine == "" || len(known) == 0 || slices.Contains(known, front.Machine) {
		return
	}
	p := diag.Problem{Pos: front.machineAt, Text: "no data shown here was recorded on the machine " + strconv.Quote(front.Machine), Hint: diag.Meant(front.Machine, known)}
	b.problems.Add(p)
	b.doc.banners = append(b.doc.banners, phrase{flaw(p.Text + "; " + p.Hint)})
}

// namesMachine says whether a selection chooses a machine itself; one session
// ran on one.
func namesMachine(s expr.Selection) bool {
	return s.Levels("machine") != nil || s.Levels("session") != nil
}

// declaredMachine is the machine of front matter as a term, nil where it
// chooses nothing among the data of r.
func (b *builder) declaredMachine(r *analysis.Result) expr.Selection {
	all := r.Machines()
	if len(all) < 2 || !slices.Contains(all, b.front.Machine) {
		return nil
	}
	return expr.Selection{{Factor: "machine", Levels: []string{b.front.Machine}}}
}

// machineOf is the machine that a number of the text is of where it names
// none, as a term; nil where there are not several. What nobody has named is
// warned of at the place off, and noted for the head of the page.
func (b *builder) machineOf(r *analysis.Result, off int) expr.Selection {
	if s := b.declaredMachine(r); s != nil {
		return s
	}
	all := r.Machines()
	if len(all) < 2 {
		return nil
	}
	newest := newestMachine(r, all)
	if !slices.Contains(b.assumed, r) {
		b.assumed = append(b.assumed, r)
		b.problems.Warnf(b.at(off), "no machine is named, and there is data of %s: numbers are of %s, where the newest session ran", inWords(all), newest)
		b.problems.Hint("write `machine: %s` into the front matter, or machine= into the role", newest)
	}
	return expr.Selection{{Factor: "machine", Levels: []string{newest}}}
}

// newestMachine is the one of the machines on which the newest session ran.
func newestMachine(r *analysis.Result, machines []string) string {
	id, machine := "", ""
	for _, s := range r.Data.Sessions {
		if s.Session > id && slices.Contains(machines, s.Machine) {
			id, machine = s.Session, s.Machine
		}
	}
	return machine
}

// assumedBanners say of which machine numbers of the text are that name none.
func (b *builder) assumedBanners() {
	for _, r := range b.assumed {
		all := r.Machines()
		of := ""
		if r != b.r {
			of = " of " + r.Experiment
		}
		b.doc.banners = append(b.doc.banners, phrase{plain("The data" + of + " is of " + plural(len(all), "machine") + ", " + inWords(all) +
			". Where the text names none, its numbers" + of + " are of "), strong(newestMachine(r, all)), plain(", on which the newest session ran.")})
	}
}

// declaredFact is the machine that text, tables and figures are about.
func (b *builder) declaredFact() phrase {
	s := b.declaredMachine(b.r)
	if s == nil {
		return nil
	}
	return phrase{plain("text, tables and figures of "), strong(s[0].Levels[0])}
}

// onMachine gives a question the machine that it leaves open.
func (b *builder) onMachine(q *question, off int) {
	if q.published || q.r == nil {
		return
	}
	if c := q.comparison; c != nil {
		if !namesMachine(slices.Concat(c.Left, c.Right, c.Where)) {
			c.Where = append(slices.Clone(c.Where), b.machineOf(q.r, off)...)
		}
		return
	}
	if !namesMachine(q.selection) {
		q.selection = append(slices.Clone(q.selection), b.machineOf(q.r, off)...)
	}
}

// onMachine gives a table or a figure the machine of front matter where it
// names none and sets none beside the others; without it, comparisons are made
// on each machine apart. A table about a claim is about all its machines.
func (w *wish) onMachine() {
	if w.d.Name != "plot" && w.d.Name != "table" || w.d.Argument == "equivalence" {
		return
	}
	w.asked = w.where
	if namesMachine(w.where) || slices.Contains([]string{w.x, w.by, w.facet}, "machine") {
		return
	}
	if s := w.b.declaredMachine(w.r); s != nil {
		w.where = append(slices.Clone(w.where), s...)
		return
	}
	if machines := w.r.Machines(); len(machines) > 1 && w.d.Argument != "sessions" {
		w.onEach(machines)
	}
}

// onEach makes of each comparison that names no machine one for each.
func (w *wish) onEach(machines []string) {
	list, at := w.compare, w.compareAt
	w.compare, w.compareAt = nil, nil
	for i, c := range list {
		each := machines
		if namesMachine(slices.Concat(c.Left, c.Right, c.Where)) {
			each = []string{""}
		}
		for _, m := range each {
			one := c
			if m != "" {
				one.Where = append(slices.Clone(c.Where), expr.Term{Factor: "machine", Levels: []string{m}})
			}
			w.compare, w.compareAt = append(w.compare, one), append(w.compareAt, at[i])
		}
	}
}
