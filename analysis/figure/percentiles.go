package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fieldbook/analysis"
)

// percentilesChart shows how far the slow end reaches: percentiles of each
// treatment with their intervals, on an axis on which each ninefold of rarer
// takes the same room. Of samples a percentile is read within each trial, and
// a mark stands for the median over trials with its interval; the trials are
// dots. What the data is too small for is not drawn, and said.
func percentilesChart(w *wish) (*chart, error) {
	kind, err := w.r.Percentiles(w.Metric)
	if err != nil {
		return nil, err
	}
	p := &percentileMaker{wish: w, kind: kind}
	if err := p.read(); err != nil {
		return nil, err
	}
	of, shared := w.signs()
	p.of = of
	c := &chart{Name: w.Name, Title: p.title(), Shared: true, Table: p.head()}
	p.t = &c.Table
	for _, f := range w.facets() {
		c.Panels = append(c.Panels, p.panel(f))
	}
	if len(p.drawn) == 0 && len(p.refusals) > 0 {
		return nil, fmt.Errorf("%s; the plot %s shows each trial", p.refusals[0].why, Points)
	}
	p.ticks(c.Panels)
	c.grid(2, 300, 240)
	c.explain(w, of, unbroken, shared)
	c.Legend = append(c.Legend, p.keys()...)
	c.Desc = p.desc()
	c.Notes = append(notes(shared, w.failures(), w.staleNote(), w.unpublished()), p.notes()...)
	return c, nil
}

// percentileMaker gathers what the panels have in common.
type percentileMaker struct {
	*wish
	kind      analysis.Percentiles
	per       []*wish // by level: the trials of its metric
	of        map[*group]sign
	t         *Table
	drawn     []analysis.Estimate
	shares    []float64 // of the levels that are drawn
	words     []string
	refusals  refusals
	doubts    []string
	open      int // marks whose interval is open on a side
	dots, log bool
}

// read collects the trials of each level, and finds the unit and the axis
// that fit all of them.
func (p *percentileMaker) read() error {
	var all []float64
	for _, l := range p.kind.Levels {
		s := p.Spec
		s.Metric = l.Metric
		one, err := read(p.r, s)
		if err != nil {
			return err
		}
		p.per = append(p.per, one)
		all = append(all, values(one.trials)...)
		p.log = p.log || one.logScale() == logarith
	}
	p.unit = p.kind.Unit
	p.show(all)
	s := spread(all)
	p.log = p.log || s.Lo > 0 && s.Hi/s.Lo > 10
	if !s.empty() && s.Lo <= 0 {
		p.log = false
	}
	return nil
}

// place is where a share lies: each tenth part of what is left above takes as
// much room as the one before.
func place(share float64) float64 { return -math.Log10(1 - share) }

func (p *percentileMaker) panel(facet string) panel {
	kind := linear
	if p.log {
		kind = logarith
	}
	one := panel{Title: p.facetTitle(facet), Value: p.valueAxis(kind), Lanes: len(p.labels()),
		Place: axis{Title: "percentile (by the share above it, log)", Kind: linear}}
	one.Value.Title = clean(p.kind.Of)
	if p.kind.Sampled {
		one.Lanes *= 2
	}
	for i, g := range p.groups {
		if g.of(facet) == nil {
			continue
		}
		lane := slices.Index(p.labels(), g.name())
		if p.kind.Sampled { // trials stand beside their estimate
			lane *= 2
		}
		estimates := p.estimates(g, facet)
		if dots := p.trialsOf(i, facet, estimates); len(dots) > 0 {
			one.Series = append(one.Series, series{Sign: p.of[g], Label: within(g.name()), Lane: lane, Marks: dots})
			lane++
		}
		one.Series = append(one.Series, series{Sign: p.of[g], Label: within(g.fullName()), Lane: lane, Line: solid, Marks: p.marks(g, facet, estimates)})
	}
	return one
}

// estimates are the percentiles of a group, level by level.
func (p *percentileMaker) estimates(g *group, facet string) []analysis.Estimate {
	var all []analysis.Estimate
	for _, l := range p.kind.Levels {
		e, err := p.r.Percentile(p.kind, l, append(p.scopeOf(facet), g.selection()...))
		if err != nil {
			e.Refused = err.Error()
		}
		all = append(all, e)
	}
	return all
}

// trialsOf are the trials of the i-th treatment, at each level that is drawn;
// none of percentiles over trials.
func (p *percentileMaker) trialsOf(i int, facet string, estimates []analysis.Estimate) []mark {
	if !p.kind.Sampled {
		return nil
	}
	var ms []mark
	for k, l := range p.kind.Levels {
		g := p.per[k].groups[i].of(facet)
		if g == nil || estimates[k].Refused != "" {
			continue
		}
		width := spread(values(p.per[k].trials)).width()
		for _, t := range g.Trials {
			if ok(t) && !math.IsNaN(t.Value) {
				ms = append(ms, mark{Place: place(l.Share), Value: t.Value * p.scaleBy, Look: dot, Stale: t.Stale,
					Tip: l.Name + " of " + p.tip(t, g.fullName(), width)})
			}
		}
	}
	p.dots = p.dots || len(ms) > 0
	return ms
}

