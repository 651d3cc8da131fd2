package report

import (
	"math"
	"slices"
	"strings"

	"fieldbook/analysis"
)

// curves is what {table} curves stands for: a row for each curve, the curves
// side by side, and the models of each.
func (w *wish) curves() []block {
	x := w.curveAxis()
	if x == "" {
		w.wrong(w.d.ArgumentAt, "name one by x, or widen where", "a curve needs a numeric factor for x, and none varies here")
		return nil
	}
	blocks, err := w.curveTables(x)
	if err != nil {
		w.refuse(w.optionAt("x"), err)
		return nil
	}
	return blocks
}

// curveAxis is the factor named by x, else the first numeric one that varies
// within where; "" where there is none.
func (w *wish) curveAxis() string {
	if w.x != "" {
		return w.x
	}
	for i, f := range w.r.Factors {
		if f.Numeric && f.Name != w.by && f.Name != w.facet && len(w.levelsWithin(i)) > 1 {
			return f.Name
		}
	}
	return ""
}

// levelsWithin are the levels of factor i among the treatments within where.
func (w *wish) levelsWithin(i int) []string {
	var found []string
	for _, levels := range w.r.Treatments() {
		if i < len(levels) && !slices.Contains(found, levels[i]) &&
			w.where.Matches(func(f string) (string, bool) { return w.levelOr(levels, f) }) {
			found = append(found, levels[i])
		}
	}
	return found
}

// levelOr is a treatment's level of a factor; what is no factor matches.
func (w *wish) levelOr(levels []string, factor string) (string, bool) {
	if l, ok := levelOf(w.r, levels, factor); ok {
		return l, true
	}
	return w.where.Levels(factor)[0], true
}

// curveTables are the tables of the curves over x.
func (w *wish) curveTables(x string) ([]block, error) {
	c, err := rememberedOr(w.b.Memory, w.r, "curve", []any{w.metric, x, w.where}, func() (analysis.Curve, error) { return w.r.Curve(w.metric, x, w.where) })
	if err != nil {
		return nil, err
	}
	c.Series = slices.Clone(c.Series) // which are sorted
	w.byFacet(&c)
	t := &curveTable{wish: w, Curve: c, names: curveNames(c)}
	blocks := []block{t.courses()}
	pairs, err := t.pairs()
	if err != nil {
		return nil, err
	}
	if pairs != nil {
		blocks = append(blocks, pairs)
	}
	if t.fitted() {
		blocks = append(blocks, fold{Summary: "Models of " + w.metric + " over " + x, Body: []block{t.models()}})
	}
	return blocks, nil
}

// byFacet puts the curves of one level of the facet together.
func (w *wish) byFacet(c *analysis.Curve) {
	if w.facet == "" {
		return
	}
	var order []string
	if i := factorNamed(w.r, w.facet); i >= 0 {
		order = declaredLevels(w.r, i)
	}
	at := func(s analysis.CurveSeries) int {
		return slices.Index(order, strings.Join(s.Selection.Levels(w.facet), " "))
	}
	slices.SortStableFunc(c.Series, func(a, b analysis.CurveSeries) int { return at(a) - at(b) })
}

// curveTable makes the tables of one set of curves.
type curveTable struct {
	*wish
	analysis.Curve
	names []string // of the factors that tell curves apart
}

// curveNames are the factors that tell curves apart.
func curveNames(c analysis.Curve) []string {
	var names []string
	for _, s := range c.Series {
		for _, t := range s.Selection {
			if !slices.Contains(names, t.Factor) {
				names = append(names, t.Factor)
			}
		}
	}
	return names
}

// head is the columns that name a curve, before others; the facet's stands
// first.
func (t *curveTable) head(others ...column) []column {
	if i := slices.Index(t.names, t.facet); i > 0 {
		t.names = append([]string{t.facet}, slices.Delete(slices.Clone(t.names), i, i+1)...)
	}
	var head []column
	for _, n := range t.names {
		head = append(head, column{Title: n})
	}
	if len(head) == 0 {
		head = []column{{Title: "curve"}}
	}
	return append(head, others...)
}

// naming are the cells that name a curve.
func (t *curveTable) naming(s analysis.CurveSeries) row {
	if len(t.names) == 0 {
		return row{Heads: 1, Cells: []cell{{Phrase: say(t.wish.metric)}}}
	}
	r := row{Heads: len(t.names)}
	for _, n := range t.names {
		level := strings.Join(s.Selection.Levels(n), ", ")
		text := level
		if i := factorNamed(t.r, n); i >= 0 {
			text = levelLabel(t.r.Factors[i], level)
		}
		r.Cells = append(r.Cells, cell{Phrase: say(text)})
	}
	return r
}

