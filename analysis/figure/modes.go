package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"

	"fieldbook/analysis"
)

// modesChart shows the distribution in which a session's modes were looked
// for: that of each treatment where each has trials enough, else that of all
// trials less their treatments' means. It is smoothed as a density is, with
// the trials as strokes under it; where the dip test finds more than one mode,
// the modes and the valleys between them are marked.
func modesChart(w *wish) (*chart, error) {
	if w.Facet != "" {
		return nil, fmt.Errorf("the plot %s has a panel for each session and no use for facet", Modes)
	}
	looks, err := w.r.Modality(w.Metric, w.Where)
	if err != nil {
		return nil, err
	}
	m := &modesMaker{wish: w}
	m.of, _ = w.signs()
	c := &chart{Name: w.Name, Flat: true, Shared: true, Title: m.title(), Table: m.head()}
	m.t = &c.Table
	for _, l := range looks {
		m.look(c, l, len(looks) > 1)
	}
	if len(w.trials) > 0 && len(c.Panels) == 0 {
		return nil, fmt.Errorf("modes are not looked at: %s; the plots %s and %s show each trial", m.refused[0], Points, ECDF)
	}
	if len(c.Panels) == 0 {
		c.Panels = []panel{{Value: axis{Kind: linear}, Place: axis{Kind: linear}}}
	}
	c.grid(2, 240, 200)
	if m.absolute {
		c.explain(w, m.of, unbroken, "")
	}
	c.Legend = append(c.Legend, key{neutral, stroke, "one trial"})
	if m.parted {
		c.Legend = append(c.Legend, key{sign{neutral.Colour, modeShape}, hollow, "a mode, at the median of its trials"}, key{neutral, margin, "valley between modes"})
	}
	c.Desc = m.desc()
	c.Notes = append(notes(m.smoothed(), w.failures(), w.staleNote(), w.unpublished()), m.notes...)
	return c, nil
}

// modeShape is the shape of a mode, which no curve's marker has beside it.
const modeShape = 3

// modesMaker gathers what the panels have in common.
type modesMaker struct {
	*wish
	of               map[*group]sign
	t                *Table
	absolute, parted bool // some panel is of treatments; some modes are told apart
	words, widths    []string
	refused, notes   []string
}

func (m *modesMaker) head() Table {
	return Table{Head: append(m.sessionCells("session", "numbers of"), "kind", "at", "height, or share of trials")}
}

// look adds the panel of a session.
func (m *modesMaker) look(c *chart, l analysis.Modality, named bool) {
	if l.Refused != "" {
		m.refused = append(m.refused, clean(l.Refused))
		m.notes = append(m.notes, fmt.Sprintf("Nothing of session %s: %s", within(l.Session), clean(l.Refused)))
		return
	}
	p := panel{Place: axis{Title: "density of trials", Kind: linear}, Rules: []rule{{At: 0, AtPlace: true}}}
	if named {
		p.Title = "session " + within(l.Session)
	}
	top, rows := 0.0, 0
	for _, s := range l.Samples {
		m.sample(&p, l, s, rows, &top)
		rows++
	}
	if top == 0 {
		top = 1
	}
	lane := math.Min(0.07, 0.35/float64(rows)) * top
	for i := range p.Series {
		for k := range p.Series[i].Marks {
			if mk := &p.Series[i].Marks[k]; mk.Look == stroke {
				mk.Place = -lane * (mk.Place + 0.7)
			}
		}
	}
	p.Place.Shown, p.Place.Domain = span{0, top}, span{-lane * (float64(rows) + 0.3), top * 1.12}
	p.Place.Ticks = chooseTicks(linear, p.Place.Shown, span{0, top * 1.05}, func(ts []tick) bool { return len(ts) <= 5 }).Ticks
	c.Panels = append(c.Panels, p)
}

// sample adds one distribution to a panel, its strokes in a row of their own.
func (m *modesMaker) sample(p *panel, l analysis.Modality, s analysis.ModeSample, row int, top *float64) {
	name, of := "all trials, less their treatments' means", neutral
	p.Value = axis{Title: "off the treatment's mean", Unit: m.unitOf(l, s), Kind: linear}
	if s.Of != nil {
		m.absolute = true
		p.Value = m.valueAxis(linear)
		if g := m.groupOf(s.Trials[0].Levels, s.Trials[0].Machine); g != nil {
			name, of = g.fullName(), m.of[g]
		}
	}
	curve := series{Sign: of, Label: within(name), Line: smooth}
	for i, x := range s.Smoothed.X {
		curve.Marks = append(curve.Marks, mark{Place: s.Smoothed.Y[i], Value: m.at(l, s, x), Look: fitted})
		*top = math.Max(*top, s.Smoothed.Y[i])
		m.row(l, name, "curve", m.at(l, s, x), s.Smoothed.Y[i])
	}
	rug := series{Sign: of, Label: within(name)}
	for i, x := range s.Values {
		rug.Marks = append(rug.Marks, mark{Place: float64(row), Value: m.at(l, s, x), Look: stroke, Stale: s.Trials[i].Stale})
	}
	slices.SortStableFunc(rug.Marks, func(a, b mark) int { return cmp.Compare(a.Value, b.Value) }) // a path from left to right is short
	found := series{Sign: sign{of.Colour, modeShape}, Label: within(name)}
	for i, one := range s.Modes {
		m.parted = true
		found.Marks = append(found.Marks, mark{Place: heightAt(s, one.Median), Value: m.at(l, s, one.Median), Look: hollow,
			Tip: within(name) + ": a mode of " + number(100*one.Share, 0) + " % of the trials, about " + m.text(l, s, one.Median)})
		m.row(l, name, "mode", m.at(l, s, one.Median), one.Share)
		if i > 0 {
			lo, hi := m.at(l, s, s.Modes[i-1].Hi), m.at(l, s, one.Lo)
			p.Zones = append(p.Zones, zone{Lo: lo, Hi: hi, Row: -1, Tip: within(name) + ": valley between two modes"})
			m.row(l, name, "valley", (lo+hi)/2, math.NaN())
		}
	}
	p.Series = append(p.Series, curve, rug, found)
	m.say(l, s, name)
}

