package stat

import "math"

// FriedmanExact is the p-value of Friedman's statistic among all rearrangements
// of the values within their blocks: for few blocks, where Friedman refuses.
// It is valid where treatments were randomized within blocks. A reason is
// given where there are more than a million rearrangements.
func FriedmanExact(rows [][]float64) (p float64, refused string) {
	if len(rows) == 0 || len(rows[0]) < 2 {
		return math.NaN(), "there must be at least one block and two treatments"
	}
	for _, row := range rows {
		if why := badInput(row); why != "" || len(row) != len(rows[0]) {
			return math.NaN(), firstOf(why, "the blocks have different numbers of treatments")
		}
	}
	k := len(rows[0])
	each := math.Gamma(float64(k + 1))
	if math.Pow(each, float64(len(rows)-1)) > exactPermutations {
		return math.NaN(), "there are too many rearrangements to count"
	}
	observed := make([]float64, k)
	var ways [][][]float64 // by block but the first: the rearranged ranks
	for i, row := range rows {
		ranks := Ranks(row)
		if i > 0 { // the first may stand still: treatments have no order
			ways = append(ways, rearrangements(ranks))
		}
		for j, r := range ranks {
			observed[j] += r
		}
	}
	reaching := countReaching(ways, Ranks(rows[0]), rankSpread(observed)*(1-tieSlack))
	return float64(reaching) / math.Pow(each, float64(len(rows)-1)), ""
}

// rankSpread grows with Friedman's statistic: Σ (rank sum - mean)².
func rankSpread(sums []float64) float64 { return squares(shifted(sums, average(sums))) }

// countReaching counts the choices of one rearrangement per block whose rank
// sums spread as far as the threshold.
func countReaching(ways [][][]float64, sums []float64, threshold float64) int {
	if len(ways) == 0 {
		if rankSpread(sums) >= threshold {
			return 1
		}
		return 0
	}
	count := 0
	for _, ranks := range ways[0] {
		next := make([]float64, len(sums))
		for j := range next {
			next[j] = sums[j] + ranks[j]
		}
		count += countReaching(ways[1:], next, threshold)
	}
	return count
}

// rearrangements are all k! orders of the values, equal values kept apart.
func rearrangements(values []float64) [][]float64 {
	if len(values) == 1 {
		return [][]float64{{values[0]}}
	}
	var out [][]float64
	for i := range values {
		for _, rest := range rearrangements(without(values, i)) {
			out = append(out, append([]float64{values[i]}, rest...))
		}
	}
	return out
}
