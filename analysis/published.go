package analysis

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fieldbook/internal/expr"
)

// An earlier study's numbers are laid beside today's as they were printed.
// They say nothing of their spread, so that nothing here has an interval.

// old is what an earlier study states of one treatment on one machine.
type old struct {
	machine string
	levels  map[string]string // of the factors that it states
	rows    map[string]PublishedRow
}

// readPublished sorts the rows by machine and treatment, in their order. Of
// several rows for one number the first counts.
func readPublished(p *Published) []*old {
	if p == nil {
		return nil
	}
	var all []*old
	for _, row := range p.Rows {
		levels := maps.Clone(row.Levels)
		maps.DeleteFunc(levels, func(_, l string) bool { return l == "" })
		i := slices.IndexFunc(all, func(o *old) bool { return o.machine == row.Machine && maps.Equal(o.levels, levels) })
		if i < 0 {
			all = append(all, &old{machine: row.Machine, levels: levels, rows: map[string]PublishedRow{}})
			i = len(all) - 1
		}
		if _, twice := all[i].rows[row.Metric]; !twice {
			all[i].rows[row.Metric] = row
		}
	}
	return all
}

// matches says whether a selection holds, where factors that the study does
// not state are passed over.
func (o *old) matches(s expr.Selection) bool {
	for _, t := range s {
		l, stated := o.levels[t.Factor]
		switch {
		case t.Factor == "machine":
			l, stated = o.machine, true
		case isScope(t.Factor):
			stated = false
		}
		if stated && !slices.Contains(t.Levels, l) {
			return false
		}
	}
	return true
}

// selection is the treatment as a selection.
func (o *old) selection() expr.Selection {
	var s expr.Selection
	for _, f := range slices.Sorted(maps.Keys(o.levels)) {
		s = append(s, expr.Term{Factor: f, Levels: []string{o.levels[f]}})
	}
	return s
}

// oldIn are the treatments that a selection holds of.
func (r *Result) oldIn(s expr.Selection) []*old {
	return slices.DeleteFunc(slices.Clone(r.old), func(o *old) bool { return !o.matches(s) })
}

// oldNumber is a metric of one treatment per run, in the metric's unit, and
// how it came about. A formula metric is computed from the others.
func (r *Result) oldNumber(metric int, o *old) (x float64, method, why string) {
	m := r.Metrics[metric]
	row, ok := o.rows[m.Name]
	if !ok {
		return r.oldFormula(metric, o)
	}
	x, ok = convert(row.Value, row.Unit, m.Unit)
	switch {
	case !ok:
		return 0, "", fmt.Sprintf("%s is published in %s, which is not turned into %s", m.Name, row.Unit, m.Unit)
	case row.Aggregate == "sum" && row.N <= 0:
		return 0, "", "a sum of a number of runs that is not stated"
	case row.Aggregate == "sum":
		return x / float64(row.N), fmt.Sprintf("a sum of %s", plural(row.N, "run")), ""
	case row.Aggregate == "mean" && row.N > 0:
		return x, fmt.Sprintf("a mean of %s", plural(row.N, "run")), ""
	case row.Aggregate == "mean":
		return x, "a mean", ""
	}
	return x, "a value", ""
}

// oldFormula computes a formula metric from published numbers.
func (r *Result) oldFormula(metric int, o *old) (x float64, method, why string) {
	f := r.Formulas[r.Metrics[metric].Name]
	if f == nil {
		return 0, "", "not stated"
	}
	got, err := f.Eval(r.oldEnv(o, map[int]bool{metric: true}))
	if err != nil || got.Kind != expr.KindNumber {
		return 0, "", "not stated"
	}
	return got.Num, "computed from published values", ""
}

