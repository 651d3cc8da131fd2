package report

import (
	"math"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
)

// comparisons is the table of comparisons: those asked for, else each
// treatment against the first.
func (w *wish) comparisons() []block {
	list, at, err := w.compared()
	if err != nil {
		w.wrong(at, "", "%v", err)
		return nil
	}
	return w.comparisonBlocks(list)
}

// averagedComparison is a comparison with the levels that its mean leaves out.
type averagedComparison struct {
	analysis.Comparison
	leftOut []analysis.LeftOut
}

// compared computes the comparisons of the wish; where one makes no sense, it
// says where in the writeup that one stands.
func (w *wish) compared() (list []analysis.Comparison, at int, err error) {
	wanted := w.compare
	if len(wanted) == 0 {
		wanted = w.againstFirst()
	}
	for i, c := range wanted {
		if i < len(w.compareAt) {
			at = w.compareAt[i]
		} else if w.d != nil {
			at = w.d.ArgumentAt
		}
		c = w.complete(c)
		for _, one := range w.expand(c) {
			over := w.averaged(one)
			k, err := rememberedOr(w.b.Memory, w.r, "comparison", []any{w.metric, one, over}, func() (k averagedComparison, err error) {
				k.Comparison, k.leftOut, err = w.r.CompareOver(w.metric, one, over)
				return k, err
			})
			if err != nil {
				return nil, at, err
			}
			list = append(list, k.Comparison)
			w.leftOut = append(w.leftOut, sayLeftOut(k.leftOut)...)
		}
	}
	return list, at, nil
}

// complete adds to a comparison what the wish's where says, and all levels of
// the factors that are to be averaged.
func (w *wish) complete(c expr.Comparison) expr.Comparison {
	c.Left, c.Right, c.Where = local(c.Left), local(c.Right), append(local(c.Where), missing(c, w.where)...)
	for _, name := range w.over {
		if levels, ok := w.b.levels(w.r, name, false); ok && len(missing(c, expr.Selection{{Factor: name}})) > 0 {
			c.Where = append(c.Where, expr.Term{Factor: name, Levels: levels})
		}
	}
	return c
}

// averaged are the factors that a comparison is to be averaged over: those of
// over that neither side names.
func (w *wish) averaged(c expr.Comparison) []string {
	return slices.DeleteFunc(slices.Clone(w.over), func(f string) bool { return c.Left.Levels(f) != nil || c.Right.Levels(f) != nil })
}

// sayLeftOut says what a mean over levels could not take in.
func sayLeftOut(all []analysis.LeftOut) []string {
	var texts []string
	for _, o := range all {
		texts = append(texts, o.Levels+" is left out: "+o.Why)
	}
	return texts
}

// missing is what of a selection a comparison does not name itself.
func missing(c expr.Comparison, s expr.Selection) expr.Selection {
	return slices.DeleteFunc(slices.Clone(s), func(t expr.Term) bool {
		return c.Left.Levels(t.Factor) != nil || c.Right.Levels(t.Factor) != nil || c.Where.Levels(t.Factor) != nil
	})
}

// expand makes `other` into each other treatment within where.
func (w *wish) expand(c expr.Comparison) []expr.Comparison {
	if !c.Other {
		return []expr.Comparison{c}
	}
	var list []expr.Comparison
	for _, levels := range w.r.Treatments() {
		at := func(f string) (string, bool) { return w.level(levels, w.machineTerm(c), f) }
		if !c.Where.Matches(at) || slices.Concat(c.Left, c.Where).Matches(at) {
			continue
		}
		one := expr.Comparison{Left: c.Left, Where: c.Where}
		for _, t := range selectionOf(w.r, levels) {
			if c.Where.Levels(t.Factor) == nil {
				one.Right = append(one.Right, t)
			}
		}
		list = append(list, one)
	}
	return list
}

func (w *wish) machineTerm(c expr.Comparison) string {
	if m := c.Where.Levels("machine"); m != nil {
		return m[0]
	}
	return ""
}

