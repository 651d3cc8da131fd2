package figure

import (
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
)

// group is the trials of one treatment, or of one label of an A/A control,
// on one machine.
type group struct {
	w       *wish
	Levels  []string // in the order of the experiment's factors
	Control string
	Machine string
	Trials  []analysis.Observation
}

// groupOf is the first group of a treatment on a machine; nil where the
// figure has none.
func (w *wish) groupOf(levels []string, machine string) *group {
	for _, g := range w.groups {
		if slices.Equal(g.Levels, levels) && g.Machine == machine {
			return g
		}
	}
	return nil
}

// level is a group's level of a factor or of what stands beside factors.
// Session is none of a group's.
func (g *group) level(name string) string {
	switch name {
	case byMachine:
		return g.Machine
	case byControl:
		return g.Control
	}
	if i := g.w.factor(name); i >= 0 && i < len(g.Levels) {
		return g.Levels[i]
	}
	return ""
}

// labelOf joins a group's labels of some names: "queue 2"; where several are
// numbers, or stand among many, each with the name of its factor: "queue
// sessions 1 size 4 kB"; so has beside others what is no word.
func (g *group) labelOf(names []string) string {
	var words []string
	numbers := 0
	for _, n := range names {
		if g.w.shownAsNumber(n) {
			numbers++
		}
	}
	for _, n := range names {
		l := g.w.label(n, g.level(n))
		if g.w.shownAsNumber(n) && (numbers > 1 || len(names) > 2) || len(names) > 1 && g.w.bare(n, []string{g.level(n)}) {
			l = n + " " + l
		}
		if l == "" && n == byControl {
			continue // a treatment that runs once
		}
		if l = shown(l); len(names) > 1 && strings.IndexFunc(l, leftward) >= 0 {
			l += "\u200e" // what follows stays at its right
		}
		words = append(words, l)
	}
	return strings.Join(words, " ")
}

// shownAsNumber says whether a name is that of a numeric factor whose levels
// have no labels.
func (w *wish) shownAsNumber(name string) bool {
	return w.numeric(name) && len(w.r.Factors[w.factor(name)].Labels) == 0
}

// name is a group's label among the series of a figure.
func (g *group) name() string { return g.labelOf(g.w.varying) }

// rowName is a group's label in a panel of rows.
func (g *group) rowName() string {
	if len(g.w.varying) == 0 {
		return g.fullName()
	}
	return g.name()
}

// fullName is a group's label among all groups. Where all trials are of one
// treatment, it is that treatment's levels.
func (g *group) fullName() string {
	if len(g.w.named) > 0 {
		return g.labelOf(g.w.named)
	}
	var all []string
	for _, f := range g.w.r.Factors {
		all = append(all, f.Name)
	}
	return g.labelOf(all)
}

// selection is the group's treatment, for a question to the analysis.
func (g *group) selection() expr.Selection {
	var s expr.Selection
	for _, t := range g.w.Where {
		if g.w.factor(t.Factor) < 0 && t.Factor != byMachine && t.Factor != byControl {
			s = append(s, t)
		}
	}
	if len(g.w.levels(byMachine)) > 1 {
		s = append(s, expr.Term{Factor: byMachine, Levels: []string{g.Machine}})
	}
	for i, f := range g.w.r.Factors {
		if i < len(g.Levels) {
			s = append(s, expr.Term{Factor: f.Name, Levels: []string{g.Levels[i]}})
		}
	}
	if g.Control != "" {
		s = append(s, expr.Term{Factor: byControl, Levels: []string{g.Control}})
	}
	return s
}

// of is the part of a group that belongs to a facet's panel; nil where there
// is none.
func (g *group) of(facet string) *group {
	switch g.w.Facet {
	case "":
		return g
	case bySession:
		part := *g
		part.Trials = slices.DeleteFunc(slices.Clone(g.Trials), func(t analysis.Observation) bool { return t.Session != facet })
		if len(part.Trials) == 0 {
			return nil
		}
		return &part
	}
	if g.level(g.w.Facet) != facet {
		return nil
	}
	return g
}
