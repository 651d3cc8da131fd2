package design

import (
	"slices"

	"fieldbook/internal/experiment"
)

// drawing appends the trials of one phase to a plan.
type drawing struct {
	plan   *Plan
	phase  string
	units  []unit
	plots  [][]int // units that share a whole plot; nil: no factor is hard to change
	source source

	block, position, plot int // of the last trial added
}

// draw adds n blocks, or n runs of each unit where the order has no blocks.
func (d *drawing) draw(order experiment.Order, n int) {
	switch order {
	case experiment.RandomizedBlocks:
		for range n {
			d.randomBlock()
		}
	case experiment.CompleteRandomization:
		d.randomRuns(n)
	case experiment.Sequential:
		d.sequentialRuns(n)
	case experiment.Modulus:
		for range n {
			d.addBlock(d.inOrder())
		}
	case experiment.LatinSquare:
		d.squares(n, latinSquare)
	case experiment.Williams:
		d.squares(n, williams)
	}
}

// inOrder is the units as they stand. Under modulus the counter of the first
// unit of a block leaves the remainder 1, that of the last 0.
func (d *drawing) inOrder() []int {
	order := make([]int, len(d.units))
	for i := range order {
		order[i] = i
	}
	return order
}

// randomBlock draws a block: first the order of its whole plots, then the
// order within each.
func (d *drawing) randomBlock() {
	if d.plots == nil {
		d.addBlock(d.source.permutation(len(d.units)))
		return
	}
	d.startBlock()
	for _, p := range d.source.permutation(len(d.plots)) {
		d.randomPlot(d.plots[p])
	}
}

// randomRuns draws n runs of every unit in one order over the whole phase;
// where factors are hard to change the order is that of n whole plots for
// each combination of their levels.
func (d *drawing) randomRuns(n int) {
	if d.plots == nil {
		for _, u := range shuffled(d.source, slices.Repeat(d.inOrder(), n)) {
			d.add(u)
		}
		return
	}
	for _, plot := range shuffled(d.source, slices.Repeat(d.plots, n)) {
		d.randomPlot(plot)
	}
}

func (d *drawing) randomPlot(units []int) {
	d.plot++
	for _, u := range shuffled(d.source, slices.Clone(units)) {
		d.add(u)
	}
}

// sequentialRuns adds n runs of the first unit, then n of the second, and so
// on, plot by plot where factors are hard to change.
func (d *drawing) sequentialRuns(n int) {
	plots := d.plots
	if plots == nil {
		plots = [][]int{d.inOrder()}
	}
	for _, units := range plots {
		if d.plots != nil && n > 0 {
			d.plot++
		}
		for _, u := range units {
			for range n {
				d.add(u)
			}
		}
	}
}

// squares adds n blocks, each a row of a square; every square is drawn anew.
func (d *drawing) squares(n int, square func(source, int) [][]int) {
	for n > 0 {
		rows := square(d.source, len(d.units))
		for _, row := range rows {
			d.addBlock(row)
		}
		n -= len(rows)
	}
}

func (d *drawing) addBlock(units []int) {
	d.startBlock()
	for _, u := range units {
		d.add(u)
	}
}

func (d *drawing) startBlock() { d.block, d.position = d.block+1, 0 }

func (d *drawing) add(u int) {
	d.position++
	d.plan.Trials = append(d.plan.Trials, Trial{
		Number: len(d.plan.Trials) + 1, Phase: d.phase,
		Block: d.block, Plot: d.plot, Position: d.position,
		Treatment: d.units[u].treatment, Control: d.units[u].control,
	})
}

func shuffled[T any](s source, list []T) []T {
	shuffle(s, list)
	return list
}
