package report

import (
	"slices"

	"fieldbook/analysis"
)

// fixedOrder says of sessions in which every treatment always had the same
// predecessor what cannot be known for it, and shows the cycle. Sessions of
// the same cycle share a table.
func fixedOrder(r *analysis.Result) []block {
	var blocks []block
	var shown [][]analysis.Predecessor
	for _, s := range r.Data.Sessions {
		cycle := analysis.FixedPredecessors(s)
		if len(cycle) == 0 || slices.ContainsFunc(shown, func(c []analysis.Predecessor) bool { return slices.Equal(c, cycle) }) {
			continue
		}
		shown = append(shown, cycle)
		blocks = append(blocks, predecessorTable(cycle))
	}
	if len(blocks) == 0 {
		return nil
	}
	return append([]block{paragraph{say("Every treatment always had the same predecessor. " +
		"Whatever a trial leaves behind for the next one is therefore part of what the next treatment gives: " +
		"no carry-over can be told from the treatment, and none is estimated. " +
		"Nor does a drift meet all treatments alike, since their mean places in the order differ.")}}, blocks...)
}

func predecessorTable(cycle []analysis.Predecessor) *tableBlock {
	t := &tableBlock{Caption: say("The fixed order."), Head: []column{
		{Title: "treatment"}, {Title: "always ran after"}, {Title: "trials", Num: true}, {Title: "mean place", Num: true}}}
	for _, p := range cycle {
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{
			{Phrase: say(p.Treatment)}, {Phrase: say(p.After)}, {Phrase: say(itoa(p.Trials))}, {Phrase: say(analysis.NumberText(p.Place))},
		}})
	}
	return t
}
