package figure

import (
	"fmt"
	"slices"
)

// mostMarks is how many marks a figure draws; above, it is thinned.
const mostMarks = 2000

// thin draws every k-th trial of each series where there are too many. The
// least and the greatest of each series and all estimates are always drawn.
func (c *chart) thin() {
	before, limit := c.trials(), mostMarks
	if c.Most > 0 {
		limit = c.Most
	}
	if before <= limit {
		return
	}
	every := 2
	for c.kept(every) > limit && every < before {
		every++
	}
	for i := range c.Panels {
		for j := range c.Panels[i].Series {
			c.Panels[i].Series[j].thin(every)
		}
	}
	note := fmt.Sprintf("%s of %s trials are drawn, one in %d and the extremes of each series", groupInt(c.trials()), groupInt(before), every)
	if c.Table.Quiet == 0 {
		note += "; the table has all"
	}
	c.Notes = append(c.Notes, note)
}

// trials is how many marks stand for single trials.
func (c *chart) trials() int { return c.kept(1) }

// kept is about how many trials are drawn where it is every k-th.
func (c *chart) kept(every int) int {
	n := 0
	for _, p := range c.Panels {
		for _, s := range p.Series {
			single := 0
			for _, m := range s.Marks {
				if m.single() {
					single++
				}
			}
			n += (single + every - 1) / every
			if every > 1 {
				n += 2
			}
		}
	}
	return n
}

func (m mark) single() bool {
	return m.Look == dot || m.Look == trial || m.Look == stroke || m.Look == gone || m.Look == beyond
}

func (s *series) thin(every int) {
	keep := map[int]bool{}
	least, greatest := -1, -1
	n := 0
	for i, m := range s.Marks {
		if !m.single() {
			keep[i] = true
			continue
		}
		keep[i] = n%every == 0
		n++
		if m.Look == gone {
			continue
		}
		if least < 0 || m.Value < s.Marks[least].Value {
			least = i
		}
		if greatest < 0 || m.Value > s.Marks[greatest].Value {
			greatest = i
		}
	}
	keep[least], keep[greatest] = true, true
	i := -1
	s.Marks = slices.DeleteFunc(s.Marks, func(mark) bool { i++; return !keep[i] })
}
