package design

import (
	"fmt"
	"strings"

	"fieldbook/internal/experiment"
)

// New draws the plan of an experiment from a seed. Where there is no plan its
// error wraps a *Refusal and starts with the place of the design. The orders
// modulus and sequential draw nothing; their plans keep the seed all the same.
func New(x *experiment.Experiment, seed uint64) (*Plan, error) {
	if err := Check(x); err != nil {
		if at := x.Design.Pos.String(); at != "" {
			err = fmt.Errorf("%s: %w", at, err)
		}
		return nil, err
	}
	p := &Plan{
		Seed: seed, Order: x.Design.Order,
		Blocks: blocks(x.Design), WarmupBlocks: x.Design.WarmupBlocks,
		Treatments: x.Treatments,
	}
	units, plots := unitsOf(x), plotsOf(x)
	p.Trials = make([]Trial, 0, len(units)*(p.Blocks+p.WarmupBlocks))
	warmup := drawing{plan: p, phase: Warmup, units: units, plots: plots, source: newSource(seed, streamWarmup)}
	warmup.draw(warmupOrder(p.Order), p.WarmupBlocks)
	measured := drawing{plan: p, phase: Measured, units: units, plots: plots, source: newSource(seed, streamMeasured), plot: warmup.plot}
	measured.draw(p.Order, p.Blocks)
	return p, nil
}

// warmupOrder is the order of warm-up blocks, which come in any number: a
// square has no part of its own there.
func warmupOrder(o experiment.Order) experiment.Order {
	if o == experiment.LatinSquare || o == experiment.Williams {
		return experiment.RandomizedBlocks
	}
	return o
}

// unit is what runs once per block: a treatment, or one label of an A/A
// control.
type unit struct {
	treatment int
	control   string
}

// unitsOf lists the units in the order of the treatments, and after all of
// them the second labels of the controls. Orders that draw nothing keep it.
func unitsOf(x *experiment.Experiment) []unit {
	var units, second []unit
	for _, t := range x.Treatments {
		u := unit{treatment: t.Number}
		if controlled(x, t) {
			u.control = "A"
			second = append(second, unit{t.Number, "B"})
		}
		units = append(units, u)
	}
	return append(units, second...)
}

// controlled says whether the experiment runs the treatment twice.
func controlled(x *experiment.Experiment, t experiment.Treatment) bool {
	for _, m := range x.Same {
		if matches(x, t, m) {
			return true
		}
	}
	return false
}

func matches(x *experiment.Experiment, t experiment.Treatment, m experiment.Match) bool {
	found := 0
	for i, f := range x.Factors {
		level, named := m.Levels[f.Name]
		if named && level != t.Levels[i] {
			return false
		}
		if named {
			found++
		}
	}
	return found == len(m.Levels)
}

// plotsOf groups the units (by their index) that share the levels of all
// hard-to-change factors, in the order of first appearance; nil where no
// factor is hard to change.
func plotsOf(x *experiment.Experiment) [][]int {
	levels := make(map[int]string)
	hard := false
	for _, t := range x.Treatments {
		var key strings.Builder
		for i, f := range x.Factors {
			if f.HardToChange {
				hard = true
				fmt.Fprintf(&key, "%q ", t.Levels[i])
			}
		}
		levels[t.Number] = key.String()
	}
	if !hard {
		return nil
	}
	var plots [][]int
	at := make(map[string]int)
	for i, u := range unitsOf(x) {
		key := levels[u.treatment]
		if _, seen := at[key]; !seen {
			at[key] = len(plots)
			plots = append(plots, nil)
		}
		plots[at[key]] = append(plots[at[key]], i)
	}
	return plots
}
