package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
)

// forestChart shows comparisons as intervals of their ratios, one row each,
// on a log axis with a line at 1: those asked for, else each treatment
// against the first. Where a claim declared within which margin a difference
// counts as none, that margin is a zone behind its row.
func forestChart(w *wish) (*chart, error) {
	c := &chart{Name: w.Name, Width: 720, Flat: true, Row: 28,
		Table: Table{Head: []string{"comparison", "ratio", "from", "to", "confidence", "n", "p", "method", "why not"}}}
	f := &forestMaker{wish: w, chart: c, p: panel{
		Value: axis{Title: "ratio of " + clean(w.Metric), Kind: logarith, Suffix: "×"},
		Place: axis{Kind: category}, Rules: []rule{{At: 1}},
	}}
	if len(w.Compare) == 0 {
		return c, f.againstFirst()
	}
	cs := w.comparisons()
	labels := w.comparisonLabels(cs)
	c.Title = sentence(fmt.Sprintf("%s of %s%s", pick(len(cs), "ratio", "ratios"), w.quantity(), w.scope()))
	f.p.Value.Title += ", left over right"
	for i, one := range cs {
		if err := f.row(one, labels[i]); err != nil {
			return nil, err
		}
	}
	f.finish()
	return c, nil
}

// againstFirst adds each treatment against the first of its machine: what
// two machines measured is never compared.
func (f *forestMaker) againstFirst() error {
	f.chart.Title = "No comparisons of " + f.quantity() + f.scope()
	base := map[string]*group{}
	n := 0
	for _, g := range f.groups {
		if base[g.Machine] == nil {
			base[g.Machine] = g
			continue
		}
		n++
		if err := f.row(g.against(base[g.Machine]), g.fullName()); err != nil {
			return err
		}
	}
	if n > 0 {
		first := "the first of its machine"
		if len(base) == 1 {
			first = within(f.groups[0].fullName())
			f.p.Value.Title += ", to " + first
		}
		f.p.Place.Title = strings.Join(f.named, ", ")
		f.chart.Title = sentence(fmt.Sprintf("%s of %s, each treatment against %s%s", pick(n, "ratio", "ratios"), f.quantity(), first, f.scope()))
	}
	f.finish()
	return nil
}

