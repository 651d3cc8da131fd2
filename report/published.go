package report

import (
	"slices"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
)

// publishedTable is an earlier study's numbers of a metric, as printed, with
// their rank on each machine.
func (w *wish) publishedTable(ranked bool) *tableBlock {
	numbers, err := w.r.PublishedNumbers(w.metric)
	if err != nil {
		return w.newTable(say(sentence(err.Error())), column{Title: "treatment"})
	}
	numbers = slices.DeleteFunc(numbers, func(n analysis.PublishedNumber) bool {
		return !w.asked.Matches(func(f string) (string, bool) { return publishedLevel(n, w.asked, f) })
	})
	if !ranked {
		w.inOrder(numbers)
	}
	var factors []int
	for i, f := range w.r.Factors {
		if slices.ContainsFunc(numbers, func(n analysis.PublishedNumber) bool { return n.Levels[f.Name] != "" }) {
			factors = append(factors, i)
		}
	}
	head := []column{{Title: "machine"}}
	for _, i := range factors {
		head = append(head, column{Title: w.r.Factors[i].Name, Num: w.r.Factors[i].Numeric && len(w.r.Factors[i].Labels) == 0})
	}
	heads := len(head)
	values := make([]analysis.Estimate, len(numbers))
	for i, n := range numbers {
		values[i] = n.Estimate
	}
	unit := commonUnit(values)
	head = append(head, column{Title: w.metric, Unit: unit, Num: true}, column{Title: "rank", Num: true})
	t := w.newTable(say(sentenceCase(w.metric), " as published, without intervals: none is made up for them."), head...)
	for _, n := range numbers {
		r := row{Heads: heads, Cells: []cell{{Phrase: say(n.Machine)}}}
		for _, i := range factors {
			r.Cells = append(r.Cells, cell{Phrase: say(levelLabel(w.r.Factors[i], n.Levels[w.r.Factors[i].Name]))})
		}
		rank := ""
		if n.Rank > 0 {
			rank = itoa(n.Rank)
		}
		r.Cells = append(r.Cells, estimateCells(n.Estimate, unit)[0], cell{Phrase: say(rank)})
		t.Rows = append(t.Rows, r)
	}
	t.liftAlike()
	if w.r.Published.Source != "" {
		t.Notes = append(t.Notes, say("Source: ", sentence(w.r.Published.Source)))
	}
	return t
}

// publishedLevel is a number's level; what its study does not state matches
// what is asked for.
func publishedLevel(n analysis.PublishedNumber, where expr.Selection, factor string) (string, bool) {
	if factor == "machine" {
		return n.Machine, true
	}
	if l, ok := n.Levels[factor]; ok && l != "" {
		return l, true
	}
	return where.Levels(factor)[0], true
}

// inOrder orders numbers by machine and then as the file has them.
func (w *wish) inOrder(numbers []analysis.PublishedNumber) {
	machines := w.r.PublishedMachines()
	slices.SortStableFunc(numbers, func(a, b analysis.PublishedNumber) int {
		if c := slices.Index(machines, a.Machine) - slices.Index(machines, b.Machine); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
}