// marks are the percentiles of a group that can be estimated.
func (p *percentileMaker) marks(g *group, facet string, estimates []analysis.Estimate) []mark {
	var ms []mark
	var words, left []string
	why := ""
	for i, l := range p.kind.Levels {
		e := estimates[i]
		m, ok := p.markOf(e, place(l.Share), g.fullName())
		p.row(g, facet, l, e)
		if !ok {
			left = append(left, l.Name)
			why = cmp.Or(why, e.Refused)
			continue
		}
		m.Tip = strings.Replace(m.Tip, statName(e.Stat)+" ", l.Name+" ", 1)
		p.bound(&m)
		ms = append(ms, m)
		p.drawn = append(p.drawn, e)
		words = append(words, l.Name+" "+p.text(e))
		if !slices.Contains(p.shares, l.Share) {
			p.shares = append(p.shares, l.Share)
		}
		for _, d := range e.Warnings {
			if d.Code == analysis.Uncounted && !slices.Contains(p.doubts, d.Text) {
				p.doubts = append(p.doubts, d.Text)
			}
		}
	}
	if len(words) > 0 {
		p.words = append(p.words, within(g.fullName())+" "+list(words))
	}
	if len(left) > 0 {
		p.leaveOut(list(left)+pick(len(left), " is", " are")+" not drawn: "+why, g)
	}
	return ms
}

// bound leaves of an interval the sides that the data bounds; a mark without
// both is hollow.
func (p *percentileMaker) bound(m *mark) {
	iv := m.Interval
	if iv != nil && !math.IsInf(iv.Lo, 0) && !math.IsInf(iv.Hi, 0) {
		return
	}
	p.open++
	m.Look = hollow
	if iv == nil {
		return
	}
	if math.IsInf(iv.Lo, 0) {
		iv.Lo = m.Value
	}
	if math.IsInf(iv.Hi, 0) {
		iv.Hi = m.Value
	}
	if iv.Lo == iv.Hi {
		m.Interval = nil
	}
}

// leaveOut notes once why percentiles of a treatment are not drawn.
func (p *percentileMaker) leaveOut(why string, g *group) {
	name := within(g.fullName())
	if !slices.ContainsFunc(p.refusals, func(r refusal) bool { return r.why == why && slices.Contains(r.of, name) }) {
		p.refusals.add(why, g)
	}
}

// notes say what is not drawn, and what is drawn with a doubt.
func (p *percentileMaker) notes() []string {
	var all []string
	for _, r := range p.refusals {
		text := clean(r.why)
		if len(r.of) < len(p.groups) {
			text += " (" + r.names() + ")"
		}
		all = append(all, text)
	}
	if p.open > 0 {
		all = append(all, fmt.Sprintf("%s hollow: the trials are too few to bound %s on both sides", pick(p.open, "1 mark is", groupInt(p.open)+" marks are"), pick(p.open, "it", "them")))
	}
	for _, d := range p.doubts {
		all = append(all, sentence(clean(d)))
	}
	return all
}

// ticks labels the axis of places with the percentiles that are drawn.
func (p *percentileMaker) ticks(panels []panel) {
	slices.Sort(p.shares)
	a := axis{Shown: nothing, Ticks: []tick{}}
	for _, l := range p.kind.Levels {
		if slices.Contains(p.shares, l.Share) {
			a.Ticks = append(a.Ticks, tick{place(l.Share), l.Name})
			a.Shown = a.Shown.include(place(l.Share))
		}
	}
	if a.Shown.empty() {
		a.Shown = span{0, 1}
	}
	for i := range panels {
		panels[i].Place.Ticks, panels[i].Place.Shown = a.Ticks, a.Shown
		panels[i].Place.Domain = a.Shown.widen(linear, 0.06)
	}
}

func (p *percentileMaker) keys() []key {
	var keys []key
	if p.dots {
		keys = append(keys, key{neutral, dot, "one trial"})
	}
	if len(p.drawn) > p.open {
		what := "percentile over trials, "
		if p.kind.Sampled {
			what = "median over trials, "
		}
		keys = append(keys, key{neutral, mean, what + "95 % interval"})
	}
	if p.open > 0 {
		keys = append(keys, key{neutral, published, "interval open on a side"})
	}
	return keys
}

func (p *percentileMaker) title() string {
	if len(p.trials) == 0 {
		return "No trials of " + p.what() + p.scope()
	}
	over := ""
	if !p.kind.Sampled {
		over = " over the trials"
	}
	return sentence(fmt.Sprintf("percentiles of %s%s of %s%s", p.what(), over, count(p.treatments, "treatment"), p.scope()))
}

// what is what the percentiles are of, as a sentence says it.
func (p *percentileMaker) what() string {
	if p.kind.Sampled {
		return clean(p.kind.Of)
	}
	return p.quantity()
}

func (p *percentileMaker) desc() string {
	if len(p.trials) == 0 {
		return "There is no data."
	}
	text := sentence(p.rows()) + "."
	if len(p.words) > 0 {
		how := "Percentiles over trials with exact intervals"
		if p.kind.Sampled {
			how = "Each trial’s percentile over its samples; the median over trials with its exact interval"
		}
		text += " " + how + ": " + firstOf(p.words, "treatment") + "."
	}
	if p.log {
		text += " The value axis is logarithmic."
	}
	return text
}

func (p *percentileMaker) head() Table {
	head := append(p.factorHead(), p.sessionCells("session", "percentile", unitHead(p.kind.Of, p.unit), "from", "to", "n", "why not")...)
	return Table{Head: p.machineCells("machine", head)}
}

func (p *percentileMaker) row(g *group, facet string, l analysis.PercentileLevel, e analysis.Estimate) {
	row := append(p.factorCells(g.Trials[0]), p.sessionCells(facetSession(p.wish, facet),
		l.Name, cell(e.Value), cell(e.Lo), cell(e.Hi), strconv.Itoa(e.N), e.Refused)...)
	p.t.Rows = append(p.t.Rows, p.machineCells(g.Machine, row))
}
