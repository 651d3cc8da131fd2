package stat

import "math"

// SeriesShape says how a series of calls behaves from its start on.
type SeriesShape string

const (
	Flat        SeriesShape = "flat"            // steady from the first call
	WarmUp      SeriesShape = "warm-up"         // slower first, then steady
	Slowdown    SeriesShape = "slowdown"        // faster first, then steady
	NotSteady   SeriesShape = "no steady state" // still changing in the last third
	steadyDelta             = 0.01              // relative difference that does not count
)

// SteadyState is where a series of calls becomes steady.
type SteadyState struct {
	Shape    SeriesShape
	From     int     // index of the first steady call; -1 where there is none
	Mean     float64 // of the steady part
	Segments []Segment
	MSER     int // a second opinion on From; -1 where the calls are too few
	Warnings []Warning
	Refused  string
}

// Steady classifies a series of calls, in order, by its change points (after
// Barrett et al., OOPSLA 2017). Going back from the last segment, a segment is
// like it when their means differ by less than one per cent or two standard
// errors; the steady part begins after the last one that is not. Nothing is
// discarded: report the start and the steady part apart. It refuses fewer
// than 100 calls.
func Steady(calls []float64) SteadyState {
	why := firstOf(badInput(calls), atLeast(len(calls), fewCalls, "call"))
	if why != "" {
		return SteadyState{From: -1, MSER: -1, Mean: math.NaN(), Refused: why}
	}
	p := PELT(calls, MeanVarianceChange, DefaultPenalty(len(calls)))
	s := SteadyState{Segments: p.Segments, Warnings: p.Warnings, MSER: MSER(calls), Shape: Flat}
	last := p.Segments[len(p.Segments)-1]
	for i := len(p.Segments) - 1; i >= 0; i-- {
		if g := p.Segments[i]; !alike(g, last) {
			s.From = g.End
			s.Shape = shapeBefore(p.Segments[:i+1], last)
			break
		}
	}
	s.Mean = average(calls[s.From:])
	if 3*s.From > 2*len(calls) {
		s.Shape, s.From, s.Mean = NotSteady, -1, math.NaN()
	}
	return s
}

// alike tells whether a segment is as fast as the last one.
func alike(g, last Segment) bool {
	se := math.Sqrt(g.Variance/float64(g.End-g.Start) + last.Variance/float64(last.End-last.Start))
	return math.Abs(g.Mean-last.Mean) <= math.Max(steadyDelta*math.Abs(last.Mean), 2*se)
}

// shapeBefore compares the mean of what came before with the steady one.
func shapeBefore(before []Segment, last Segment) SeriesShape {
	sum, n := 0.0, 0.0
	for _, g := range before {
		sum += g.Mean * float64(g.End-g.Start)
		n += float64(g.End - g.Start)
	}
	if sum/n > last.Mean {
		return WarmUp
	}
	return Slowdown
}

// mserBatch is the number of calls that MSER averages first.
const mserBatch = 5

// MSER is the number of calls to leave out at the start so that the standard
// error of the mean of the rest is least (White, Simulation 69, 1997), on
// means of five calls and within the first half; -1 below ten batches.
func MSER(calls []float64) int {
	n := len(calls) / mserBatch
	if badInput(calls) != "" || n < 10 {
		return -1
	}
	batches := make([]float64, n)
	for i := range batches {
		batches[i] = average(calls[i*mserBatch : (i+1)*mserBatch])
	}
	best, at := math.Inf(1), 0
	for d := range n/2 + 1 {
		rest := float64(n - d)
		if v := sumSquares(batches[d:]) / (rest * rest); v < best {
			best, at = v, d
		}
	}
	return at * mserBatch
}

// mostPoints bounds the work of Settle: PELT takes up to the square of the
// length where nothing changes.
const mostPoints = 255

// Settling is where a long series of calls becomes steady.
type Settling struct {
	SteadyState
	Batch int     // calls behind each point that was looked at: From and MSER are told to within so many
	Off   float64 // median of the calls before From over that from it on, less 1; NaN where all or none are steady
}

// Settle is Steady for series of any length and for wild calls: calls beyond
// three quartile distances (Tukey 1977) are drawn in to there, as one call that
// took a hundred times as long would be a segment of its own, and a long series
// is averaged over neighbours to at most 255 points. Off is of the calls as
// they are.
func Settle(calls []float64) Settling {
	batch := 1
	for len(calls)/batch > mostPoints {
		batch *= 2
	}
	s := Settling{Batch: batch, Off: math.NaN(), SteadyState: SteadyState{From: -1, MSER: -1, Mean: math.NaN()}}
	if s.Refused = firstOf(badInput(calls), atLeast(len(calls), fewCalls, "call")); s.Refused != "" {
		return s
	}
	s.SteadyState = Steady(batchMeans(drawnIn(calls), batch))
	for i := range s.Segments {
		s.Segments[i].Start *= batch
		s.Segments[i].End *= batch
	}
	if s.MSER > 0 {
		s.MSER *= batch
	}
	if s.From > 0 {
		s.From *= batch
		s.Off = median(calls[:s.From])/median(calls[s.From:]) - 1
	}
	return s
}

// drawnIn are values no further out than three quartile distances; as they are
// where the middle half is equal.
func drawnIn(xs []float64) []float64 {
	s := sorted(xs)
	lo, hi := sortedQuantile(s, 0.25, 7), sortedQuantile(s, 0.75, 7)
	far := 3 * (hi - lo)
	if far == 0 {
		return xs
	}
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = math.Min(math.Max(x, lo-far), hi+far)
	}
	return out
}

// batchMeans are the means of each so many neighbours; what is left at the end
// is no batch.
func batchMeans(xs []float64, batch int) []float64 {
	if batch == 1 {
		return xs
	}
	out := make([]float64, len(xs)/batch)
	for i := range out {
		out[i] = average(xs[i*batch : (i+1)*batch])
	}
	return out
}
