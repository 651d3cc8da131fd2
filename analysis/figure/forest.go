package figure

import (
	"fmt"
	"math"
	"slices"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
)

// forestChart shows comparisons as intervals of their ratios, one row each,
// on a log axis with a line at 1: those asked for, else each treatment
// against the first. Where a claim declared within which margin a difference
// counts as none, that margin is a zone behind its row.
func forestChart(w *wish) (*chart, error) {
	f := &forestMaker{wish: w, chart: &chart{Name: w.Name, Width: 720, Flat: true, Row: 28, Shared: true,
		Table: Table{Head: []string{"comparison", "ratio", "from", "to", "confidence", "n", "p", "method", "why not"}}}}
	for _, facet := range w.facets() {
		f.begin(facet)
		fill := f.againstFirst
		if len(w.Compare) > 0 {
			fill = f.compared
		}
		if err := fill(facet); err != nil {
			return nil, err
		}
		f.end()
	}
	f.finish()
	f.chart.Notes = append(f.chart.Notes, notes(f.gaps())...)
	return f.chart, nil
}

// forestMaker gathers panels and their rows.
type forestMaker struct {
	*wish
	chart     *chart
	p         panel
	s, before series
	estimates []analysis.Estimate
	words     []string
	margins   bool
	published bool
	to        string // what every row of every panel is compared to; "" where that differs
}

// begin and end a panel.
func (f *forestMaker) begin(facet string) {
	f.p = panel{
		Title: f.facetTitle(facet), Place: axis{Kind: category}, Rules: []rule{{At: 1}},
		Value: axis{Title: "ratio of " + clean(f.Metric), Kind: logarith, Suffix: "×"},
	}
	f.s, f.before = series{Label: "here"}, series{Label: "published", Sign: sign{Colour: neutral.Colour, Shape: 3}}
}

func (f *forestMaker) end() {
	f.p.Series = []series{f.s}
	if len(f.before.Marks) > 0 {
		f.p.Series = append(f.p.Series, f.before)
		f.published = true
	}
	f.margins = f.margins || len(f.p.Zones) > 0
	f.chart.Panels = append(f.chart.Panels, f.p)
}

// compared adds the comparisons asked for.
func (f *forestMaker) compared(facet string) error {
	f.p.Value.Title += ", left over right"
	cs := f.comparisons(facet)
	labels := f.comparisonLabels(cs)
	for i, one := range cs {
		if err := f.row(one, labels[i]); err != nil {
			return err
		}
	}
	return nil
}

// againstFirst adds each treatment against the first of its machine: what
// two machines measured is never compared.
func (f *forestMaker) againstFirst(facet string) error {
	base := map[string]*group{}
	for _, g := range f.groups {
		if g.of(facet) == nil {
			continue
		}
		if base[g.Machine] == nil {
			base[g.Machine] = g
			f.name(g)
			continue
		}
		c := g.against(base[g.Machine])
		c.Where = append(f.scopeOf(facet), c.Where...)
		if err := f.row(c, g.rowName()); err != nil {
			return err
		}
	}
	f.p.Place.Title = f.heading()
	if len(base) == 1 {
		f.p.Value.Title += ", to " + f.to
	}
	return nil
}

// name notes what a panel is compared to.
func (f *forestMaker) name(first *group) {
	if name := within(first.rowName()); f.to == "" || f.to == name {
		f.to = name
	} else {
		f.to = "the first of its kind"
	}
}

// row adds one comparison.
func (f *forestMaker) row(c expr.Comparison, label string) error {
	got, err := f.r.Compare(f.Metric, c)
	if err != nil {
		return err
	}
	place := len(f.p.Place.Names)
	f.p.Place.Names = append(f.p.Place.Names, label)
	e := got.Ratio
	f.p.Rows = append(f.p.Rows, rowText(e))
	f.tableRow(got)
	if m, ok := f.markOf(e, float64(place), label); ok {
		f.s.Marks = append(f.s.Marks, m)
		f.estimates = append(f.estimates, e)
		f.words = append(f.words, clean(e.Text())+" for "+within(label))
	} else {
		f.chart.Notes = append(f.chart.Notes, fmt.Sprintf("No ratio of %s: %s", within(label), clean(e.Refused)))
	}
	f.earlier(c, float64(place), label)
	if lo, hi, claim := f.marginOf(c); claim != "" {
		f.p.Zones = append(f.p.Zones, zone{lo, hi, place, fmt.Sprintf("margin of claim %s: %s to %s", within(claim), number(lo, 0), number(hi, 0))})
	}
	return nil
}

// rowText is a ratio as the text beside its row.
func rowText(e analysis.Estimate) string {
	if e.Refused != "" || math.IsNaN(e.Value) {
		return "n/a"
	}
	if e.NoInterval() != "" {
		return clean(e.ValueText())
	}
	return clean(e.Text())
}

func (f *forestMaker) tableRow(c analysis.Comparison) {
	e := c.Ratio
	f.chart.Table.Rows = append(f.chart.Table.Rows, []string{
		c.Text, cell(e.Value), cell(e.Lo), cell(e.Hi), cell(e.Confidence), fmt.Sprint(e.N), cell(c.P), e.Method, e.Refused,
	})
}

// earlier adds the ratios of published numbers, one for each machine that
// states them.
func (f *forestMaker) earlier(c expr.Comparison, place float64, label string) {
	for _, m := range f.publishedMachines() {
		on := c
		on.Where = append(expr.Selection{{Factor: byMachine, Levels: []string{m}}},
			slices.DeleteFunc(slices.Clone(c.Where), func(t expr.Term) bool { return f.factor(t.Factor) < 0 })...)
		e, err := f.r.PublishedRatio(f.Metric, on)
		if err != nil {
			continue // not stated in a way that answers the question
		}
		if one, ok := f.markOf(e, place, label); ok {
			one.Look, one.Interval = published, nil
			one.Tip = "published, " + within(m) + ": " + within(label) + ", " + clean(e.ValueText())
			f.before.Marks = append(f.before.Marks, one)
		}
	}
}

// finish says what the figure is about.
func (f *forestMaker) finish() {
	c := f.chart
	c.Legend = []key{{sign{}, mean, "ratio, " + confidence(f.estimates) + " interval"}}
	if f.published {
		c.Legend = append(c.Legend, key{sign{Colour: neutral.Colour, Shape: 3}, published, "published"})
	}
	if f.margins {
		c.Legend = append(c.Legend, key{neutral, margin, "margin: counts as no difference"})
	}
	rows := 0
	for _, p := range c.Panels {
		rows += len(p.Rows)
	}
	about := pick(rows, "ratio", "ratios") + " of " + f.quantity()
	switch {
	case rows == 0:
		c.Title = "No comparisons of " + f.quantity() + f.scope()
	case len(f.Compare) > 0:
		c.Title = sentence(about + f.scope())
	default:
		c.Title = sentence(about + ", each treatment against " + f.to + f.scope())
	}
	c.Desc = "There is no data."
	if len(f.words) > 0 {
		c.Desc = sentence(fmt.Sprintf("%s of %s with %s intervals: %s. The axis is logarithmic; 1 is no difference.",
			count(len(f.words), "ratio"), f.quantity(), confidence(f.estimates), firstOf(f.words, "ratio")))
	}
}
