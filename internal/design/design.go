// Package design turns an experiment into a plan: the list of trials and the
// order to run them in. It starts no process and reads no clock, so the same
// file and seed give the same plan everywhere.
package design

import "fieldbook/internal/experiment"

// Generator names the way from a seed to an order. It is part of the data
// format: a session records it, and a plan made under one name never changes.
const Generator = "pcg-1"

// Phases of a trial.
const (
	Warmup   = "warmup"
	Measured = "measured"
)

// Plan is the complete ordered list of trials.
type Plan struct {
	Seed         uint64
	Order        experiment.Order
	Blocks       int // measured blocks, or runs per treatment where the order has none
	WarmupBlocks int
	Treatments   []experiment.Treatment
	Trials       []Trial
}

// Trial is one planned execution of one treatment. Number counts from 1 over
// the whole plan in the order of running. Block counts from 1 within its
// phase, and is 0 where the order has no blocks. Plot counts from 1 over the
// plan and is 0 where no factor is hard to change. Position counts from 1
// within the block (over the phase where there are no blocks).
type Trial struct {
	Number    int
	Phase     string
	Block     int
	Plot      int
	Position  int
	Treatment int    // the treatment's number
	Control   string // "A" or "B" for the two labels of an A/A control, else ""
}
