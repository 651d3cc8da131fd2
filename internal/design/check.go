package design

import (
	"fmt"
	"strings"

	"fieldbook/internal/experiment"
)

// maxTrials bounds a plan, so that a slip of the pen such as 10000000 blocks
// is a message and not a machine without memory.
const maxTrials = 10_000_000

// Refusal is why an experiment has no plan: what was found and what to do
// about it. It belongs at the place of the experiment's Design.
type Refusal struct{ Text, Hint string }

func (r *Refusal) Error() string {
	if r.Hint == "" {
		return r.Text
	}
	return r.Text + "; " + r.Hint
}

func refuse(hint, format string, args ...any) error {
	return &Refusal{Text: fmt.Sprintf(format, args...), Hint: hint}
}

// Check says whether the experiment can be planned, whatever the seed. Its
// error is a *Refusal without a place; New places it.
func Check(x *experiment.Experiment) error {
	d, units := x.Design, len(unitsOf(x))
	n := blocks(d)
	switch {
	case len(x.Treatments) == 0:
		return refuse("", "there is no treatment to run")
	case n < 1:
		return refuse("", "blocks is %d, want at least 1", n)
	case d.WarmupBlocks < 0:
		return refuse("", "warmup-blocks is %d, want 0 or more", d.WarmupBlocks)
	case n > maxTrials || d.WarmupBlocks > maxTrials || (n+d.WarmupBlocks) > maxTrials/units:
		return refuse("ask for fewer blocks", "a plan holds at most %d trials; %d blocks of %d trials are more", maxTrials, n+d.WarmupBlocks, units)
	}
	if err := checkAdaptive(d); err != nil {
		return err
	}
	switch d.Order {
	case experiment.RandomizedBlocks, experiment.CompleteRandomization, experiment.Sequential:
		return nil
	case experiment.Modulus:
		return checkHard(x, "runs the treatments in one fixed order")
	case experiment.LatinSquare:
		if err := checkHard(x, "puts every treatment at every position"); err != nil {
			return err
		}
		return checkMultiple(d.Order, n, units, units)
	case experiment.Williams:
		if err := checkHard(x, "lets every treatment follow every other"); err != nil {
			return err
		}
		return checkMultiple(d.Order, n, units, williamsRows(units))
	}
	return refuse("", "order %q is unknown", d.Order)
}

// blocks is the number of measured blocks to plan: the most that an adaptive
// experiment may take.
func blocks(d experiment.Design) int {
	if d.Until != nil {
		return d.Max
	}
	return d.Blocks
}

// checkAdaptive refuses a stopping rule where stopping after any block would
// leave the design in pieces.
func checkAdaptive(d experiment.Design) error {
	if d.Until == nil {
		return nil
	}
	switch d.Order {
	case experiment.CompleteRandomization, experiment.Sequential:
		return refuse("use randomized-blocks", "the order %s has no blocks to stop after, so that it needs a fixed number", d.Order)
	case experiment.LatinSquare, experiment.Williams:
		return refuse("use randomized-blocks", "stopping after any block would leave a square of the order %s incomplete, so that it needs a fixed number", d.Order)
	}
	return nil
}

// checkHard refuses hard-to-change factors under an order that leaves no room
// for whole plots.
func checkHard(x *experiment.Experiment, does string) error {
	var hard []string
	for _, f := range x.Factors {
		if f.HardToChange {
			hard = append(hard, f.Name)
		}
	}
	if len(hard) == 0 {
		return nil
	}
	return refuse("use randomized-blocks, or drop hard-to-change",
		"the order %s %s, which whole plots of %s do not allow", x.Design.Order, does, strings.Join(hard, ", "))
}

// checkMultiple wants whole squares of so many rows.
func checkMultiple(order experiment.Order, n, units, rows int) error {
	if n%rows == 0 {
		return nil
	}
	next := (n/rows + 1) * rows
	return refuse(fmt.Sprintf("the next is %d", next),
		"the order %s of %d trials a block needs blocks in multiples of %d, not %d", order, units, rows, n)
}
