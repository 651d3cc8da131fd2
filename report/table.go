package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

var tableKinds = []string{"comparisons", "effects", "factors", "ranking", "sessions", "treatments"}

// table is one of the tables of {table}.
func (w *wish) table() []block {
	if w.published && w.d.Argument != "treatments" && w.d.Argument != "ranking" && slices.Contains(tableKinds, w.d.Argument) {
		w.wrong(w.d.ArgumentAt, "", "published numbers stand in the tables treatments and ranking; %s needs trials", w.d.Argument)
		return nil
	}
	if w.published && (w.d.Argument == "treatments" || w.d.Argument == "ranking") {
		return []block{w.publishedTable(w.d.Argument == "ranking")}
	}
	switch w.d.Argument {
	case "treatments":
		return []block{w.treatments(false)}
	case "ranking":
		if betterOf(w.r, w.metric) == "" {
			w.wrong(w.d.ArgumentAt, "say `better: lower` or `better: higher` in the experiment file", "%s has no better direction to rank by", w.metric)
			return nil
		}
		return []block{w.treatments(true)}
	case "comparisons":
		return w.comparisons()
	case "effects":
		return []block{w.effects()}
	case "factors":
		return []block{w.factors()}
	case "sessions":
		return w.sessions()
	}
	w.unknownKind(w.d.Argument, "table", tableKinds)
	return nil
}

// newTable is a table in the wish's place in the document.
func (w *wish) newTable(caption phrase, head ...column) *tableBlock {
	return &tableBlock{ID: w.slot.id, Number: w.slot.number, Caption: w.caption(caption), Head: head}
}

func betterOf(r *analysis.Result, metric string) string {
	for _, m := range r.Metrics {
		if m.Name == metric {
			return m.Better
		}
	}
	return ""
}

// treated is a treatment on one machine with its numbers.
type treated struct {
	machine  string
	levels   []string
	value    analysis.Estimate
	ratio    analysis.Estimate
	ok, all  int
	rank     int // on its machine, from 1
	selected expr.Selection
}

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
	var head []column
	for _, n := range names {
		head = append(head, n.column)
	}
	head = append(head, column{Title: "n", Num: true}, column{Title: statTitle(w.statistic()), Unit: unit, Num: true}, column{Title: "95 % interval", Num: true})
	if base != "" {
		head = append(head, column{Title: "of " + base, Num: true})
	}
	t := w.newTable(say(w.treatmentsCaption(ranked, fixed)), head...)
	for _, one := range rows {
		r := row{Heads: len(names)}
		for _, n := range names {
			r.Cells = append(r.Cells, n.cell(one))
		}
		r.Cells = append(append(r.Cells, cell{Phrase: say(countText(one))}), estimateCells(one.value, unit)...)
		if base != "" {
			r.Cells = append(r.Cells, ratioCell(one.ratio))
		}
		t.Rows = append(t.Rows, r)
	}
	t.Notes = w.notes(rows)
	return t
}

