package report

import (
	"fmt"
	"slices"

	"fieldbook/analysis"
	"fieldbook/analysis/figure"
	"fieldbook/internal/diag"
	"fieldbook/internal/session"
)

// defaultReport is the document of an experiment without a writeup.
func (b *builder) defaultReport() {
	b.title("")
	if len(b.r.Data.Sessions) > 0 {
		b.verdictSection()
		b.resultSection()
		b.clientSection()
	}
	measured := "How it was measured"
	if len(b.r.Data.Sessions) == 0 {
		measured = "What is to be measured"
	}
	b.section(measured, b.designAndMethods()...)
	if len(b.r.Data.Sessions) > 0 {
		b.section("Was the machine quiet?", append(b.diagnostics(b.r), b.spreadFigure()...)...)
		b.section("What was left out", b.exclusions(b.r)...)
	}
	b.record()
}

// section is a heading with what stands under it, and a line of the contents.
func (b *builder) section(title string, blocks ...block) {
	if len(blocks) == 0 {
		return
	}
	id := b.ids.Take(title)
	b.doc.contents = append(b.doc.contents, entry{id, title})
	b.doc.body = append(append(b.doc.body, heading{2, id, title}), blocks...)
}

// generated is a wish that no directive made.
func (b *builder) generated() *wish {
	return &wish{b: b, r: b.r, metric: mainMetric(b.r), whole: true}
}

// verdictSection is the claims, or, where none is declared, what comparisons
// show, marked as exploratory.
func (b *builder) verdictSection() {
	w := b.generated()
	if len(b.r.Claims) > 0 {
		w.slot.id, w.slot.number = b.tableSlot("")
		b.takeClaims()
		b.section("Verdicts", append(b.claims(w), b.equivalences()...)...)
		return
	}
	if len(b.r.Treatments()) < 2 {
		return
	}
	if blocks := b.exploratory(w); len(blocks) > 0 {
		b.section("What differs", blocks...)
	}
}

// mostCompared is how many treatments a default report sets beside the first
// one by one.
const mostCompared = 24

func (b *builder) exploratory(w *wish) []block {
	list, _, err := w.compared()
	if err != nil || len(list) == 0 || len(list) > mostCompared {
		return nil
	}
	w.slot.id, w.slot.number = b.tableSlot("")
	return w.comparisonBlocks(list)
}

// resultSection is the main figures and tables.
func (b *builder) resultSection() {
	blocks := append([]block{b.figure(figure.Points), b.figure(figure.Order)}, b.percentileFigure()...)
	w := b.generated()
	w.slot.id, w.slot.number = b.tableSlot("")
	blocks = append(blocks, w.treatments(b.rankable()))
	if len(b.r.Claims) > 0 {
		blocks = append(blocks, b.exploratory(b.generated())...)
	}
	blocks = append(append(blocks, b.defaultCurves()...), b.defaultEffects()...)
	b.section("Results", blocks...)
}

// rankable says whether a default report ranks its treatments: three or more
// that differ in kind, not along an axis, by a metric that has a better
// direction.
func (b *builder) rankable() bool {
	numeric := func(f session.Factor) bool { return f.Numeric && len(f.Levels) > 1 }
	n := len(b.r.Treatments())
	return n > 2 && n <= mostCompared && betterOf(b.r, mainMetric(b.r)) != "" && !slices.ContainsFunc(b.r.Factors, numeric)
}

// figure draws a figure of the main metric; what cannot be drawn is said in
// its place.
func (b *builder) figure(kind string) block {
	w := b.generated()
	w.slot.id, w.slot.number = b.figureSlot("")
	f, err := w.draw(kind)
	if err != nil {
		f = &figureBlock{ID: w.slot.id, Number: w.slot.number, Caption: say("Cannot be drawn: ", sentence(err.Error()))}
	}
	return f
}

// designAndMethods is the table of factors and the paragraph on methods.
func (b *builder) designAndMethods() []block {
	var blocks []block
	if len(b.r.Factors) > 0 {
		w := b.generated()
		w.slot.id, w.slot.number = b.tableSlot("")
		blocks = append(blocks, w.factors())
	}
	if len(b.r.Data.Sessions) > 0 {
		blocks = append(blocks, b.methods(b.r)...)
	}
	return blocks
}

// record is what is long and dry, folded, apart from what the document shows
// already.
func (b *builder) record() {
	type part struct {
		name, title string
		make        func(*analysis.Result) []block
	}
	var folds []block
	add := func(title string, blocks []block) {
		id := b.ids.Take(title)
		folds = append(folds, fold{id, title, blocks})
		if b.doc.writeup == nil {
			b.doc.contents = append(b.doc.contents, entry{id, title})
		}
	}
	if len(b.r.Data.Sessions) > 0 {
		for _, p := range []part{
			{"methods", "How it was measured", b.methods},
			{"diagnostics", "Was the machine quiet?", b.diagnostics},
			{"exclusions", "What was left out", b.exclusions},
			{"environment", "Machine and versions", b.environment},
			{"checklist", "Checklists", b.checklist},
		} {
			if !b.placed[p.name] {
				add(p.title, p.make(b.r))
			}
		}
	}
	if !b.placed["reproduce"] {
		add(map[bool]string{true: "Do it", false: "Do it again"}[len(b.r.Data.Sessions) == 0], b.reproduce(b.r))
	}
	if len(b.r.Data.Sessions) > 0 && !b.placed["cite"] {
		add("Cite this", b.cite(b.r))
	}
	if b.doc.writeup != nil {
		b.section("For the record", folds...)
		return
	}
	b.doc.body = append(b.doc.body, folds...)
}

// roughly is a duration in seconds as a person says it.
func roughly(seconds float64) string {
	switch {
	case seconds < 1:
		return "1 s"
	case seconds < 100:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 100*60:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.1f h", seconds/3600)
}

// place notes that a part of this experiment's report stands in the document.
func (b *builder) place(name string, r *analysis.Result) {
	if r == b.r {
		b.placed[name] = true
	}
}

// of names an experiment that is not this one: " of order".
func (b *builder) of(r *analysis.Result) string {
	if r == b.r {
		return ""
	}
	return " of " + r.Experiment
}

// checkUse warns of claims that a writeup does not show, and of experiments
// that it names and does not use. Of one that was not read it knows neither.
func (b *builder) checkUse() {
	if b.cut {
		return
	}
	for i, name := range b.front.Uses {
		if !b.used[name] && b.Uses[name] != nil {
			b.problems.Warnf(b.front.UsesAt[i], "uses names %q, and the writeup says nothing of it", name)
			b.problems.Hint("name it by experiment=%s, or take it out", name)
		}
	}
	if len(b.r.Claims) == 0 || b.claimsShown {
		return
	}
	for _, r := range b.doc.writeup.Roles {
		if r.Name == "claim" {
			return
		}
	}
	b.problems.Warnf(diag.Pos{File: b.File}, "the experiment declares %s and the writeup shows none", plural(len(b.r.Claims), "claim"))
	b.problems.Hint("the directive {claims} shows all of them with their verdicts")
}
