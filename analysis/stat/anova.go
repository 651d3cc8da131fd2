package stat

import "math"

// ANOVARow is one line of a table of analysis of variance.
type ANOVARow struct {
	Term      []int // factor indices, ascending; one: a main effect
	SS, DF    float64
	MS        float64
	F, P      float64 // NaN where the error has no spread
	ErrorDF   float64
	ErrorName string // "residual" or "whole plots"
}

// ANOVA is a table of analysis of variance in complete blocks.
type ANOVA struct {
	Rows     []ANOVARow // main effects first, then interactions by order
	Blocks   ANOVARow   // between blocks; Term is nil
	Plots    ANOVARow   // error between whole plots; DF 0 where there are none
	Residual ANOVARow   // error between trials
	N        int        // complete blocks that it rests on
	Dropped  int        // incomplete blocks left out
	Method   string
	Warnings []Warning
	Refused  string
}

const (
	residualError = "residual"
	plotError     = "whole plots"
)

// against completes a line of the table against its error.
func (r ANOVARow) against(e ANOVARow) ANOVARow {
	r.F, r.P, r.ErrorDF, r.ErrorName = math.NaN(), math.NaN(), e.DF, e.ErrorName
	if e.MS > 0 {
		r.F = r.MS / e.MS
		r.P = fUpper(r.F, r.DF, e.DF)
	}
	return r
}

// meanSquareRow is a line with its mean square and no test yet.
func meanSquareRow(term []int, ss, df float64) ANOVARow {
	ms := math.NaN()
	if df > 0 {
		ms = ss / df
	}
	return ANOVARow{Term: term, SS: ss, DF: df, MS: ms, F: math.NaN(), P: math.NaN()}
}
