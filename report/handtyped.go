package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
	"fieldbook/report/markup"
)

// HandTyped finds the numbers with units in a writeup's prose, headings,
// tables and captions that a person typed and that equal a computed value at
// the precision at which they are printed. Such a number goes stale with the
// next session; each is a warning that proposes the role to write instead.
// doc is what Build made of the source.
//
// Looked at are the median, mean, geometric mean, least and largest value of
// every treatment, all estimates that the document shows, and what was
// published. Code, quotations, what stands in quotation marks and what the
// experiment file says itself are left alone; so are numbers of one
// significant digit, which are round by choice and equal too much.
func HandTyped(s Source, doc *Document) diag.List {
	if s.Writeup == nil || doc.writeup == nil {
		return nil
	}
	numbers := newNumberReader(s)
	h := handTyped{s: s, doc: doc, declared: numbers.read(string(s.Listing))}
	for _, run := range doc.writeup.Prose() {
		for _, n := range numbers.read(run.Text) {
			h.look(run, n)
		}
	}
	return h.problems.Sorted()
}

type handTyped struct {
	s        Source
	doc      *Document
	declared []typed    // in the experiment file
	all      []computed // nil until the first number is found
	problems diag.List
}

// computed is a number that a role prints.
type computed struct {
	value float64 // in unit
	unit  string  // "×" of a ratio
	role  string
	rank  int // which of several equal ones is proposed: the least
	// works says whether the role gives this number; nil: it does.
	works func() bool
}

// Ranks of computed numbers.
const (
	inProse      = iota // asked by a role of the writeup
	inTable             // shown by a table or behind a claim
	turnedRound         // what a table or a claim shows, the sides of the comparison exchanged
	inPublished         // an earlier study's
	anyTreatment        // of a treatment, whether shown or not; from here on by statistic
)

// look warns of a number that a role would print.
func (h *handTyped) look(run markup.Run, n typed) {
	same := h.equal(n)
	if len(same) == 0 {
		if n.tail != nil {
			h.look(run, *n.tail)
		}
		return
	}
	best := slices.MinFunc(same, func(x, y computed) int {
		return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(len(x.role), len(y.role)), cmp.Compare(x.role, y.role))
	})
	role := best.role
	if n.unit == "%" && best.unit == "×" && !strings.Contains(role, "as=percent") {
		role = strings.TrimSuffix(role, "`") + " as=percent`"
	}
	h.problems.Warnf(h.doc.writeup.Pos(run.Source(n.at)), "%q is typed by hand and equals a computed value", n.text)
	h.problems.Hint("write %s, so that it follows the data", role)
}

// equal are the computed numbers that a typed one equals.
func (h *handTyped) equal(n typed) (same []computed) {
	if n.digits < 2 || h.isDeclared(n) {
		return nil
	}
	if h.all == nil {
		h.compute()
	}
	for _, c := range h.all {
		if c.prints(n) && !(c.rank >= anyTreatment && h.byChance(n)) && (c.works == nil || c.works()) {
			same = append(same, c)
		}
	}
	return same
}

// byChance says whether treatments have so many numbers near the typed one
// that one of them would equal it at its precision anyway: whether, were those
// within a factor of two spread evenly, half a number or more would be
// expected where it lies.
func (h *handTyped) byChance(n typed) bool {
	near := 0
	for _, c := range h.all {
		x := c.value * unitFactor(c.unit, n.unit)
		if c.rank >= anyTreatment && x > n.value/2 && x < 2*n.value {
			near++
		}
	}
	return float64(near)*2*n.half/(1.5*math.Abs(n.value)) >= 0.5
}

// prints says whether a role's number reads as the typed one at its
// precision. A percentage without a sign may be a change in either direction.
func (c computed) prints(n typed) bool {
	near := func(x float64) bool { return math.Abs(x-n.value) <= n.half*(1+1e-9) }
	if n.unit == "%" && c.unit == "×" {
		change := 100 * (c.value - 1)
		return near(change) || !n.signed && near(-change)
	}
	factor := unitFactor(c.unit, n.unit)
	return factor > 0 && near(c.value*factor)
}

// isDeclared says whether the experiment file or a treatment's level says the
// number: then it is no result.
func (h *handTyped) isDeclared(n typed) bool {
	for _, d := range h.declared {
		for p := &d; p != nil; p = p.tail {
			if factor := unitFactor(p.unit, n.unit); factor > 0 && math.Abs(p.value*factor-n.value) <= 1e-9*math.Abs(n.value) {
				return true
			}
		}
	}
	for _, f := range h.s.Result.Factors {
		for _, l := range f.Levels {
			if x, err := strconv.ParseFloat(l, 64); err == nil && x == n.value {
				return true
			}
		}
	}
	return slices.ContainsFunc(h.s.Result.Constants, func(c session.Constant) bool {
		x, err := strconv.ParseFloat(c.Value, 64)
		return err == nil && x == n.value
	})
}

// compute gathers what roles would print.
func (h *handTyped) compute() {
	h.all = []computed{}
	h.shown()
	h.ofResult(h.s.Result, "")
	for _, name := range slices.Sorted(maps.Keys(h.s.Uses)) {
		h.ofResult(h.s.Uses[name], name)
	}
}