// oldEnv knows the factors that the study states, the constants, and its
// metrics. busy are formula metrics under way, so that a circle ends.
func (r *Result) oldEnv(o *old, busy map[int]bool) expr.Env {
	return func(name string) (expr.Value, bool) {
		if l, ok := o.levels[name]; ok {
			return expr.Level(l), true
		}
		for _, c := range r.Constants {
			if c.Name == name {
				return expr.Level(c.Value), true
			}
		}
		i, err := r.metricIndex(name)
		if err != nil || busy[i] {
			return expr.Value{}, false
		}
		if _, stated := o.rows[name]; stated {
			x, _, why := r.oldNumber(i, o)
			return expr.Number(x), why == ""
		}
		f := r.Formulas[name]
		if f == nil {
			return expr.Value{}, false
		}
		deeper := maps.Clone(busy)
		deeper[i] = true
		got, err := f.Eval(r.oldEnv(o, deeper))
		return got, err == nil
	}
}

// checkOld says what a selection on published numbers names that does not
// exist. Levels are not checked: an earlier study has its own.
func (r *Result) checkOld(s expr.Selection) error {
	machines := r.PublishedMachines()
	for _, t := range s {
		if !slices.Contains(r.factorNames(), t.Factor) {
			return unknown("factor", t.Factor, r.factorNames())
		}
		for _, l := range t.Levels {
			if t.Factor == "machine" && !slices.Contains(machines, l) {
				return unknown("published machine", l, machines)
			}
		}
	}
	return nil
}

// PublishedMachines are the machines of the earlier study, in its order.
func (r *Result) PublishedMachines() []string {
	var names []string
	for _, o := range r.old {
		if !slices.Contains(names, o.machine) {
			names = append(names, o.machine)
		}
	}
	return names
}

// oldRatio is the ratio of two sides, or of two ratios, on one machine. A side
// of several treatments is their geometric mean where the factor is named
// with several levels, or in over.
func (r *Result) oldRatio(metric int, over []string, sides ...expr.Selection) (x float64, method, why string) {
	x = 1
	var keys []string
	var all []*old
	for i, s := range sides {
		in := r.oldIn(s)
		all = append(all, in...)
		if why := r.oldOpen(in, slices.Concat(s, termsFor(over))); why != "" {
			return 0, "", why
		}
		value, how, why := r.oldMean(metric, in)
		if why != "" {
			return 0, "", why
		}
		keys = append(keys, keyOf(in))
		if i%2 == 1 && keys[i] == keys[i-1] {
			return 0, "", "not stated: the study does not tell the sides apart"
		}
		x *= math.Pow(value, signs[i])
		method = "ratio of " + how
	}
	return x, method, oneMachine(all)
}

func oneMachine(in []*old) string {
	machines := map[string]bool{}
	for _, o := range in {
		machines["machine="+expr.QuoteLevel(o.machine)] = true
	}
	if len(machines) > 1 {
		return "several machines were published: name " + orList(slices.Sorted(maps.Keys(machines)))
	}
	return ""
}

// oldOpen says what a side leaves open, apart from the machine.
func (r *Result) oldOpen(in []*old, named expr.Selection) string {
	var open []expr.Term
	for _, f := range r.Factors {
		var levels []string
		for _, o := range in {
			if l, ok := o.levels[f.Name]; ok && !slices.Contains(levels, l) {
				levels = append(levels, l)
			}
		}
		if len(levels) > 1 && named.Levels(f.Name) == nil {
			open = append(open, expr.Term{Factor: f.Name, Levels: levels})
		}
	}
	return nameThem(open)
}

// oldMean is the geometric mean of a side's numbers.
func (r *Result) oldMean(metric int, in []*old) (x float64, method, why string) {
	if len(in) == 0 {
		return 0, "", "not stated"
	}
	sum := 0.0
	for _, o := range in {
		v, how, why := r.oldNumber(metric, o)
		if why == "" && v <= 0 {
			why = "n/a (a published number is not above 0)"
		}
		if why != "" {
			return 0, "", why
		}
		sum += math.Log(v)
		method = how
	}
	if len(in) == 1 {
		v, _, _ := r.oldNumber(metric, in[0])
		return v, method, ""
	}
	return math.Exp(sum / float64(len(in))), method, ""
}

// keyOf names a set of treatments.
func keyOf(in []*old) string {
	var keys []string
	for _, o := range in {
		keys = append(keys, o.machine+levelSep+o.selection().String())
	}
	slices.Sort(keys)
	return strings.Join(keys, "\n")
}
