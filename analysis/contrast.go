package analysis

import (
	"cmp"
	"fmt"
	"iter"
	"math"
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
	side   int
	weight float64
	xs     []float64
}

// newContrast collects the numbers of its sides. The sides must have been
// checked: each has treatments, and they do not overlap.
func (r *Result) newContrast(metric int, sides []side) *contrast {
	c := &contrast{metric: metric, sides: sides, used: make([][]*trial, len(sides))}
	trials := make([][]*trial, len(sides))
	var all []*trial
	for i, s := range sides {
		trials[i] = r.trialsOf(s)
		all = append(all, trials[i]...)
	}
	if sameScope(sides) {
		if c.refused = askMachine(ranOnly(all)); c.refused != "" {
			return c
		}
		if blocked := slices.DeleteFunc(slices.Clone(all), func(t *trial) bool { return t.Block == 0 }); len(blocked) > 0 {
			c.pair(trials, len(all) > len(blocked))
			return c
		}
	}
	c.unpaired(trials)
	return c
}

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
	return t.counts()
}

// sameScope says whether all sides mean the same machines and sessions, so
// that they can meet in a block.
func sameScope(sides []side) bool {
	for _, s := range sides[1:] {
		if scopeTerms(s.sel).String() != scopeTerms(sides[0].sel).String() {
			return false
		}
	}
	return true
}

// place is a block of a session.
type place struct {
	session string
	block   int
}

// pair sets the sides side by side within blocks. A block counts as
// incomplete where all sides were planned and one gave no number; where one
// side was not planned there, or is left out as stale, it is no block of this
// contrast at all.
func (c *contrast) pair(trials [][]*trial, someUnblocked bool) {
	if someUnblocked {
		c.warn(Unblocked, "sessions without blocks are left out of this comparison")
	}
	places := map[place][]map[string][]*trial{} // -> side -> treatment -> trials
	for i, side := range trials {
		for _, t := range side {
			if t.Block == 0 {
				continue
			}
			at := place{t.session.Session, t.Block}
			if places[at] == nil {
				places[at] = make([]map[string][]*trial, len(trials))
			}
			if places[at][i] == nil {
				places[at][i] = map[string][]*trial{}
			}
			places[at][i][t.key] = append(places[at][i][t.key], t)
		}
	}
	for _, at := range sortedPlaces(places) {
		c.addBlock(at, places[at])
	}
	c.finishPairs()
}

func sortedPlaces[V any](m map[place]V) []place {
	all := make([]place, 0, len(m))
	for at := range m {
		all = append(all, at)
	}
	slices.SortFunc(all, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.session, b.session), cmp.Compare(a.block, b.block))
	})
	return all
}

// addBlock takes in one block, or counts it as incomplete.
func (c *contrast) addBlock(at place, sides []map[string][]*trial) {
	if !c.holds(sides) {
		return
	}
	b := block{session: at.session, number: at.block}
	for i, s := range c.sides {
		geo, mean, ok := c.sideOf(s, sides[i])
		if !ok {
			c.incomplete++
			return
		}
		b.geo, b.mean = append(b.geo, geo), append(b.mean, mean)
	}
	c.blocks = append(c.blocks, b)
	for i, s := range c.sides {
		for _, k := range s.keys {
			c.used[i] = append(c.used[i], sides[i][k]...)
		}
	}
}

// holds says whether a block holds every treatment of every side, and
// whether anything of it ran.
func (c *contrast) holds(sides []map[string][]*trial) bool {
	ran := false
	for i, s := range c.sides {
		for _, k := range s.keys {
			if len(sides[i][k]) == 0 {
				return false
			}
			ran = ran || slices.ContainsFunc(sides[i][k], (*trial).ran)
		}
	}
	return ran
}

// sideOf is a side's number in one block: the mean over its treatments, each
// of which is the mean over its trials there.
func (c *contrast) sideOf(s side, by map[string][]*trial) (geo, mean float64, ok bool) {
	for _, k := range s.keys {
		xs := okValues(by[k], c.metric)
		if len(xs) == 0 {
			return 0, 0, false
		}
		geo += meanLog(xs) / float64(len(s.keys))
		mean += average(xs) / float64(len(s.keys))
	}
	return math.Exp(geo), mean, true
}

// meanLog is the mean of the logarithms, NaN where a number is not positive.
func meanLog(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		if x <= 0 {
			return math.NaN()
		}
		sum += math.Log(x)
	}
	return sum / float64(len(xs))
}

func average(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// maxIncomplete is the share of blocks that may be incomplete.
const maxIncomplete = 0.2

// finishPairs looks at what was paired as a whole.
func (c *contrast) finishPairs() {
	n, all := len(c.blocks), len(c.blocks)+c.incomplete
	switch {
	case all == 0:
		c.refused = "no data: no block holds both sides"
	case n == 0:
		c.refused = "no data: in none of " + plural(all, "block") + " did both sides give a number"
	case float64(c.incomplete) > maxIncomplete*float64(all):
		c.refused = fmt.Sprintf("%d of %s incomplete: more than a fifth", c.incomplete, plural(all, "block"))
	case c.incomplete > 0:
		c.warn(Incomplete, "%s left out, since a side gave no number there", plural(c.incomplete, "block"))
	}
	c.addOrders()
	if slices.Contains(c.orders, "modulus") {
		c.warn(NotRandomized, "the order was fixed: each treatment always followed the same other one, and nothing was randomized; "+
			"a drift or what a predecessor leaves behind would look like a difference")
	}
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

// logs are the contrast of each block on the log scale.
func (c *contrast) logs() []float64 {
	var d []float64
	for _, b := range c.blocks {
		x := 0.0
		for i, g := range b.geo {
			x += signs[i] * math.Log(g)
		}
		if math.Abs(x) < 1e-13 { // rounding of equal numbers
			x = 0
		}
		d = append(d, x)
	}
	return d
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
