package analysis

import (
	"math"
	"slices"

	"fieldbook/analysis/stat"
	"fieldbook/internal/session"
)

// unpaired collects the numbers of the sides where nothing pairs them: an
// order without blocks, or sides of different sessions. Each session is a
// stratum of equal weight, each treatment of a side weighs equally.
func (c *contrast) unpaired(trials [][]*trial) {
	ids := c.strata(trials)
	for i, s := range c.sides {
		if len(ids[i]) == 0 {
			c.refused = "no data"
			return
		}
		weight := signs[i] / float64(len(ids[i])*len(s.keys))
		for _, id := range ids[i] {
			for _, k := range s.keys {
				of := slices.DeleteFunc(slices.Clone(trials[i]), func(t *trial) bool { return t.session.Session != id || t.key != k || t.status != session.OK })
				c.cells = append(c.cells, cell{side: i, session: id, weight: weight, xs: okValues(of, c.metric)})
				c.used[i] = append(c.used[i], of...)
			}
		}
	}
	c.addOrders()
	n := 0
	for _, t := range slices.Concat(trials...) {
		if t.status == session.Timeout {
			n++
		}
	}
	if n > 0 {
		c.warn(CensoredData, "%s timed out: what takes longest is not in this ratio", plural(n, "trial"))
	}
	c.warnUnpaired()
}

// strata are, by side, the sessions that hold numbers of all its treatments;
// where the sides mean the same sessions, those that hold all sides.
func (c *contrast) strata(trials [][]*trial) [][]string {
	ids := make([][]string, len(c.sides))
	for i, s := range c.sides {
		for _, of := range bySession(trials[i]) {
			if holdsAll(of, s.keys, c.metric) {
				ids[i] = append(ids[i], of[0].session.Session)
			}
		}
	}
	if !sameScope(c.sides) {
		return ids
	}
	for i := range ids {
		ids[i] = slices.DeleteFunc(slices.Clone(ids[i]), func(id string) bool {
			return slices.ContainsFunc(ids, func(other []string) bool { return !slices.Contains(other, id) })
		})
	}
	return ids
}

// holdsAll says whether a session's trials give a number of each treatment.
func holdsAll(trials []*trial, keys []string, metric int) bool {
	for _, k := range keys {
		if !slices.ContainsFunc(trials, func(t *trial) bool {
			_, ok := t.number(metric)
			return ok && t.key == k
		}) {
			return false
		}
	}
	return true
}

// warnUnpaired says what the missing blocks leave open.
func (c *contrast) warnUnpaired() {
	switch {
	case len(c.sides) < 2:
		return
	case !sameScope(c.sides):
		c.warn(Confounded, "the sides come from different sessions or machines: whatever else differed between these is in the ratio")
		return
	case c.oneAfterTheOther():
		c.warn(Confounded, "treatment and time are confounded: every trial of one side ran before the first of the other, "+
			"so that a drift of the machine would look the same")
	case slices.Contains(c.orders, "sequential"):
		c.warn(NotRandomized, "the order was fixed: nothing was randomized, and a drift of the machine would look like a difference")
	}
	c.warn(NoBlocks, "the order has no blocks: nothing is paired, and what changed over time is in the interval")
}

// oneAfterTheOther says whether in every session the first two sides did not
// overlap in the order of trials.
func (c *contrast) oneAfterTheOther() bool {
	for _, id := range c.sessions() {
		left, right := spanIn(c.used[0], id), spanIn(c.used[1], id)
		if left[0] <= right[1] && right[0] <= left[1] {
			return false
		}
	}
	return len(c.used[0]) > 0
}

// spanIn are the first and last trial numbers within a session.
func spanIn(trials []*trial, id string) [2]int {
	span := [2]int{math.MaxInt, 0}
	for _, t := range trials {
		if t.session.Session == id {
			span[0], span[1] = min(span[0], t.Trial), max(span[1], t.Trial)
		}
	}
	return span
}

// linear is the weighted sum of the cells' means with the standard error and
// degrees of freedom of Welch and Satterthwaite. With one session and one
// treatment a side it is Welch's t. Standard error and degrees of freedom are
// NaN where a cell has one number only.
func linear(cells []cell) (value, se, df float64) {
	var variance, squares float64
	for _, c := range cells {
		sum := stat.Summarize(c.xs)
		value += c.weight * sum.Mean
		v := c.weight * c.weight * sum.Variance / float64(len(c.xs))
		variance += v
		squares += v * v / float64(len(c.xs)-1)
	}
	return value, math.Sqrt(variance), variance * variance / squares
}

// scaled are cells on another scale.
func scaled(cells []cell, of func(float64) float64) []cell {
	out := slices.Clone(cells)
	for i := range out {
		out[i].xs = mapped(out[i].xs, of)
	}
	return out
}
