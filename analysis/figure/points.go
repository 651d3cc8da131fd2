package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"fieldbook/analysis"
)

// pointsChart shows each trial as a dot and beside the dots of a treatment
// its estimate with interval: treatments in rows, or, where X names a factor,
// its levels from left to right.
func pointsChart(w *wish) (*chart, error) {
	of, shared := w.signs()
	p := &pointsMaker{wish: w, of: of, t: w.pointsTable()}
	c := &chart{Name: w.Name, Title: w.pointsTitle(), Shared: true}
	if w.X == "" {
		shared = "" // a row says what it is
	}
	for _, f := range w.facets() {
		c.Panels = append(c.Panels, p.panel(f))
	}
	p.place(c)
	if w.X != "" {
		c.explain(w, of, mean, shared)
	}
	c.Legend = append(append(c.Legend, p.keys()...), p.beyondKeys()...)
	c.Desc = p.desc(w.logScale())
	c.Notes = append(notes(shared, w.failures(), w.staleNote()), p.refused()...)
	c.Table = p.t
	return c, nil
}

// pointsMaker gathers what the panels have in common.
type pointsMaker struct {
	*wish
	of        map[*group]sign
	estimates []analysis.Estimate
	words     []string // of each estimate, for the description
	refusals  refusals
	published bool
	t         Table
}

// refused are the refusals as notes.
func (p *pointsMaker) refused() []string {
	var all []string
	for _, r := range p.refusals {
		all = append(all, fmt.Sprintf("No %s of %s: %s", statName(p.statistic()), r.names(), clean(r.why)))
	}
	return all
}

// place is the size of the figure: rows at full width, or panels beside each
// other.
func (p *pointsMaker) place(c *chart) {
	if p.X == "" {
		c.Flat, c.Width, c.Row, c.Columns = true, 720, p.rowHeight(), 1
		return
	}
	c.grid(3, 260, 220)
}

// rowHeight has room for the trials of a treatment beside each other.
func (p *pointsMaker) rowHeight() float64 {
	most := 0
	for _, g := range p.groups {
		most = max(most, len(g.Trials))
	}
	switch {
	case most > 150:
		return 72
	case most > 40:
		return 52
	}
	return 36
}

// panel is one facet.
func (p *pointsMaker) panel(facet string) panel {
	one := panel{Title: p.facetTitle(facet), Value: p.valueAxis(p.logScale()), Place: axis{Kind: category}}
	if p.X != "" {
		one.Place.Title = p.X
		for _, l := range p.levels(p.X) {
			one.Place.Names = append(one.Place.Names, p.label(p.X, l))
		}
		one.Lanes = len(p.labels())
	} else {
		one.Place.Title = p.heading()
	}
	for _, g := range p.groups {
		part := g.of(facet)
		if part == nil {
			continue
		}
		place, lane := 0, 0
		if p.X != "" {
			place, lane = slices.Index(p.levels(p.X), g.level(p.X)), slices.Index(p.labels(), g.name())
		} else {
			place = len(one.Place.Names)
			one.Place.Names = append(one.Place.Names, g.rowName())
		}
		one.Series = append(one.Series, p.series(part, g, facet, float64(place), lane))
	}
	return one
}

// series is the dots of a group in one panel, its estimate, and what was
// published of it.
func (p *pointsMaker) series(part, g *group, facet string, place float64, lane int) series {
	s := series{Sign: p.of[g], Label: g.name(), Lane: lane}
	width := spread(values(p.trials)).width()
	for _, t := range part.Trials {
		if ok(t) {
			s.Marks = append(s.Marks, mark{Place: place, Value: t.Value * p.scaleBy, Look: dot, Tip: p.tip(t, g.fullName(), width), Stale: t.Stale})
			p.row(g, t.Session, strconv.Itoa(t.Trial), p.cell(t.Value), "", "", "")
		} else if censored(t) {
			s.Marks = append(s.Marks, mark{Place: place, Value: t.Above * p.scaleBy, Look: beyond, Tip: p.tip(t, g.fullName(), width), Stale: t.Stale})
			p.row(g, t.Session, strconv.Itoa(t.Trial), "", cell(t.Above), "", "")
		}
	}
	e, err := g.estimate(p.scopeOf(facet))
	m, ok := p.markOf(e, place, g.fullName())
	switch {
	case err != nil:
		p.refusals.add(err.Error(), g)
	case !ok:
		p.refusals.add(e.Refused, g)
	default:
		s.Marks = append(s.Marks, m)
		p.estimates = append(p.estimates, e)
		p.words = append(p.words, p.text(e)+" for "+within(g.fullName()))
		p.row(g, facetSession(p.wish, facet), e.Stat, p.cell(e.Value), p.cell(e.Lo), p.cell(e.Hi), strconv.Itoa(e.N))
	}
	for _, m := range g.publishedMarks(place) {
		s.Marks = append(s.Marks, m)
		p.published = true
		p.row(g, "", "published", cell(m.Value/p.scaleBy), "", "", "")
	}
	return s
}

