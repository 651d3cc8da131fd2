package analysis

import (
	"math"
	"slices"

	"fieldbook/analysis/stat"
)

// Misfit is the code of a number that rests on a model which does not fit.
const Misfit = "W_MISFIT"

const (
	// minKneeBlocks is the least number of blocks that can be resampled.
	minKneeBlocks = 10
	// kneeResamples makes the ranks of the bounds whole: 25 and 975.
	kneeResamples = 999
)

// Knee is where the scalability law of this curve turns, N* = √((1−σ)/κ)
// (Gunther 2007), with the percentile interval over resampled blocks. It is
// refused where the law is, and where it has no peak. A knee beyond the
// levels measured is extrapolated and carries BeyondData.
func (s CurveSeries) Knee() Estimate {
	e := Estimate{Stat: "knee", Unit: "1"}
	if s.ladder == nil {
		e.Estimate = refused("%s", s.Line.Refused)
		return e
	}
	e = s.kneeLabel
	caveats := e.Warnings
	law := CurveFit{Refused: "the scalability law is not fitted"}
	for _, f := range s.Fits {
		if f.Model == uslModel {
			law = f
		}
	}
	switch {
	case law.Refused != "":
		e.Estimate = refused("no knee: %s", law.Refused)
		return e
	case math.IsInf(peak(law.Coef), 1):
		e.Estimate = refused("no knee: the scalability law has contention and no coherence, and so no peak")
		return e
	}
	e.Estimate = s.kneeInterval(law.Coef)
	e.addWarnings(caveats)
	last := s.ladder.xs[len(s.ladder.xs)-1]
	if e.Value > last || e.Value < s.ladder.xs[0] {
		e.warn(stat.BeyondData, "extrapolated: it lies outside %s to %s, the levels measured", s.ladder.levels[0], s.ladder.levels[len(s.ladder.levels)-1])
	}
	if law.LackP < alpha {
		e.warn(Misfit, "the scalability law does not fit (lack of fit %s)", PText(law.LackP))
	}
	return e
}

// peak is N* of the law's parameters; +Inf where there is none.
func peak(p []float64) float64 {
	if len(p) < 3 || !(p[2] > 0) {
		return math.Inf(1)
	}
	return math.Sqrt((1 - p[1]) / p[2])
}

// kneeInterval is the knee with its interval. A resample without a peak has
// its knee at infinity, so that the interval may be open.
func (s CurveSeries) kneeInterval(coef []float64) stat.Estimate {
	rows := s.ladder.rows()
	e := stat.Estimate{Value: peak(coef), Lo: math.NaN(), Hi: math.NaN(), Confidence: confidence, N: len(rows), Method: "peak of the scalability law"}
	if len(rows) < minKneeBlocks {
		e.Warnings = []stat.Warning{{Code: stat.NoInterval, Text: plural(len(rows), "block") + ": an interval takes ten, which are resampled"}}
		return e
	}
	var knees []float64
	for _, at := range stat.RandomIndices(len(rows), kneeResamples, stat.Seed(s.kneeLabel.Metric+" knee "+s.kneeLabel.Selection)) {
		if k := s.resampledKnee(rows, at, coef); !math.IsNaN(k) {
			knees = append(knees, k)
		}
	}
	e.Method = "peak of the scalability law, percentile bootstrap over blocks"
	if 20*len(knees) < 19*kneeResamples {
		e.Warnings = []stat.Warning{{Code: stat.NotConverged, Text: "the law cannot be fitted to more than a twentieth of the resamples: there is no interval"}}
		return e
	}
	slices.Sort(knees)
	rank := float64(len(knees)+1) * (1 - confidence) / 2
	e.Lo, e.Hi = knees[int(math.Floor(rank))-1], knees[len(knees)-int(math.Floor(rank))]
	if len(rows) < 2*minKneeBlocks {
		e.Warnings = []stat.Warning{{Code: stat.FewBlocks, Text: plural(len(rows), "block") + " are few: bootstrap intervals are too narrow"}}
	}
	return e
}

// resampledKnee is the knee of resampled blocks; NaN where the law cannot be
// fitted to them.
func (s CurveSeries) resampledKnee(rows [][]float64, at []int, start []float64) float64 {
	d := curveData{x: s.ladder.xs, logs: make([]float64, len(s.ladder.xs)), blocks: len(rows), better: s.better}
	for _, i := range at {
		for j, v := range rows[i] {
			d.logs[j] += v / float64(len(at))
		}
	}
	p, why := d.curved(d.ofRate(uslAt), start)
	switch {
	case why != "":
		return math.NaN()
	case p[2] > 0 && p[1] >= 1: // no law, and no place to turn
		return math.NaN()
	}
	return peak(p)
}
