package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"fieldbook/analysis"
)

// mostPanels is how many treatments a figure of clients has room for.
const mostPanels = 12

// clientsChart shows for each treatment of several clients what each client
// got, over what its trial's clients got in the mean: a dot for each trial,
// and the mean over trials with its interval. By sets the levels of one
// factor beside each other in a panel. Clients that are served alike lie
// around 1.
func clientsChart(w *wish) (*chart, error) {
	if w.Facet != "" {
		return nil, fmt.Errorf("the plot %s has a panel for each treatment and no use for facet; by sets levels beside each other", Clients)
	}
	c := &clientsMaker{wish: w, chart: &chart{Name: w.Name, Shared: true}}
	c.chart.Table = c.head()
	if len(w.trials) > 0 {
		if err := c.collect(); err != nil {
			return nil, err
		}
	}
	c.finish()
	return c.chart, nil
}

// clientsMaker gathers the panels and what is said of them.
type clientsMaker struct {
	*wish
	chart  *chart
	share  string
	names  []string // of the panels
	more   int      // treatments that have no panel
	left   int      // trials left out
	words  []string
	trials int
	of     []analysis.Estimate
}

// collect makes the panels.
func (c *clientsMaker) collect() error {
	spreads, err := c.r.ClientSpread(c.Metric, c.Where)
	if err != nil {
		return err
	}
	if len(spreads) == 0 {
		return fmt.Errorf("no trial here has several clients; there is nothing to set side by side")
	}
	for _, s := range spreads {
		if g := c.groupOf(s.Levels, s.Machine); g != nil {
			c.add(s, g)
		}
	}
	return nil
}

// add puts a treatment into its panel.
func (c *clientsMaker) add(s analysis.ClientSpread, g *group) {
	c.share, c.left = s.Share, c.left+s.LeftOut
	if s.Refused != "" {
		c.chart.Notes = append(c.chart.Notes, "Nothing of "+within(g.fullName())+": "+clean(s.Refused))
		return
	}
	c.trials += len(s.Trials)
	c.words = append(c.words, c.say(s, g))
	if p := c.panelOf(g, s.Clients); p != nil {
		p.Series = append(p.Series, c.seriesOf(s, g))
	}
}

// panelOf is the panel of a treatment, a new one where there is none yet; nil
// where the figure is full.
func (c *clientsMaker) panelOf(g *group, clients int) *panel {
	title := c.nameOf(g, c.By)
	i := slices.Index(c.names, title)
	if i < 0 && len(c.names) == mostPanels {
		c.more++
		return nil
	}
	if i < 0 {
		i = len(c.names)
		c.names = append(c.names, title)
		c.chart.Panels = append(c.chart.Panels, panel{Title: title, Rules: []rule{{At: 1}}, Lanes: max(1, len(c.lanes())),
			Place: axis{Title: "client", Kind: category}, Value: axis{Title: "rate over the trial's mean", Suffix: "×"}})
	}
	p := &c.chart.Panels[i]
	for n := len(p.Place.Names); n < clients; n++ {
		p.Place.Names = append(p.Place.Names, strconv.Itoa(n))
	}
	return p
}

// nameOf is a treatment's name without one of its factors: "own 4", or, of a
// number alone, "clients 4".
func (c *clientsMaker) nameOf(g *group, without string) string {
	names := slices.DeleteFunc(slices.Clone(c.named), func(n string) bool { return n == without })
	if len(c.named) == 0 {
		return g.fullName()
	}
	if len(names) == 1 && c.shownAsNumber(names[0]) {
		if unit := c.r.Factors[c.factor(names[0])].Unit; unit == "" || unit == "1" {
			return names[0] + " " + g.labelOf(names)
		}
	}
	return g.labelOf(names)
}

// lanes are the levels that stand beside each other.
func (c *clientsMaker) lanes() []string {
	if c.By == "" {
		return nil
	}
	return c.levels(c.By)
}

// signOf tells the levels of By apart.
func (c *clientsMaker) signOf(level string) sign {
	n := c.rank(c.By, level)
	return sign{colourOf(n, c.size(c.By)), n % shapes}
}

