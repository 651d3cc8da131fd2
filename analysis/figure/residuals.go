package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"fieldbook/analysis"
)

// What residuals can be set against.
const (
	AgainstOrder  = "order"
	AgainstFitted = "fitted"
	AgainstTime   = "time"
)

// againsts are all of them, in the order of their panels.
var againsts = []string{AgainstOrder, AgainstFitted, AgainstTime}

// residualsChart shows what the model of blocks and treatments leaves of each
// trial, against the order of running, against what the model says, and
// against the time since the session began: a drift, a fan or a burst there
// is what the model does not know.
func residualsChart(w *wish) (*chart, error) {
	if w.Against != "" && !slices.Contains(againsts, w.Against) {
		return nil, fmt.Errorf("residuals cannot be set against %q; there are %s", w.Against, list(againsts))
	}
	w.partMachines()
	m := &residualMaker{wish: w, of: map[trialID]analysis.Residual{}}
	if err := m.read(); err != nil {
		return nil, err
	}
	signs, shared := w.signs()
	c := &chart{Name: w.Name, Width: 720, Height: 150, Shared: true, Titled: true,
		Title: m.title(), Desc: m.desc(), Notes: notes(shared, w.failures(), w.staleNote(), w.unpublished()), Table: m.table()}
	c.explain(w, signs, trial, shared)
	against := againsts
	if w.Against != "" {
		against, c.Height = []string{w.Against}, 240
	}
	m.prepare()
	for _, f := range w.facets() {
		for _, a := range against {
			p := m.panel(f, a, signs)
			p.Title = w.facetTitle(f)
			c.Panels = append(c.Panels, p)
		}
	}
	return c, nil
}

// residualMaker has the residuals by trial.
type residualMaker struct {
	*wish
	of      map[trialID]analysis.Residual
	percent bool // all residuals are logarithms, shown as per cent of what was fitted
	at      map[trialID]float64
	began   map[string]time.Time // of each session, its first trial
	clock   clock
	fitted  axisKind
	width   float64 // of the range of values
}

// clock is the unit that time is shown in.
type clock struct {
	unit string
	size time.Duration
}

func (m *residualMaker) read() error {
	all, err := m.r.Residuals(m.Metric, m.Where)
	if err != nil {
		return err
	}
	m.percent = len(all) > 0
	for _, r := range all {
		m.of[id(r.Observation)] = r
		m.percent = m.percent && r.Log
	}
	return nil
}

// value is a residual as it is shown: in per cent of what the model says, or
// in the unit shown.
func (m *residualMaker) value(r analysis.Residual) float64 {
	switch {
	case m.percent:
		return 100 * math.Expm1(r.Residual)
	case r.Log:
		return (r.Value - math.Exp(r.Fitted)) * m.scaleBy
	}
	return r.Residual * m.scaleBy
}

// shownIn is the unit of what value gives.
func (m *residualMaker) shownIn() string {
	if m.percent {
		return "%"
	}
	return m.display
}

// fit is what the model says of a trial, in the metric's unit.
func (m *residualMaker) fit(r analysis.Residual) float64 {
	if r.Log {
		return math.Exp(r.Fitted)
	}
	return r.Fitted
}

// prepare finds the place of each trial in order, the start of each session,
// the scale of what was fitted and the range of values.
func (m *residualMaker) prepare() {
	m.at, m.began, m.fitted = m.places(), map[string]time.Time{}, linear
	m.width = spread(values(m.trials)).width()
	longest := time.Duration(0)
	fits := nothing
	for _, t := range m.trials {
		at := started(t)
		if first, ok := m.began[t.Session]; !ok || at.Before(first) {
			m.began[t.Session] = at
		}
		longest = max(longest, at.Sub(m.began[t.Session]))
		if r, ok := m.of[id(t)]; ok {
			fits = fits.include(m.fit(r))
		}
	}
	if !fits.empty() && fits.Lo > 0 && fits.Hi/fits.Lo > 3 {
		m.fitted = logarith
	}
	m.clock = clock{"s", time.Second}
	for _, c := range []clock{{"min", time.Minute}, {"h", time.Hour}} {
		if longest >= 3*c.size {
			m.clock = c
		}
	}
}

// started is when a trial began; the zero time where that is not recorded.
func started(t analysis.Observation) time.Time {
	at, err := time.Parse(time.RFC3339Nano, t.Started)
	if err != nil {
		return time.Time{}
	}
	return at
}

