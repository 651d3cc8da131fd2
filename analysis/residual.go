package analysis

import (
	"math"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// Residual is what the block model leaves of one trial: its number less its
// block's and its treatment's share, on the log scale where all numbers of
// the session are above zero.
type Residual struct {
	Observation
	Fitted   float64 // on the scale of the residual
	Residual float64
	Log      bool
}

// Residuals are the residuals of all ok trials within a selection, in the
// order in which they ran. The model is fitted per session: block plus
// treatment, or treatment alone where the order has no blocks.
func (r *Result) Residuals(metric string, where expr.Selection) ([]Residual, error) {
	m, err := r.metricWithin(metric, where)
	if err != nil {
		return nil, err
	}
	var all []Residual
	for _, trials := range bySession(r.countingTrials(where)) {
		all = append(all, residualsOf(trials, m)...)
	}
	return all, nil
}

// bySession splits trials, which are in the order of sessions.
func bySession(trials []*trial) [][]*trial {
	var groups [][]*trial
	for i, t := range trials {
		if i == 0 || t.session != trials[i-1].session {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], t)
	}
	return groups
}

func residualsOf(trials []*trial, metric int) []Residual {
	var used []*trial
	log := true
	for _, t := range trials {
		if x, ok := t.number(metric); ok {
			used = append(used, t)
			log = log && x > 0
		}
	}
	y := make([]float64, len(used))
	for i, t := range used {
		if y[i] = t.values[metric]; log {
			y[i] = math.Log(y[i])
		}
	}
	out := make([]Residual, len(used))
	for i, f := range additiveFit(used, y) {
		out[i] = Residual{Observation: observation(used[i], metric), Fitted: f, Residual: left(y[i], f, log), Log: log}
	}
	return out
}

// left is y less fitted, and 0 where the difference is nothing but the
// rounding of the two. A number's logarithm is known no better than its ratio
// to others, whose size is 1.
func left(y, fitted float64, log bool) float64 {
	size := math.Max(math.Abs(y), math.Abs(fitted))
	if log {
		size = math.Max(size, 1)
	}
	if d := y - fitted; math.Abs(d) > stat.ConstantTol*size {
		return d
	}
	return 0
}

// additiveFit is block + treatment by least squares. In complete blocks the
// means are the answer at once; elsewhere block and treatment means are taken
// in turn until they settle (Gauss-Seidel on the normal equations).
func additiveFit(trials []*trial, y []float64) []float64 {
	treatment, block := map[string]float64{}, map[int]float64{}
	for range 500 {
		moved := settle(treatment, trials, y, func(t *trial) string { return t.key }, func(t *trial) float64 { return block[t.Block] })
		moved = math.Max(moved, settle(block, trials, y, func(t *trial) int { return t.Block }, func(t *trial) float64 { return treatment[t.key] }))
		if moved < 1e-13 {
			break
		}
	}
	fitted := make([]float64, len(trials))
	for i, t := range trials {
		fitted[i] = treatment[t.key] + block[t.Block]
	}
	return fitted
}

// settle sets each group's share to the mean of what the other shares leave,
// and says how far the largest change went, relative to the numbers. Groups
// are blocks or treatments, which have keys of different types.
func settle[K comparable](share map[K]float64, trials []*trial, y []float64, group func(*trial) K, other func(*trial) float64) float64 {
	sum, n := map[K]float64{}, map[K]float64{}
	size := 0.0
	for i, t := range trials {
		sum[group(t)] += y[i] - other(t)
		n[group(t)]++
		size = math.Max(size, math.Abs(y[i]))
	}
	moved := 0.0
	for k, s := range sum {
		moved = math.Max(moved, math.Abs(s/n[k]-share[k]))
		share[k] = s / n[k]
	}
	if size == 0 {
		return 0
	}
	return moved / size
}
