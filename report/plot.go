package report

import (
	"strconv"
	"strings"

	"fieldbook/analysis"
	"fieldbook/analysis/figure"
)

var plotKinds = []string{figure.CarryOver, figure.Clients, figure.Curves, figure.Density, figure.ECDF, figure.Forest, figure.Interaction, figure.Modes,
	figure.Order, figure.Outliers, figure.Percentiles, figure.Points, figure.Residuals, figure.Spread}

func itoa(n int) string { return strconv.Itoa(n) }

// plot is a figure.
func (w *wish) plot() []block {
	f, err := w.draw(w.d.Argument)
	if err != nil {
		w.refuse(w.d.ArgumentAt, err)
		return nil
	}
	return []block{f}
}

// spec is the figure that the wish describes.
func (w *wish) spec(kind string) figure.Spec {
	return figure.Spec{Kind: kind, Name: "svg-" + w.slot.id, Metric: w.metric, Where: w.where, X: w.x, By: w.by, Facet: w.facet,
		Compare: w.compare, Over: strings.Join(w.over, " "), Stat: w.stat, Against: w.against, Published: w.published}
}

// draw draws what the wish says. Without data there is no figure, and the
// caption says so.
func (w *wish) draw(kind string) (*figureBlock, error) {
	block := &figureBlock{ID: w.slot.id, Number: w.slot.number}
	if kind == figure.Clients {
		w.forClients()
	}
	spec := w.spec(kind)
	if len(w.r.Observations(w.metric, w.where)) == 0 && !w.published {
		block.Caption = w.caption(say("There is nothing to draw yet: no trial is recorded."))
		w.b.doc.figures = append(w.b.doc.figures, block)
		return block, nil
	}
	f, err := rememberedOr(w.b.Memory, w.r, "figure", []any{spec}, func() (*figure.Figure, error) { return figure.Draw(w.r, spec) })
	if err != nil {
		return nil, err
	}
	block.Figure = f
	block.Caption = w.caption(say(sentence(f.Title)))
	w.b.doc.figures = append(w.b.doc.figures, block)
	return block, nil
}

// sentence ends a text with a full stop.
func sentence(s string) string {
	if s == "" || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "?") || strings.HasSuffix(s, "!") {
		return s
	}
	return s + "."
}

// mainMetric is the one that a report is about: what most claims speak of,
// else the first that has a better direction, else the first.
func mainMetric(r *analysis.Result) string {
	best, most := "", 0
	for _, m := range r.Metrics {
		n := 0
		for _, c := range r.Claims {
			if c.Claim.Metric == m.Name {
				n++
			}
		}
		if n > most {
			best, most = m.Name, n
		}
	}
	for _, m := range r.Metrics {
		if best == "" && m.Better != "" {
			best = m.Name
		}
	}
	if best == "" && len(r.Metrics) > 0 {
		best = r.Metrics[0].Name
	}
	return best
}
