package report

import (
	"fieldbook/analysis"
)

// pairs are the curves side by side; nil where there is but one.
func (t *curveTable) pairs() (*tableBlock, error) {
	var list []analysis.CurvePair
	for _, c := range t.Pairs(t.by) {
		c.Where = append(c.Where, missing(c, t.where)...)
		p, err := rememberedOr(t.wish.b.Memory, t.r, "pair", []any{t.wish.metric, t.X, c}, func() (analysis.CurvePair, error) { return t.r.CurvePair(t.wish.metric, t.X, c) })
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, nil
	}
	b := &tableBlock{Caption: say(sentenceCase(t.wish.metric), " over ", t.X, ": curves side by side, left over right."),
		Head: []column{{Title: "comparison"}, {Title: "ratio of slopes", Num: true}, {Title: "difference of intercepts", Num: true}, {Title: "crossing", Unit: t.XUnit}}}
	for _, p := range list {
		b.Rows = append(b.Rows, row{Heads: 1, Cells: []cell{{Phrase: comparisonName(p.Text)}, orReason(p.Slopes), orReason(p.Intercepts), crossingCell(p)}})
	}
	b.Notes = append(b.Notes,
		say("Slopes and intercepts are of the straight line of each block, compared over blocks; where intercepts differ, the ratio of slopes is not that of the curves. A crossing lies between two levels at which the curves differ for certain, and the other way round, after Holm over the levels; it is interpolated, never extrapolated."),
		say("Exploratory: no claim declared these comparisons before the data was seen, and nothing is adjusted for their number."))
	return b, nil
}

func crossingCell(p analysis.CurvePair) cell {
	if len(p.Crossings) == 0 {
		return cell{Phrase: phrase{soft(p.NoCrossing)}}
	}
	var all phrase
	for i, e := range p.Crossings {
		if i > 0 {
			all = append(all, plain(" and "))
		}
		all = append(all, number(e))
	}
	return cell{Phrase: all}
}
