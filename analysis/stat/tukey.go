package stat

import "math"

// PairTest is a comparison of two of several groups or treatments: J less I,
// by index.
type PairTest struct {
	I, J int
	Estimate
	P float64 // adjusted for all pairs
}

// unevenNoise is the ratio of variances above which a common error misleads.
const unevenNoise = 4

// TukeyHSD compares all pairs of independent groups with intervals that hold
// for all of them at once (Tukey 1953; Kramer, Biometrics 12, 1956, for
// unequal sizes). Pairs are in the order (0,1), (0,2), ..., (1,2), ...
func TukeyHSD(groups [][]float64, conf float64) (pairs []PairTest, refused string) {
	a := OneWay(groups)
	if why := firstOf(a.Refused, badConfidence(conf)); why != "" {
		return nil, why
	}
	if a.MSWithin == 0 {
		return nil, "all values of each group are equal: there is no error to compare by"
	}
	var means, sizes, variances []float64
	for _, g := range groups {
		m, v := meanVariance(g)
		means, sizes = append(means, m), append(sizes, float64(len(g)))
		variances = append(variances, v)
	}
	pairs = tukeyPairs(means, sizes, a.MSWithin, a.DFWithin, conf)
	if uneven(variances) {
		for i := range pairs {
			pairs[i].warn(UnequalNoise, "the noise of the groups differs more than fourfold in variance: compare pairs on their own")
		}
	}
	return pairs, ""
}

// tukeyPairs compares all pairs of means with a common mean square error.
func tukeyPairs(means, sizes []float64, mse, df, conf float64) []PairTest {
	k := len(means)
	critical := StudentizedRangeQuantile(conf, k, df)
	var pairs []PairTest
	for i := range means {
		for j := i + 1; j < k; j++ {
			se := math.Sqrt(mse / 2 * (1/sizes[i] + 1/sizes[j]))
			d := means[j] - means[i]
			e := Estimate{Value: d, Lo: d - critical*se, Hi: d + critical*se, Confidence: conf,
				N: int(sizes[i] + sizes[j]), DF: df, Method: "Tukey's honest difference, all pairs at once"}
			pairs = append(pairs, PairTest{I: i, J: j, Estimate: e, P: StudentizedRangeUpper(math.Abs(d)/se, k, df)})
		}
	}
	return pairs
}

// uneven tells whether variances differ more than a common error bears.
func uneven(variances []float64) bool {
	lo, hi := Range(variances)
	return hi > unevenNoise*lo
}

// TukeyBlocks compares all pairs of treatments in complete blocks, from rows
// of values by block; see TukeyHSD.
func TukeyBlocks(rows [][]float64, conf float64) (pairs []PairTest, refused string) {
	d, why := rowsDesign(rows)
	if why = firstOf(why, badConfidence(conf)); why != "" {
		return nil, why
	}
	a := FactorialBlocks(d)
	if a.Refused != "" {
		return nil, a.Refused
	}
	if a.Residual.MS == 0 {
		return nil, "blocks and treatments explain everything: there is no error to compare by"
	}
	g, _ := newGrid(d)
	sizes := make([]float64, len(g.combos))
	for i := range sizes {
		sizes[i] = float64(len(g.y))
	}
	pairs = tukeyPairs(g.treatmentMeans(), sizes, a.Residual.MS, a.Residual.DF, conf)
	if uneven(g.residualVariances()) {
		for i := range pairs {
			pairs[i].warn(UnequalNoise, "the noise of the treatments differs more than fourfold in variance: compare pairs on their own")
		}
	}
	return pairs, ""
}

// residualVariances are the variances of the residuals by treatment.
func (g grid) residualVariances() []float64 {
	residuals := g.residuals()
	out := make([]float64, len(g.combos))
	for t := range out {
		var column []float64
		for b := range residuals {
			column = append(column, residuals[b][t])
		}
		out[t] = sumSquares(column)
	}
	return out
}

// rowsDesign is the design of one factor in blocks, from rows of values by
// block; rows of unequal length are refused.
func rowsDesign(rows [][]float64) (Design, string) {
	var d Design
	for b, row := range rows {
		if len(row) != len(rows[0]) {
			return d, "the blocks have different numbers of treatments"
		}
		for t, y := range row {
			d.Levels = append(d.Levels, []int{t})
			d.Block = append(d.Block, b)
			d.Y = append(d.Y, y)
		}
	}
	return d, badInput(d.Y)
}
