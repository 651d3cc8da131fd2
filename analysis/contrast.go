package analysis

import (
	"iter"
	"slices"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// side is one half of a contrast: one treatment, or several that weigh
// equally, and which rows of them are meant.
type side struct {
	sel     expr.Selection // with what holds for both sides
	keys    []string
	control string // of an A/A control: "A" or "B"; else ""
}

// contrast is what a comparison, or the ratio of two ratios, rests on. Its
// sides are numerator, denominator and, of two ratios, the denominator's
// numerator and denominator.
type contrast struct {
	metric     int
	sides      []side
	blocks     []block    // complete ones, oldest first; empty where nothing is paired
	incomplete int        // blocks left out since a side is missing
	timedOut   int        // of those, since a trial timed out
	cells      []cell     // where nothing is paired
	used       [][]*trial // that went in, by side
	orders     []string   // of the sessions that went in, sorted
	warnings   []stat.Warning
	refused    string // why there is nothing to compute
}

// signs are the weights of the sides on the log scale.
var signs = []float64{1, -1, -1, 1}

// block is one block's numbers by side: over the treatments of a side the
// geometric mean (NaN where a number is not positive) and the arithmetic one.
type block struct {
	session   string
	number    int
	geo, mean []float64
}

// cell is the numbers of one treatment in one session, and their weight in a
// contrast that is not paired.
type cell struct {
	side    int
	session string
	weight  float64
	xs      []float64
}

// newContrast collects the numbers of its sides. The sides must have been
// checked: each has treatments, and they do not overlap.
func (r *Result) newContrast(metric int, sides []side) *contrast {
	c := &contrast{metric: metric, sides: sides, used: make([][]*trial, len(sides))}
	trials, all := r.trialsBySide(sides)
	if sameScope(sides) {
		if c.refused = askMachine(ranOnly(all)); c.refused != "" {
			return c
		}
		if slices.ContainsFunc(all, (*trial).blocked) {
			c.pair(trials)
			return c
		}
	}
	c.unpaired(trials)
	return c
}

// trialsBySide are the trials of each side, and of all in a row.
func (r *Result) trialsBySide(sides []side) (trials [][]*trial, all []*trial) {
	for _, s := range sides {
		trials = append(trials, r.trialsOf(s))
	}
	return trials, slices.Concat(trials...)
}

// blocked says whether the trial lies in a block.
func (t *trial) blocked() bool { return t.Block != 0 }

// trialsOf are the planned trials of a side that may count, ok or not, run or
// not.
func (r *Result) trialsOf(s side) []*trial {
	scope := scopeTerms(s.sel)
	var in []*trial
	for _, t := range r.trials {
		if s.takes(t) && slices.Contains(s.keys, t.key) && r.matches(t, scope) {
			in = append(in, t)
		}
	}
	return in
}

// takes says whether the trial may count for this side.
func (s side) takes(t *trial) bool {
	if s.control != "" {
		return t.usable() && t.Control == s.control
	}
	return t.countsFor(s.sel)
}

// sameScope says whether all sides mean the same machines and sessions, so
// that they can meet in a block.
func sameScope(sides []side) bool {
	for _, s := range sides[1:] {
		if placeTerms(s.sel).String() != placeTerms(sides[0].sel).String() {
			return false
		}
	}
	return true
}

// addOrders notes the orders of the sessions that went in.
func (c *contrast) addOrders() {
	for t := range c.trials() {
		if !slices.Contains(c.orders, t.session.Order) {
			c.orders = append(c.orders, t.session.Order)
		}
	}
	slices.Sort(c.orders)
}

// trials are all that went in.
func (c *contrast) trials() iter.Seq[*trial] {
	return func(yield func(*trial) bool) {
		for _, side := range c.used {
			for _, t := range side {
				if !yield(t) {
					return
				}
			}
		}
	}
}

func ranOnly(trials []*trial) []*trial {
	return slices.DeleteFunc(slices.Clone(trials), func(t *trial) bool { return !t.ran() })
}

func (c *contrast) warn(code, format string, args ...any) {
	e := Estimate{Estimate: stat.Estimate{Warnings: c.warnings}}
	e.warn(code, format, args...)
	c.warnings = e.Warnings
}

// sessions are the ids of the sessions that went in, sorted.
func (c *contrast) sessions() []string {
	var ids []string
	for t := range c.trials() {
		if !slices.Contains(ids, t.session.Session) {
			ids = append(ids, t.session.Session)
		}
	}
	slices.Sort(ids)
	return ids
}

// perRound is how many numbers each further run of all treatments adds where
// nothing is paired; 0 where blocks are.
func (c *contrast) perRound() int {
	n := 0
	for _, s := range c.sides {
		n += len(s.keys)
	}
	if len(c.blocks) > 0 {
		return 0
	}
	return n
}

// noRatio says why a ratio cannot be had from the numbers, or nothing; the
// baseline comes first.
func (c *contrast) noRatio() string {
	names := []string{"left side", "baseline", "left side of against", "baseline of against"}
	if len(c.sides) == 1 {
		names[0] = "the value"
	}
	for _, at := range []int{1, 0, 3, 2} {
		if at >= len(c.sides) {
			continue
		}
		xs := okValues(c.used[at], c.metric)
		zeros, negative := 0, 0
		for _, x := range xs {
			if x == 0 {
				zeros++
			}
			if x < 0 {
				negative++
			}
		}
		switch {
		case negative > 0:
			return "n/a (" + names[at] + " is negative in " + plural(negative, "trial") + ")"
		case len(xs) > 0 && zeros == len(xs):
			return "n/a (" + names[at] + " is 0)"
		case zeros > 0:
			return "n/a (" + names[at] + " is 0 in " + plural(zeros, "trial") + ")"
		}
	}
	return ""
}
