package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// ladder is the levels of a numeric factor, ascending, and the numbers of
// each block at all of them: what a slope and a fitted curve rest on.
type ladder struct {
	factor string
	levels []string
	xs     []float64 // the levels as numbers
	con    *contrast // a side for each level
}

// newLadder sets the levels of a factor within where beside each other.
// Other factors must be fixed, or averaged by over, and what is averaged must
// be the same at every level.
func (r *Result) newLadder(metric int, factor string, where expr.Selection, over []string) (*ladder, error) {
	at, err := r.factorIndex(factor)
	if err != nil {
		return nil, err
	}
	in := r.treatmentsIn(where)
	named := slices.Concat(where, termsFor(append(slices.Clone(over), factor)))
	if open := r.open(in, named); len(open) > 0 {
		return nil, fmt.Errorf("%s", nameThem(open))
	}
	l := &ladder{factor: factor}
	if l.levels, l.xs, err = numbersOf(factor, distinct(in, at)); err != nil {
		return nil, err
	}
	var sides []side
	for _, level := range l.levels {
		sides = append(sides, r.levelSide(factor, level, where))
	}
	if why := sameRest(sides, at, l); why != "" {
		return nil, fmt.Errorf("%s", why)
	}
	l.con = r.levelContrast(metric, sides)
	return l, nil
}

// factorIndex is the place of a factor, or an error that says what there is.
func (r *Result) factorIndex(name string) (int, error) {
	for i, f := range r.Factors {
		if f.Name == name {
			return i, nil
		}
	}
	return 0, unknown("factor", name, r.factorNames())
}

// numbersOf are the levels of a factor with their numbers, ascending.
func numbersOf(factor string, levels []string) ([]string, []float64, error) {
	number := map[string]float64{}
	for _, l := range levels {
		x, err := strconv.ParseFloat(l, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, nil, fmt.Errorf("the level %q of %s is not a number", l, factor)
		}
		number[l] = x
	}
	sorted := slices.Clone(levels)
	slices.SortStableFunc(sorted, func(a, b string) int { return cmp.Compare(number[a], number[b]) })
	xs := make([]float64, len(sorted))
	for i, l := range sorted {
		xs[i] = number[l]
		if i > 0 && xs[i] == xs[i-1] {
			return nil, nil, fmt.Errorf("the levels %q and %q of %s are one number", sorted[i-1], l, factor)
		}
	}
	return sorted, xs, nil
}

// levelSide is all treatments of one level within where.
func (r *Result) levelSide(factor, level string, where expr.Selection) side {
	s := side{sel: both(where, expr.Selection{{Factor: factor, Levels: []string{level}}})}
	for _, levels := range r.treatmentsIn(s.sel) {
		s.keys = append(s.keys, treatmentKey(levels))
	}
	return s
}

// sameRest says at which level other treatments are averaged than at the
// first, or nothing.
func sameRest(sides []side, at int, l *ladder) string {
	rest := func(s side) []string {
		var keys []string
		for _, k := range s.keys {
			keys = append(keys, strings.Join(slices.Delete(strings.Split(k, levelSep), at, at+1), levelSep))
		}
		slices.Sort(keys)
		return keys
	}
	for i := range sides {
		if !slices.Equal(rest(sides[i]), rest(sides[0])) {
			return fmt.Sprintf("other treatments run at %s=%s than at %s=%s; name in where those that all levels have",
				l.factor, l.levels[i], l.factor, l.levels[0])
		}
	}
	return ""
}

// levelContrast collects the numbers of the levels block by block. Without
// blocks nothing sets them beside each other, and it refuses.
func (r *Result) levelContrast(metric int, sides []side) *contrast {
	c := &contrast{metric: metric, sides: sides, used: make([][]*trial, len(sides))}
	trials, all := r.trialsBySide(sides)
	ran := ranOnly(all)
	if c.refused = askMachine(ran); c.refused != "" {
		return c
	}
	switch {
	case len(ran) == 0:
		c.refused = "no data"
	case !slices.ContainsFunc(all, (*trial).blocked):
		c.refused = "nothing is paired: a curve takes an order with blocks"
	default:
		c.pair(trials)
		c.refused = strings.NewReplacer("holds both sides", "holds every level", "did both sides give", "did every level give").Replace(c.refused)
	}
	return c
}

// refused is why there are no logarithms to compute with, or nothing.
func (l *ladder) refused() string {
	return l.con.withoutLogs(func(i int) string { return l.factor + "=" + l.levels[i] })
}

// withoutLogs is why a contrast has no logarithms, or nothing; name is what
// one of its sides is called.
func (c *contrast) withoutLogs(name func(side int) string) string {
	if c.refused != "" {
		return c.refused
	}
	for i, used := range c.used {
		for _, x := range okValues(used, c.metric) {
			if !(x > 0) {
				return fmt.Sprintf("n/a (a value at %s is not above 0: there is no log scale)", name(i))
			}
		}
	}
	return ""
}

// rows are the logarithms by block and level.
func (l *ladder) rows() [][]float64 {
	rows := make([][]float64, len(l.con.blocks))
	for i, b := range l.con.blocks {
		rows[i] = mapped(b.geo, math.Log)
	}
	return rows
}

// log2 are the logarithms of the levels to the base 2.
func (l *ladder) log2() []float64 { return mapped(l.xs, math.Log2) }

// slopes are the least-squares slopes of each block's logarithms on x.
func (l *ladder) slopes(x []float64) []float64 {
	var d []float64
	for _, row := range l.rows() {
		s := stat.Slope(x, row)
		if math.Abs(s) < 1e-13 { // rounding of equal numbers
			s = 0
		}
		d = append(d, s)
	}
	return d
}
