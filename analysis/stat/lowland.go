package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// What a histogram of quantiles has: bins of equal share, and how much of the
// water between two peaks must be air for them to be two modes.
const (
	lowlandBins  = 100
	lowlandShare = 0.5
	minLowland   = 100
	mostLowland  = 2_000 // of longer data every k-th value in order stands for all
)

// Mode is one of several modes of a sample.
type Mode struct {
	Lo, Hi float64 // the values that belong to it
	Median float64
	Share  float64 // of all values
}

// Lowlands splits a sample at the lowlands between its modes (Akinshin,
// "Lowland multimodality detection", 2020). The density is that of a hundred
// bins of equal share, between quantiles of Harrell and Davis. Water fills the
// valley between two peaks up to the lower one; where less than half of the
// water's area is filled by bins, the valley parts two modes. One mode is
// returned where there is no such valley. It refuses fewer than 100 values,
// and values of which many are equal.
func Lowlands(xs []float64) (modes []Mode, refused string) {
	if why := badInput(xs); why != "" {
		return nil, why
	}
	if why := atLeast(len(xs), minLowland, "value"); why != "" {
		return nil, why
	}
	s := sorted(xs)
	heights, edges := quantileHistogram(s)
	if slices.ContainsFunc(heights, func(h float64) bool { return math.IsInf(h, 0) || math.IsNaN(h) }) {
		return nil, "too many values are equal to see modes in"
	}
	cuts := lowlandCuts(heights, edges)
	from := 0
	for _, cut := range append(cuts, math.Inf(1)) {
		to := from
		for to < len(s) && s[to] <= cut {
			to++
		}
		if to > from {
			part := s[from:to]
			modes = append(modes, Mode{Lo: part[0], Hi: part[len(part)-1], Median: median(part), Share: float64(len(part)) / float64(len(s))})
		}
		from = to
	}
	return modes, ""
}

// quantileHistogram is the density by bins of equal share of sorted values.
func quantileHistogram(s []float64) (heights, edges []float64) {
	if len(s) > mostLowland {
		step := float64(len(s)-1) / (mostLowland - 1)
		thin := make([]float64, mostLowland)
		for i := range thin {
			thin[i] = s[int(math.Round(float64(i)*step))]
		}
		s = thin
	}
	edges = make([]float64, lowlandBins+1)
	edges[0], edges[lowlandBins] = s[0], s[len(s)-1]
	for i := 1; i < lowlandBins; i++ {
		edges[i] = harrellDavisSorted(s, float64(i)/lowlandBins)
	}
	heights = make([]float64, lowlandBins)
	for i := range heights {
		heights[i] = 1.0 / lowlandBins / (edges[i+1] - edges[i])
	}
	return heights, edges
}

// harrellDavisSorted is HarrellDavis of sorted values, without the weights
// that are too small to matter.
func harrellDavisSorted(s []float64, p float64) float64 {
	n := float64(len(s))
	a, b := (n+1)*p, (n+1)*(1-p)
	reach := 10 * math.Sqrt(p*(1-p)/(n+2))
	from, to := max(0, int((p-reach)*n)-1), min(len(s), int((p+reach)*n)+2)
	sum, below := 0.0, mathext.RegIncBeta(a, b, float64(from)/n)
	for i := from; i < to; i++ {
		upTo := mathext.RegIncBeta(a, b, float64(i+1)/n)
		sum += (upTo - below) * s[i]
		below = upTo
	}
	return sum
}

// lowlandCuts are the values at which the modes part.
func lowlandCuts(heights, edges []float64) []float64 {
	var cuts []float64
	var open []int // peaks since the last cut, ever lower
	for i := range heights {
		if i > 0 && heights[i] <= heights[i-1] || i+1 < len(heights) && heights[i] < heights[i+1] {
			continue
		}
		for len(open) > 0 {
			top := open[len(open)-1]
			if at, ok := lowland(heights, edges, top, i); ok {
				cuts, open = append(cuts, at), nil
				break
			}
			if heights[top] >= heights[i] {
				break
			}
			open = open[:len(open)-1]
		}
		open = append(open, i)
	}
	return cuts
}

// lowland is the lowest place between two peaks, and whether the valley is
// mostly air below the lower of them.
func lowland(heights, edges []float64, left, right int) (at float64, ok bool) {
	level := math.Min(heights[left], heights[right])
	from, to := left, right
	for from < to && heights[from] > level {
		from++
	}
	for from < to && heights[to] > level {
		to--
	}
	water := (edges[to+1] - edges[from]) * level
	filled := float64(to-from+1) / lowlandBins
	lowest := from
	for i := from; i <= to; i++ {
		if heights[i] < heights[lowest] {
			lowest = i
		}
	}
	return (edges[lowest] + edges[lowest+1]) / 2, filled/water < lowlandShare
}
