package analysis

import (
	"fmt"
	"math"
	"slices"

	"fieldbook/analysis/stat"
)

// Heterogeneity is whether a ratio differs between the sessions that it was
// measured in: the analysis of variance of the block contrasts by session.
type Heterogeneity struct {
	Sessions int     // 0: nothing is paired, or there is one session
	F, P     float64 // NaN: not computable
	DF1, DF2 float64
}

// Differs says whether the ratio is seen to differ between sessions.
func (h Heterogeneity) Differs() bool { return h.P < flagAlpha }

// Words say what was found: "differs between 3 sessions (F(2, 27) = 9.1,
// p = 0.0009)"; nothing where a comparison has one session.
func (h Heterogeneity) Words() string {
	if h.Sessions < 2 {
		return ""
	}
	if math.IsNaN(h.P) {
		return fmt.Sprintf("whether it differs between %s cannot be told from so few blocks", plural(h.Sessions, "session"))
	}
	how := "is not seen to differ"
	if h.Differs() {
		how = "differs"
	}
	return fmt.Sprintf("%s between %s (F(%.0f, %.0f) = %s, %s)", how, plural(h.Sessions, "session"), h.DF1, h.DF2, significant(h.F, 2, false), PText(h.P))
}

// heterogeneity compares the block contrasts of sessions.
func (c *contrast) heterogeneity(d []float64) Heterogeneity {
	h := Heterogeneity{F: math.NaN(), P: math.NaN()}
	if len(d) != len(c.blocks) || len(d) == 0 {
		return h
	}
	groups := c.sessionsApart(d)
	if h.Sessions = len(groups); h.Sessions < 2 {
		return h
	}
	t := stat.OneWay(groups)
	if t.Refused == "" {
		h.F, h.P, h.DF1, h.DF2 = t.F, t.P, t.DFBetween, t.DFWithin
	}
	return h
}

// mostCells is how much work the look at strata may be: observations times the
// square of the model's columns.
const mostCells = 2e8

// heterogeneityChecks look whether effects differ between the sessions of each
// machine, and between machines. A ratio over all of them speaks of their mix
// where they do.
func (r *Result) heterogeneityChecks(metric int) []Diagnostic {
	var all []Diagnostic
	machines := r.machinesIn(nil)
	for _, machine := range machines {
		if d := r.strata(metric, machine, "sessions", func(t *trial) string { return t.session.Session }); d != nil {
			all = append(all, *d)
		}
	}
	if len(machines) > 1 {
		if d := r.strata(metric, "", "machines", func(t *trial) string { return t.session.Machine }); d != nil {
			all = append(all, *d)
		}
	}
	return all
}

// strata is the analysis of variance with blocks within strata; nil where
// there is one stratum only.
func (r *Result) strata(metric int, machine, check string, of func(*trial) string) *Diagnostic {
	where := r.scopeOf(machine)
	var names []string
	for _, t := range r.countingTrials(where) {
		if !slices.Contains(names, of(t)) {
			names = append(names, of(t))
		}
	}
	if len(names) < 2 {
		return nil
	}
	d := &Diagnostic{Metric: r.Metrics[metric].Name, Machine: machine, Check: check, Value: math.NaN(), P: math.NaN()}
	a, factors, why := r.stratified(metric, machine, names, of)
	if why != "" {
		d.Text = fmt.Sprintf("whether effects differ between %d %s was not looked at: %s", len(names), check, why)
		return d
	}
	var ps []float64
	for _, row := range a.Rows[len(a.Rows)/2:] {
		ps = append(ps, row.P)
	}
	adjusted := stat.Holm(ps)
	least := smallest(adjusted, make([]int, len(ps)), 0)
	if math.IsNaN(least) {
		d.Text = fmt.Sprintf("whether effects differ between %d %s was not looked at: there is no noise to weigh it against", len(names), check)
		return d
	}
	at := slices.Index(adjusted, least)
	row := a.Rows[len(a.Rows)/2+at]
	d.Value, d.P, d.Flag = row.F, least, least < flagAlpha
	d.Text = fmt.Sprintf("quiet: no effect is seen to differ between %d %s (smallest %s after Holm)", len(names), check, PText(least))
	if d.Flag {
		d.Text = fmt.Sprintf("%s: the effect of %s differs between %d of them (%s); look at each alone", check, r.termText(factors, row.Term), len(names), PText(least))
	}
	return d
}

// stratified is the table of analysis of variance, with the factors that its
// terms name: all that vary where they are fully crossed, else none, and the
// treatments are one factor.
func (r *Result) stratified(metric int, machine string, names []string, of func(*trial) string) (a stat.ANOVA, factors []int, why string) {
	where := r.scopeOf(machine)
	in := r.treatmentsIn(where)
	factors = r.varying(in)
	for _, f := range factors {
		if r.Factors[f].HardToChange {
			return a, nil, r.Factors[f].Name + " changes between whole plots"
		}
	}
	whole := crossed(in, factors) == ""
	d, used, why := r.designOf(metric, where, in, factors)
	switch {
	case why != "":
		return a, nil, why
	case len(in) < 2:
		return a, nil, "there is only one treatment"
	}
	stratum := make([]int, len(used))
	for i, t := range used {
		stratum[i] = slices.Index(names, of(t))
		if !whole {
			d.Levels[i] = []int{slices.IndexFunc(in, func(l []string) bool { return treatmentKey(l) == t.key })}
		}
	}
	if !whole {
		factors = nil
	}
	d.HardFactors, d.Plot = nil, nil
	columns := float64(countDistinct(d.Block) + len(in)*len(names))
	if float64(len(d.Y))*columns*columns > mostCells {
		return a, nil, "there are too many trials"
	}
	a = stat.MultiMachine(d, stratum)
	if a.Refused == "" && (len(a.Rows) < 2 || countDistinct(stratum) < 2) {
		return a, nil, "no two of them hold every treatment in one block"
	}
	return a, factors, a.Refused
}

func countDistinct[T comparable](xs []T) int {
	seen := map[T]bool{}
	for _, x := range xs {
		seen[x] = true
	}
	return len(seen)
}

// termText names the factors of a term by stratum, whose last index is the
// stratum itself.
func (r *Result) termText(factors, term []int) string {
	if factors == nil {
		return "the treatment"
	}
	var names []string
	for _, i := range term[:len(term)-1] {
		names = append(names, r.Factors[factors[i]].Name)
	}
	return andList(names)
}