// unitOf is the unit of what at gives.
func (m *modesMaker) unitOf(l analysis.Modality, s analysis.ModeSample) string {
	if s.Of == nil && l.Log {
		return "%"
	}
	return clean(m.display)
}

// at is a number of a sample as it is shown: distances as a change in per
// cent, all else in the unit shown.
func (m *modesMaker) at(l analysis.Modality, s analysis.ModeSample, x float64) float64 {
	if s.Of == nil && l.Log {
		return 100 * math.Expm1(x)
	}
	return x * m.scaleBy
}

// text is the same with its unit; distances have a sign.
func (m *modesMaker) text(l analysis.Modality, s analysis.ModeSample, x float64) string {
	v, sign := m.at(l, s, x), ""
	if s.Of == nil {
		sign = "+"
	}
	if v < 0 {
		sign = "−"
	}
	return sign + unitAfter(number(math.Abs(v), math.Abs(v)), m.unitOf(l, s))
}

// heightAt is how high the curve of a sample is at a number.
func heightAt(s analysis.ModeSample, x float64) float64 {
	xs, ys := s.Smoothed.X, s.Smoothed.Y
	i := sort.SearchFloat64s(xs, x)
	switch {
	case len(xs) == 0:
		return 0
	case i == 0 || i == len(xs):
		return ys[min(i, len(xs)-1)]
	}
	t := (x - xs[i-1]) / (xs[i] - xs[i-1])
	return ys[i-1]*(1-t) + ys[i]*t
}

// say is what was found of one sample, for the description, and how wide it
// was smoothed.
func (m *modesMaker) say(l analysis.Modality, s analysis.ModeSample, name string) {
	who := within(name)
	if m.sessions > 1 {
		who += " of session " + within(l.Session)
	}
	found := "no more than one mode is seen"
	switch shares := l.Shares(s, m.unit); {
	case shares != "":
		found = strconv.Itoa(len(s.Modes)) + " modes, " + clean(shares)
	case s.Flagged():
		found = "more than one mode, which could not be told apart"
	}
	m.words = append(m.words, fmt.Sprintf("%s: %s (dip test, %s, %s)", who, found, analysis.PText(s.P), count(len(s.Values), "trial")))
	width := s.Smoothed.Bandwidth * m.scaleBy
	if s.Of == nil && l.Log {
		width = 100 * math.Expm1(s.Smoothed.Bandwidth)
	}
	if s.Smoothed.Refused == "" {
		m.widths = append(m.widths, unitAfter(number(width, width), m.unitOf(l, s))+" for "+who)
	} else {
		m.notes = append(m.notes, fmt.Sprintf("No curve of %s: %s", who, clean(s.Smoothed.Refused)))
	}
}

// row adds a line to the table of data.
func (m *modesMaker) row(l analysis.Modality, name, kind string, at, height float64) {
	m.t.Rows = append(m.t.Rows, m.sessionCells(l.Session, name, kind, fourDigits(at), fourDigits(height)))
}

// smoothed says how the curves were made.
func (m *modesMaker) smoothed() string {
	if len(m.widths) == 0 {
		return ""
	}
	return "Gaussian kernels, bandwidth by Silverman’s rule: " + firstOf(m.widths, "curve")
}

func (m *modesMaker) title() string {
	if len(m.trials) == 0 {
		return m.noTrials()
	}
	return sentence(fmt.Sprintf("modes of %s over %s%s", m.quantity(), count(len(m.trials), "trial"), m.scopeAfter()))
}

func (m *modesMaker) desc() string {
	if len(m.trials) == 0 {
		return "There is no data."
	}
	text := sentence(m.rows()) + ". "
	for i, w := range m.words {
		m.words[i] = sentence(w)
	}
	text += firstOf(m.words, "distribution") + "."
	if s := m.smoothed(); s != "" {
		text += " " + s + "."
	}
	return text
}
