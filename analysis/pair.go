package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fieldbook/internal/session"
)

// place is a block of a session.
type place struct {
	session string
	block   int
}

// pair sets the sides side by side within blocks. A block counts as
// incomplete where all sides were planned and one gave no number; where one
// side was not planned there, or is left out as stale, it is no block of this
// contrast at all.
func (c *contrast) pair(trials [][]*trial) {
	places := map[place][]map[string][]*trial{} // -> side -> treatment -> trials
	for i, side := range trials {
		for _, t := range side {
			if !t.blocked() {
				c.warn(Unblocked, "sessions without blocks are left out of this comparison")
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

// sortedPlaces are the blocks that anything is kept for, in their order; what
// it is does not matter here.
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
			if anyTimedOut(sides) {
				c.timedOut++
			}
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

// anyTimedOut says whether a trial of a block did.
func anyTimedOut(sides []map[string][]*trial) bool {
	for _, side := range sides {
		for _, trials := range side {
			if slices.ContainsFunc(trials, func(t *trial) bool { return t.status == session.Timeout }) {
				return true
			}
		}
	}
	return false
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
	if c.timedOut > 0 && c.refused == "" {
		c.warn(CensoredData, "in %s a trial timed out: what takes longest is not in this ratio", plural(c.timedOut, "block"))
	}
	c.addOrders()
	if slices.Contains(c.orders, "modulus") {
		c.warn(NotRandomized, "the order was fixed: each treatment always followed the same other one, and nothing was randomized; "+
			"a drift or what a predecessor leaves behind would look like a difference")
	}
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
