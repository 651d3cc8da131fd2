package report

import (
	"fmt"
	"math"

	"fieldbook/analysis"
)

// models is a row for each model of each curve, the best first.
func (t *curveTable) models() *tableBlock {
	b := &tableBlock{Caption: say("Models of ", t.wish.metric, " over ", t.X, ", fitted to whole blocks on the log scale; the best by AICc first."),
		Head: t.head(column{Title: "model"}, column{Title: "f(x)"}, column{Title: "parameters"}, column{Title: "ΔAICc", Num: true}, column{Title: "weight", Num: true}, column{Title: "lack of fit", Num: true})}
	for _, s := range t.Series {
		if len(s.Fits) == 0 {
			r := t.naming(s)
			r.Cells = append(r.Cells, cell{Phrase: phrase{soft("none")}}, cell{}, cell{Phrase: phrase{soft(s.Line.Refused)}}, cell{}, cell{}, cell{})
			b.Rows = append(b.Rows, r)
		}
		for _, f := range s.Fits {
			r := t.naming(s)
			r.Cells = append(append(r.Cells, cell{Phrase: say(f.Model)}, cell{Phrase: say(f.Formula)}), fitCells(f)...)
			b.Rows = append(b.Rows, r)
		}
	}
	b.Notes = append(b.Notes, say("Parameters are in the declared units, with 95 % intervals. Of AICc only differences mean anything; weights are shared out among the models that could be fitted."))
	if text := t.lawsNote(); text != "" {
		b.Notes = append(b.Notes, say(text))
	}
	return b
}

// fitCells are what a model has beside its name.
func fitCells(f analysis.CurveFit) []cell {
	if f.Refused != "" {
		return []cell{{Phrase: phrase{soft("refused: " + f.Refused)}}, {}, {}, {}}
	}
	var p phrase
	for i, e := range f.Parameters {
		if i > 0 {
			p = append(p, lineEnd{})
		}
		p = append(p, plain(e.Stat+" = "), number(e))
	}
	lack := ""
	if !math.IsNaN(f.LackP) {
		lack = analysis.PText(f.LackP)
	}
	return []cell{{Phrase: p}, {Phrase: say(fmt.Sprintf("%.1f", f.Delta)), Sort: sortKey(f.Delta)}, {Phrase: say(weightText(f.Weight)), Sort: sortKey(f.Weight)}, {Phrase: say(lack)}}
}

// lawsNote says whether the metric is taken for a time or for a rate.
func (t *curveTable) lawsNote() string {
	switch betterOf(t.r, t.wish.metric) {
	case "lower":
		return "Less of " + t.wish.metric + " is better, so that it is taken for the time of the same work: Amdahl's law is fitted to it, and the scalability law, which is one of throughput, to its reciprocal."
	case "higher":
		return "More of " + t.wish.metric + " is better, so that it is taken for a rate: the scalability law is fitted to it, and Amdahl's law, which is one of time, to its reciprocal."
	}
	return ""
}

// weightText is an Akaike weight in two decimals.
func weightText(x float64) string {
	if x < 0.005 {
		return "< 0.01"
	}
	return fmt.Sprintf("%.2f", x)
}
