package figure

import (
	"fmt"
	"strconv"

	"fieldbook/analysis"
)

// spreadChart shows whether noise grows with a numeric factor: of each trial
// the distance of its residual from the median of its level, and their mean
// with interval. These distances are what the test of Brown and Forsythe
// compares.
func spreadChart(w *wish) (*chart, error) {
	if err := w.chooseSpread(); err != nil {
		return nil, err
	}
	s := &spreadMaker{wish: w, chart: &chart{Name: w.Name, Shared: true, Width: 720, Height: 200,
		Title: w.noTrials(), Desc: "There is no data."}}
	s.chart.Table.Head = []string{"machine", unitHead(w.X, ""), "session", "trial or mean", "distance of the residual, %", "from", "to", "n"}
	if len(w.trials) > 0 {
		if err := s.collect(); err != nil {
			return nil, err
		}
	}
	s.chart.Notes = append(s.chart.Notes, notes(w.failures(), w.staleNote(), w.unpublished())...)
	if len(s.chart.Panels) == 0 {
		s.chart.Panels = []panel{{Place: axis{Kind: category}, Value: axis{Title: "distance"}}}
	}
	return s.chart, nil
}

// chooseSpread takes the first numeric factor that varies where none is named.
func (w *wish) chooseSpread() error {
	if w.Facet != "" {
		return fmt.Errorf("the plot %s has a panel for each machine and no use for facet", Spread)
	}
	w.takeNumber()
	if len(w.trials) == 0 {
		return nil
	}
	if !w.numeric(w.X) {
		return fmt.Errorf("the plot %s needs a numeric factor for x that varies; name one by x, or widen where", Spread)
	}
	return nil
}

type spreadMaker struct {
	*wish
	chart *chart
}

func (s *spreadMaker) collect() error {
	all, err := s.r.Spread(s.Metric, s.X, s.Where)
	if err != nil {
		return err
	}
	var words []string
	for _, one := range all {
		if one.Refused != "" {
			s.chart.Notes = append(s.chart.Notes, "Nothing is shown: "+clean(one.Refused))
			continue
		}
		s.chart.Panels = append(s.chart.Panels, s.panel(one, len(all) > 1))
		words = append(words, clean(one.Words()))
	}
	s.chart.Title = sentence(fmt.Sprintf("spread of %s over %s%s: how far residuals lie from the median of their level", s.quantity(), clean(s.X), s.scopeAfter()))
	s.chart.Desc = sentence(s.rows()) + "."
	if len(words) > 0 {
		s.chart.Desc += " " + sentence(firstOf(words, "machine")) + "."
	}
	s.chart.Legend = []key{{neutral, dot, "one trial"}, {neutral, mean, "mean, 95 % interval"}}
	return nil
}

// panel is one machine.
func (s *spreadMaker) panel(one analysis.Spread, named bool) panel {
	p := panel{Place: axis{Title: clean(s.X), Unit: clean(s.r.Factors[s.factor(s.X)].Unit), Kind: category},
		Value: axis{Title: "distance of residuals", Unit: "%"}}
	if named {
		p.Title = clean(one.Machine)
	}
	marks := series{}
	for i, l := range one.Levels {
		p.Place.Names = append(p.Place.Names, clean(l.Level))
		for _, d := range l.Distances {
			marks.Marks = append(marks.Marks, mark{Place: float64(i), Value: 100 * d.Value, Look: dot, Tip: fmt.Sprintf("trial %d: %s %%", d.Trial, number(100*d.Value, 0))})
			s.chart.Table.Rows = append(s.chart.Table.Rows, []string{one.Machine, l.Level, d.Session, strconv.Itoa(d.Trial), cell(100 * d.Value), "", "", ""})
		}
		e := l.Mean
		if e.Refused == "" {
			m := mark{Place: float64(i), Value: 100 * e.Value, Look: mean, Tip: clean(s.X) + " " + clean(l.Level) + ": " + clean(e.PercentText()) + ", " + count(e.N, "trial")}
			if e.NoInterval() == "" {
				m.Interval = &interval{Lo: 100 * e.Lo, Hi: 100 * e.Hi}
			}
			marks.Marks = append(marks.Marks, m)
			s.chart.Table.Rows = append(s.chart.Table.Rows, []string{one.Machine, l.Level, "", "mean", cell(100 * e.Value), cell(100 * e.Lo), cell(100 * e.Hi), strconv.Itoa(e.N)})
		}
	}
	p.Series = []series{marks}
	return p
}
