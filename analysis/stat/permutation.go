package stat

import "math"

// exactPermutations is the largest number of assignments that are counted;
// beyond, as many as randomFlips are drawn.
const exactPermutations = 1_000_000

// PermutationTest is a randomization test of the difference of two means.
type PermutationTest struct {
	Diff               float64 // mean of a less mean of b
	N                  int     // assignments that were looked at, the observed one among them
	P, PLess, PGreater float64
	Exact              bool
	Refused            string
}

// Permutation compares the observed difference of the means of two groups
// with those of all ways to deal the values into groups of these sizes. It is
// valid for a completely randomized order; within blocks SignFlip is. Beyond a million assignments 99,999 are drawn from
// the seed.
func Permutation(a, b []float64, seed uint64) PermutationTest {
	nan := math.NaN()
	t := PermutationTest{Diff: nan, P: nan, PLess: nan, PGreater: nan}
	if t.Refused = firstOf(badInput(a), badInput(b)); t.Refused != "" {
		return t
	}
	t.Diff = average(a) - average(b)
	all := append(append([]float64{}, a...), b...)
	all = shifted(all, average(all))
	c := newTally(all, len(a))
	if t.Exact = combinations(len(all), len(a)) <= exactPermutations; t.Exact {
		c.countAll(all, len(a), 0)
	} else {
		c.add(c.observed)
		c.draw(all, len(a), seed)
	}
	t.N = c.n
	t.P, t.PLess, t.PGreater = c.share(c.far), c.share(c.low), c.share(c.high)
	return t
}

// tally counts assignments by the sum that falls to the first group, of
// values that sum to zero: the difference of the means is proportional to it.
type tally struct {
	observed, slack   float64
	n, low, high, far int
}

// newTally takes the first m values for the observed first group.
func newTally(all []float64, m int) *tally {
	c := &tally{}
	for i, x := range all {
		c.slack += tieSlack * math.Abs(x)
		if i < m {
			c.observed += x
		}
	}
	return c
}

func (c *tally) add(sum float64) {
	c.n++
	if sum <= c.observed+c.slack {
		c.low++
	}
	if sum >= c.observed-c.slack {
		c.high++
	}
	if math.Abs(sum) >= math.Abs(c.observed)-c.slack {
		c.far++
	}
}

func (c *tally) share(count int) float64 { return float64(count) / float64(c.n) }

// countAll adds every choice of m of the values to the sum so far.
func (c *tally) countAll(values []float64, m int, sum float64) {
	if m == 0 {
		c.add(sum)
		return
	}
	for i := 0; i <= len(values)-m; i++ {
		c.countAll(values[i+1:], m-1, sum+values[i])
	}
}

// draw adds random choices of m of the values, each from its own substream.
func (c *tally) draw(values []float64, m int, seed uint64) {
	deck := make([]float64, len(values))
	for r := range randomFlips {
		g := substream(seed, uint64(r))
		copy(deck, values)
		sum := 0.0
		for i := range m {
			j := i + below(g, len(deck)-i)
			deck[i], deck[j] = deck[j], deck[i]
			sum += deck[i]
		}
		c.add(sum)
	}
}

// combinations is n over k, or infinity.
func combinations(n, k int) float64 {
	c := 1.0
	for i := range min(k, n-k) {
		c = c * float64(n-i) / float64(i+1)
	}
	return math.Round(c)
}
