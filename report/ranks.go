package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis"
)

// comparisonBlocks are the table of comparisons and, folded, what a second
// judge says of each.
func (w *wish) comparisonBlocks(list []analysis.Comparison) []block {
	t := w.comparisonTable(list)
	t.Notes = append(t.Notes, restsNotes(list)...)
	t.Notes = append(t.Notes, w.groupsNote(list)...)
	return append([]block{t}, rankBlocks(list, t.label())...)
}

// restsNotes name the comparisons of which t and ranks say another thing.
func restsNotes(list []analysis.Comparison) []phrase {
	few := map[string][]string{}
	for _, c := range list {
		if unit := c.RestsOnFew(); unit != "" {
			few[unit] = append(few[unit], c.Text+" (by ranks "+ratioByRanks(c.HL)+")")
		}
	}
	var notes []phrase
	for _, unit := range []string{"blocks", "trials"} {
		if of := few[unit]; len(of) > 0 {
			notes = append(notes, say("The t interval and the exact one by ranks disagree whether there is a difference, so that this rests on few ", unit, ": ", strings.Join(of, "; "), "."))
		}
	}
	return notes
}

// ratioByRanks is a ratio by ranks with its interval, or that there is none.
func ratioByRanks(e analysis.Estimate) string {
	if math.IsInf(e.Lo, -1) || e.Lo == 0 || math.IsInf(e.Hi, 1) {
		return "no bounds from so few"
	}
	return e.Text()
}

// groupsNote is the overview of more than two treatments that nothing pairs,
// which have no table of effects.
func (w *wish) groupsNote(list []analysis.Comparison) []phrase {
	if !slices.ContainsFunc(list, func(c analysis.Comparison) bool { return !c.Paired }) {
		return nil
	}
	all, err := w.r.Groups(w.metric, w.where)
	if err != nil || len(all) == 0 {
		return nil
	}
	if text := analysis.GroupsWords(all); text != "" {
		return []phrase{say(sentence(sentenceCase(text)))}
	}
	return nil
}

// rankBlocks is the fold with what ranks say beside t; none where no
// comparison has such a number.
func rankBlocks(list []analysis.Comparison, of string) []block {
	t := &tableBlock{Caption: say("The comparisons of ", of, " by ranks, and how their trials lie to each other."), Head: []column{
		{Title: "comparison"}, {Title: "ratio by ranks", Num: true}, {Title: "p, by t", Num: true}, {Title: "p, by ranks", Num: true},
		{Title: "p, by randomization", Num: true}, {Title: "trials"}, {Title: "p, Shapiro-Wilk", Num: true}}}
	for _, c := range list {
		if c.HL.Refused != "" && math.IsNaN(c.Ranks.Share) {
			continue
		}
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{
			{Phrase: comparisonName(c.Text)}, ratioCell(c.HL), numberCell(pText(c.P)), numberCell(pText(c.Ranks.P)),
			numberCell(pText(c.SignFlipP)), {Phrase: say(c.Ranks.ShareText())}, numberCell(pText(c.Ranks.Normality.P)),
		}})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t.Notes = []phrase{say(strings.Join(rankReasons(list), " "))}
	t.dropEmpty()
	return []block{fold{Summary: "The same by ranks", Body: []block{t}}}
}

// rankReasons say why these tests and no others.
func rankReasons(list []analysis.Comparison) []string {
	paired, apart, random, normal, share := false, false, false, false, false
	for _, c := range list {
		paired, apart = paired || c.Paired, apart || !c.Paired
		random, share = random || !math.IsNaN(c.SignFlipP), share || !math.IsNaN(c.Ranks.Share)
		normal = normal || c.Ranks.Normality.Refused == ""
	}
	var why []string
	if paired {
		why = append(why, "By ranks it is the median of the ratios of blocks and of the means of each two of them (Hodges-Lehmann), with the exact interval of the signed-rank test: it asks for symmetry, not for normality, and a few wild blocks do not move it far.")
	}
	if apart {
		why = append(why, "Where nothing is paired, the ratio is by Welch's t on the log scale, which lets the noise of the sides differ, and by ranks the median over all pairs of trials of a session (Hodges-Lehmann), with the exact interval of the Mann-Whitney test.")
	}
	if random {
		why = append(why, "The test by randomization deals the treatments anew as the order could have been drawn.")
	} else {
		why = append(why, "There is no test by randomization: no order was drawn that it could draw anew.")
	}
	if share {
		why = append(why, "How often one side is higher counts all pairs of trials within a session; it describes how far they overlap.")
	}
	if normal {
		why = append(why, fmt.Sprintf("Shapiro-Wilk's test asks whether %s could be normal, as t takes them to be; it decides nothing, and of few numbers it sees little.", normalOf(paired, apart)))
	}
	return why
}

// normalOf is what the t intervals take for normal.
func normalOf(paired, apart bool) string {
	const blocks, trials = "the logarithms of the blocks' ratios", "the logarithms of the trials less their treatment's mean"
	switch {
	case paired && apart:
		return blocks + ", or " + trials
	case paired:
		return blocks
	}
	return trials
}
