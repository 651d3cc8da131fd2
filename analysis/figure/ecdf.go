package figure

import (
	"fmt"
	"slices"
	"strconv"
)

// ecdfChart shows for each treatment which share of its trials lies at or
// below each value: the whole distribution, and nothing pooled over
// treatments.
func ecdfChart(w *wish) (*chart, error) {
	of, shared := w.signs()
	c := &chart{
		Name: w.Name, Flat: true, Shared: true, Loose: true, Title: w.ecdfTitle(), Desc: w.orderDesc(),
		Notes: notes(shared, w.failures(), w.staleNote(), w.unpublished()),
		Table: Table{Head: append(w.factorHead(), w.sessionCells("session", "trial", w.valueHead(), "share")...)},
	}
	c.explain(w, of, joined, shared)
	for _, f := range w.facets() {
		p := panel{Title: w.facetTitle(f), Value: w.valueAxis(w.logScale()), Place: shareAxis()}
		for _, g := range w.groups {
			if part := g.of(f); part != nil {
				p.Series = append(p.Series, w.stairs(part, g, of[g], &c.Table))
			}
		}
		c.Panels = append(c.Panels, p)
	}
	c.grid(2, 280, 220)
	return c, nil
}

// shareAxis goes from none to all.
func shareAxis() axis {
	a := axis{Title: "share of trials", Kind: linear, Shown: span{0, 1}, Domain: span{0, 1}}
	for _, label := range []string{"0", "0.25", "0.5", "0.75", "1"} {
		at, err := strconv.ParseFloat(label, 64)
		if err == nil {
			a.Ticks = append(a.Ticks, tick{at, label})
		}
	}
	return a
}

// stairs is the step function of the trials that are ok, in the order of
// their values.
func (w *wish) stairs(part, g *group, s sign, t *Table) series {
	line := series{Sign: s, Label: within(g.fullName()), Line: stairs}
	var in []int
	for i, o := range part.Trials {
		if ok(o) {
			in = append(in, i)
		}
	}
	slices.SortStableFunc(in, func(i, j int) int { return compareFloats(part.Trials[i].Value, part.Trials[j].Value) })
	for k, i := range in {
		o := part.Trials[i]
		share := float64(k+1) / float64(len(in))
		line.Marks = append(line.Marks, mark{Place: share, Value: o.Value * w.scaleBy, Look: dot})
		t.Rows = append(t.Rows, append(w.factorCells(o), w.sessionCells(o.Session, strconv.Itoa(o.Trial), cell(o.Value), number(share, 0))...))
	}
	return line
}

// compareFloats orders numbers, and what is none of them before.
func compareFloats(a, b float64) int {
	switch {
	case a < b || a != a && b == b:
		return -1
	case a > b || a == a && b != b:
		return 1
	}
	return 0
}

func (w *wish) ecdfTitle() string {
	if len(w.trials) == 0 {
		return w.noTrials()
	}
	return sentence(fmt.Sprintf("distribution of %s over the trials of %s%s", w.quantity(), count(w.treatments, "treatment"), w.scope()))
}
