package stat

import (
	"fmt"
	"slices"
)

// SplitPlot is the analysis of variance where some factors are set once per
// whole plot: those factors and their interactions are tested against the
// spread between whole plots of a block, all others against the spread within
// them (Yates 1935; Montgomery, 14.4). Tested as if every trial had been
// randomized, a hard-to-change factor is found "significant" far too often.
// Refused below four whole plots per level of a hard-to-change factor.
// Without a hard-to-change factor it is FactorialBlocks.
func SplitPlot(d Design) ANOVA {
	hard := hardFactors(d)
	if len(hard) == 0 {
		return FactorialBlocks(d)
	}
	a := ANOVA{Method: "analysis of variance in complete blocks, split plot"}
	g, why := newGrid(d)
	if why = firstOf(why, mixedPlot(d, hard)); why != "" {
		a.Refused = why
		return a
	}
	plots := g.plotCount(hard)
	if !a.enoughPlots(g, hard, plots) {
		return a
	}
	a.start(g)
	a.splitErrors(g, hard, plots)
	if !a.enoughError(a.smallerError()) {
		return a
	}
	means := g.treatmentMeans()
	for _, term := range g.terms() {
		a.Rows = append(a.Rows, g.termRow(means, term).against(a.errorOf(term, hard)))
	}
	a.Blocks = a.Blocks.against(a.Plots)
	return a
}

// hardFactors are the indices of the factors set once per whole plot.
func hardFactors(d Design) []int {
	var out []int
	for f, hard := range d.HardFactors {
		if hard {
			out = append(out, f)
		}
	}
	return out
}

// plotCount is the number of whole plots in a block: the combinations of the
// levels of the hard-to-change factors.
func (g grid) plotCount(hard []int) int {
	n := 1
	for _, f := range hard {
		n *= g.levels[f]
	}
	return n
}

// splitErrors divides the residual sum of squares into that of the means of
// whole plots and the rest.
func (a *ANOVA) splitErrors(g grid, hard []int, plots int) {
	var between, within float64
	for _, row := range g.residuals() {
		means := g.project(row, hard)
		between += squares(means)
		for t := range row {
			within += (row[t] - means[t]) * (row[t] - means[t])
		}
	}
	blocks, treatments := len(g.y), len(g.combos)
	a.Plots = meanSquareRow(nil, between, float64((blocks-1)*(plots-1)))
	a.Residual = meanSquareRow(nil, within, float64((blocks-1)*(treatments-plots)))
	a.Plots.ErrorName, a.Residual.ErrorName = plotError, residualError
	a.cleanError(g)
}

// errorOf is the error that a term is tested against: that of whole plots for
// a term of hard-to-change factors alone.
func (a *ANOVA) errorOf(term, hard []int) ANOVARow {
	for _, f := range term {
		if !slices.Contains(hard, f) {
			return a.Residual
		}
	}
	return a.Plots
}

// smallerError is the error with fewer degrees of freedom, of those in use.
func (a *ANOVA) smallerError() ANOVARow {
	if a.Plots.DF > 0 && (a.Residual.DF == 0 || a.Plots.DF < a.Residual.DF) {
		return a.Plots
	}
	return a.Residual
}

// enoughPlots refuses or doubts few whole plots per level.
func (a *ANOVA) enoughPlots(g grid, hard []int, plots int) bool {
	for _, f := range hard {
		each := len(g.y) * plots / g.levels[f]
		if g.levels[f] > 1 && each < minPlots {
			a.Refused = fmt.Sprintf("a level of a hard-to-change factor has %d whole plots, and the method needs at least %d: more blocks", each, minPlots)
			return false
		}
		if g.levels[f] > 1 && each < fewPlots {
			a.Warnings = append(a.Warnings, Warning{FewBlocks,
				fmt.Sprintf("a level of a hard-to-change factor has only %d whole plots", each)})
		}
	}
	return true
}

// mixedPlot says that a whole plot was not one: that a hard-to-change factor
// changed within it.
func mixedPlot(d Design, hard []int) string {
	if d.Plot == nil || d.malformed() != "" {
		return ""
	}
	first := map[[2]int][]int{}
	for i, plot := range d.Plot {
		key := [2]int{d.Block[i], plot}
		if first[key] == nil {
			first[key] = d.Levels[i]
		}
		for _, f := range hard {
			if d.Levels[i][f] != first[key][f] {
				return fmt.Sprintf("whole plot %d of block %d holds two levels of a hard-to-change factor", plot, d.Block[i])
			}
		}
	}
	return ""
}
