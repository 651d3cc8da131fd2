package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// treatments is the table of treatments, in their order or ranked.
func (w *wish) treatments(ranked bool) *tableBlock {
	rows := w.treated()
	if ranked {
		w.rank(rows)
	}
	base := w.ratios(rows)
	factors, fixed := w.varying(rows)
	unit := unitOfAll(rows)
	names := w.naming(ranked, len(machinesOf(rows)) > 1, factors)
	head := append(apart(columns(names), "n", statTitle(w.statistic())), column{Title: "n", Num: true}, column{Title: statTitle(w.statistic()), Unit: unit, Num: true}, column{Title: "95 % interval", Num: true})
	if base != "" {
		head = append(head, column{Title: "of " + base, Num: true})
	}
	var borne borneOut
	if ranked && w.statistic() == "geomean" && len(rows) > 1 {
		borne = w.borneOut(rows)
		head = append(head, column{Title: "of the one before", Num: true}, column{Title: "group"})
	}
	t := w.newTable(say(w.treatmentsCaption(ranked, fixed)), head...)
	for i, one := range rows {
		r := namedRow(names, one)
		value := estimateCells(one.value, unit)
		if w.insteadOf(one) {
			value[0].Phrase = append(value[0].Phrase, soft(" (mean)"))
		}
		r.Cells = append(append(r.Cells, cell{Phrase: say(countText(one))}), value...)
		if base != "" {
			r.Cells = append(r.Cells, ratioCell(one.ratio))
		}
		if borne.groups != nil {
			r.Cells = append(r.Cells, ratioCell(borne.steps[i]), cell{Phrase: say(borne.groups[i])})
		}
		t.Rows = append(t.Rows, r)
	}
	t.Notes = append(w.notes(rows), borne.notes...)
	return t
}

// naming is a column that names a treatment.
type naming struct {
	column
	cell func(t treated) cell
}

// columns are the heads of a table that begins with names.
func columns(names []naming) []column {
	var head []column
	for _, n := range names {
		head = append(head, n.column)
	}
	return head
}

// apart gives columns of factors that are called as other ones a head of
// their own.
func apart(head []column, others ...string) []column {
	for i, c := range head {
		if slices.Contains(others, c.Title) {
			head[i].Title = "factor " + c.Title
		}
	}
	return head
}

// namedRow begins a row with the name of a treatment.
func namedRow(names []naming, t treated) row {
	r := row{Heads: len(names)}
	for _, n := range names {
		r.Cells = append(r.Cells, n.cell(t))
	}
	return r
}

func (w *wish) naming(ranked, machines bool, factors []int) []naming {
	var list []naming
	if ranked {
		list = append(list, naming{column{Title: "rank", Num: true}, func(t treated) cell { return cell{Phrase: say(rankText(t))} }})
	}
	if machines {
		list = append(list, naming{column{Title: "machine"}, func(t treated) cell { return cell{Phrase: say(t.machine)} }})
	}
	for _, i := range factors {
		f := w.r.Factors[i]
		list = append(list, naming{column{Title: f.Name, Unit: f.Unit, Num: f.Numeric && len(f.Labels) == 0}, func(t treated) cell {
			return cell{Phrase: say(levelLabel(f, t.levels[i])), Sort: numericSort(f, t.levels[i])}
		}})
	}
	return list
}

// unitOfAll is the unit that fits every treatment's number.
func unitOfAll(rows []treated) string {
	values := make([]analysis.Estimate, len(rows))
	for i, t := range rows {
		values[i] = t.value
	}
	return commonUnit(values)
}

func rankText(t treated) string {
	if math.IsNaN(t.value.Value) {
		return "–"
	}
	return itoa(t.rank)
}

// countText is n, or how many of how many where some gave no number.
func countText(t treated) string {
	if t.ok == t.all {
		return itoa(t.ok)
	}
	return fmt.Sprintf("%d of %d", t.ok, t.all)
}

// statistic is the one asked for; of positive costs the geometric mean.
func (w *wish) statistic() string {
	if w.stat != "" {
		return w.stat
	}
	return "geomean"
}

func statTitle(stat string) string {
	if stat == "n" {
		return "trials"
	}
	return analysis.StatWords(stat)
}