// naming is a column that names a treatment.
type naming struct {
	column
	cell func(t treated) cell
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

var statTitles = map[string]string{"geomean": "geometric mean", "sd": "standard deviation", "cv": "coefficient of variation", "n": "trials"}

func statTitle(stat string) string {
	if t := statTitles[stat]; t != "" {
		return t
	}
	return stat
}

// treated collects the treatments that the wish selects, machine by machine.
func (w *wish) treated() []treated {
	var rows []treated
	machines := w.machines()
	for _, machine := range machines {
		for _, levels := range w.r.Treatments() {
			if !w.where.Matches(func(f string) (string, bool) { return w.level(levels, machine, f) }) {
				continue
			}
			t := treated{machine: machine, levels: levels, selected: selectionOf(w.r, levels)}
			if len(machines) > 1 {
				t.selected = append(t.selected, expr.Term{Factor: "machine", Levels: []string{machine}})
			}
			for _, term := range w.where {
				if term.Factor == "session" || term.Factor == "control" {
					t.selected = append(t.selected, term)
				}
			}
			w.measure(&t)
			rows = append(rows, t)
		}
	}
	return rows
}

// machines are those that the wish means; one without a name where there is
// no data.
func (w *wish) machines() []string {
	all := w.r.Machines()
	if wanted := w.where.Levels("machine"); wanted != nil {
		all = slices.DeleteFunc(slices.Clone(all), func(m string) bool { return !slices.Contains(wanted, m) })
	}
	if len(all) == 0 {
		return []string{""}
	}
	return all
}

// level is a treatment's level, or the machine; what chooses rows only
// matches any treatment.
func (w *wish) level(levels []string, machine, factor string) (string, bool) {
	switch factor {
	case "machine":
		return machine, true
	case "session", "control":
		return w.where.Levels(factor)[0], true
	}
	return levelOf(w.r, levels, factor)
}

func selectionOf(r *analysis.Result, levels []string) expr.Selection {
	var s expr.Selection
	for i, f := range r.Factors {
		if i < len(levels) {
			s = append(s, expr.Term{Factor: f.Name, Levels: []string{levels[i]}})
		}
	}
	return s
}

// measure asks for a treatment's number. Where a geometric mean is refused
// since a value is not positive, the mean stands.
func (w *wish) measure(t *treated) {
	ask := func(stat string) analysis.Estimate {
		e, err := w.r.Value(analysis.Query{Metric: w.metric, Stat: stat, Selection: t.selected})
		if err != nil {
			e.Refused, e.Value = err.Error(), math.NaN()
		}
		return e
	}
	t.value = ask(w.statistic())
	for _, o := range w.r.Observations(w.metric, t.selected) {
		if o.Control == "B" && t.selected.Levels("control") == nil {
			continue
		}
		t.all++
		if o.Status == session.OK && !math.IsNaN(o.Value) {
			t.ok++
		}
	}
	if t.ok > 0 && w.stat == "" && t.value.Refused != "" {
		t.value = ask("mean")
	}
}

// ratios compares each treatment with the first of its machine, and gives the
// first one's name; "" where no ratio belongs into the table.
func (w *wish) ratios(rows []treated) string {
	if len(rows) < 2 || w.statistic() != "geomean" && w.statistic() != "mean" {
		return ""
	}
	first := map[string]treated{}
	for i := range rows {
		base, ok := first[rows[i].machine]
		if !ok {
			first[rows[i].machine] = rows[i]
			rows[i].ratio = analysis.Estimate{Kind: analysis.Ratio, Unit: "1"}
			rows[i].ratio.Value, rows[i].ratio.Lo, rows[i].ratio.Hi = 1, math.NaN(), math.NaN()
			continue
		}
		c := expr.Comparison{Left: rows[i].selected, Right: base.selected}
		rows[i].ratio = w.ratio(c)
	}
	return w.shortName(rows[0], rows)
}

// ratio is a comparison's ratio.
func (w *wish) ratio(c expr.Comparison) analysis.Estimate {
	k, err := w.r.Compare(w.metric, common(c))
	if err != nil {
		k.Ratio.Refused, k.Ratio.Value = err.Error(), math.NaN()
	}
	return k.Ratio
}

// common moves what both sides of a comparison say into its where.
func common(c expr.Comparison) expr.Comparison {
	out := expr.Comparison{Where: slices.Clone(c.Where)}
	same := func(t expr.Term, s expr.Selection) bool { return slices.Equal(s.Levels(t.Factor), t.Levels) }
	for _, t := range c.Left {
		if same(t, c.Right) {
			out.Where = append(out.Where, t)
		} else {
			out.Left = append(out.Left, t)
		}
	}
	for _, t := range c.Right {
		if !same(t, c.Left) {
			out.Right = append(out.Right, t)
		}
	}
	return out
}

// rank orders rows within their machine, the best first, those without a
// number last.
func (w *wish) rank(rows []treated) {
	up := betterOf(w.r, w.metric) == "lower"
	slices.SortStableFunc(rows, func(a, b treated) int {
		x, y := a.value.Value, b.value.Value
		switch {
		case a.machine != b.machine:
			return cmp.Compare(a.machine, b.machine)
		case math.IsNaN(x) || math.IsNaN(y):
			return cmp.Compare(boolInt(math.IsNaN(x)), boolInt(math.IsNaN(y)))
		case up:
			return cmp.Compare(x, y)
		}
		return cmp.Compare(y, x)
	})
	for i := range rows {
		rows[i].rank = 1
		if i > 0 && rows[i-1].machine == rows[i].machine {
			rows[i].rank = rows[i-1].rank + 1
		}
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
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

// shortName names a treatment by what it differs in from the others.
func (w *wish) shortName(t treated, among []treated) string {
	var parts []string
	shown, _ := w.varying(among)
	for _, i := range shown {
		parts = append(parts, levelLabel(w.r.Factors[i], t.levels[i]))
	}
	return strings.Join(parts, " ")
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

// sentenceCase begins with a capital.
func sentenceCase(s string) string {
	for i, r := range s {
		return strings.ToUpper(string(r)) + s[i+len(string(r)):]
	}
	return s
}

// commonUnit is the unit that fits every value of a column; "" where each
// needs its own.
func commonUnit(values []analysis.Estimate) string {
	unit := ""
	for _, e := range values {
		if e.Refused != "" || math.IsNaN(e.Value) {
			continue
		}
		u := unitOf(e)
		if unit != "" && u != unit {
			return ""
		}
		unit = u
	}
	return unit
}

// unitOf is the unit that an estimate's text ends with.
func unitOf(e analysis.Estimate) string {
	text := e.ValueText()
	if i := strings.LastIndex(text, " "); i >= 0 {
		return text[i+1:]
	}
	return ""
}

// estimateCells are an estimate and its interval; the unit stands in the
// head where there is one for all.
func estimateCells(e analysis.Estimate, unit string) []cell {
	v := number(e)
	text := e.ValueText()
	if unit != "" {
		text = strings.TrimSuffix(text, " "+unit)
	}
	order := ""
	if !math.IsNaN(e.Value) {
		order = sortKey(e.Value)
	}
	if e.Refused != "" || math.IsNaN(e.Value) {
		return []cell{{Phrase: phrase{soft("–")}}, {Phrase: phrase{soft(e.ValueText())}}}
	}
	interval := phrase{soft("none: " + e.NoInterval())}
	switch why := e.NoInterval(); {
	case why == "" && strings.HasPrefix(e.IntervalText(), "n/a"):
		interval = phrase{soft("–")}
	case why == "":
		interval = phrase{soft(e.IntervalText())}
	case e.Published:
		interval = phrase{soft("not stated")}
	}
	return []cell{{Phrase: phrase{value{Text: text, Tip: v.Tip, Stale: v.Stale}}, Sort: order}, {Phrase: interval}}
}

// sortKey is a number that orders rows, no longer than that takes.
func sortKey(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// ratioCell is a ratio with its interval.
func ratioCell(e analysis.Estimate) cell {
	if e.Refused != "" || math.IsNaN(e.Value) {
		return cell{Phrase: phrase{soft("–")}}
	}
	if e.Value == 1 && e.N == 0 && math.IsNaN(e.Lo) {
		return cell{Phrase: phrase{soft("1")}, Sort: "1"}
	}
	return cell{Phrase: phrase{number(e)}, Sort: sortKey(e.Value)}
}

// notes say what the numbers are and what is missing.
func (w *wish) notes(rows []treated) []phrase {
	var notes []phrase
	methods, failed := []string{}, 0
	for _, t := range rows {
		if t.value.Method != "" && !slices.Contains(methods, t.value.Method) {
			methods = append(methods, t.value.Method)
		}
		failed += t.all - t.ok
	}
	if len(methods) > 0 {
		notes = append(notes, say("Intervals: ", strings.Join(methods, "; "), ". Ratios are of geometric means, paired within blocks where the order has blocks."))
	}
	if failed > 0 {
		notes = append(notes, say(plural(failed, "trial"), " gave no number and ", map[bool]string{true: "is", false: "are"}[failed == 1], " not in n."))
	}
	return notes
}

// plural is "1 trial", "2 trials".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return itoa(n) + " " + noun + "s"
}