// panel sets the residuals of one facet against one thing.
func (m *residualMaker) panel(facet, against string, signs map[*group]sign) panel {
	p := panel{Rules: []rule{{At: 0}}, Value: axis{Title: "residual", Unit: clean(m.shownIn()), Kind: linear}}
	shown := nothing
	for _, g := range m.groups {
		part := g.of(facet)
		if part == nil {
			continue
		}
		s := series{Sign: signs[g], Label: g.name()}
		for _, t := range part.Trials {
			r, ok := m.of[id(t)]
			if !ok {
				continue
			}
			at := m.placeOf(r, against)
			shown = shown.include(at)
			s.Marks = append(s.Marks, mark{Place: at, Value: m.value(r), Look: trial, Stale: t.Stale, Tip: m.say(r, g)})
		}
		p.Series = append(p.Series, s)
	}
	m.axis(&p, against, facet, shown)
	return p
}

// placeOf is where a residual stands.
func (m *residualMaker) placeOf(r analysis.Residual, against string) float64 {
	switch against {
	case AgainstOrder:
		return m.at[id(r.Observation)]
	case AgainstFitted:
		return m.fit(r) * m.scaleBy
	}
	return float64(started(r.Observation).Sub(m.began[r.Session])) / float64(m.clock.size)
}

// axis is the axis of places.
func (m *residualMaker) axis(p *panel, against, facet string, shown span) {
	switch against {
	case AgainstOrder:
		m.rounds(p, m.beside(facet), m.at)
		return
	case AgainstFitted:
		p.Place = axis{Title: "what block and treatment give, " + clean(m.Metric), Unit: clean(m.display), Kind: m.fitted}
	default:
		p.Place = axis{Title: "time since the session began", Unit: m.clock.unit, Kind: linear}
	}
	if shown.empty() {
		shown = span{0, 1}
	}
	p.Place.Shown, p.Place.Domain = shown, shown.widen(p.Place.Kind, 0.03)
}

// text is a residual with its sign.
func (m *residualMaker) text(r analysis.Residual) string {
	v := m.value(r)
	sign := "+"
	if v < 0 {
		sign = "−"
	}
	return sign + unitAfter(number(math.Abs(v), math.Abs(v)), m.shownIn())
}

func (m *residualMaker) say(r analysis.Residual, g *group) string {
	return m.tip(r.Observation, g.fullName(), m.width) + ", residual " + m.text(r)
}

func (m *residualMaker) title() string {
	if len(m.trials) == 0 {
		return m.noTrials()
	}
	against := "order, fitted value and time"
	if m.Against != "" {
		against = map[string]string{AgainstOrder: "order", AgainstFitted: "the fitted value", AgainstTime: "time"}[m.Against]
	}
	return sentence(fmt.Sprintf("residuals of %s%s against %s: what block and treatment do not explain", m.quantity(), m.scope(), against))
}

func (m *residualMaker) desc() string {
	if len(m.of) == 0 {
		return "There is no data."
	}
	text := sentence(m.rows()) + "."
	var farthest *analysis.Residual
	var vs []float64
	for _, t := range m.trials {
		if r, ok := m.of[id(t)]; ok {
			vs = append(vs, math.Abs(m.value(r)))
			if farthest == nil || math.Abs(m.value(r)) > math.Abs(m.value(*farthest)) {
				farthest = &r
			}
		}
	}
	slices.Sort(vs)
	half := vs[(len(vs)-1)/2]
	return text + fmt.Sprintf(" Half of the residuals are at most %s in size; the largest is %s, trial %d of %s.",
		unitAfter(number(half, half), m.shownIn()), m.text(*farthest), farthest.Trial, within(m.nameOf(farthest.Observation)))
}

// table is every trial that has a residual.
func (m *residualMaker) table() Table {
	unit := "%"
	if !m.percent {
		unit = m.unit
	}
	t := Table{Head: append(m.sessionCells("session", "trial", "block", "started"), m.factorHead()...)}
	t.Head = append(t.Head, m.valueHead(), unitHead("fitted", m.unit), unitHead("residual", unit))
	for _, o := range m.trials {
		r, ok := m.of[id(o)]
		if !ok {
			continue
		}
		v := m.value(r)
		if !m.percent {
			v /= m.scaleBy
		}
		row := append(m.sessionCells(o.Session, strconv.Itoa(o.Trial), strconv.Itoa(o.Block), o.Started), m.factorCells(o)...)
		t.Rows = append(t.Rows, append(row, cell(o.Value), cell(m.fit(r)), cell(v)))
	}
	return t
}