// seriesOf is a treatment's trials and means.
func (c *clientsMaker) seriesOf(s analysis.ClientSpread, g *group) series {
	one := series{}
	if c.By != "" {
		level := g.level(c.By)
		one.Sign, one.Label, one.Lane = c.signOf(level), c.label(c.By, level), slices.Index(c.lanes(), level)
	}
	for _, t := range s.Trials {
		mean := 0.0
		for _, x := range t.Rates {
			mean += x / float64(len(t.Rates))
		}
		for i, x := range t.Rates {
			one.Marks = append(one.Marks, mark{Place: float64(i), Value: x / mean, Look: dot,
				Tip: fmt.Sprintf("trial %d: client %d, %s× the mean", t.Trial, i, number(x/mean, 0))})
			c.row(g, i, t.Session, strconv.Itoa(t.Trial), sixDigits(x/mean), "", "", "", "")
		}
	}
	for i, share := range s.ByNumber.Shares {
		if m, ok := c.markOf(share.Ratio, float64(i), g.fullName()+" client "+strconv.Itoa(i)); ok {
			one.Marks = append(one.Marks, m)
			c.of = append(c.of, share.Ratio)
		}
		e := share.Ratio
		c.row(g, i, "", "mean", sixDigits(e.Value), sixDigits(e.Lo), sixDigits(e.Hi), strconv.Itoa(e.N), fourDigits(share.Holm))
	}
	return one
}

func (c *clientsMaker) head() Table {
	head := append(c.factorHead(), "client")
	head = append(head, c.sessionCells("session", "trial or mean", "rate over the trial's mean", "from", "to", "n", "p after Holm")...)
	return Table{Head: c.machineCells("machine", head)}
}

func (c *clientsMaker) row(g *group, client int, session string, cells ...string) {
	row := append(c.factorCells(g.Trials[0]), strconv.Itoa(client))
	row = append(row, c.sessionCells(session, cells...)...)
	c.chart.Table.Rows = append(c.chart.Table.Rows, c.machineCells(g.Machine, row))
}

// say describes a treatment in a clause.
func (c *clientsMaker) say(s analysis.ClientSpread, g *group) string {
	text := within(c.nameOf(g, "")) + ": "
	if i := s.ByNumber.Slowest(); i >= 0 {
		text += fmt.Sprintf("client %d least, %s", i, clean(s.ByNumber.Shares[i].Ratio.Text()))
	}
	if !math.IsNaN(s.ByNumber.P) {
		text += ", Friedman’s test of all alike " + analysis.PText(s.ByNumber.P)
	}
	return text
}

// finish fills in what stands around the panels.
func (c *clientsMaker) finish() {
	ch := c.chart
	ch.Title, ch.Desc = c.noTrials(), "There is no data."
	if c.share != "" {
		ch.Title = "What each client got over the mean of its trial, " + clean(c.share) + c.scopeAfter()
		ch.Desc = sentence(fmt.Sprintf("%s of %s.", count(c.trials, "trial"), count(len(c.words), "treatment")))
	}
	if len(c.words) > 0 {
		ch.Desc += " " + sentence(firstOf(c.words, "treatment")) + "."
	}
	if len(ch.Panels) == 0 {
		ch.Panels = []panel{{Place: axis{Kind: category}, Value: axis{Title: "rate over the trial's mean"}}}
	}
	ch.grid(3, 260, 200)
	if c.By != "" {
		ch.Heading = c.By
		for _, l := range c.lanes() {
			ch.Legend = append(ch.Legend, key{c.signOf(l), mean, shown(c.label(c.By, l))})
		}
	}
	ch.Legend = append(ch.Legend, key{neutral, dot, "one trial"})
	if len(c.of) > 0 {
		ch.Legend = append(ch.Legend, key{neutral, mean, "mean over trials, " + confidence(c.of) + " interval"})
	}
	if c.left > 0 {
		ch.Notes = append(ch.Notes, fmt.Sprintf("%s left out, since a client is missing or gave no number", count(c.left, "trial")))
	}
	if c.more > 0 {
		ch.Notes = append(ch.Notes, fmt.Sprintf("%s not drawn; where, or by, makes room for them", count(c.more, "more treatment")))
	}
	ch.Notes = append(ch.Notes, notes(c.failures(), c.staleNote(), c.unpublished())...)
}