// add notes an estimate as a role would ask for it.
func (h *handTyped) add(e analysis.Estimate, role string, rank int) {
	if e.Refused != "" || math.IsNaN(e.Value) || math.IsInf(e.Value, 0) {
		return
	}
	unit := strings.Replace(e.Unit, "µs", "us", 1)
	if e.Kind == analysis.Ratio {
		unit = "×"
	}
	if unit != "" && unit != "1" {
		h.all = append(h.all, computed{value: e.Value, unit: unit, role: role, rank: rank})
	}
}

// shown are the numbers that the document shows: the roles of its prose, and
// the ratios of its tables and claims.
func (h *handTyped) shown() {
	w := h.doc.writeup
	for _, r := range w.Roles {
		if !asksNumber(r) {
			continue
		}
		for _, e := range w.roles[r].estimates() {
			h.add(*e, asWritten(r), inProse)
		}
	}
	for _, c := range h.s.Result.Claims {
		for _, p := range c.Parts {
			h.ratio(p.Estimate, p.Label)
		}
	}
	for _, d := range w.Directives {
		h.inBlocks(w.directives[d])
	}
}

// inBlocks are the ratios in generated tables.
func (h *handTyped) inBlocks(list []block) {
	for _, b := range list {
		switch b := b.(type) {
		case fold:
			h.inBlocks(b.Body)
		case *tableBlock:
			for _, r := range b.Rows {
				for _, c := range r.Cells {
					for _, e := range c.Phrase.estimates() {
						h.ratio(*e, "")
					}
				}
			}
		}
	}
}

// ratio notes a ratio by the comparison that it is of, and what it is the
// other way round. part is the part of a claim that it belongs to.
func (h *handTyped) ratio(e analysis.Estimate, part string) {
	c, err := expr.ParseComparison(e.Selection)
	if e.Kind != analysis.Ratio || e.Published || err != nil {
		return
	}
	if levels, err := expr.ParseSelection(part); err == nil {
		for _, t := range levels {
			if c.Where.Levels(t.Factor) == nil && c.Left.Levels(t.Factor) == nil {
				c.Where = append(c.Where, t)
			}
		}
	}
	h.compared(e, c, inTable)
	if !c.Other && e.Value > 0 {
		c.Left, c.Right = c.Right, c.Left
		e.Value = 1 / e.Value
		h.compared(e, c, turnedRound)
	}
}

// compared notes a ratio with the role that asks for a comparison, where that
// gives it: no role gives a mean over levels.
func (h *handTyped) compared(e analysis.Estimate, c expr.Comparison, rank int) {
	before := len(h.all)
	h.add(e, fmt.Sprintf("{value}`ratio %s %s`", e.Metric, c), rank)
	if len(h.all) > before {
		h.all[before].works = func() bool {
			got, err := h.s.Result.Compare(e.Metric, c)
			return err == nil && got.Ratio.Refused == "" && math.Abs(got.Ratio.Value-e.Value) <= 1e-6*e.Value
		}
	}
}

// typedStatistics are those that a person would type, the likeliest first.
var typedStatistics = []string{"median", "geomean", "mean", "min", "max"}

// ofResult are the numbers of each treatment of an experiment, and what was
// published beside it. name is "" for the writeup's own.
func (h *handTyped) ofResult(r *analysis.Result, name string) {
	var from expr.Selection
	if name != "" {
		from = expr.Selection{{Factor: "experiment", Levels: []string{name}}}
	}
	machines := r.Machines()
	for _, m := range r.Metrics {
		for _, levels := range r.Treatments() {
			for _, machine := range machines {
				var sel expr.Selection
				if len(machines) > 1 {
					sel = append(sel, expr.Term{Factor: "machine", Levels: []string{machine}})
				}
				sel = append(sel, selectionOf(r, levels)...)
				h.ofTreatment(r, m.Name, sel, slices.Concat(from, sel))
			}
		}
		h.ofPublished(r, m.Name, from)
	}
}

func (h *handTyped) ofTreatment(r *analysis.Result, metric string, sel, asked expr.Selection) {
	for i, stat := range typedStatistics {
		if e, err := r.Value(analysis.Query{Metric: metric, Stat: stat, Selection: sel}); err == nil {
			h.add(e, fmt.Sprintf("{value}`%s %s %s`", stat, metric, asked), anyTreatment+i)
		}
	}
}

// ofPublished are an earlier study's numbers as they were printed.
func (h *handTyped) ofPublished(r *analysis.Result, metric string, from expr.Selection) {
	if r.Published == nil {
		return
	}
	for _, row := range r.Published.Rows {
		if row.Metric != metric {
			continue
		}
		sel := slices.Clone(from)
		if row.Machine != "" {
			sel = append(sel, expr.Term{Factor: "machine", Levels: []string{row.Machine}})
		}
		for _, f := range r.Factors {
			if level, ok := row.Levels[f.Name]; ok {
				sel = append(sel, expr.Term{Factor: f.Name, Levels: []string{level}})
			}
		}
		e := analysis.Estimate{Unit: row.Unit}
		e.Value = row.Value
		h.add(e, fmt.Sprintf("{published}`%s %s %s`", row.Aggregate, metric, sel), inPublished)
	}
}
