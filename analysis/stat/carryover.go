package stat

import (
	"fmt"
	"math"
)

// minPairs is how often each treatment must have followed each other one.
const minPairs = 2

// CarryOverTest tells whether a treatment leaves something behind for the
// trial after it.
type CarryOverTest struct {
	Carry     ANOVARow // the predecessor, after sequence, period and treatment
	Treatment ANOVARow // the treatment, after sequence, period and predecessor
	Refused   string
}

// CarryOver tests y = sequence + period + treatment + predecessor + error
// (Jones & Kenward, Design and Analysis of Cross-Over Trials, 2014). previous
// is the treatment of the trial before, negative for the first of a sequence.
// In a fixed cyclic order the predecessor says nothing that the treatment does
// not, and the test is refused; so it is where an ordered pair of treatments
// was seen less than twice.
func CarryOver(sequence, period, treatment, previous []int, y []float64) CarryOverTest {
	if why := badCarryOver(sequence, period, treatment, previous, y); why != "" {
		return CarryOverTest{Refused: why}
	}
	y = withinSequences(sequence, [][]float64{y})[0]
	var base subspace
	base.add(withinSequences(sequence, factorColumns(period)))
	effect := withinSequences(sequence, factorColumns(treatment))
	carry := withinSequences(sequence, previousColumns(treatment, previous))
	full := base.with(effect, carry)
	if full.rank() < base.with(effect).rank()+len(carry) {
		return CarryOverTest{Refused: "the predecessor follows from treatment and position: the order was not random, and what is carried over cannot be told from the treatment"}
	}
	residual := meanSquareRow(nil, full.rss(y), float64(len(y)-full.rank()-countOf(sequence)))
	residual.ErrorName = residualError
	if residual.DF < minErrorDF {
		return CarryOverTest{Refused: fmt.Sprintf("the error has %g degrees of freedom, and the method needs at least %d", residual.DF, minErrorDF)}
	}
	return CarryOverTest{
		Carry:     dropRow(nil, base.with(effect), full, y).against(residual),
		Treatment: dropRow(nil, base.with(carry), full, y).against(residual),
	}
}

// withinSequences are columns less their mean in each sequence. What they then
// say is what they say beyond the sequences (Frisch & Waugh, Econometrica 1,
// 1933), which need no columns of their own: there may be hundreds. A column
// that only tells sequences apart becomes zero.
func withinSequences(sequence []int, columns [][]float64) [][]float64 {
	at, count := renumber(sequence)
	out := make([][]float64, len(columns))
	for k, c := range columns {
		sum, n := make([]float64, count), make([]float64, count)
		for i, x := range c {
			sum[at[i]] += x
			n[at[i]]++
		}
		out[k] = make([]float64, len(c))
		for i, x := range c {
			out[k][i] = x - sum[at[i]]/n[at[i]]
		}
		if math.Sqrt(squares(out[k])) <= aliased*math.Sqrt(squares(c)) {
			clear(out[k])
		}
	}
	return out
}

func countOf(xs []int) int {
	_, count := renumber(xs)
	return count
}

// previousColumns are the sum-to-zero columns of the predecessor, zero where
// there is none.
func previousColumns(treatment, previous []int) [][]float64 {
	both := append(append([]int{}, treatment...), previous...)
	for i, p := range both {
		if p < 0 {
			both[i] = treatment[0] // any; its entries are cleared below
		}
	}
	columns := factorColumns(both)
	for k := range columns {
		columns[k] = columns[k][len(treatment):]
		for i, p := range previous {
			if p < 0 {
				columns[k][i] = 0
			}
		}
	}
	return columns
}

func badCarryOver(sequence, period, treatment, previous []int, y []float64) string {
	if why := badInput(y); why != "" {
		return why
	}
	n := len(y)
	if len(sequence) != n || len(period) != n || len(treatment) != n || len(previous) != n {
		return "sequences, periods, treatments and values differ in number"
	}
	levels, count := renumber(treatment)
	if count < 2 {
		return "there must be at least two treatments"
	}
	index := map[int]int{}
	for i, t := range treatment {
		index[t] = levels[i]
	}
	seen := make([][]int, count)
	for i := range seen {
		seen[i] = make([]int, count)
	}
	for i, p := range previous {
		if at, ok := index[p]; ok && p >= 0 {
			seen[at][levels[i]]++
		}
	}
	for a := range seen {
		for b, times := range seen[a] {
			if a != b && times < minPairs {
				return fmt.Sprintf("not every treatment followed every other one at least %d times: with a fixed order what is carried over cannot be told from the treatment", minPairs)
			}
		}
	}
	return ""
}
