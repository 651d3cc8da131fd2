package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
)

// borneOut is how far data bears out the ranks of a table's rows.
type borneOut struct {
	groups []string            // letters by row; "" where there are none
	steps  []analysis.Estimate // ratio to the row before on the same machine
	notes  []phrase
}

const lettersNote = "Treatments that share a letter are not told apart at 5 %, which does not make them equal: " +
	"t for each pair, since each has noise of its own, after Holm over all pairs."

// borneOut examines ranked rows machine by machine. Letters belong to
// geometric means; of another statistic there are ranks alone.
func (w *wish) borneOut(rows []treated) borneOut {
	all := borneOut{groups: make([]string, len(rows)), steps: w.steps(rows)}
	machines := machinesOf(rows)
	for _, machine := range machines {
		var of []treated
		var at []int
		for i, t := range rows {
			if t.machine == machine && !math.IsNaN(t.value.Value) {
				of, at = append(of, t), append(at, i)
			}
		}
		if len(of) < 2 {
			continue
		}
		k := w.ranking(of)
		for i, g := range k.Groups {
			all.groups[at[i]] = g
		}
		if all.notes == nil && k.Refused == "" {
			all.notes = append(all.notes, say(lettersNote))
		}
		for _, n := range rankingNotes(k, w.shortName(of[0], of)) {
			if len(machines) > 1 {
				n = machine + ": " + n
			} else {
				n = sentenceCase(n)
			}
			all.notes = append(all.notes, say(n))
		}
	}
	if len(machines) > 1 {
		all.notes = append(all.notes, sameOrder(rows, machines))
	}
	return all
}

// steps are the ratios of each row to the one before it on its machine.
func (w *wish) steps(rows []treated) []analysis.Estimate {
	steps := make([]analysis.Estimate, len(rows))
	for i := range rows {
		steps[i].Value = math.NaN()
		if i > 0 && rows[i-1].machine == rows[i].machine {
			steps[i] = w.ratio(expr.Comparison{Left: rows[i].selected, Right: rows[i-1].selected})
		}
	}
	return steps
}

// ranking examines the rows of one machine.
func (w *wish) ranking(rows []treated) analysis.Ranking {
	var order []expr.Selection
	for _, t := range rows {
		order = append(order, t.selected)
	}
	k, err := rememberedOr(w.b.Memory, w.r, "ranking", []any{w.metric, order}, func() (analysis.Ranking, error) { return w.r.Ranking(w.metric, order) })
	if err != nil {
		k.Refused = err.Error()
	}
	return k
}

// sameOrder says whether machines rank the treatments alike.
func sameOrder(rows []treated, machines []string) phrase {
	places := map[string]int{}
	var ranks [][]float64
	for _, machine := range machines {
		of := []float64{}
		for _, t := range rows {
			key := strings.Join(t.levels, "\x1f")
			if _, seen := places[key]; !seen {
				places[key] = len(places)
			}
			if t.machine != machine || math.IsNaN(t.value.Value) {
				continue
			}
			for len(of) <= places[key] {
				of = append(of, math.NaN())
			}
			of[places[key]] = float64(t.rank)
		}
		ranks = append(ranks, of)
	}
	for _, of := range ranks {
		if len(of) != len(places) || slices.ContainsFunc(of, math.IsNaN) {
			return say("Not every machine has a number of every treatment: orders are not set side by side.")
		}
	}
	for _, of := range ranks[1:] {
		if !slices.Equal(of, ranks[0]) {
			return say(fmt.Sprintf("The order differs between machines: Kendall's W of their ranks is %.2f over %s, a description without a test.",
				analysis.Concordance(ranks), plural(len(machines), "machine")))
		}
	}
	return say(fmt.Sprintf("All %s have the same order.", plural(len(machines), "machine")))
}

// rankingNotes say what letters mean, what other tests tell apart, and how
// firm the order is.
func rankingNotes(k analysis.Ranking, best string) []string {
	if k.Refused != "" {
		return []string{"no groups: " + k.Refused + "."}
	}
	notes := []string{fmt.Sprintf("of %s %d are told apart%s.", plural(k.Pairs, "pair"), k.Apart, otherTests(k))}
	if k.Resamples > 0 {
		notes = append(notes, fmt.Sprintf("of %s resamples of the %s, %s have exactly this order, and in %s %s is first%s.",
			itoa(k.Resamples), plural(k.Blocks, "block"), shareText(k.Same), shareText(k.First), best, concordance(k)))
	}
	return notes
}

// otherTests say how many pairs tests of another kind tell apart.
func otherTests(k analysis.Ranking) string {
	var other []string
	if k.Tukey >= 0 {
		text := fmt.Sprintf("Tukey's range, with one noise for all, tells %d apart", k.Tukey)
		if k.UnevenNoise {
			text += ", and does not hold here since noises differ more than fourfold in variance"
		}
		other = append(other, text)
	}
	if k.Nemenyi >= 0 {
		other = append(other, fmt.Sprintf("ranks within blocks alone, by Nemenyi, %d", k.Nemenyi))
	}
	if len(other) == 0 {
		return ""
	}
	return "; " + strings.Join(other, "; ")
}

// concordance says how alike the blocks rank the treatments.
func concordance(k analysis.Ranking) string {
	if math.IsNaN(k.W) {
		return ""
	}
	return fmt.Sprintf("; blocks rank alike with Kendall's W of %.2f (Friedman, %s)", k.W, analysis.PText(k.P))
}
