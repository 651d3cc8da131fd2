package stat

import "math"

// aliased is the share of a column that must be left by the earlier ones for
// it to count as a direction of its own.
const aliased = 1e-9

// rounding is the share of a vector that is nothing but rounding.
const rounding = 1e-12

// subspace is spanned by orthonormal vectors. It answers what a model leaves
// over, whatever dependencies its columns have.
type subspace struct{ vectors [][]float64 }

// grandMean is the space of constants of n observations.
func grandMean(n int) subspace {
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	var s subspace
	s.add([][]float64{ones})
	return s
}

// with is the space extended by further columns.
func (s subspace) with(terms ...[][]float64) subspace {
	out := subspace{vectors: append([][]float64{}, s.vectors...)}
	for _, columns := range terms {
		out.add(columns)
	}
	return out
}

// add extends the space by what is new in each column.
func (s *subspace) add(columns [][]float64) {
	for _, c := range columns {
		rest := s.residual(c)
		length := math.Sqrt(squares(rest))
		if length <= aliased*math.Sqrt(squares(c)) {
			continue
		}
		for i := range rest {
			rest[i] /= length
		}
		s.vectors = append(s.vectors, rest)
	}
}

// residual is y without its projection on the space. It projects twice: once
// more removes what rounding left of the first time (Gram-Schmidt with
// reorthogonalization, Björck 1967). Of a y within the space, rounding leaves
// something all the same, which is no noise: there it is zero.
func (s subspace) residual(y []float64) []float64 {
	rest := append([]float64{}, y...)
	for range 2 {
		for _, v := range s.vectors {
			share := inner(v, rest)
			for i, x := range v {
				rest[i] -= share * x
			}
		}
	}
	if len(s.vectors) > 0 && math.Sqrt(squares(rest)) <= rounding*math.Sqrt(squares(y)) {
		clear(rest)
	}
	return rest
}

// inner is the inner product of vectors of one length, as four sums that a
// processor forms side by side. Its rounding is what the second projection
// takes away.
func inner(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	for len(a) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i, x := range a {
		s0 += x * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// rss is the residual sum of squares of y.
func (s subspace) rss(y []float64) float64 { return squares(s.residual(y)) }

// rank is the number of directions.
func (s subspace) rank() int { return len(s.vectors) }

// contrastColumns are the sum-to-zero columns of a factor: 1 for the level, -1
// for the last level, one column for each level but the last.
func contrastColumns(level []int, count int) [][]float64 {
	columns := make([][]float64, count-1)
	for k := range columns {
		columns[k] = make([]float64, len(level))
		for i, l := range level {
			switch l {
			case k:
				columns[k][i] = 1
			case count - 1:
				columns[k][i] = -1
			}
		}
	}
	return columns
}

// productColumns are the products of each pair of columns: an interaction.
func productColumns(a, b [][]float64) [][]float64 {
	var out [][]float64
	for _, x := range a {
		for _, y := range b {
			c := make([]float64, len(x))
			for i := range c {
				c[i] = x[i] * y[i]
			}
			out = append(out, c)
		}
	}
	return out
}

// renumber maps any numbers to 0, 1, ... in their order, and counts them.
func renumber(xs []int) (levels []int, count int) {
	rows := make([][]int, len(xs))
	for i, x := range xs {
		rows[i] = []int{x}
	}
	if len(rows) == 0 {
		return nil, 0
	}
	renumbered, counts := closeGaps(rows)
	for _, r := range renumbered {
		levels = append(levels, r[0])
	}
	return levels, counts[0]
}

// factorColumns are the sum-to-zero columns of a factor given by any numbers.
func factorColumns(xs []int) [][]float64 {
	levels, count := renumber(xs)
	return contrastColumns(levels, count)
}

// termColumns are the columns of a main effect or an interaction.
func termColumns(levels [][]int, counts, term []int) [][]float64 {
	var columns [][]float64
	for i, f := range term {
		level := make([]int, len(levels))
		for j := range levels {
			level[j] = levels[j][f]
		}
		c := contrastColumns(level, counts[f])
		if i == 0 {
			columns = c
		} else {
			columns = productColumns(columns, c)
		}
	}
	return columns
}

// dropRow is the line of a term: what it explains beyond the smaller model.
func dropRow(term []int, smaller, larger subspace, y []float64) ANOVARow {
	ss := math.Max(0, smaller.rss(y)-larger.rss(y))
	return meanSquareRow(term, ss, float64(larger.rank()-smaller.rank()))
}
