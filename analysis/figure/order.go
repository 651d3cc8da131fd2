package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"fieldbook/analysis"
)

// orderChart shows every trial in the order in which it ran, with the blocks
// shaded in alternation, so that drift, bursts of noise and what went wrong
// are seen before any summary of it.
func orderChart(w *wish) (*chart, error) {
	w.partMachines()
	of, shared := w.signs()
	c := &chart{
		Name: w.Name, Width: 860, Height: 210, Shared: true, Loose: true,
		Title: w.orderTitle(),
		Desc:  w.orderDesc(),
		Notes: notes(shared, w.failures(), w.staleNote(), w.unpublished()),
		Table: w.trialTable(),
	}
	c.explain(w, of, trial, shared)
	c.Legend = append(c.Legend, w.beyondKeys()...)
	if slices.ContainsFunc(w.trials, func(t analysis.Observation) bool { return t.Status == invalid }) {
		c.Legend = append(c.Legend, key{neutral, gone, "no value, or invalid"})
	} else if w.failures() != "" && !w.onlyCensored() {
		c.Legend = append(c.Legend, key{neutral, gone, "no value"})
	}
	kind := w.logScale()
	at := w.places()
	c.Stacked = w.Facet != byMachine && w.Facet != bySession
	for _, f := range w.facets() {
		p := w.orderPanel(f, of, at)
		p.Value = w.valueAxis(kind)
		c.Panels = append(c.Panels, p)
	}
	return c, nil
}

// orderPanel is one panel. The place of a trial is its number among those
// that are asked for, on its machine.
func (w *wish) orderPanel(facet string, of map[*group]sign, at map[trialID]float64) panel {
	p := panel{Title: w.facetTitle(facet)}
	width := spread(values(w.trials)).width()
	for _, g := range w.groups {
		part := g.of(facet)
		if part == nil {
			continue
		}
		s := series{Sign: of[g], Label: g.name()}
		for _, t := range part.Trials {
			m := mark{Place: at[id(t)], Value: t.Value * w.scaleBy, Look: trial, Tip: w.tip(t, g.fullName(), width), Stale: t.Stale}
			if censored(t) {
				m.Value, m.Look = t.Above*w.scaleBy, beyond
			} else if !ok(t) {
				m.Value, m.Look = 0, gone
			}
			s.Marks = append(s.Marks, m)
		}
		p.Series = append(p.Series, s)
	}
	w.rounds(&p, w.beside(facet), at)
	return p
}

// partMachines gives each machine a panel, unless panels are of something
// else: trials of two machines have no common order.
func (w *wish) partMachines() {
	if w.Facet == "" && len(w.levels(byMachine)) > 1 {
		w.Facet = byMachine
		w.varying = slices.DeleteFunc(w.varying, func(n string) bool { return n == byMachine })
	}
}

// beside are the trials that share the order of a panel's: all of its machine
// or session, also those that stand in another panel.
func (w *wish) beside(facet string) []analysis.Observation {
	if w.Facet != byMachine && w.Facet != bySession {
		return w.trials
	}
	return slices.DeleteFunc(slices.Clone(w.trials), func(t analysis.Observation) bool {
		return t.Machine != facet && t.Session != facet
	})
}

// trialID is what tells a trial from all others.
type trialID struct {
	session string
	trial   int
}

func id(t analysis.Observation) trialID { return trialID{t.Session, t.Trial} }

// places numbers the trials of each machine in the order of running.
func (w *wish) places() map[trialID]float64 {
	at := map[trialID]float64{}
	next := map[string]float64{}
	for _, t := range w.trials {
		next[t.Machine]++
		at[id(t)] = next[t.Machine]
	}
	return at
}

// round is what ran together: a block or a session.
type round struct {
	label    string
	from, to float64
}

// runs are the stretches of trials that have the same key, in order.
func runs(trials []analysis.Observation, at map[trialID]float64, key func(analysis.Observation) (same, label string)) []round {
	var all []round
	last := ""
	for i, t := range trials {
		same, label := key(t)
		if i == 0 || same != last {
			all = append(all, round{label, at[id(t)] - 0.5, 0})
		}
		all[len(all)-1].to = at[id(t)] + 0.5
		last = same
	}
	for i := 1; i < len(all); i++ { // no gaps where other treatments ran
		all[i-1].to = all[i].from
	}
	return all
}

