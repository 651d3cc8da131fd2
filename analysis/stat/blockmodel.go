package stat

import "math"

// RelativeEfficiency is how many times more trials a completely random order
// would have needed for the same precision: above one, blocks were worth
// their while. a is a table of complete blocks.
func RelativeEfficiency(a ANOVA) float64 {
	if a.Refused != "" || !(a.Residual.MS > 0) || a.N < 2 {
		return math.NaN()
	}
	b := float64(a.N)
	others := a.Residual.DF / (b - 1) // treatments less one
	return ((b-1)*a.Blocks.MS + b*others*a.Residual.MS) / ((b*(others+1) - 1) * a.Residual.MS)
}

// BlockVariance is the variance between blocks beyond that of their trials,
// (MSB-MSE)/k, as a mixed model of balanced data has it; zero where blocks
// vary less than their trials would make them.
func BlockVariance(a ANOVA) float64 {
	if a.Refused != "" || a.N < 2 {
		return math.NaN()
	}
	k := a.Residual.DF/float64(a.N-1) + 1
	return math.Max(0, (a.Blocks.MS-a.Residual.MS)/k)
}

// Nonadditivity tests with one degree of freedom that treatments act alike in
// slow and fast blocks (Tukey, Biometrics 5, 1949). rows are values by block.
func Nonadditivity(rows [][]float64) ANOVARow {
	undefined := meanSquareRow(nil, math.NaN(), 0)
	d, why := rowsDesign(rows)
	if why != "" {
		return undefined
	}
	g, why := newGrid(d)
	if why != "" || (len(g.y)-1)*(len(g.combos)-1) < 2 {
		return undefined
	}
	treatments, blocks := g.treatmentMeans(), g.blockMeans()
	tm, bm := average(treatments), average(blocks)
	cross, rss, weight := 0.0, 0.0, 0.0
	for b, row := range g.residuals() {
		for t, e := range row {
			w := (treatments[t] - tm) * (blocks[b] - bm)
			cross += w * e
			weight += w * w
			rss += e * e
		}
	}
	if weight == 0 {
		return undefined
	}
	ss := cross * cross / weight
	residual := meanSquareRow(nil, math.Max(0, rss-ss), float64((len(g.y)-1)*(len(g.combos)-1)-1))
	residual.ErrorName = residualError
	return meanSquareRow(nil, ss, 1).against(residual)
}

// BlockModel is how well the model of complete blocks, y = block + treatment +
// error, suits a design, and what its blocks gained.
type BlockModel struct {
	Efficiency      float64  // see RelativeEfficiency
	Nonadditivity   ANOVARow // see Nonadditivity
	NoiseRatio      float64  // largest over smallest variance of a treatment's residuals
	BrownForsytheP  float64  // of equal noise
	Uneven          bool     // the noise differs more than a common error bears: fourfold in variance
	BlockVariance   float64  // see the function of this name
	MeanSquareError float64
}

// CheckBlocks looks at the model of complete blocks. What cannot be computed is
// NaN. With two treatments the residuals of both are the same but for their
// sign, so that nothing is said of their noise.
func CheckBlocks(d Design) BlockModel {
	nan := math.NaN()
	m := BlockModel{Efficiency: nan, NoiseRatio: nan, BrownForsytheP: nan, BlockVariance: nan, MeanSquareError: nan, Nonadditivity: meanSquareRow(nil, nan, 0)}
	d.HardFactors, d.Plot = nil, nil
	g, why := newGrid(d)
	if why != "" {
		return m
	}
	a := FactorialBlocks(d)
	m.Efficiency, m.BlockVariance, m.MeanSquareError = RelativeEfficiency(a), BlockVariance(a), a.Residual.MS
	m.Nonadditivity = Nonadditivity(g.y)
	if len(g.combos) < 3 || !(a.Residual.MS > 0) {
		return m
	}
	variances := g.residualVariances()
	lo, hi := Range(variances)
	m.NoiseRatio, m.Uneven = hi/lo, uneven(variances)
	columns := make([][]float64, len(g.combos))
	for _, row := range g.residuals() {
		for t, e := range row {
			columns[t] = append(columns[t], e)
		}
	}
	m.BrownForsytheP = Variances(columns).BrownForsytheP
	return m
}
