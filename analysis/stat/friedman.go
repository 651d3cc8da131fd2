package stat

import "math"

// minFriedman is the least number of blocks for the approximations.
const minFriedman = 5

// FriedmanTest compares treatments in complete blocks by ranks within blocks.
type FriedmanTest struct {
	Q, DF     float64 // Friedman's statistic, corrected for ties
	PChi      float64 // its chi-squared p-value; conservative
	F, P      float64 // Iman & Davenport's F and its p-value: the one to report
	W         float64 // Kendall's coefficient of concordance, 0 to 1
	MeanRanks []float64
	Warnings  []Warning
	Refused   string
}

// Friedman tests that no treatment tends to a higher rank within blocks
// (JASA 32, 1937), with the F of Iman & Davenport (Commun. Stat. A 9, 1980).
// rows are the values by block. Ranks ignore sizes: the contrasts of
// logarithms come first. It refuses fewer than five blocks.
func Friedman(rows [][]float64) FriedmanTest {
	nan := math.NaN()
	t := FriedmanTest{Q: nan, DF: nan, PChi: nan, F: nan, P: nan, W: nan}
	ranks, why := blockRanks(rows)
	if t.Refused = why; why != "" {
		return t
	}
	b, k := float64(len(rows)), float64(len(rows[0]))
	t.MeanRanks = columnMeans(ranks)
	spread, ties := 0.0, 0.0
	for j := range t.MeanRanks {
		d := b * (t.MeanRanks[j] - (k+1)/2)
		spread += d * d
	}
	for _, row := range rows {
		ties += tieTerm(row)
	}
	scale := b*k*(k+1) - ties/(k-1)
	if scale <= 0 {
		t.Refused = "all values within each block are equal"
		return t
	}
	t.Q, t.DF = 12*spread/scale, k-1
	t.PChi, t.W = chiSquaredUpper(t.Q, t.DF), t.Q/(b*(k-1))
	// Where all blocks agree Q is b(k-1), and rounding must not put it above.
	t.F = math.Inf(1)
	if rest := b*(k-1) - t.Q; rest > ConstantTol*t.Q {
		t.F = (b - 1) * t.Q / rest
	}
	t.P = fUpper(t.F, k-1, (b-1)*(k-1))
	if b < 10 {
		t.Warnings = append(t.Warnings, Warning{FewBlocks, plural(len(rows), "block") + " are few: the p-value is approximate"})
	}
	return t
}

// Concordance is Kendall's W of rows that each rank the same things, from 0,
// no two alike, to 1, all alike, corrected for ties (Kendall & Babington Smith,
// Ann. Math. Stat. 10, 1939). A description: Friedman's test has the p-value,
// where rows are enough for one. NaN where all values of each row are equal.
func Concordance(rows [][]float64) float64 {
	ranks, ties := make([][]float64, len(rows)), 0.0
	for i, row := range rows {
		ranks[i], ties = Ranks(row), ties+tieTerm(row)
	}
	b, k, spread := float64(len(rows)), float64(len(rows[0])), 0.0
	for _, m := range columnMeans(ranks) {
		spread += (m - (k+1)/2) * (m - (k+1)/2)
	}
	return 12 * b * b * spread / (b * (b*k*(k*k-1) - ties))
}

// blockRanks are the mid-ranks within each block, or a reason against them.
func blockRanks(rows [][]float64) (ranks [][]float64, why string) {
	if why = atLeast(len(rows), minFriedman, "block"); why != "" {
		return nil, why
	}
	if len(rows[0]) < 2 {
		return nil, "there must be at least two treatments"
	}
	for _, row := range rows {
		if why = badInput(row); why != "" {
			return nil, why
		}
		if len(row) != len(rows[0]) {
			return nil, "the blocks have different numbers of treatments"
		}
		ranks = append(ranks, Ranks(row))
	}
	return ranks, ""
}

func columnMeans(rows [][]float64) []float64 {
	out := make([]float64, len(rows[0]))
	for _, row := range rows {
		for j, v := range row {
			out[j] += v / float64(len(rows))
		}
	}
	return out
}

// RankPair is a comparison of the mean ranks of two treatments, J less I.
type RankPair struct {
	I, J              int
	Q, NemenyiP       float64 // against the range of k normal values (Nemenyi 1963)
	T, ConoverP       float64 // Conover & Iman's t and its unadjusted p-value (1979)
	ConoverSingleStep float64 // adjusted for all pairs as if blocks were many: liberal, Holm of ConoverP is not
}

// RankPairs are the comparisons of all pairs of treatments by Friedman ranks.
type RankPairs struct {
	Pairs              []RankPair // (0,1), (0,2), ..., (1,2), ...
	CriticalDifference float64    // of mean ranks, at 5 % over all pairs (Demšar 2006)
	Refused            string
}

// FriedmanPairs compares all pairs of treatments after Friedman's test.
func FriedmanPairs(rows [][]float64) RankPairs {
	ranks, why := blockRanks(rows)
	if why != "" {
		return RankPairs{CriticalDifference: math.NaN(), Refused: why}
	}
	b, k := float64(len(rows)), float64(len(rows[0]))
	means := columnMeans(ranks)
	se := math.Sqrt(k * (k + 1) / (6 * b))
	out := RankPairs{CriticalDifference: StudentizedRangeQuantile(0.95, len(means), math.Inf(1)) / math.Sqrt2 * se}
	conover, df := conoverSE(ranks, means), (b-1)*(k-1)
	for i := range means {
		for j := i + 1; j < len(means); j++ {
			d := math.Abs(means[j] - means[i])
			p := RankPair{I: i, J: j, Q: math.Sqrt2 * d / se, T: b * d / conover}
			p.NemenyiP = StudentizedRangeUpper(p.Q, len(means), math.Inf(1))
			p.ConoverP = tTwoSided(p.T, df)
			p.ConoverSingleStep = StudentizedRangeUpper(math.Sqrt2*p.T, len(means), math.Inf(1))
			out.Pairs = append(out.Pairs, p)
		}
	}
	return out
}

// conoverSE is the standard error of a difference of rank sums:
// √(2 (b ΣΣ r² - Σ R²) / ((b-1)(k-1))).
func conoverSE(ranks [][]float64, means []float64) float64 {
	b, k := float64(len(ranks)), float64(len(means))
	all, sums := 0.0, 0.0
	for _, row := range ranks {
		all += squares(row)
	}
	for _, m := range means {
		sums += b * m * b * m
	}
	return math.Sqrt(2 * (b*all - sums) / ((b - 1) * (k - 1)))
}
