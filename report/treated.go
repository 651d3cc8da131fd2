package report

import (
	"cmp"
	"math"
	"slices"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// treated is a treatment on one machine with its numbers.
type treated struct {
	machine  string
	levels   []string
	value    analysis.Estimate
	ratio    analysis.Estimate
	missing  analysis.Gaps
	ok, all  int
	rank     int // on its machine, from 1
	selected expr.Selection
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
			if len(w.r.Machines()) > 1 {
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
		q := analysis.Query{Metric: w.metric, Stat: stat, Selection: t.selected}
		e, err := rememberedOr(w.b.Memory, w.r, "treatment", []any{q}, func() (analysis.Estimate, error) { return w.r.Value(q) })
		if err != nil {
			e.Refused, e.Value = err.Error(), math.NaN()
		}
		return e
	}
	t.value = ask(w.statistic())
	trials := w.r.Observations(w.metric, t.selected)
	if t.selected.Levels("control") == nil {
		trials = slices.DeleteFunc(trials, func(o analysis.Observation) bool { return o.Control == "B" })
	}
	t.missing = w.r.GapsIn(w.metric, trials)
	for _, o := range trials {
		t.all++
		if o.Status == session.OK && !math.IsNaN(o.Value) {
			t.ok++
		}
	}
	if t.ok > 0 && w.stat == "" && t.value.Refused != "" {
		t.value = ask("mean")
	}
}

// insteadOf says whether a treatment's number is of another statistic than the
// table's.
func (w *wish) insteadOf(t treated) bool { return w.stat == "" && t.ok > 0 && t.value.Stat == "mean" }

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
	c = common(c)
	k, err := rememberedOr(w.b.Memory, w.r, "ratio", []any{w.metric, c}, func() (analysis.Comparison, error) { return w.r.Compare(w.metric, c) })
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