// varying are the factors in which rows differ, and the levels of the others
// in words.
func (w *wish) varying(rows []treated) (shown []int, fixed []string) {
	for i, f := range w.r.Factors {
		levels := map[string]bool{}
		for _, t := range rows {
			levels[t.levels[i]] = true
		}
		switch {
		case len(levels) > 1 || len(w.r.Factors) == 1:
			shown = append(shown, i)
		case len(levels) == 1:
			fixed = append(fixed, f.Name+" "+levelLabel(f, rows[0].levels[i]))
		}
	}
	return shown, fixed
}

func machinesOf(rows []treated) []string {
	var names []string
	for _, t := range rows {
		if !slices.Contains(names, t.machine) {
			names = append(names, t.machine)
		}
	}
	return names
}

// shortName names a treatment by what it differs in from the others: "queue",
// or, where a level says nothing alone, each with its factor: "communication =
// queue, sessions = 1".
func (w *wish) shortName(t treated, among []treated) string {
	shown, _ := w.varying(among)
	alone, full := []string{}, []string{}
	for _, i := range shown {
		f, level := w.r.Factors[i], t.levels[i]
		full = append(full, withFactor(f, level))
		if text := levelWithFactor(f, level); text != withFactor(f, level) {
			alone = append(alone, text)
		}
	}
	if len(alone) == len(full) {
		return strings.Join(alone, ", ")
	}
	return strings.Join(full, ", ")
}

// levelWithFactor is a level as a sentence has it, "queue" or "size = 4 kB":
// with its factor and unit unless it says by itself what it is, as a declared
// label does.
func levelWithFactor(f session.Factor, level string) string {
	label := levelLabel(f, level)
	if label != level && level != "" || analysis.SaysItself(label) {
		return label
	}
	return withFactor(f, level)
}

// withFactor is a level with its factor and unit.
func withFactor(f session.Factor, level string) string {
	label := levelLabel(f, level)
	if label == level && f.Numeric && f.Unit != "" && f.Unit != "1" {
		label += " " + f.Unit
	}
	return f.Name + " = " + label
}

// levelLabel is a level as a reader sees it.
func levelLabel(f session.Factor, level string) string {
	if i := slices.Index(f.Levels, level); i >= 0 && i < len(f.Labels) && f.Labels[i] != "" {
		return f.Labels[i]
	}
	if level == "" {
		return "(empty)"
	}
	return level
}

// numericSort makes the levels of a numeric factor sort as numbers, whatever
// their labels.
func numericSort(f session.Factor, level string) string {
	if f.Numeric && levelLabel(f, level) != level {
		return level
	}
	return ""
}

func (w *wish) treatmentsCaption(ranked bool, fixed []string) string {
	what := sentenceCase(w.metric) + " per treatment"
	if ranked {
		what = "Ranked by " + w.metric + ", " + betterOf(w.r, w.metric) + " is better"
	}
	if len(fixed) > 0 {
		what += "; " + strings.Join(fixed, ", ")
	}
	return sentence(what)
}

// sentenceCase begins with a capital, unless the first word is a name that can
// only be meant as it is written.
func sentenceCase(s string) string {
	if first, _, _ := strings.Cut(s, " "); strings.ContainsAny(first, "_0123456789") {
		return s
	}
	for i, r := range s {
		return strings.ToUpper(string(r)) + s[i+len(string(r)):]
	}
	return s
}

// notes say what the numbers are and what is missing.
func (w *wish) notes(rows []treated) []phrase {
	var notes []phrase
	methods, failed := []string{}, 0
	if slices.ContainsFunc(rows, w.insteadOf) {
		notes = append(notes, say("Where a value is not above zero there is no geometric mean, and the mean stands in its place."))
	}
	for _, t := range rows {
		if t.value.Method != "" && !slices.Contains(methods, t.value.Method) {
			methods = append(methods, t.value.Method)
		}
		failed += t.all - t.ok
	}
	if len(methods) > 0 {
		notes = append(notes, say("Intervals: ", strings.Join(methods, "; "), ". Ratios are of geometric means, paired within blocks where the order has blocks."))
	}
	notes = append(notes, w.censoredNotes(rows)...)
	if failed > 0 {
		notes = append(notes, say(plural(failed, "trial"), " gave no number that counts and ", isAre(failed), " not in n."))
	}
	notes = append(notes, w.missingNotes(rows)...)
	return notes
}
