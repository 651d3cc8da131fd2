package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// maxKept is how many samples of a trial are kept to see how the noise
// divides; what follows the first thousand of them changes nothing.
const maxKept = 1000

// trialSamples are the first samples of one trial, by column, and how many there were.
type trialSamples struct {
	columns [][]float64
	n       int
}

// splits are how the noise of each sampled column divides between samples and
// trials, over all treatments of the newest session that has samples.
func splits(r *analysis.Result) ([]analysis.Split, error) {
	for _, s := range slices.Backward(r.Data.Sessions) {
		if len(s.SampleColumns) == 0 {
			continue
		}
		trials, err := firstSamples(s)
		if err != nil || len(trials) == 0 {
			return nil, err
		}
		var all []analysis.Split
		for i, c := range s.SampleColumns {
			all = append(all, analysis.SplitNoise(c.Name, sampled(s, trials, i)))
		}
		return all, nil
	}
	return nil, nil
}

// firstSamples are the first samples of each measured trial that is ok.
func firstSamples(s *session.Session) (map[int]*trialSamples, error) {
	wanted := map[[2]int]bool{}
	for _, row := range s.Rows {
		if row.Phase == "measured" && row.Status == session.OK {
			wanted[[2]int{row.Trial, row.Attempt}] = true
		}
	}
	trials := map[int]*trialSamples{}
	for one, err := range s.Samples() {
		if err != nil {
			return nil, err
		}
		if !wanted[[2]int{one.Trial, one.Attempt}] {
			continue
		}
		k := trials[one.Trial]
		if k == nil {
			k = &trialSamples{columns: make([][]float64, len(one.Values))}
			trials[one.Trial] = k
		}
		k.n++
		for i, x := range one.Values {
			if len(k.columns[i]) < maxKept && !math.IsNaN(x) {
				k.columns[i] = append(k.columns[i], x)
			}
		}
	}
	return trials, nil
}

// sampled are the samples of a column by treatment, with what they cost: a
// sample its share of its trial's duration, a trial what lies between the end
// of one and the start of the next.
func sampled(s *session.Session, trials map[int]*trialSamples, column int) []analysis.Sampled {
	by := map[int]*analysis.Sampled{}
	var order []int
	between := perTrial(s) - meanDuration(s)
	for _, row := range s.Rows {
		k := trials[row.Trial]
		if k == nil || row.Status != session.OK || len(k.columns[column]) == 0 {
			continue
		}
		one := by[row.Treatment]
		if one == nil {
			one = &analysis.Sampled{Trial: math.Max(between, 1e-6)}
			by[row.Treatment] = one
			order = append(order, row.Treatment)
		}
		one.Trials = append(one.Trials, k.columns[column])
		one.Sample += row.Duration / float64(k.n)
	}
	slices.Sort(order)
	var all []analysis.Sampled
	for _, treatment := range order {
		one := by[treatment]
		one.Sample /= float64(len(one.Trials))
		all = append(all, *one)
	}
	return all
}

func meanDuration(s *session.Session) float64 {
	sum := 0.0
	for _, row := range s.Rows {
		sum += row.Duration
	}
	return sum / math.Max(1, float64(len(s.Rows)))
}

// splitText is a split as a person reads it.
func splitText(s analysis.Split) string {
	if s.Refused != "" {
		return fmt.Sprintf("samples of %s: how their noise divides was not looked at: %s", s.Column, s.Refused)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "samples of %s: they differ by %s within a trial", s.Column, percent(s.Within))
	switch {
	case math.IsNaN(s.Best):
		b.WriteString(", and trials add nothing to that: more samples serve as well as more trials")
	default:
		fmt.Fprintf(&b, ", trials by another %s; for the least time take about %s a trial (at least %d are recorded) and more blocks", percent(s.Between), count(int(math.Ceil(s.Best)), "sample"), s.Samples)
	}
	return b.String()
}
