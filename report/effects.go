package report

import (
	"math"
	"slices"
	"strings"

	"fieldbook/analysis"
)

// effects is the table of main effects and interactions.
func (w *wish) effects() *tableBlock {
	tables, err := w.r.Effects(w.metric, w.where)
	head := []column{{Title: "effect"}, {Title: "ratio", Num: true}, {Title: "share of variation", Num: true}, {Title: "F", Num: true}, {Title: "df", Num: true}, {Title: "p", Num: true}}
	if len(tables) > 1 {
		head = append([]column{{Title: "machine"}}, head...)
	}
	t := w.newTable(say("What each factor does to "+w.metric+", on the log scale: main effects and interactions."), head...)
	if err != nil {
		t.Notes = append(t.Notes, say(sentence(err.Error())))
	}
	for _, one := range tables {
		w.effectRows(t, one, len(tables) > 1)
	}
	t.Notes = append(t.Notes, w.gapNotes()...)
	return t
}

func (w *wish) effectRows(t *tableBlock, one analysis.EffectTable, several bool) {
	on := ""
	if several {
		on = " on " + one.Machine
	}
	if one.Refused != "" {
		t.Notes = append(t.Notes, say(sentence("No effects"+on+": "+one.Refused)))
		return
	}
	total := 0.0
	for _, e := range one.Effects {
		total += e.SS
	}
	for _, e := range one.Effects {
		r := row{Heads: 1}
		if several {
			r.Heads = 2
			r.Cells = append(r.Cells, cell{Phrase: say(one.Machine)})
		}
		r.Cells = append(r.Cells,
			cell{Phrase: effectName(e)}, ratioCell(e.Ratio),
			numberCell(share(e.SS, total)), cell{Phrase: say(analysis.NumberText(round(e.F)))},
			cell{Phrase: say(analysis.NumberText(e.DF) + ", " + analysis.NumberText(round(e.ErrorDF)))}, cell{Phrase: say(pText(e.P))})
		t.Rows = append(t.Rows, r)
	}
	text := one.Method + on + ", " + plural(one.Blocks, "block")
	if one.Dropped > 0 {
		text += "; " + plural(one.Dropped, "incomplete block") + " left out"
	}
	t.Notes = append(t.Notes, say(sentence(sentenceCase(text))))
	for _, warning := range one.Warnings {
		t.Notes = append(t.Notes, say(sentence(sentenceCase(warning.Text))))
	}
	for _, doubt := range one.Model.Doubts() {
		t.Notes = append(t.Notes, say(sentence(sentenceCase(doubt+on))))
	}
}

// effectBlocks are the table of effects and, folded, whether the model behind
// it suits the data and what the blocks gained.
func (w *wish) effectBlocks() []block {
	blocks := []block{w.effects()}
	tables, err := w.r.Effects(w.metric, w.where)
	if err != nil {
		return blocks
	}
	var items []phrase
	for _, one := range tables {
		if one.Refused != "" {
			continue // there is no model
		}
		for _, text := range one.Model.Words(one.Effects) {
			p := say(text)
			if len(tables) > 1 {
				p = append(phrase{strong(one.Machine), plain(": ")}, p...)
			}
			items = append(items, p)
		}
	}
	if len(items) == 0 {
		return blocks
	}
	why := say("The table supposes that blocks only shift all treatments by one factor, and that all have one noise. Nothing rests on it but the table: ratios are made of the contrasts of blocks, each with its own noise.")
	return append(blocks, fold{Summary: "What the table of effects supposes", Body: []block{paragraph{why}, bullets{items}}})
}

// effectName is the factors of an effect, and what its ratio compares.
func effectName(e analysis.Effect) phrase {
	p := say(strings.Join(e.Factors, " × "))
	if e.Ratio.Refused == "" && e.Ratio.Selection != "" {
		p = append(p, lineEnd{}, soft(e.Ratio.Selection))
	}
	return p
}

func share(part, whole float64) string {
	if !(whole > 0) {
		return ""
	}
	x := 100 * part / whole
	switch {
	case x > 0 && x < 0.1:
		return "< 0.1 %"
	case x < 10:
		return analysis.NumberText(math.Round(x*10)/10) + " %"
	}
	return analysis.NumberText(math.Round(x)) + " %"
}

// round keeps three significant digits.
func round(x float64) float64 {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return x
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-2)
	return math.Round(x/unit) * unit
}

func numberCell(text string) cell { return cell{Phrase: say(text)} }

// defaultEffects is the table of effects where the experiment crosses at
// least two factors that vary.
func (b *builder) defaultEffects() []block {
	varying := 0
	for i := range b.r.Factors {
		if len(declaredLevels(b.r, i)) > 1 {
			varying++
		}
	}
	if varying < 2 {
		return nil
	}
	tables, err := b.r.Effects(mainMetric(b.r), nil)
	if err != nil || !slices.ContainsFunc(tables, func(t analysis.EffectTable) bool { return t.Refused == "" }) {
		return nil
	}
	w := b.generated()
	w.slot.id, w.slot.number = b.tableSlot("")
	return w.effectBlocks()
}
