package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis"
)

// densityChart shows the smoothed distribution of each treatment's trials,
// with the trials themselves as strokes under it, and says how wide it was
// smoothed. Where the value axis is logarithmic the logarithms are smoothed.
// A treatment of few trials has strokes alone.
func densityChart(w *wish) (*chart, error) {
	of, shared := w.signs()
	d := &densityMaker{wish: w, of: of, log: w.logScale() == logarith}
	c := &chart{Name: w.Name, Flat: true, Shared: true, Title: d.title(),
		Table: Table{Head: append(w.factorHead(), w.sessionCells("session", w.valueHead(), d.perWhat())...)}}
	d.t = &c.Table
	for _, f := range w.facets() {
		c.Panels = append(c.Panels, d.panel(f))
	}
	d.heights(c.Panels)
	if len(w.trials) > 0 && d.curves == 0 {
		return nil, fmt.Errorf("%s; the plots %s and %s show each trial", d.refusals[0].why, Points, ECDF)
	}
	c.grid(2, 280, 220)
	c.explain(w, of, unbroken, shared)
	c.Legend = append(c.Legend, key{neutral, stroke, "one trial"})
	c.Desc = d.desc()
	c.Notes = append(notes(shared, d.smoothed(), w.failures(), w.staleNote(), w.unpublished()), d.refused()...)
	return c, nil
}

// densityMaker gathers what the panels have in common.
type densityMaker struct {
	*wish
	of       map[*group]sign
	log      bool
	t        *Table
	curves   int
	top      float64  // the height of the highest curve
	widths   []string // the bandwidth of each curve, for a reader
	refusals refusals
}

// perWhat is what the height of a curve counts.
func (d *densityMaker) perWhat() string {
	if d.log {
		return "share of trials per doubling"
	}
	return "share of trials per " + clean(d.per())
}

func (d *densityMaker) per() string {
	if d.unit == "" || d.unit == "1" {
		return "unit"
	}
	return d.unit
}

// panel is one facet: the curves above, a lane of strokes for each treatment
// below.
func (d *densityMaker) panel(facet string) panel {
	kind := linear
	if d.log {
		kind = logarith
	}
	p := panel{Title: d.facetTitle(facet), Value: d.valueAxis(kind), Place: axis{Title: d.heightTitle(), Kind: linear}}
	for _, g := range d.groups {
		part := g.of(facet)
		if part == nil {
			continue
		}
		s := d.curve(g, facet)
		s.Sign = d.of[g]
		if len(s.Marks) > 0 {
			d.top = max(d.top, slices.MaxFunc(s.Marks, func(a, b mark) int { return compareFloats(a.Place, b.Place) }).Place)
			p.Series = append(p.Series, s)
		}
		p.Series = append(p.Series, d.strokes(part, d.of[g]))
	}
	p.Rules = append(p.Rules, rule{At: 0, AtPlace: true})
	return p
}

// heights gives all panels one height, and each row of strokes its place
// below the curves.
func (d *densityMaker) heights(panels []panel) {
	rows := 1
	for _, p := range panels {
		rows = max(rows, len(p.strokes()))
	}
	if d.top == 0 {
		d.top = 1
	}
	lane := math.Min(0.07, 0.35/float64(rows)) * d.top
	for i := range panels {
		p := &panels[i]
		for row, s := range p.strokes() {
			for k := range s.Marks {
				s.Marks[k].Place = -lane * (float64(row) + 0.7)
			}
		}
		p.Place.Shown, p.Place.Domain = span{0, d.top}, span{-lane * (float64(rows) + 0.3), d.top * 1.05}
		p.Place.Ticks = chooseTicks(linear, p.Place.Shown, span{0, d.top * 1.05}, func(ts []tick) bool { return len(ts) <= 5 }).Ticks
	}
}

// strokes are the series of a panel that are rows of trials.
func (p *panel) strokes() []*series {
	var rows []*series
	for i := range p.Series {
		if p.Series[i].Line == "" {
			rows = append(rows, &p.Series[i])
		}
	}
	return rows
}

func (d *densityMaker) heightTitle() string {
	if d.log {
		return "share of trials per doubling"
	}
	if d.display == "" || d.display == "1" {
		return "density of trials"
	}
	return "share of trials per " + clean(d.display)
}

// curve is the density of a group; without marks where there is none.
func (d *densityMaker) curve(g *group, facet string) series {
	s := series{Label: within(g.fullName()), Line: smooth}
	got, err := d.r.Density(d.Metric, append(d.scopeOf(facet), g.selection()...), d.log)
	if err != nil {
		got.Refused = err.Error()
	}
	if got.Refused != "" {
		d.refusals.add(got.Refused, g)
		return s
	}
	d.curves++
	d.widths = append(d.widths, d.bandwidth(got)+" for "+within(g.fullName()))
	for i, x := range got.X {
		height := got.Y[i]
		if !d.log {
			height /= d.scaleBy
		}
		s.Marks = append(s.Marks, mark{Place: height, Value: x * d.scaleBy, Look: fitted})
		d.t.Rows = append(d.t.Rows, append(d.factorCells(g.Trials[0]), d.sessionCells(facetSession(d.wish, facet), cell(x), cell(got.Y[i]))...))
	}
	return s
}

// bandwidth is how wide a curve was smoothed.
func (d *densityMaker) bandwidth(of analysis.Density) string {
	if d.log {
		return number(100*(of.Bandwidth-1), 100*(of.Bandwidth-1)) + " %"
	}
	return d.withUnit(of.Bandwidth, of.Bandwidth)
}

// strokes are a group's trials.
func (d *densityMaker) strokes(part *group, of sign) series {
	s := series{Sign: of, Label: within(part.fullName())}
	width := spread(values(d.trials)).width()
	for _, t := range part.Trials {
		if ok(t) {
			s.Marks = append(s.Marks, mark{Value: t.Value * d.scaleBy, Look: stroke, Tip: d.tip(t, part.fullName(), width), Stale: t.Stale})
		}
	}
	return s
}

func (d *densityMaker) refused() []string {
	var all []string
	for _, r := range d.refusals {
		all = append(all, fmt.Sprintf("No curve of %s: %s", r.names(), clean(r.why)))
	}
	return all
}

// smoothed says how the curves were made.
func (d *densityMaker) smoothed() string {
	if d.curves == 0 {
		return ""
	}
	what := "the trials"
	if d.log {
		what = "the logarithms of the trials"
	}
	return fmt.Sprintf("Gaussian kernels over %s, bandwidth by Silverman’s rule: %s", what, firstOf(d.widths, "treatment"))
}

func (d *densityMaker) title() string {
	if len(d.trials) == 0 {
		return d.noTrials()
	}
	return sentence(fmt.Sprintf("density of %s over the trials of %s%s", d.quantity(), count(d.treatments, "treatment"), d.scope()))
}

func (d *densityMaker) desc() string {
	text := d.orderDesc()
	if s := d.smoothed(); s != "" {
		text = strings.TrimSuffix(text, ".") + ". " + s + "."
	}
	return text
}