// againstFirst sets each treatment beside the first of its machine.
func (w *wish) againstFirst() []expr.Comparison {
	first := map[string]treated{}
	var list []expr.Comparison
	for _, t := range w.treated() {
		base, ok := first[t.machine]
		if !ok {
			first[t.machine] = t
			continue
		}
		list = append(list, common(expr.Comparison{Left: t.selected, Right: base.selected}))
	}
	return list
}

// comparisonTable shows comparisons with small intervals on one axis.
func (w *wish) comparisonTable(list []analysis.Comparison) *tableBlock {
	ratios := make([]analysis.Estimate, len(list))
	differences := make([]analysis.Estimate, len(list))
	exploratory := 0
	for i, c := range list {
		ratios[i], differences[i] = c.Ratio, c.Difference
		if c.Exploratory {
			exploratory++
		}
	}
	axis := ratioAxis(ratios)
	difference := column{Title: "difference", Unit: commonUnit(differences), Num: true}
	difference.Phone = difference.title()
	t := w.newTable(say(sentenceCase(w.metric), ": ratios, left over right."),
		column{Title: "comparison"}, column{Title: "interval of the ratio", Bar: axis},
		column{Title: "ratio", Num: true}, difference, column{Title: "what it shows"})
	t.Class = "claims"
	for _, c := range list {
		t.Rows = append(t.Rows, row{Heads: 1, Cells: []cell{
			{Phrase: comparisonName(c.Text)},
			barCell(axis, c.Ratio, "", nil),
			ratioCell(c.Ratio),
			estimateCells(c.Difference, difference.Unit)[0],
			{Phrase: say(c.Words(0))},
		}})
	}
	t.Notes = append(t.Notes, w.gapNotes()...)
	t.Notes = append(t.Notes, w.mixedComparisons()...)
	t.Notes = append(t.Notes, sessionNotes(list)...)
	t.Notes = append(t.Notes, acrossNote(w.r, !slices.ContainsFunc(list, func(c analysis.Comparison) bool { return !c.Paired }))...)
	switch {
	case len(list) > 0 && exploratory == len(list):
		t.Notes = append(t.Notes, say("Exploratory: no claim declared these comparisons before the data was seen, and nothing is adjusted for their number."))
	case exploratory > 0:
		t.Notes = append(t.Notes, say(itoa(exploratory), " of these ", plural(len(list), "comparison"), " ", isAre(exploratory), " exploratory: no claim declared ", map[bool]string{true: "it", false: "them"}[exploratory == 1], " before the data was seen."))
	}
	slices.Sort(w.leftOut)
	for _, text := range slices.Compact(w.leftOut) {
		t.Notes = append(t.Notes, say(sentence(text)))
	}
	return t
}

// comparisonName is a comparison with what holds for both sides on a line of
// its own.
func comparisonName(text string) phrase {
	sides, where, ok := strings.Cut(text, " where ")
	if !ok {
		return say(text)
	}
	return phrase{plain(sides), lineEnd{}, soft("where " + where)}
}

// ratioAxis is an axis for ratios and their intervals.
func ratioAxis(ratios []analysis.Estimate) *axis {
	var values []float64
	for _, e := range ratios {
		if e.Kind == analysis.Ratio && e.Refused == "" {
			values = append(values, e.Value, e.Lo, e.Hi)
		}
	}
	return newAxis(values)
}

// barCell is a ratio drawn small, nothing where there is none.
func barCell(a *axis, e analysis.Estimate, v analysis.Verdict, expect *analysis.Expect) cell {
	what := "ratio "
	if e.Kind == analysis.Slope {
		e, what = e.PerDoubling(), "ratio per doubling "
	}
	if e.Kind != analysis.Ratio || e.Refused != "" || math.IsNaN(e.Value) {
		return cell{}
	}
	r := &bar{Axis: a, Value: e.Value, Lo: e.Lo, Hi: e.Hi, ZoneLo: math.NaN(), ZoneHi: math.NaN(), Verdict: v, Text: what + e.Text()}
	if expect != nil && expect.Op == "within" && expect.Of == "ratio" {
		r.ZoneLo, r.ZoneHi = expect.Lo, expect.Hi
	}
	return cell{Bar: r}
}
