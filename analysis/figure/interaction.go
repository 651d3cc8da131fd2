package figure

import (
	"fmt"
	"slices"
	"strconv"
)

// interactionChart shows estimates over the levels of X, joined by a line for
// each combination of the other factors, By first. Lines that are not
// parallel say that the effect of X depends on the other. Nothing is averaged
// over a factor, and no line goes beyond the levels that were measured.
func interactionChart(w *wish) (*chart, error) {
	if w.X == "" {
		if err := w.chooseX(); err != nil {
			return nil, err
		}
	}
	of, shared := w.signs()
	p := &pointsMaker{wish: w, of: of, t: w.pointsTable()}
	c := &chart{Name: w.Name, Title: w.overTitle("a line"), Shared: true}
	kind := linear
	for _, f := range w.facets() {
		c.Panels = append(c.Panels, p.lines(f))
	}
	if p.logEstimates(c.Panels) {
		kind = logarith
	}
	for i := range c.Panels {
		c.Panels[i].Value = w.estimateAxis(kind)
	}
	c.grid(3, 280, 220)
	c.explain(w, of, joined, shared)
	c.Legend = append(c.Legend, p.keys()[1:]...)
	c.Desc = p.desc(kind)
	c.Notes = append(notes(shared, w.failures(), w.staleNote()), p.refused()...)
	c.Table = p.t
	return c, nil
}

// estimateAxis is the axis of the statistic, which need not be in the unit of
// the metric.
func (w *wish) estimateAxis(kind axisKind) axis {
	a := w.valueAxis(kind)
	if w.Stat != "" {
		a.Title = statName(w.Stat) + " of " + a.Title
	}
	if w.Stat == "cv" || w.Stat == "n" {
		a.Unit = ""
	}
	return a
}

// chooseX takes the first numeric factor that varies, else the first.
func (w *wish) chooseX() error {
	for _, n := range w.varying {
		if n != w.By && w.factor(n) >= 0 && (w.X == "" || w.numeric(n) && !w.numeric(w.X)) {
			w.X = n
		}
	}
	if w.X == "" && len(w.trials) > 0 {
		return fmt.Errorf("an interaction needs a factor for x, and no other one varies here; name one by x, or widen where")
	}
	w.varying = slices.DeleteFunc(w.varying, func(n string) bool { return n == w.X })
	return nil
}

// xAxis is the axis of X: by number where the factor is numeric and, on its
// scale, all levels have a place; else one category for each level.
func (w *wish) xAxis() (axis, map[string]float64) {
	a := axis{Title: clean(w.X), Kind: category}
	at := map[string]float64{}
	numeric := axis{Title: clean(w.X), Kind: linear, Shown: nothing}
	i := w.factor(w.X)
	if i >= 0 {
		numeric.Unit = clean(w.r.Factors[i].Unit)
		if w.r.Factors[i].Scale == "log" {
			numeric.Kind = logarith
		}
	}
	numbers := map[string]float64{}
	for k, l := range w.levels(w.X) {
		a.Names = append(a.Names, w.label(w.X, l))
		at[l] = float64(k)
		if v, err := strconv.ParseFloat(l, 64); err == nil && (numeric.Kind == linear || v > 0) {
			numbers[l] = v
			numeric.Shown = numeric.Shown.include(v)
			numeric.Ticks = append(numeric.Ticks, tick{v, clean(l)})
		}
	}
	if !w.numeric(w.X) || len(numbers) < len(at) || numeric.Shown.equal() {
		return a, at
	}
	numeric.Domain = numeric.Shown.widen(numeric.Kind, 0.06)
	return numeric, numbers
}

// lines is the panel of a facet.
func (p *pointsMaker) lines(facet string) panel {
	a, at := p.xAxis()
	one := panel{Title: p.facetTitle(facet), Place: a, Lanes: len(p.labels())}
	for lane, label := range p.labels() {
		s := series{Label: label, Lane: lane, Line: straight}
		earlier := series{Lane: lane}
		for _, g := range p.groups {
			part := g.of(facet)
			if g.name() != label || part == nil {
				continue
			}
			s.Sign = p.of[g]
			for _, m := range p.estimatesOf(part, facet, at[g.level(p.X)]) {
				if m.Look == published {
					earlier.Marks = append(earlier.Marks, m)
				} else {
					s.Marks = append(s.Marks, m)
				}
			}
		}
		slices.SortStableFunc(s.Marks, func(a, b mark) int { return compareFloats(a.Place, b.Place) })
		earlier.Sign, earlier.Label = s.Sign, label
		one.Series = append(one.Series, s)
		if len(earlier.Marks) > 0 {
			one.Series = append(one.Series, earlier)
		}
	}
	return one
}

// estimatesOf is the estimate of a group as a mark, and what was published.
func (p *pointsMaker) estimatesOf(g *group, facet string, place float64) []mark {
	s := p.series(&group{w: g.w, Levels: g.Levels, Control: g.Control, Machine: g.Machine}, g, facet, place, 0)
	return s.Marks
}

// logEstimates says whether estimates span a factor of more than three.
func (p *pointsMaker) logEstimates(panels []panel) bool {
	all := nothing
	for _, one := range panels {
		for _, s := range one.Series {
			for _, m := range s.Marks {
				all = all.include(m.Value)
			}
		}
	}
	return !all.empty() && all.Lo > 0 && all.Hi/all.Lo > 3
}

// overTitle is the title of what is shown over X, each being what stands for
// one of the other levels.
func (w *wish) overTitle(each string) string {
	if len(w.trials) == 0 {
		return w.noTrials()
	}
	by := ""
	if len(w.varying) > 0 {
		by = ", " + each + " for each " + list(w.varying)
	}
	what := w.quantity()
	if w.Stat != "" {
		what = statName(w.Stat) + " of " + what
	}
	return sentence(fmt.Sprintf("%s over %s%s%s", what, clean(w.X), by, w.scopeAfter()))
}
