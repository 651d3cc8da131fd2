package stat

import "fmt"

// Limits on the degrees of freedom of the error, and on whole plots per
// level.
const (
	minErrorDF = 4
	fewErrorDF = 12
	minPlots   = 4
	fewPlots   = 6
)

// FactorialBlocks is the analysis of variance of a full crossing of factors in
// complete blocks: y = block + all main effects and interactions + error, in
// closed form, with (b-1)(k-1) degrees of freedom of error for b blocks and k
// treatments (Montgomery, Design and Analysis of Experiments, 4 and 5). Pass
// logarithms where effects are ratios. Incomplete blocks are left out; more
// than a fifth of them, or fewer than four degrees of freedom of error, is
// refused.
func FactorialBlocks(d Design) ANOVA {
	a := ANOVA{Method: "analysis of variance in complete blocks"}
	g, why := newGrid(d)
	if why != "" {
		a.Refused = why
		return a
	}
	a.start(g)
	residual := 0.0
	for _, row := range g.residuals() {
		residual += squares(row)
	}
	a.Residual = meanSquareRow(nil, residual, float64((len(g.y)-1)*(len(g.combos)-1)))
	a.Residual.ErrorName = residualError
	a.cleanError(g)
	if !a.enoughError(a.Residual) {
		return a
	}
	means := g.treatmentMeans()
	for _, term := range g.terms() {
		a.Rows = append(a.Rows, g.termRow(means, term).against(a.Residual))
	}
	a.Blocks = a.Blocks.against(a.Residual)
	return a
}

// start fills what does not depend on the error.
func (a *ANOVA) start(g grid) {
	a.N, a.Dropped = len(g.y), g.dropped
	if g.dropped > 0 {
		a.Warnings = append(a.Warnings, Warning{Incomplete,
			plural(g.dropped, "incomplete block") + " left out"})
	}
	ss := sumSquares(g.blockMeans()) * float64(len(g.combos))
	a.Blocks = meanSquareRow(nil, ss, float64(len(g.y)-1))
}

// termRow is the line of a term without its test.
func (g grid) termRow(means []float64, term []int) ANOVARow {
	ss := squares(g.effect(means, term)) * float64(len(g.y))
	return meanSquareRow(term, ss, g.termDF(term))
}

// cleanError sets an error to zero that is rounding only: where blocks and
// treatments leave nothing over, no F can be formed.
func (a *ANOVA) cleanError(g grid) {
	scale := 0.0
	for _, row := range g.y {
		scale += squares(row)
	}
	rounding := ConstantTol * ConstantTol * scale
	for _, e := range []*ANOVARow{&a.Residual, &a.Plots} {
		if e.DF > 0 && e.SS <= rounding {
			e.SS, e.MS = 0, 0
			a.Warnings = append(a.Warnings, Warning{ConstantData,
				"blocks and treatments explain the " + e.ErrorName + " entirely: there is no error to test against"})
		}
	}
}

// enoughError refuses or doubts an error with few degrees of freedom.
func (a *ANOVA) enoughError(e ANOVARow) bool {
	if e.DF < minErrorDF {
		a.Refused = fmt.Sprintf("the error has %g degrees of freedom, and the method needs at least %d: more blocks", e.DF, minErrorDF)
		return false
	}
	if e.DF < fewErrorDF {
		a.Warnings = append(a.Warnings, Warning{FewBlocks,
			fmt.Sprintf("the error has only %g degrees of freedom", e.DF)})
	}
	return true
}

// BlockContrasts are the values, one per complete block, of the contrast that
// belongs to a term whose factors all have two levels: the upper level less
// the lower for a main effect, the difference of differences for an
// interaction, averaged over the other factors. They go into PairedT. A
// reason is given instead where there are none.
func BlockContrasts(d Design, term []int) (contrasts []float64, why string) {
	g, why := newGrid(d)
	if why != "" {
		return nil, why
	}
	for _, f := range term {
		if f < 0 || f >= len(g.levels) || g.levels[f] != 2 {
			return nil, "a contrast of one number needs factors of two levels"
		}
	}
	for _, row := range g.y {
		contrasts = append(contrasts, g.contrast(row, term))
	}
	return contrasts, ""
}

// contrast is the contrast of a term over one block's values.
func (g grid) contrast(row []float64, term []int) float64 {
	sum := 0.0
	for t, c := range g.combos {
		weight := 1.0
		for _, f := range term {
			weight *= 2*float64(c[f]) - 1
		}
		sum += weight * row[t]
	}
	others := len(g.combos) >> len(term)
	return sum / float64(others)
}
