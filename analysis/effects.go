package analysis

import (
	"math"
	"slices"
	"strings"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// EffectTable is the factorial overview of one machine's blocks: main effects
// and interactions of all factors on the log scale. Factors that are hard to
// change are tested against the spread between whole plots.
type EffectTable struct {
	Machine  string
	Effects  []Effect
	Blocks   int // complete ones that it rests on
	Dropped  int // incomplete ones left out
	Method   string
	Warnings []stat.Warning
	Stale    []string
	Model    EffectModel
	Refused  string // why there is no table
}

// Effects is the factorial overview of a metric within a selection, one table
// per machine. Factors that the selection fixes to one level are no part of
// it. The error is for a selection that makes no sense.
func (r *Result) Effects(metric string, where expr.Selection) ([]EffectTable, error) {
	m, err := r.metricWithin(metric, where)
	if err != nil {
		return nil, err
	}
	var tables []EffectTable
	for _, machine := range r.machinesIn(where) {
		tables = append(tables, r.effectTable(m, machine, both(where, r.scopeOf(machine))))
	}
	return tables, nil
}

// machinesIn are the machines that hold data of a selection, sorted.
func (r *Result) machinesIn(where expr.Selection) []string {
	var names []string
	for _, t := range r.countingTrials(where) {
		if !slices.Contains(names, t.session.Machine) {
			names = append(names, t.session.Machine)
		}
	}
	slices.Sort(names)
	return names
}

func (r *Result) effectTable(metric int, machine string, where expr.Selection) EffectTable {
	table := EffectTable{Machine: machine}
	in := r.treatmentsIn(where)
	factors := r.varying(in)
	if table.Refused = crossed(in, factors); table.Refused != "" {
		return table
	}
	d, trials, why := r.designOf(metric, where, in, factors)
	if table.Refused = why; why != "" {
		return table
	}
	var e Estimate
	e.addStale(trials)
	table.Stale, table.Warnings = e.Stale, e.Warnings
	a := stat.SplitPlot(d) // without a hard factor it is the plain one
	table.Blocks, table.Dropped, table.Method, table.Refused = a.N, a.Dropped, a.Method, a.Refused
	table.Warnings = append(table.Warnings, a.Warnings...)
	for _, row := range a.Rows {
		table.Effects = append(table.Effects, r.effect(metric, factors, in, d, row))
	}
	if table.Refused == "" && !slices.Contains(d.HardFactors, true) { // else errors of two kinds would be one
		table.Model = r.modelOf(metric, factors, d)
	}
	return table
}

// varying are the factors, by their place, in which treatments differ.
func (r *Result) varying(in [][]string) []int {
	var factors []int
	for i := range r.Factors {
		if len(distinct(in, i)) > 1 {
			factors = append(factors, i)
		}
	}
	return factors
}

// crossed says why treatments are no full crossing of factors, or nothing.
func crossed(in [][]string, factors []int) string {
	all := 1
	for _, f := range factors {
		all *= len(distinct(in, f))
	}
	switch {
	case len(in) < 2:
		return "there is only one treatment"
	case all != len(in):
		return "the factors are not fully crossed: " + plural(len(in), "treatment") + " of " + plural(all, "combination")
	}
	return ""
}

// designOf puts the trials of a crossing in the shape of the numerics. Blocks
// that do not hold every treatment by plan are none of this crossing.
func (r *Result) designOf(metric int, where expr.Selection, in [][]string, factors []int) (d stat.Design, used []*trial, why string) {
	blocks := map[place][]*trial{}
	for _, t := range r.trials {
		if t.counts() && t.Block > 0 && r.matches(t, where) {
			at := place{t.session.Session, t.Block}
			blocks[at] = append(blocks[at], t)
		}
	}
	index := r.levelIndices(in, factors)
	for i, at := range sortedPlaces(blocks) {
		trials := blocks[at]
		if !holdsEach(trials, in) || !slices.ContainsFunc(trials, (*trial).ran) {
			continue
		}
		for _, t := range trials {
			x, ok := t.number(metric)
			if !ok {
				continue
			}
			if x <= 0 {
				return d, nil, "n/a (a value is not above 0: there is no log scale)"
			}
			d.Y, d.Block, d.Plot = append(d.Y, math.Log(x)), append(d.Block, i), append(d.Plot, t.Plot)
			d.Levels = append(d.Levels, index[t.key])
			used = append(used, t)
		}
	}
	for _, f := range factors {
		d.HardFactors = append(d.HardFactors, r.Factors[f].HardToChange)
	}
	if len(d.Y) == 0 {
		return d, nil, "no data: no block holds every treatment"
	}
	if !slices.Contains(d.HardFactors, true) || slices.Contains(d.Plot, 0) {
		d.Plot = nil
	}
	return d, used, ""
}

func holdsEach(trials []*trial, in [][]string) bool {
	for _, levels := range in {
		if !slices.ContainsFunc(trials, func(t *trial) bool { return t.key == treatmentKey(levels) }) {
			return false
		}
	}
	return true
}

// levelIndices are the places of each treatment's levels in the factors.
func (r *Result) levelIndices(in [][]string, factors []int) map[string][]int {
	index := map[string][]int{}
	for _, f := range factors {
		known := r.levelsOf(f)
		for _, levels := range in {
			index[treatmentKey(levels)] = append(index[treatmentKey(levels)], slices.Index(known, levels[f]))
		}
	}
	return index
}

// effect is one row, with its ratio where it has one degree of freedom: of
// the second level over the first for a main effect, the ratio of two such
// ratios for an interaction.
func (r *Result) effect(metric int, factors []int, in [][]string, d stat.Design, row stat.ANOVARow) Effect {
	e := Effect{Metric: r.Metrics[metric].Name, SS: row.SS, MS: row.MS, DF: row.DF, F: row.F, P: row.P, ErrorDF: row.ErrorDF, Error: row.ErrorName}
	for _, t := range row.Term {
		e.Factors = append(e.Factors, r.Factors[factors[t]].Name)
	}
	e.Ratio = Estimate{Metric: e.Metric, Kind: Ratio, Stat: "ratio", Unit: "1", Selection: r.effectText(factors, in, row.Term)}
	if row.DF != 1 {
		e.Ratio.Estimate = refused("more than two levels: no single ratio")
		return e
	}
	contrasts, why := stat.BlockContrasts(d, row.Term)
	if why != "" {
		e.Ratio.Estimate = refused("%s", why)
		return e
	}
	e.Ratio.Estimate = through(pairedLine(contrasts, "paired t over blocks, log scale").interval(confidence), math.Exp)
	return e
}

// effectText is "sessions=2 / sessions=1", or for an interaction the ratio of
// such ratios.
func (r *Result) effectText(factors []int, in [][]string, term []int) string {
	var texts []string
	for _, t := range term {
		f := factors[t]
		levels := distinct(in, f)
		if len(levels) != 2 {
			texts = append(texts, r.Factors[f].Name)
			continue
		}
		slices.SortFunc(levels, func(a, b string) int { return r.place(f, a) - r.place(f, b) })
		left := expr.Term{Factor: r.Factors[f].Name, Levels: levels[1:]}
		right := expr.Term{Factor: r.Factors[f].Name, Levels: levels[:1]}
		texts = append(texts, left.String()+" / "+right.String())
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return strings.Join(texts, " by ")
}
