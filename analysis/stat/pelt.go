package stat

import "math"

// ChangeModel is what may change between segments of a series, and how well
// a segment fits.
type ChangeModel int

const (
	// MeanChange lets the mean change, for values of unit variance.
	MeanChange ChangeModel = iota
	// MeanVarianceChange lets both change.
	MeanVarianceChange
	// MeanVarianceMBIC adds the logarithm of each segment's length (Zhang &
	// Siegmund, Biometrics 63, 2007).
	MeanVarianceMBIC
)

// fewCalls is the length below which change points in calls mean little.
const fewCalls = 100

// Segment is a stretch of a series without change.
type Segment struct {
	Start, End int // first index, and the one after the last
	Mean       float64
	Variance   float64 // divided by the length
}

// Segmentation is a series cut at its change points.
type Segmentation struct {
	Segments []Segment
	Warnings []Warning
	Refused  string
}

// Changes are the indices at which a new segment starts.
func (s Segmentation) Changes() []int {
	out := []int{}
	for _, g := range s.Segments[min(1, len(s.Segments)):] {
		out = append(out, g.Start)
	}
	return out
}

// DefaultPenalty is 15 ln n, for MeanVarianceChange (Barrett et al., OOPSLA
// 2017).
func DefaultPenalty(n int) float64 { return 15 * math.Log(float64(n)) }

// PELT cuts a series where the summed cost of its segments plus the penalty
// for each cut is least (Killick, Fearnhead & Eckley, JASA 107, 2012). The
// cost is twice the negative Gaussian log-likelihood at its maximum. A
// segment has at least two values where the variance may change.
func PELT(xs []float64, model ChangeModel, penalty float64) Segmentation {
	if why := badInput(xs); why != "" {
		return Segmentation{Refused: why}
	}
	if !(penalty >= 0) {
		return Segmentation{Refused: "the penalty must not be negative"}
	}
	c := newSegmentCost(xs, model)
	var s Segmentation
	for _, g := range c.cuts(len(xs), penalty) {
		m, _ := meanVariance(xs[g[0]:g[1]])
		v := sumSquares(xs[g[0]:g[1]]) / float64(g[1]-g[0])
		s.Segments = append(s.Segments, Segment{g[0], g[1], m, v})
	}
	if len(xs) < fewCalls {
		s.Warnings = append(s.Warnings, Warning{FewBlocks, plural(len(xs), "value") + " are few for change points"})
	}
	return s
}

// segmentCost gives the cost of any segment in constant time, from running
// sums of the values less their median.
type segmentCost struct {
	model     ChangeModel
	sum, sum2 []float64
	floor     float64 // least variance: a segment of equal values costs a finite amount
	least     int     // length of a segment
}

func newSegmentCost(xs []float64, model ChangeModel) *segmentCost {
	center := median(xs)
	c := &segmentCost{model: model, sum: make([]float64, len(xs)+1), sum2: make([]float64, len(xs)+1), least: 2}
	if model == MeanChange {
		c.least = 1
	}
	for i, x := range shifted(xs, center) {
		c.sum[i+1] = c.sum[i] + x
		c.sum2[i+1] = c.sum2[i] + x*x
	}
	c.floor = 1e-11 * center * center
	if c.floor == 0 {
		c.floor = 1e-11 * math.Max(c.sum2[len(xs)]/float64(len(xs)), math.SmallestNonzeroFloat64*1e20)
	}
	return c
}

// of is the cost of the values from index a up to b.
func (c *segmentCost) of(a, b int) float64 {
	n := float64(b - a)
	s, s2 := c.sum[b]-c.sum[a], c.sum2[b]-c.sum2[a]
	rss := s2 - s*s/n
	if c.model == MeanChange {
		return rss
	}
	cost := n * (math.Log(2*math.Pi) + math.Log(math.Max(rss/n, c.floor)) + 1)
	if c.model == MeanVarianceMBIC {
		cost += math.Log(n)
	}
	return cost
}

// cuts are the segments of least total cost, as pairs of indices. A start s
// with best(s) + cost(s, t) above best(t) is dropped: for all ends that leave
// room for a segment from t on, t is the better start.
func (c *segmentCost) cuts(n int, penalty float64) [][2]int {
	best, from := make([]float64, n+1), make([]int, n+1)
	for t := range best {
		best[t] = math.Inf(1)
	}
	best[0] = -penalty
	var starts []int
	for end := c.least; end <= n; end++ {
		if t := end - c.least; t == 0 || t >= c.least {
			starts = append(c.prune(starts, t, best), t)
		}
		for _, s := range starts {
			if v := best[s] + c.of(s, end) + penalty; v < best[end] {
				best[end], from[end] = v, s
			}
		}
	}
	return backtrack(from, n)
}

// prune keeps the starts that may still begin the last segment of a series
// longer than t. The slack allows for costs that are less than additive: by
// the floor of the variance, and by the logarithm of a length.
func (c *segmentCost) prune(starts []int, t int, best []float64) []int {
	slack := 1.0
	if c.model == MeanVarianceMBIC {
		slack += math.Log(float64(len(best)))
	}
	kept := starts[:0]
	for _, s := range starts {
		if t-s < c.least || best[s]+c.of(s, t) <= best[t]+slack {
			kept = append(kept, s)
		}
	}
	return kept
}

// backtrack follows the starts of the last segments back to 0.
func backtrack(from []int, n int) [][2]int {
	if n == 0 {
		return nil
	}
	if from[n] == 0 {
		return [][2]int{{0, n}}
	}
	return append(backtrack(from, from[n]), [2]int{from[n], n})
}
