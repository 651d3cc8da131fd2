package report

import "fieldbook/analysis"

// cutTable sets headline numbers with the blocks that were interrupted and
// completed later beside those without them; nil where there are none.
func cutTable(r *analysis.Result, of string) *tableBlock {
	n, headlines := r.CutBlocks(mainMetric(r))
	if n == 0 {
		return nil
	}
	caption := "Headline numbers" + of + " with and without " + plural(n, "block") + " that " + wasWere(n) + " interrupted and completed later."
	t := &tableBlock{Caption: say(caption), Head: []column{{Title: "number"}, {Title: "with"}, {Title: "without"}}}
	for _, h := range headlines {
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{{Phrase: say(h.Name)}, {Phrase: say(h.With)}, {Phrase: say(h.Without)}}})
	}
	return t
}
