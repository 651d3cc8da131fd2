package report

import (
	"slices"

	"fieldbook/analysis"
	"fieldbook/analysis/figure"
)

// mostCheckMarks is how many trials the figures of checks draw in one report,
// about; so many keep the page small.
const mostCheckMarks = 1000

// checkFigures are the kinds of figure that show what checks looked at, with
// the checks that each serves: distances in the order of running show a drift
// and a likeness of neighbours, too.
var checkFigures = []struct {
	kind   string
	checks []string
}{
	{figure.Outliers, []string{"outliers", "trend", "blocks", "shift", "neighbours"}},
	{figure.CarryOver, []string{"carry-over"}},
	{figure.Modes, []string{"modes"}},
}

// checkFigure is a figure that shows what checks of a metric looked at.
type checkFigure struct {
	kind, metric string
	flagged      bool
}

// figuresOf are the figures that checks call for, the most important first:
// of the metric that the report is about all, of others those of checks that
// found something.
func figuresOf(all []analysis.Diagnostic, main string) []checkFigure {
	var figures []checkFigure
	metrics := []string{main}
	for _, d := range all {
		if !slices.Contains(metrics, d.Metric) {
			metrics = append(metrics, d.Metric)
		}
	}
	for _, metric := range metrics {
		for _, k := range checkFigures {
			looked, flagged := false, false
			for _, d := range all {
				if d.Metric == metric && slices.Contains(k.checks, d.Check) {
					flagged = flagged || d.Flag
					looked = looked || d.Check == k.checks[0] && !d.Skipped()
				}
			}
			if looked && (flagged || metric == main) {
				figures = append(figures, checkFigure{k.kind, metric, flagged})
			}
		}
	}
	slices.SortStableFunc(figures, func(a, b checkFigure) int {
		return rankOf(a, main) - rankOf(b, main)
	})
	return figures
}

// rankOf puts what was found in the main metric first, then what was found in
// others, then the rest.
func rankOf(f checkFigure, main string) int {
	switch {
	case f.flagged && f.metric == main:
		return 0
	case f.flagged:
		return 1
	}
	return 2
}

// mostLeft is how many plots are named that the page has no room for.
const mostLeft = 4

// marks is about how many trials the figure draws of so many.
func (f checkFigure) marks(trials int) int {
	if f.kind == figure.CarryOver && trials > figure.MostAfter {
		return 0 // the means alone
	}
	return trials
}

// checkPlots draws what the checks looked at: open where something was found,
// folded else. What was found in the main metric is always drawn; of the rest,
// what the page has no room for is named.
func (b *builder) checkPlots(r *analysis.Result, all []analysis.Diagnostic) []block {
	var open, quiet []block
	var left []string
	marks, main := 0, mainMetric(r)
	for _, f := range figuresOf(all, main) {
		n := f.marks(len(r.Observations(f.metric, nil)))
		if rankOf(f, main) > 0 && marks+n > mostCheckMarks {
			left = append(left, f.kind+" of "+f.metric)
			continue
		}
		drawn := b.checkPlot(r, f)
		if drawn == nil {
			continue
		}
		marks += n
		if f.flagged {
			open = append(open, drawn)
		} else {
			quiet = append(quiet, drawn)
		}
	}
	if more := len(left) - mostLeft; more > 0 {
		left = append(left[:mostLeft], itoa(more)+" more")
	}
	if len(left) > 0 {
		open = append(open, paragraph{phrase{plain("Not drawn here, to keep the page small: " + inWords(left) + ". In a writeup "), code("{plot}"), plain(" shows each.")}})
	}
	if len(quiet) > 0 {
		open = append(open, fold{Summary: "Plots of the checks that found nothing", Body: quiet})
	}
	return open
}

// checkPlot is one of them; nil where it cannot be drawn, as the table of
// checks says.
func (b *builder) checkPlot(r *analysis.Result, f checkFigure) block {
	w := &wish{b: b, r: r, metric: f.metric, whole: true}
	w.slot.id = b.ids.Take("check " + f.kind + " " + f.metric)
	drawn, err := w.draw(f.kind)
	if err != nil {
		return nil
	}
	drawn.Name = "the figure of " + f.kind + " (" + f.metric + ")"
	if f.kind == figure.Outliers {
		drawn.Caption = append(drawn.Caption, plain(" A drift shows here too, and trials that resemble those just before them."))
	}
	return drawn
}