// facetSession is the session that a facet is of, if it is one.
func facetSession(w *wish, facet string) string {
	if w.Facet == bySession {
		return facet
	}
	return ""
}

// pointsTable is the head of the table of trials and estimates.
func (w *wish) pointsTable() Table {
	head := append(w.factorHead(), w.sessionCells("session", "trial or statistic")...)
	return Table{Head: w.machineCells("machine", append(head, w.valueHead(), "from", "to", "n"))}
}

// machineCells puts the machine before the cells of a row where there are
// several.
func (w *wish) machineCells(machine string, row []string) []string {
	if len(w.levels(byMachine)) < 2 {
		return row
	}
	return append([]string{machine}, row...)
}

// sessionCells leaves the cell of the session out where there is only one.
func (w *wish) sessionCells(session string, more ...string) []string {
	if w.sessions < 2 {
		return more
	}
	return append([]string{session}, more...)
}

func (p *pointsMaker) row(g *group, session string, cells ...string) {
	row := append(p.factorCells(g.Trials[0]), p.sessionCells(session, cells...)...)
	p.t.Rows = append(p.t.Rows, p.machineCells(g.Machine, row))
}

// cell is a number of the metric for the table: as recorded, or, of a formula,
// to the digits that are of use.
func (p *pointsMaker) cell(v float64) string {
	for _, m := range p.r.Metrics {
		if m.Name == p.Metric && m.Formula != "" {
			return sixDigits(v)
		}
	}
	return cell(v)
}

// keys say how marks are to be read.
func (p *pointsMaker) keys() []key {
	keys := []key{{neutral, dot, "one trial"}}
	if len(p.estimates) > 0 {
		keys = append(keys, key{neutral, mean, p.statKey()})
	}
	if p.published {
		keys = append(keys, key{neutral, published, "published"})
	}
	return keys
}

// statKey is the statistic, and that it has intervals where it has any.
func (p *pointsMaker) statKey() string {
	if !p.bounded() {
		return statName(p.statistic())
	}
	return statName(p.statistic()) + ", " + confidence(p.estimates) + " interval"
}

// bounded says whether any estimate has an interval.
func (p *pointsMaker) bounded() bool {
	return slices.ContainsFunc(p.estimates, func(e analysis.Estimate) bool { return e.NoInterval() == "" && !math.IsNaN(e.Lo) })
}

func (w *wish) pointsTitle() string {
	if len(w.trials) == 0 {
		return w.noTrials()
	}
	return sentence(fmt.Sprintf("%s of %s%s, each trial and the %s", w.quantity(), count(w.treatments, "treatment"), w.scope(), statName(w.statistic())))
}

func (p *pointsMaker) desc(kind axisKind) string {
	if len(p.trials) == 0 {
		return "There is no data."
	}
	text := sentence(p.rows()) + ". "
	if len(p.words) > 0 {
		what := statName(p.statistic())
		if p.bounded() {
			what += " with " + confidence(p.estimates) + " intervals"
		}
		text += sentence(fmt.Sprintf("%s: %s.", what, firstOf(p.words, "treatment")))
	} else {
		text += p.ranges()
	}
	if kind == logarith {
		text += " The value axis is logarithmic."
	}
	return text
}
