package report

import (
	"math"

	"fieldbook/analysis"
	"fieldbook/internal/diag"
	"fieldbook/report/markup"
)

// readClaim reads the claim that a table is about; the claims are those of
// the experiment that `where` names.
func (w *wish) readClaim(o markup.Option) {
	var names []string
	for _, c := range w.r.Claims {
		names = append(names, c.Claim.Name)
		if c.Claim.Name == o.Value {
			w.claim = o.Value
			return
		}
	}
	w.wrong(o.ValueAt, diag.Meant(o.Value, names), "unknown claim %q", o.Value)
}

// equivalence is the table of {table} equivalence.
func (w *wish) equivalence() []block {
	if w.claim == "" {
		w.wrong(w.d.ArgumentAt, "write `:claim: NAME`", "{table} equivalence does not say which claim")
		return nil
	}
	if len(w.where) > 0 {
		w.wrong(w.optionAt("where"), "", "the claim says where; {table} equivalence takes experiment=NAME and nothing else in where")
		return nil
	}
	e, err := w.r.Equivalence(w.claim)
	if err != nil {
		w.refuse(w.optionAt("claim"), err)
		return nil
	}
	return []block{w.equivalenceTable(e)}
}

// equivalenceTable has a row for each level, and one for all of them.
func (w *wish) equivalenceTable(e analysis.Equivalence) *tableBlock {
	var ratios []analysis.Estimate
	for _, l := range e.Levels {
		ratios = append(ratios, l.Ratio90)
	}
	a := newAxis([]float64{e.Claim.Expect.Lo, e.Claim.Expect.Hi, ratioAxis(ratios).Lo, ratioAxis(ratios).Hi})
	t := w.newTable(equivalenceCaption(e), column{Title: "level"}, column{Title: "90 % interval of the ratio", Bar: a},
		column{Title: "ratio", Unit: "90 % interval", Num: true}, column{Title: "p", Num: true, Phone: "p"}, column{Title: "p after Holm", Num: true, Phone: "p after Holm"},
		column{Title: "smallest margin", Num: true, Phone: "smallest margin"}, column{Title: "what it shows"})
	t.Class = "claims"
	for _, l := range e.Levels {
		name := l.Label
		if name == "" {
			name = "the only one"
		}
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{
			{Phrase: say(name)}, barCell(a, l.Ratio90, equivalenceVerdict(l), e.Claim.Expect), ratioCell(l.Ratio90), {Phrase: say(pText(l.P))}, {Phrase: say(pText(l.Holm))},
			smallestCell(l.Smallest), {Phrase: say(l.Words)},
		}})
	}
	if len(e.Levels) > 1 {
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{
			{Phrase: phrase{strong("at all levels")}}, {}, {}, {Phrase: say(pText(e.All))}, {}, smallestCell(e.Smallest), {Phrase: phrase{strong(allWords(e))}},
		}})
		t.Notes = append(t.Notes, say("p is that of two one-sided tests over blocks. That all levels are within the margin takes the largest p, without adjustment; which of them are, p after Holm."))
	} else {
		t.Notes = append(t.Notes, say("p is that of two one-sided tests over blocks."))
	}
	t.Notes = append(t.Notes, say("The smallest margin is the least that the data would have proven: a description, since a margin chosen after the data proves nothing."))
	return t
}

func equivalenceCaption(e analysis.Equivalence) phrase {
	return say(sentenceCase(e.Claim.Metric), ", ", e.Claim.Compare.String(), ": within ", marginText(e), " of each other? ", "Claim ", e.Claim.Name, ", level by level.")
}

// marginText is a margin in words: "−10 % to +11 %".
func marginText(e analysis.Equivalence) string {
	return signed(e.Claim.Expect.Lo) + " to " + signed(e.Claim.Expect.Hi)
}

// signed is a ratio as a change in percent.
func signed(ratio float64) string {
	p := round(100 * (ratio - 1))
	switch {
	case p > 0:
		return "+" + analysis.NumberText(p) + " %"
	case p < 0:
		return "−" + analysis.NumberText(-p) + " %"
	}
	return "0 %"
}

// equivalenceVerdict colours a level's bar.
func equivalenceVerdict(l analysis.EquivalenceLevel) analysis.Verdict {
	if l.Within {
		return analysis.Supported
	}
	return analysis.Undecided
}

// smallestCell is a margin m as the change that it allows.
func smallestCell(m float64) cell {
	if math.IsNaN(m) || math.IsInf(m, 0) {
		return dashCell()
	}
	return cell{Phrase: say("±" + analysis.NumberText(roundUp(100*(m-1))) + " %"), Sort: sortKey(m)}
}

// roundUp keeps two significant digits, and never less than there is: a margin
// that is rounded down would not have been proven.
func roundUp(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return x
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Round(math.Ceil(x/unit-1e-9)*unit*1e9) / 1e9
}

// allWords say whether all levels are within the margin, and where not all
// are, at how many Holm leaves it proven.
func allWords(e analysis.Equivalence) string {
	held := 0
	for _, l := range e.Levels {
		if l.Within && l.Holm < 0.05 {
			held++
		}
	}
	if e.AtAll {
		return "within the margin at all " + itoa(len(e.Levels)) + " levels"
	}
	return "not proven at all levels; after Holm at " + itoa(held) + " of " + itoa(len(e.Levels))
}

// equivalences are the tables of all claims of an equivalence, for a report
// that nobody wrote.
func (b *builder) equivalences() []block {
	var blocks []block
	for _, c := range shownClaims(b.r) {
		if !c.Claim.IsEquivalence() {
			continue
		}
		e, err := b.r.Equivalence(c.Claim.Name)
		if err != nil {
			continue
		}
		w := b.generated()
		w.slot.id, w.slot.number = b.tableSlot("")
		blocks = append(blocks, w.equivalenceTable(e))
	}
	return blocks
}
