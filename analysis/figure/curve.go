package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis"
)

// curveChart shows estimates over a numeric factor, on its scale, joined
// between the levels that were measured and nowhere beyond, as are their
// intervals by a band, and beside them
// the line a + b·x that fits best, dashed, as far as it was fitted.
func curveChart(w *wish) (*chart, error) {
	if err := w.chooseNumber(); err != nil {
		return nil, err
	}
	of, shared := w.signs()
	p := &curveMaker{pointsMaker: pointsMaker{wish: w, of: of, t: w.pointsTable()}}
	c := &chart{Name: w.Name, Title: w.overTitle("a curve"), Shared: true}
	for _, f := range w.facets() {
		c.Panels = append(c.Panels, p.curves(f))
	}
	kind := linear
	if p.logEstimates(c.Panels) {
		kind = logarith
	}
	for i := range c.Panels {
		c.Panels[i].Value = w.estimateAxis(kind)
	}
	c.grid(3, 300, 230)
	c.explain(w, of, unbroken, shared)
	c.Legend = append(c.Legend, p.keys()[1:]...)
	if len(p.fits) > 0 {
		c.Legend = append(c.Legend, key{neutral, fitted, "line a + b·x, fitted"})
	}
	c.Desc = p.curveDesc(kind)
	c.Notes = append(notes(shared, w.failures(), w.staleNote(), p.unfitted()), p.refused()...)
	c.Table = p.t
	return c, nil
}

// chooseNumber takes the first numeric factor that varies where none is
// named, and refuses what has no place on an axis of numbers.
func (w *wish) chooseNumber() error {
	w.takeNumber()
	w.varying = slices.DeleteFunc(w.varying, func(n string) bool { return n == w.X })
	if len(w.trials) == 0 {
		return nil
	}
	switch {
	case w.X == "":
		return fmt.Errorf("a curve needs a numeric factor for x, and none varies here; name one by x, or widen where")
	case !w.numeric(w.X):
		return fmt.Errorf("a curve needs numbers for x, and %s has none; the plot %s can show it", w.X, Interaction)
	case len(w.levels(w.X)) < 2:
		return fmt.Errorf("a curve takes two levels of %s, and there is one; widen where", w.X)
	}
	if a, _ := w.xAxis(); a.Kind == category {
		return fmt.Errorf("a level of %s has no place on its %s axis; the plot %s can show it", w.X, cmp.Or(w.r.Factors[w.factor(w.X)].Scale, "linear"), Interaction)
	}
	return nil
}

// takeNumber makes the first numeric factor that varies X, where none is
// named.
func (w *wish) takeNumber() {
	for _, n := range w.varying {
		if w.X == "" && n != w.By && w.numeric(n) {
			w.X = n
		}
	}
}

// curveMaker gathers what the panels have in common.
type curveMaker struct {
	pointsMaker
	fits  []string // of each line, for the description
	unfit []string // why there is no line
}

// curves is the panel of a facet: its lines first, so that marks lie on top.
func (p *curveMaker) curves(facet string) panel {
	one := p.lines(facet)
	var lines []series
	for i := range one.Series {
		s := &one.Series[i]
		if s.Line != straight {
			continue
		}
		s.Line, s.Ribbon = solid, true
		if l, ok := p.fitted(facet, s.Label, one.Place); ok {
			l.Sign, l.Lane = s.Sign, s.Lane
			lines = append(lines, l)
		}
	}
	one.Series = append(lines, one.Series...)
	return one
}

// steps is how many pieces a fitted line is drawn in; on a log axis it bends.
const steps = 32