// courses is a row for each curve: how steep it is, where it rises and falls;
// and, where any can be fitted, how far from a line, which model is best,
// where it turns.
func (t *curveTable) courses() *tableBlock {
	head := t.head(column{Title: "per doubling of " + t.X, Num: true}, column{Title: "course"})
	fitted := t.fitted()
	if fitted {
		head = append(head, column{Title: "exponent", Num: true}, column{Title: "line", Unit: unitText(t.Unit)}, column{Title: "furthest off the line"}, column{Title: "best model"})
	}
	knees, noKnee := t.knees()
	if noKnee == "" {
		head = append(head, column{Title: "knee", Unit: t.XUnit, Num: true})
	}
	b := t.newTable(say(sentenceCase(t.wish.metric), " over ", t.X, ": each curve by itself."), head...)
	for i, s := range t.Series {
		r := t.naming(s)
		r.Cells = append(r.Cells, orReason(s.PerDoubling), cell{Phrase: say(s.Course())})
		if fitted {
			r.Cells = append(r.Cells, exponentCell(s.Exponent), lineCell(s, t.X, t.Unit), offLineCell(s.Line), bestCell(s))
		}
		if noKnee == "" {
			r.Cells = append(r.Cells, withRemark(knees[i]))
		}
		b.Rows = append(b.Rows, r)
	}
	b.Notes = t.courseNotes(fitted, noKnee)
	return b
}

// courseNotes say how the table is to be read, and what is missing from it.
func (t *curveTable) courseNotes(fitted bool, noKnee string) []phrase {
	notes := []phrase{say("A course counts a step between neighbouring levels where its p-value over blocks, after Holm over the steps of the curve, is below 0.05. Nothing is said beyond the levels measured.")}
	if slices.ContainsFunc(t.Series, func(s analysis.CurveSeries) bool { return s.Exponent.Refused == "" && !isNone(s.Exponent) }) {
		notes = append(notes, say("An exponent is one only if ", t.wish.metric, " goes to 0 with ", t.X, ": with an intercept even a line has one below 1."))
	}
	switch {
	case !fitted && len(t.Series) > 0:
		notes = append(notes, say(sentence("No model is fitted: "+t.Series[0].Line.Refused)))
	case noKnee != "":
		notes = append(notes, say(sentence(sentenceCase(noKnee))))
	}
	return notes
}

// fitted says whether any curve has models.
func (t *curveTable) fitted() bool {
	return slices.ContainsFunc(t.Series, func(s analysis.CurveSeries) bool { return len(s.Fits) > 0 })
}

// knees are those of all curves; where none has one, why the first has not.
func (t *curveTable) knees() (all []analysis.Estimate, why string) {
	some := false
	for _, s := range t.Series {
		k := remembered(t.wish.b.Memory, t.r, "knee", []any{t.wish.metric, t.X, t.where, s.Selection}, s.Knee)
		all = append(all, k)
		some = some || k.Refused == ""
	}
	switch {
	case some:
		return all, ""
	case len(all) == 0:
		return nil, "no knee: there is no curve"
	}
	return all, "no knee: " + strings.TrimPrefix(all[0].Refused, "no knee: ")
}

// orReason is an estimate, or why there is none.
func orReason(e analysis.Estimate) cell {
	if e.Refused != "" || math.IsNaN(e.Value) {
		return cell{Phrase: phrase{soft(e.ValueText())}}
	}
	return cell{Phrase: phrase{number(e)}, Sort: sortKey(e.Value)}
}

// withRemark is an estimate with what must stand beside it.
func withRemark(e analysis.Estimate) cell {
	c := orReason(e)
	if r := e.Remark(); r != "" && e.Refused == "" {
		c.Phrase = append(c.Phrase, lineEnd{}, soft(r))
	}
	return c
}

// exponentCell leaves the common caveat to a note.
func exponentCell(e analysis.Estimate) cell {
	switch {
	case e.Refused != "": // the line says why
		return dashCell()
	case isNone(e):
		return cell{Phrase: phrase{soft(e.Remark())}}
	}
	return orReason(e)
}

// isNone says whether an exponent is none, since a power law does not fit.
func isNone(e analysis.Estimate) bool { return strings.HasPrefix(e.Remark(), "no exponent") }

func lineCell(s analysis.CurveSeries, x, unit string) cell {
	if s.Line.Refused != "" {
		return cell{Phrase: phrase{soft("none: " + s.Line.Refused)}}
	}
	return cell{Phrase: say(s.LineText(x, unit, unit))}
}

// offLineCell is the level that lies furthest from the line.
func offLineCell(l analysis.CurveLine) cell {
	worst := -1
	for j, d := range l.Deviations {
		if d.Refused == "" && (worst < 0 || math.Abs(math.Log1p(d.Value)) > math.Abs(math.Log1p(l.Deviations[worst].Value))) {
			worst = j
		}
	}
	if worst < 0 {
		return dashCell()
	}
	return cell{Phrase: phrase{numberIn(l.Deviations[worst], "percent"), plain(" at " + analysis.NumberText(l.X[worst]))}}
}

// bestCell is the best model, with how much it is better than the next.
func bestCell(s analysis.CurveSeries) cell {
	if len(s.Fits) == 0 || s.Fits[0].Refused != "" {
		return dashCell()
	}
	p := say(s.Fits[0].Model)
	if len(s.Fits) > 1 && s.Fits[1].Refused == "" {
		p = append(p, lineEnd{}, soft("weight "+weightText(s.Fits[0].Weight)+", next "+s.Fits[1].Model))
	}
	return cell{Phrase: p}
}

// unitText is a unit as a column's head shows it; a pure number has none.
func unitText(unit string) string {
	if unit == "1" {
		return ""
	}
	return unit
}
