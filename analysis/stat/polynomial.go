package stat

import (
	"math"
	"slices"
)

// Polynomial fits y = b0 + b1 x + ... + b_k x^k. The fit is made in
// z = (x - middle)/half of the range, whose powers are far less alike than
// those of x, and its coefficients are then expanded.
func Polynomial(x, y []float64, degree int) LeastSquares {
	if why := firstOf(badInput(x), badInput(y), constantX(x)); why != "" {
		return LeastSquares{Refused: why}
	}
	if degree < 1 || len(x) != len(y) {
		return LeastSquares{Refused: "the degree is below 1, or x and y differ in number"}
	}
	lo, hi := slices.Min(x), slices.Max(x)
	middle, half := lo/2+hi/2, hi/2-lo/2
	powers := make([][]float64, degree)
	for j := range powers {
		powers[j] = make([]float64, len(x))
		for i, v := range x {
			powers[j][i] = math.Pow((v-middle)/half, float64(j+1))
		}
	}
	m := OLS(powers, y, true)
	if m.Refused == "" {
		m.expand(binomialExpansion(degree, middle, half))
	}
	return m
}

// binomialExpansion gives the coefficients of 1, x, ..., x^k in each power of
// (x - middle)/half: row j holds those of the j-th power.
func binomialExpansion(degree int, middle, half float64) [][]float64 {
	rows := make([][]float64, degree+1)
	for j := range rows {
		rows[j] = make([]float64, degree+1)
		for k := 0; k <= j; k++ {
			rows[j][k] = combinations(j, k) * math.Pow(-middle, float64(j-k)) / math.Pow(half, float64(j))
		}
	}
	return rows
}

// expand rewrites coefficients and standard errors for another basis;
// weights[j][k] is the share of new predictor k in old predictor j.
func (m *LeastSquares) expand(weights [][]float64) {
	coef, rows := make([]float64, len(m.Coef)), make([][]float64, len(m.Coef))
	for k := range coef {
		column := make([]float64, len(weights))
		for j := range weights {
			column[j] = weights[j][k]
		}
		coef[k], rows[k] = dot(column, m.Coef), combine(m.rows, column)
	}
	m.Coef, m.rows = coef, rows
	m.errors()
}
