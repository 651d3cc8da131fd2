package stat

import (
	"fmt"
	"math"
	"slices"
)

// Nested are the values of a two-level experiment: by trial, then by sample.
type Nested [][]float64

// NestedStatistic computes a number from resampled trials. It must not keep
// or change them.
type NestedStatistic func(trials Nested) float64

// MeanOfMeans is the mean of the trials' means.
func MeanOfMeans(trials Nested) float64 {
	means := make([]float64, len(trials))
	for i, t := range trials {
		means[i] = average(t)
	}
	return average(means)
}

// HierarchicalBootstrap resamples trials, and within each drawn trial its
// samples, both with replacement (Kalibera & Jones, ISMM 2013), and gives the
// percentile interval. Its variance is known to be somewhat too large: the
// samples within trials count twice. It refuses fewer than ten trials; a t
// interval of the trials' means needs none of this.
func HierarchicalBootstrap(trials Nested, statistic NestedStatistic, b int, seed uint64, conf float64) Estimate {
	const method = "hierarchical percentile bootstrap"
	why := firstOf(badConfidence(conf), atLeast(len(trials), minBootstrap, "trial"), atLeast(b, 100, "resample"))
	for _, t := range trials {
		why = firstOf(why, badInput(t))
	}
	if why != "" {
		return refused(method, len(trials), conf, "%s", why)
	}
	rows := make([][]int, b)
	for r := range rows {
		rows[r] = []int{r}
	}
	s := replicate(func(r []int) float64 { return statistic(drawNested(trials, seed, uint64(r[0]))) }, rows)
	if why := badInput(s); why != "" {
		return refused(method, len(trials), conf, "the statistic cannot be computed for every resample: %s", why)
	}
	slices.Sort(s)
	e := Estimate{Value: statistic(trials), Lo: normalInterpolated(s, (1-conf)/2), Hi: normalInterpolated(s, (1+conf)/2),
		Confidence: conf, N: len(trials), Method: fmt.Sprintf("%s, %d resamples", method, b)}
	if len(trials) < fewBootstrap {
		e.warn(FewBlocks, "%s are few: the interval is too narrow", plural(len(trials), "trial"))
	}
	return e
}

// drawNested is one resample of trials and of samples within them.
func drawNested(trials Nested, seed, replicate uint64) Nested {
	g := substream(seed, replicate)
	out := make(Nested, len(trials))
	for i := range out {
		from := trials[below(g, len(trials))]
		out[i] = make([]float64, len(from))
		for j := range out[i] {
			out[i][j] = from[below(g, len(from))]
		}
	}
	return out
}

// AllHierarchical is the statistic of every equally likely resample: what
// HierarchicalBootstrap tends to. A reason is given where they are more than
// 100,000 or the trials differ in length.
func AllHierarchical(trials Nested, statistic NestedStatistic) (values []float64, refused string) {
	if len(trials) == 0 || len(trials[0]) == 0 {
		return nil, "there are no values"
	}
	r, k := float64(len(trials)), float64(len(trials[0]))
	if math.Pow(r, r)*math.Pow(k, r*k) > maxEnumeration {
		return nil, "there are too many resamples to list"
	}
	within, _ := AllIndices(len(trials[0]))
	var resampled []Nested // of each trial
	for _, t := range trials {
		if len(t) != len(trials[0]) {
			return nil, "the trials differ in their number of samples"
		}
		resampled = append(resampled, pickAll(t, within))
	}
	drawn, _ := AllIndices(len(trials))
	for _, rows := range drawn {
		values = append(values, eachChoice(resampled, rows, nil, statistic)...)
	}
	return values, ""
}

// pickAll are the values at each of the rows of indices.
func pickAll(values []float64, rows [][]int) Nested {
	var out Nested
	for _, row := range rows {
		picked := make([]float64, len(row))
		for i, at := range row {
			picked[i] = values[at]
		}
		out = append(out, picked)
	}
	return out
}

