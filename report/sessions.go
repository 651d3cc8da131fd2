package report

import "fieldbook/analysis"

// sessions is the table of comparisons made on each session alone: how much
// sessions disagree, and in how many a reader of that session alone would
// call a difference.
func (w *wish) sessions() []block {
	if len(w.compare) != 1 {
		w.wrong(w.d.ArgumentAt, "write `:compare: LEFT / RIGHT`", "{table} sessions shows one comparison on each session, and %d are named", len(w.compare))
		return nil
	}
	c := w.complete(w.compare[0])
	list, err := w.r.BySession(w.metric, c)
	if err != nil {
		w.wrong(w.compareAt[0], "", "%v", err)
		return nil
	}
	ratios := make([]analysis.Estimate, len(list))
	for i, s := range list {
		ratios[i] = s.Ratio
	}
	axis := ratioAxis(ratios)
	t := w.newTable(say(sentenceCase(w.metric), ": ", c.String(), " on each session alone."),
		column{Title: "session"}, column{Title: "interval of the ratio", Bar: axis},
		column{Title: "ratio", Num: true}, column{Title: "difference found", Phone: "difference found"})
	t.Class = "claims"
	for _, s := range list {
		answer := "no"
		if s.Found() {
			answer = "yes"
		}
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{
			{Phrase: say(s.Session)}, barCell(axis, s.Ratio, "", nil), ratioCell(s.Ratio), {Phrase: say(answer)},
		}})
	}
	t.Notes = append(t.Notes, acrossNote(w.r, false)...)
	t.Notes = append(t.Notes, say("The interval leaves out 1 in ", foundText(list), "."))
	return []block{t}
}

// foundText is in how many sessions a difference was found.
func foundText(list []analysis.SessionComparison) string {
	n := 0
	for _, s := range list {
		if s.Found() {
			n++
		}
	}
	return itoa(n) + " of " + plural(len(list), "session")
}

// found is the answer to `found METRIC COMPARISON`.
func (q question) found() (value, error) {
	list, err := q.r.BySession(q.metric, *q.comparison)
	if err != nil {
		return value{}, err
	}
	return value{Text: foundText(list), Tip: "sessions in which the 95 % interval of " + q.metric + ", " + q.comparison.String() + ", taken alone, leaves out 1"}, nil
}