// fitted is the fitted line of one series of a panel, within the levels that
// it was fitted to.
func (p *curveMaker) fitted(facet, label string, place axis) (series, bool) {
	groups := p.along(facet, label)
	if len(groups) == 0 || p.statistic() != "geomean" {
		return series{}, false
	}
	one, why := p.curveOf(groups[0], facet)
	if why != "" {
		p.leaveOut(why, groups[0])
		return series{}, false
	}
	line := one.Line
	s := series{Line: dashed, Label: strings.TrimPrefix(within(label)+": ", ": ") + p.formula(one)}
	to := scale{kind: place.Kind, domain: span{line.X[0], line.X[len(line.X)-1]}}
	for i := range steps + 1 {
		x := to.value(float64(i) / steps)
		s.Marks = append(s.Marks, mark{Place: x, Value: line.At(x) * p.scaleBy, Look: fitted})
	}
	_, at := p.xAxis()
	for _, g := range groups {
		if x := at[g.level(p.X)]; slices.Contains(line.X, x) {
			p.row(g, facetSession(p.wish, facet), "fitted line", cell(line.At(x)), "", "", "")
		}
	}
	p.fits = append(p.fits, p.fitWords(label, one))
	return s, true
}

// along are the groups of one series in one panel.
func (p *curveMaker) along(facet, label string) []*group {
	return slices.DeleteFunc(slices.Clone(p.groups), func(g *group) bool { return g.of(facet) == nil || g.name() != label })
}

// curveOf asks the analysis for the curve that a group lies on.
func (p *curveMaker) curveOf(g *group, facet string) (analysis.CurveSeries, string) {
	where := p.scopeOf(facet)
	for _, t := range g.selection() {
		if t.Factor != p.X {
			where = append(where, t)
		} else if levels := p.Where.Levels(p.X); levels != nil {
			t.Levels = levels
			where = append(where, t)
		}
	}
	c, err := p.r.Curve(p.Metric, p.X, where)
	switch {
	case err != nil:
		return analysis.CurveSeries{}, err.Error()
	case len(c.Series) != 1:
		return analysis.CurveSeries{}, "there is no single curve"
	}
	return c.Series[0], c.Series[0].Line.Refused
}

func (p *curveMaker) leaveOut(why string, g *group) {
	name := within(g.name())
	text := "No line is fitted: " + clean(why)
	if name != "" {
		text = "No line is fitted to " + name + ": " + clean(why)
	}
	if !slices.Contains(p.unfit, text) {
		p.unfit = append(p.unfit, text)
	}
}

// unfitted says why lines are missing.
func (p *curveMaker) unfitted() string {
	if len(p.trials) > 0 && p.statistic() != "geomean" {
		return "The fitted line is one of geometric means, and is not drawn beside the " + statName(p.statistic())
	}
	return strings.Join(p.unfit, ". ")
}

// formula is the line in the unit shown: "(31.8 + 10.0·clients) ms".
func (p *curveMaker) formula(s analysis.CurveSeries) string {
	return unitAfter("("+s.LineText(clean(p.X), p.unit, p.plainUnit)+")", p.display)
}

// fitWords say how well a line fits, and whether another model does better.
func (p *curveMaker) fitWords(label string, s analysis.CurveSeries) string {
	worst, at := 0.0, 0
	for j, d := range s.Line.Deviations {
		if math.Abs(d.Value) > math.Abs(worst) {
			worst, at = d.Value, j
		}
	}
	text := "the line " + p.formula(s)
	if label != "" {
		text += " for " + within(label)
	}
	if len(s.Line.Deviations) > 0 && worst != 0 {
		text += fmt.Sprintf(" is furthest off at %s %s, by %s", clean(p.X), number(s.Line.X[at], s.Line.X[at]), clean(s.Line.Deviations[at].PercentText()))
	}
	if !math.IsNaN(s.Line.LackP) {
		text += ", lack of fit " + analysis.PText(s.Line.LackP)
	}
	if len(s.Fits) > 0 && s.Fits[0].Refused == "" {
		text += ", best model by AICc: " + s.Fits[0].Model
	}
	return text
}

func (p *curveMaker) curveDesc(kind axisKind) string {
	text := p.desc(kind)
	if len(p.fits) > 0 {
		text += " " + sentence(firstOf(p.fits, "line")) + "."
	}
	return text
}