// forestMaker gathers the rows.
type forestMaker struct {
	*wish
	chart     *chart
	p         panel
	s, before series
	estimates []analysis.Estimate
	words     []string
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

// finish puts the rows together.
func (f *forestMaker) finish() {
	c := f.chart
	f.s.Label, f.before.Label = "here", "published"
	f.p.Series = []series{f.s}
	c.Legend = []key{{sign{}, mean, "ratio, " + confidence(f.estimates) + " interval"}}
	if len(f.before.Marks) > 0 {
		f.before.Sign = sign{Colour: neutral.Colour, Shape: 3}
		f.p.Series = append(f.p.Series, f.before)
		c.Legend = append(c.Legend, key{f.before.Sign, published, "published"})
	}
	if len(f.p.Zones) > 0 {
		c.Legend = append(c.Legend, key{neutral, margin, "margin: counts as no difference"})
	}
	c.Panels = []panel{f.p}
	c.Desc = "There is no data."
	if len(f.words) > 0 {
		c.Desc = sentence(fmt.Sprintf("%s of %s with %s intervals: %s. The axis is logarithmic; 1 is no difference.",
			count(len(f.words), "ratio"), f.quantity(), confidence(f.estimates), firstOf(f.words, "ratio")))
	}
}

// comparisons are those asked for, `other` written out.
func (w *wish) comparisons() []expr.Comparison {
	var all []expr.Comparison
	for _, c := range w.Compare {
		all = append(all, w.expand(w.narrowed(c))...)
	}
	return all
}

// narrowed adds what the figure as a whole asks for to a comparison that does
// not speak of it.
func (w *wish) narrowed(c expr.Comparison) expr.Comparison {
	c.Where = slices.Clone(c.Where)
	for _, t := range w.Where {
		if c.Left.Levels(t.Factor) == nil && c.Right.Levels(t.Factor) == nil && c.Where.Levels(t.Factor) == nil {
			c.Where = append(c.Where, t)
		}
	}
	return c
}

// expand writes `other` out: the left side against each other treatment.
func (w *wish) expand(c expr.Comparison) []expr.Comparison {
	if !c.Other {
		return []expr.Comparison{c}
	}
	var left, right []*group
	for _, g := range w.groups {
		level := func(name string) (string, bool) {
			return g.level(name), w.factor(name) >= 0 || name == byMachine || name == byControl
		}
		switch {
		case !c.Where.Matches(level):
		case c.Left.Matches(level):
			left = append(left, g)
		default:
			right = append(right, g)
		}
	}
	var all []expr.Comparison
	for _, l := range left {
		for _, r := range right {
			if l.Machine == r.Machine {
				all = append(all, l.against(r))
			}
		}
	}
	return all
}

// against is the comparison of two groups: what they share stands in where.
func (g *group) against(base *group) expr.Comparison {
	var c expr.Comparison
	mine, its := g.selection(), base.selection()
	for _, t := range mine {
		if slices.Equal(its.Levels(t.Factor), t.Levels) {
			c.Where = append(c.Where, t)
		} else {
			c.Left = append(c.Left, t)
		}
	}
	for _, t := range its {
		if !slices.Equal(mine.Levels(t.Factor), t.Levels) {
			c.Right = append(c.Right, t)
		}
	}
	return c
}

// comparisonLabels are short names of comparisons: the labels of both sides,
// and in brackets what is common to both sides and not to all comparisons.
func (w *wish) comparisonLabels(cs []expr.Comparison) []string {
	labels := make([]string, len(cs))
	for i, c := range cs {
		labels[i] = w.sideLabel(c.Left) + " / " + w.sideLabel(c.Right)
		var own expr.Selection
		for _, t := range c.Where {
			if slices.ContainsFunc(cs, func(o expr.Comparison) bool { return !slices.Equal(o.Where.Levels(t.Factor), t.Levels) }) {
				own = append(own, t)
			}
		}
		if len(own) > 0 {
			labels[i] += " (" + w.sideLabel(own) + ")"
		}
	}
	return labels
}

// sideLabel is a selection as a reader sees it: levels by label, numbers with
// the name of their factor.
func (w *wish) sideLabel(s expr.Selection) string {
	var words []string
	for _, t := range s {
		var levels []string
		for _, l := range t.Levels {
			levels = append(levels, shown(w.label(t.Factor, l)))
		}
		text := list(levels)
		i := w.factor(t.Factor)
		if i < 0 || w.r.Factors[i].Numeric && text == strings.Join(t.Levels, "") {
			text = t.Factor + " " + text
		}
		words = append(words, text)
	}
	return strings.Join(words, ", ")
}

// marginOf is the zone of a claim that declared it for this comparison.
func (w *wish) marginOf(c expr.Comparison) (lo, hi float64, name string) {
	for _, r := range w.r.Claims {
		claim := r.Claim
		if claim.Metric != w.Metric || claim.Compare == nil || claim.Against != nil || claim.Expect == nil ||
			claim.Expect.Of != "ratio" || claim.Expect.Op != "within" {
			continue
		}
		if claim.Compare.Left.String() == c.Left.String() && claim.Compare.Right.String() == c.Right.String() &&
			covered(slices.Concat(claim.Where, claim.Compare.Where), c.Where) {
			return claim.Expect.Lo, claim.Expect.Hi, claim.Name
		}
	}
	return 0, 0, ""
}

// covered says whether a selection holds wherever another one does.
func covered(outer, inner expr.Selection) bool {
	for _, t := range outer {
		levels := inner.Levels(t.Factor)
		if levels == nil || slices.ContainsFunc(levels, func(l string) bool { return !slices.Contains(t.Levels, l) }) {
			return false
		}
	}
	return true
}
