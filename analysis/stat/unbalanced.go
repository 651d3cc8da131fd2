package stat

import "slices"

// SumsOfSquares says after which other terms a term is tested. In complete
// blocks all three agree.
type SumsOfSquares int

const (
	// TypeII tests a term after all terms that do not contain it: the choice
	// where blocks are incomplete.
	TypeII SumsOfSquares = iota
	// TypeI tests terms one after the other: blocks, main effects, interactions.
	TypeI
	// TypeIII tests a term after all others, in sum-to-zero coding.
	TypeIII
)

// Unbalanced is the analysis of variance of a factorial experiment whose
// blocks may be incomplete: y = block + main effects and interactions + error,
// by comparing residual sums of squares (Yates 1934; Fox, Applied Regression,
// 8). Rows and errors are as in FactorialBlocks. TypeIII is refused where a
// combination of levels was never observed.
func Unbalanced(d Design, types SumsOfSquares) ANOVA {
	a := ANOVA{Method: "analysis of variance, incomplete blocks"}
	if a.Refused = d.malformed(); a.Refused != "" {
		return a
	}
	m := newFactorial(d)
	full := m.space(m.terms...)
	a.N = m.blocks
	a.setError(full, d.Y, m.expectedRank(), types)
	if a.Refused != "" || !a.enoughError(a.Residual) {
		return a
	}
	for i, term := range m.terms {
		smaller, larger := m.pair(i, types)
		a.Rows = append(a.Rows, dropRow(term, smaller, larger, d.Y).against(a.Residual))
	}
	without := m.constant.with(m.columns...)
	if types == TypeI {
		a.Blocks = dropRow(nil, m.constant, m.constant.with(m.block), d.Y)
	} else {
		a.Blocks = dropRow(nil, without, full, d.Y)
	}
	a.Blocks = a.Blocks.against(a.Residual)
	return a
}

// setError fills the residual line; a missing combination is refused or
// doubted.
func (a *ANOVA) setError(full subspace, y []float64, expected int, types SumsOfSquares) {
	if full.rank() < expected {
		if types == TypeIII {
			a.Refused = "a combination of levels was never observed: tests of type III make no sense"
			return
		}
		a.Warnings = append(a.Warnings, Warning{Incomplete, "a combination of levels was never observed"})
	}
	rss := full.rss(y)
	a.Residual = meanSquareRow(nil, rss, float64(len(y)-full.rank()))
	a.Residual.ErrorName = residualError
	if rss <= ConstantTol*ConstantTol*squares(y) {
		a.Residual.SS, a.Residual.MS = 0, 0
		a.Warnings = append(a.Warnings, Warning{ConstantData, "the model explains everything: there is no error to test against"})
	}
}

// factorial is the full model of a design, term by term.
type factorial struct {
	constant subspace
	blocks   int
	block    [][]float64
	terms    [][]int
	columns  [][][]float64 // by term
}

func newFactorial(d Design) factorial {
	levels, counts := closeGaps(d.Levels)
	m := factorial{constant: grandMean(len(d.Y)), block: factorColumns(d.Block), terms: grid{levels: counts}.terms()}
	_, m.blocks = renumber(d.Block)
	for _, term := range m.terms {
		m.columns = append(m.columns, termColumns(levels, counts, term))
	}
	return m
}

// expectedRank is the number of columns, were none aliased.
func (m factorial) expectedRank() int {
	rank := m.blocks
	for _, c := range m.columns {
		rank += len(c)
	}
	return rank
}

// space is the model of blocks and the given terms.
func (m factorial) space(terms ...[]int) subspace {
	s := m.constant.with(m.block)
	for i, t := range m.terms {
		if slices.ContainsFunc(terms, func(u []int) bool { return slices.Equal(t, u) }) {
			s.add(m.columns[i])
		}
	}
	return s
}

// pair are the models without and with the i-th term between which the term
// is tested.
func (m factorial) pair(i int, types SumsOfSquares) (smaller, larger subspace) {
	var others [][]int
	for j, t := range m.terms {
		switch {
		case j == i,
			types == TypeI && j > i,
			types == TypeII && containsAll(t, m.terms[i]):
			continue
		}
		others = append(others, t)
	}
	return m.space(others...), m.space(append(slices.Clone(others), m.terms[i])...)
}

// containsAll tells whether a term holds all factors of another.
func containsAll(term, other []int) bool {
	for _, f := range other {
		if !slices.Contains(term, f) {
			return false
		}
	}
	return true
}

// MultiMachine is the analysis of variance of a factorial experiment that was
// repeated on several machines, with blocks of their own: y = block within
// machine + terms + terms by machine + error. Rows are the terms and then the
// same terms by machine, in which the machine has the index of one more
// factor: they ask whether the effects differ between these machines. A claim
// about machines in general has only as many units as there are machines.
func MultiMachine(d Design, machine []int) ANOVA {
	a := ANOVA{Method: "analysis of variance, blocks within machines"}
	a.Refused = d.malformed()
	if a.Refused == "" && len(machine) != len(d.Y) {
		a.Refused = "machines and values differ in number"
	}
	if a.Refused != "" {
		return a
	}
	m := newFactorial(d)
	nested := pairNumbers(machine, d.Block)
	space := m.constant.with(factorColumns(nested))
	_, a.N = renumber(nested)
	a.Blocks = dropRow(nil, m.constant, space, d.Y)
	by := factorColumns(machine)
	terms, columns := m.terms, m.columns
	for i, t := range m.terms {
		terms = append(terms, append(slices.Clone(t), len(d.Levels[0])))
		columns = append(columns, productColumns(m.columns[i], by))
	}
	for i := range terms {
		larger := space.with(columns[i])
		a.Rows = append(a.Rows, dropRow(terms[i], space, larger, d.Y))
		space = larger
	}
	a.setError(space, d.Y, 0, TypeI)
	if !a.enoughError(a.Residual) {
		a.Rows = nil
		return a
	}
	for i := range a.Rows {
		a.Rows[i] = a.Rows[i].against(a.Residual)
	}
	a.Blocks = a.Blocks.against(a.Residual)
	return a
}

// pairNumbers gives equal numbers to equal pairs.
func pairNumbers(a, b []int) []int {
	x, _ := renumber(a)
	y, count := renumber(b)
	out := make([]int, len(a))
	for i := range out {
		out[i] = x[i]*count + y[i]
	}
	return out
}

// LatinSquare is the analysis of variance of rows, columns and treatments:
// Rows 0, 1 and 2 of the table. Squares may be replicated. Fewer than four
// degrees of freedom of error, as in a single square of three, are refused.
func LatinSquare(row, column, treatment []int, y []float64) ANOVA {
	a := ANOVA{Method: "analysis of variance, Latin square", Refused: badInput(y)}
	if a.Refused == "" && (len(row) != len(y) || len(column) != len(y) || len(treatment) != len(y)) {
		a.Refused = "rows, columns, treatments and values differ in number"
	}
	if a.Refused != "" {
		return a
	}
	space := grandMean(len(y))
	_, a.N = renumber(row)
	for i, factor := range [][]int{row, column, treatment} {
		larger := space.with(factorColumns(factor))
		a.Rows = append(a.Rows, dropRow([]int{i}, space, larger, y))
		space = larger
	}
	a.setError(space, y, 0, TypeI)
	if !a.enoughError(a.Residual) {
		a.Rows = nil
		return a
	}
	for i := range a.Rows {
		a.Rows[i] = a.Rows[i].against(a.Residual)
	}
	return a
}
