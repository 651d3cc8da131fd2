package stat

import (
	"fmt"
	"math"
	"slices"
)

// minAftermath is in how many trials each level must have run just before.
const minAftermath = 2

// Aftermath is how far numbers lie off after one level of a factor of the
// trial before.
type Aftermath struct {
	Level  int // as CarryOverEffects was given it
	Effect Estimate
}

// CarryEffects is the model of CarryOver with what it found.
type CarryEffects struct {
	Carry     ANOVARow      // all factors of the predecessor together, after sequence, period and treatment
	After     [][]Aftermath // of each factor, its levels in ascending order
	Residuals []float64     // of the whole model
	Refused   string
}

// CarryOverEffects fits y = sequence + period + treatment + predecessor + error
// as CarryOver does. The predecessor is told by one factor, its treatment, or
// by several without their interactions: previous[f][i] is the level of factor
// f in the trial before trial i, negative where there was none. An effect is
// how far numbers lie off the mean over the levels of its factor, each level
// counting alike, with a t interval. It refuses a level that ran just before
// less than two trials, and factors that follow from treatment and period.
func CarryOverEffects(sequence, period, treatment []int, previous [][]int, y []float64) CarryEffects {
	if why := badCarryEffects(sequence, period, treatment, previous, y); why != "" {
		return CarryEffects{Refused: why}
	}
	var base subspace
	base.add(withinSequences(sequence, factorColumns(period)))
	base.add(withinSequences(sequence, factorColumns(treatment)))
	left := base.residual(withinSequences(sequence, [][]float64{y})[0])
	factors := make([]predecessor, len(previous))
	var carry subspace
	wanted := 0
	for f, p := range previous {
		factors[f] = readPredecessor(sequence, p, base)
		carry.add(factors[f].columns(0))
		wanted += len(factors[f].levels) - 1
	}
	if carry.rank() < wanted {
		return CarryEffects{Refused: "the predecessor follows from treatment and position: what is carried over cannot be told from the treatment"}
	}
	out := CarryEffects{Residuals: carry.residual(left)}
	noise := meanSquareRow(nil, squares(out.Residuals), float64(len(y)-base.rank()-carry.rank()-countOf(sequence)))
	noise.ErrorName = residualError
	if noise.DF < minErrorDF {
		return CarryEffects{Refused: fmt.Sprintf("the error has %g degrees of freedom, and the method needs at least %d", noise.DF, minErrorDF)}
	}
	out.Carry = dropRow(nil, subspace{}, carry, left).against(noise)
	for f := range factors {
		var others subspace
		for g := range factors {
			if g != f {
				others.add(factors[g].columns(0))
			}
		}
		out.After = append(out.After, factors[f].effects(others, left, noise))
	}
	return out
}

func badCarryEffects(sequence, period, treatment []int, previous [][]int, y []float64) string {
	if why := badInput(y); why != "" {
		return why
	}
	n := len(y)
	if len(sequence) != n || len(period) != n || len(treatment) != n {
		return "sequences, periods, treatments and values differ in number"
	}
	if len(previous) == 0 {
		return "nothing says what ran before"
	}
	for _, p := range previous {
		if len(p) != n {
			return "predecessors and values differ in number"
		}
		times := map[int]int{}
		for _, l := range p {
			if l >= 0 {
				times[l]++
			}
		}
		if len(times) < 2 {
			return "all trials ran after the same level"
		}
		for _, seen := range times {
			if seen < minAftermath {
				return fmt.Sprintf("each level must have run just before at least %d trials", minAftermath)
			}
		}
	}
	return ""
}

// predecessor is a factor of the trial before: of each of its levels the
// column that is 1 after it, less what sequence, period and treatment say.
type predecessor struct {
	levels []int // ascending
	after  [][]float64
}

func readPredecessor(sequence, previous []int, base subspace) predecessor {
	var p predecessor
	for _, l := range previous {
		if l >= 0 && !slices.Contains(p.levels, l) {
			p.levels = append(p.levels, l)
		}
	}
	slices.Sort(p.levels)
	for _, level := range p.levels {
		is := make([]float64, len(previous))
		for i, l := range previous {
			if l == level {
				is[i] = 1
			}
		}
		p.after = append(p.after, base.residual(withinSequences(sequence, [][]float64{is})[0]))
	}
	return p
}

// columns are those of sum-to-zero effects, that of the level at first before
// the others: each level's column less that of the one before first, which has
// none of its own.
func (p predecessor) columns(first int) [][]float64 {
	k := len(p.levels)
	last := p.after[(first+k-1)%k]
	var out [][]float64
	for j := range k - 1 {
		c := slices.Clone(p.after[(first+j)%k])
		for i := range c {
			c[i] -= last[i]
		}
		if math.Sqrt(squares(c)) <= aliased*math.Sqrt(float64(len(c))) { // what rounding left of nothing
			clear(c)
		}
		out = append(out, c)
	}
	return out
}

// effects are those of a factor's levels, given all other factors: the
// coefficient of a level's column, by what is left of that column when all
// other ones are taken out of it.
func (p predecessor) effects(others subspace, left []float64, noise ANOVARow) []Aftermath {
	var all []Aftermath
	for i, level := range p.levels {
		columns := p.columns(i)
		own := others.with(columns[1:]).residual(columns[0])
		weight := squares(own)
		value := dot(own, left) / weight
		half := TQuantile(0.975, noise.DF) * math.Sqrt(noise.MS/weight)
		all = append(all, Aftermath{level, Estimate{Value: value, Lo: value - half, Hi: value + half, Confidence: 0.95,
			N: len(left), DF: noise.DF, Method: "t, least squares with block, position, treatment and predecessor"}})
	}
	return all
}
