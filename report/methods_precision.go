package report

import (
	"math"
	"strconv"

	"fieldbook/analysis"
)

// precision is what the data could have shown of each claim, by its widest
// part: the half-width reached, and the smallest margin that would have been
// proven. The power at what was found says nothing besides.
func (b *builder) precision(r *analysis.Result) []block {
	t := &tableBlock{
		Caption: say("How precise each claim is", b.of(r), ", by the widest of its parts."),
		Head: []column{{Title: "claim"}, {Title: "part"}, {Title: "n", Num: true}, {Title: "half-width reached", Num: true},
			{Title: "smallest margin it could show", Num: true}},
		Notes: []phrase{say("The half-width is of the 95 % interval, relative to the value. The smallest margin is the least m for which the 90 % interval lies inside 1/m … m: " +
			"a difference that small could have been shown to be no larger. It describes; a margin chosen after the data proves nothing.")},
	}
	for _, c := range r.Claims {
		p := widestPart(c.Parts)
		if p == nil || len(c.Claim.AllOf) > 0 {
			continue
		}
		margin := ""
		if m := p.SmallestMargin(); !math.IsNaN(m) {
			margin = "±" + shareText(m-1)
		}
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{
			{Phrase: say(c.Claim.Name)}, {Phrase: say(p.Label)}, {Phrase: say(itoa(p.Estimate.N))},
			{Phrase: say("±" + shareText(p.Estimate.RelativeHalfWidth())), Sort: sortKey(p.Estimate.RelativeHalfWidth())}, {Phrase: say(margin)},
		}})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []block{fold{Summary: "What the data could have shown" + b.of(r), Body: []block{t}}}
}

// widestPart is the part with the widest interval; nil where none has one.
func widestPart(parts []analysis.ClaimPart) *analysis.ClaimPart {
	var worst *analysis.ClaimPart
	for i, p := range parts {
		w := p.Estimate.RelativeHalfWidth()
		if math.IsNaN(w) || p.Estimate.N == 0 {
			continue
		}
		if worst == nil || w > worst.Estimate.RelativeHalfWidth() {
			worst = &parts[i]
		}
	}
	return worst
}

// shareText is a share as a percentage of two significant digits.
func shareText(x float64) string {
	return strconv.FormatFloat(round(100*x), 'g', 3, 64) + " %"
}
