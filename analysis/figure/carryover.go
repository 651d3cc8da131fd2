package figure

import (
	"cmp"
	"fmt"
	"strconv"

	"fieldbook/analysis"
)

// MostAfter is how many trials a figure of carry-over draws one by one; where
// there are more, each mean stands with its interval alone.
const MostAfter = 400

// carryOverChart shows whether what ran just before a trial shows in its
// number: what block, position and treatment leave of each trial, in a row for
// each treatment that ran before, or for each level of its factors, and the
// mean of each row with its interval.
func carryOverChart(w *wish) (*chart, error) {
	if w.Facet != "" && w.Facet != byMachine {
		return nil, fmt.Errorf("the plot %s has a panel for each machine and no use for facet", CarryOver)
	}
	looks, err := w.r.CarryOver(w.Metric, w.Where)
	if err != nil {
		return nil, err
	}
	c := &chart{Name: w.Name, Flat: true, Shared: true, Stacked: true, Width: 720, Columns: 1}
	m := &carryMaker{wish: w, t: &c.Table, machines: len(looks) > 1}
	c.Table.Head = append(m.sessionCells("session", "trial"), "ran just before", unitHead("what is left, or the mean", m.unitOf(looks)), "from", "to", "n")
	for _, l := range looks {
		m.look(c, l)
	}
	if len(w.trials) > 0 && len(c.Panels) == 0 {
		return nil, fmt.Errorf("carry-over is not looked at: %s; the plot %s shows each trial", m.why, Residuals)
	}
	if len(c.Panels) == 0 {
		c.Panels = []panel{{Place: axis{Kind: category}, Value: axis{Kind: linear}}}
	}
	c.Row = m.rowHeight()
	c.Title, c.Desc = m.title(), m.desc()
	if m.dots {
		c.Legend = []key{{neutral, dot, "one trial"}}
	}
	c.Legend = append(c.Legend, key{neutral, mean, "mean, 95 % interval"})
	c.Notes = append(notes(m.crowded(), w.failures(), w.staleNote(), w.unpublished()), m.notes...)
	return c, nil
}

// carryMaker gathers what the panels have in common.
type carryMaker struct {
	*wish
	t             *Table
	machines      bool // there are several
	dots          bool // trials are drawn one by one
	undrawn, most int  // trials that are not; trials in the fullest row
	why           string
	words, notes  []string
}

// unitOf is the unit of effects: per cent, or, where a number has no
// logarithm, the metric's.
func (m *carryMaker) unitOf(looks []analysis.CarryOver) string {
	for _, l := range looks {
		if len(l.Factors) > 0 && !l.Log {
			return m.unit
		}
	}
	return "%"
}

// look adds the panels of a machine, one for each factor of the predecessor.
func (m *carryMaker) look(c *chart, l analysis.CarryOver) {
	who := ""
	if m.machines {
		who = within(l.Machine)
	}
	if len(l.Factors) == 0 {
		m.why = clean(cmp.Or(l.Refused, "there is too little data"))
		if who != "" {
			m.notes = append(m.notes, "Nothing of "+who+": "+m.why)
		}
		return
	}
	n := 0
	for _, f := range l.Factors {
		for _, a := range f.Levels {
			n += len(a.Trials)
			m.most = max(m.most, len(a.Trials))
		}
	}
	drawn := n <= MostAfter
	if m.dots = m.dots || drawn; !drawn {
		m.undrawn += n
	}
	words := fmt.Sprintf("F(%s, %s) = %s, %s", number(l.DF, 0), number(l.ErrorDF, 0), number(l.F, 0), analysis.PText(l.P))
	if who != "" {
		words = who + ": " + words
	}
	m.words = append(m.words, words)
	for i, f := range l.Factors {
		p := m.panel(l, f, drawn)
		if i == 0 {
			p.Title, p.Place.Title = who, "ran just before"
		}
		c.Panels = append(c.Panels, p)
	}
}

// panel has a row for each level of a factor of the predecessor.
func (m *carryMaker) panel(l analysis.CarryOver, f analysis.Predecessors, drawn bool) panel {
	p := panel{Rules: []rule{{At: 0}}, Value: axis{Title: "off the mean over all rows", Unit: m.shownIn(l), Kind: linear},
		Place: axis{Kind: category}}
	s := series{Sign: neutral}
	for i, a := range f.Levels {
		name := m.sideLabel(a.After)
		p.Place.Names = append(p.Place.Names, name)
		for _, t := range a.Trials {
			if !drawn {
				break
			}
			s.Marks = append(s.Marks, mark{Place: float64(i), Value: m.at(l, t.Left), Look: dot, Stale: t.Stale})
			m.t.Rows = append(m.t.Rows, append(m.sessionCells(t.Session, strconv.Itoa(t.Trial)), name, fourDigits(m.table(l, t.Left)), "", "", ""))
		}
		e := a.Effect
		s.Marks = append(s.Marks, mark{Place: float64(i), Value: m.at(l, e.Value), Look: mean, Interval: &interval{Lo: m.at(l, e.Lo), Hi: m.at(l, e.Hi)},
			Tip: "after " + within(name) + ": " + clean(a.Text()) + ", " + count(e.N, "trial")})
		m.t.Rows = append(m.t.Rows, append(m.sessionCells("", "mean"), name, fourDigits(m.table(l, e.Value)), fourDigits(m.table(l, e.Lo)), fourDigits(m.table(l, e.Hi)), strconv.Itoa(e.N)))
		m.words = append(m.words, "after "+within(name)+" "+clean(a.Text()))
	}
	p.Series = []series{s}
	return p
}

// shownIn is the unit of a machine's axis.
func (m *carryMaker) shownIn(l analysis.CarryOver) string {
	if l.Log {
		return "%"
	}
	return clean(m.display)
}

// at is an effect, or what is left of a trial, as it is shown.
func (m *carryMaker) at(l analysis.CarryOver, x float64) float64 {
	if l.Log {
		return 100 * (x - 1)
	}
	return x * m.scaleBy
}

// table is the same in the metric's own unit.
func (m *carryMaker) table(l analysis.CarryOver, x float64) float64 {
	if l.Log {
		return 100 * (x - 1)
	}
	return x
}

// rowHeight has room for the trials of a row beside each other.
func (m *carryMaker) rowHeight() float64 {
	switch {
	case !m.dots:
		return 26
	case m.most > 150:
		return 64
	case m.most > 40:
		return 48
	}
	return 36
}

// crowded says that trials are not drawn.
func (m *carryMaker) crowded() string {
	if m.undrawn == 0 {
		return ""
	}
	return fmt.Sprintf("Single trials are not drawn: there would be %s marks", groupInt(m.undrawn))
}

func (m *carryMaker) title() string {
	if len(m.trials) == 0 {
		return m.noTrials()
	}
	return sentence(fmt.Sprintf("carry-over in %s%s: what block, position and treatment leave, by what ran just before", m.quantity(), m.scopeAfter()))
}

func (m *carryMaker) desc() string {
	if len(m.trials) == 0 {
		return "There is no data."
	}
	return sentence(m.rows()) + ". " + sentence(firstOf(m.words, "row")) + "."
}