// mostShaded is how many stretches are shaded at most; more are too narrow to
// see.
const mostShaded = 120

// rounds shades every second block, and labels the axis by blocks; of many
// sessions by those, of an order without blocks by trials.
func (w *wish) rounds(p *panel, trials []analysis.Observation, at map[trialID]float64) {
	blocks := runs(trials, at, func(t analysis.Observation) (string, string) {
		return t.Session + "\x1f" + strconv.Itoa(t.Block), strconv.Itoa(t.Block)
	})
	sessions := runs(trials, at, func(t analysis.Observation) (string, string) { return t.Session, "" })
	for i := range sessions {
		sessions[i].label = strconv.Itoa(i + 1)
		if i > 0 {
			p.Rules = append(p.Rules, rule{At: sessions[i].from, AtPlace: true})
		}
	}
	if len(trials) == 0 {
		return
	}
	p.Place.Kind, p.Place.Shown = linear, span{at[id(trials[0])], at[id(trials[len(trials)-1])]}
	pad := math.Max(0.5, 0.006*float64(len(trials)))
	p.Place.Domain = span{p.Place.Shown.Lo - pad, p.Place.Shown.Hi + pad}
	marked, title := blocks, "block, in the order of running"
	switch {
	case len(sessions) > 3:
		marked, title = sessions, "session, in the order of running"
	case !slices.ContainsFunc(trials, func(t analysis.Observation) bool { return t.Block > 0 }):
		p.Place.Title = "trial, in the order of running"
		p.Place.Ticks = counting(int(p.Place.Shown.Lo), int(p.Place.Shown.Hi))
		return
	case len(sessions) > 1:
		title = "block of each session, in the order of running"
	}
	p.Place.Title = title
	for i, r := range marked {
		p.Place.Ticks = append(p.Place.Ticks, tick{(r.from + r.to) / 2, r.label})
		if i%2 == 1 && len(marked) <= mostShaded {
			p.Bands = append(p.Bands, band{From: r.from, To: r.to})
		}
	}
}

func (w *wish) orderTitle() string {
	if len(w.trials) == 0 {
		return w.noTrials()
	}
	which := "all " + count(len(w.trials), "trial")
	if len(w.trials) == 1 {
		which = "the one trial"
	}
	return sentence(fmt.Sprintf("%s of %s%s in the order in which they ran", w.quantity(), which, w.scope()))
}

func (w *wish) orderDesc() string {
	if len(w.trials) == 0 {
		return "There is no data."
	}
	text := sentence(w.rows()) + ". " + w.ranges()
	if f := w.failures(); f != "" {
		text += " " + f + "."
	}
	if w.logScale() == logarith {
		text += " The value axis is logarithmic."
	}
	return text
}

// trialTable is every trial with its treatment and value.
func (w *wish) trialTable() Table {
	t := Table{Head: append(w.sessionCells("session", "trial", "block", "position"), w.factorHead()...)}
	t.Head = append(t.Head, "status", w.valueHead())
	for _, o := range w.trials {
		row := append(w.sessionCells(o.Session, strconv.Itoa(o.Trial), strconv.Itoa(o.Block), strconv.Itoa(o.Position)), w.factorCells(o)...)
		v := math.NaN()
		if ok(o) {
			v = o.Value
		}
		t.Rows = append(t.Rows, append(row, o.Status, cell(v)))
	}
	return t
}

// factorHead and factorCells are the columns that say which treatment; that
// of a control only where there is one.
func (w *wish) factorHead() []string {
	var head []string
	for _, f := range w.r.Factors {
		unit := ""
		if f.Numeric {
			unit = f.Unit
		}
		head = append(head, unitHead(f.Name, unit))
	}
	if w.controlled {
		head = append(head, byControl)
	}
	return head
}

func (w *wish) factorCells(o analysis.Observation) []string {
	cells := slices.Clone(o.Levels)
	if w.controlled {
		cells = append(cells, o.Control)
	}
	return cells
}