// eachChoice completes the trials chosen so far in every way.
func eachChoice(resampled []Nested, rows []int, chosen Nested, statistic NestedStatistic) []float64 {
	if len(chosen) == len(rows) {
		return []float64{statistic(chosen)}
	}
	var out []float64
	for _, samples := range resampled[rows[len(chosen)]] {
		out = append(out, eachChoice(resampled, rows, append(slices.Clone(chosen), samples), statistic)...)
	}
	return out
}

// VarianceComponents is the variance that each level of a nested experiment
// adds. Slices run from the innermost level (samples) to the outermost.
type VarianceComponents struct {
	Mean     Estimate  // of the whole, from the means of the outermost level
	S2       []float64 // variance of the means at a level about their parent
	T2       []float64 // the level's own contribution; not above zero: none detectable
	Warnings []Warning
	Refused  string
}

// Components splits the variance of values that are nested in equal numbers
// at each level (Kalibera & Jones, ISMM 2013, with the authors' correction of
// T²). reps are the numbers of repetitions from the outermost level to the
// innermost, and values run through the innermost fastest. It refuses less
// than two repetitions at a level, and gives no interval below five at the
// outermost.
func Components(values []float64, reps []int, conf float64) VarianceComponents {
	why := firstOf(badInput(values), badConfidence(conf), badReps(len(values), reps))
	if why != "" {
		return VarianceComponents{Mean: refused("mean of nested means", 0, conf, "%s", why), Refused: why}
	}
	var v VarianceComponents
	level := values
	for i := len(reps) - 1; i >= 0; i-- {
		means, spread := reduce(level, reps[i])
		v.S2 = append(v.S2, spread)
		level = means
	}
	v.T2 = make([]float64, len(v.S2))
	for i, s2 := range v.S2 {
		v.T2[i] = s2
		if i > 0 {
			v.T2[i] -= v.S2[i-1] / float64(reps[len(reps)-i])
		}
	}
	v.Mean = componentsMean(values, reps, conf)
	return v
}

// badReps says why the nesting does not fit, or nothing.
func badReps(n int, reps []int) string {
	if len(reps) == 0 {
		return "there are no levels"
	}
	total := 1
	for _, r := range reps {
		if r < 2 {
			return "each level needs at least two repetitions"
		}
		total *= r
	}
	if total != n {
		return fmt.Sprintf("the repetitions make %d values, and there are %d", total, n)
	}
	return ""
}

// reduce gives the means of consecutive runs of r values, and the pooled
// variance within the runs.
func reduce(values []float64, r int) (means []float64, within float64) {
	for at := 0; at < len(values); at += r {
		m, v := meanVariance(values[at : at+r])
		means = append(means, m)
		within += v
	}
	return means, within / float64(len(means))
}

// componentsMean is the t interval of the means of the outermost level.
func componentsMean(values []float64, reps []int, conf float64) Estimate {
	means, _ := reduce(values, len(values)/reps[0])
	e := meanInterval(means, conf)
	e.Method = "mean, t interval over the outermost level"
	if reps[0] < 5 {
		e.Lo, e.Hi = math.NaN(), math.NaN()
		e.warn(NoInterval, "%d repetitions of the outermost level are too few for an interval", reps[0])
	} else if reps[0] < 10 {
		e.warn(FewBlocks, "%d repetitions of the outermost level are few", reps[0])
	}
	return e
}

// Repetitions is how often to repeat a level within the one above for the
// least cost, not rounded: √(costAbove/cost · T²/T²above), by level from the
// innermost; costs run the same way. NaN where a level adds nothing.
func (v VarianceComponents) Repetitions(costs []float64) []float64 {
	var out []float64
	for i := 0; i+1 < len(v.T2) && i+1 < len(costs); i++ {
		r := math.NaN()
		if v.T2[i] > 0 && v.T2[i+1] > 0 {
			r = math.Sqrt(costs[i+1] / costs[i] * v.T2[i] / v.T2[i+1])
		}
		out = append(out, r)
	}
	return out
}
