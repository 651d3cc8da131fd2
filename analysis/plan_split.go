package analysis

import (
	"math"

	"fieldbook/analysis/stat"
)

// Split is how the noise of a sampled column divides between the samples of a
// trial and the trials of a treatment, and how many samples a trial are the
// cheapest way to a given precision (Kalibera & Jones, ISMM 2013).
type Split struct {
	Column     string
	Treatments int     // that it rests on
	Trials     int     // fewest of a treatment
	Samples    int     // a trial: the fewest of any
	Within     float64 // standard deviation of samples within a trial, relative to the mean
	Between    float64 // what trials add to that, the same; 0: nothing detectable
	Best       float64 // samples a trial at the least cost; NaN: trials add nothing, more samples serve as well as more trials
	Refused    string
}

// Sampled are the samples of one treatment, by trial, and what they cost.
type Sampled struct {
	Trials [][]float64
	Sample float64 // seconds that a sample takes
	Trial  float64 // seconds that a trial takes besides its samples
}

// SplitNoise divides the noise, averaged over treatments relative to their
// means. Each trial counts with as many samples as the one that has fewest,
// its first.
func SplitNoise(column string, of []Sampled) Split {
	s := Split{Column: column, Within: math.NaN(), Between: math.NaN(), Best: math.NaN()}
	var within, between, sample, trial float64
	for _, one := range of {
		n := fewest(one.Trials)
		if len(one.Trials) < 2 || n < 2 {
			continue
		}
		var values []float64
		for _, t := range one.Trials {
			values = append(values, t[:n]...)
		}
		v := stat.Components(values, []int{len(one.Trials), n}, confidence)
		mean := average(values)
		if v.Refused != "" || mean == 0 {
			continue
		}
		if s.Treatments++; s.Treatments == 1 || n < s.Samples {
			s.Samples = n
		}
		if s.Trials == 0 || len(one.Trials) < s.Trials {
			s.Trials = len(one.Trials)
		}
		within, between = within+v.T2[0]/mean/mean, between+v.T2[1]/mean/mean
		sample, trial = sample+one.Sample, trial+one.Trial
	}
	if s.Treatments == 0 {
		s.Refused = "it takes two trials of a treatment with two samples each"
		return s
	}
	k := float64(s.Treatments)
	within, between = within/k, between/k
	s.Within, s.Between = math.Sqrt(within), math.Sqrt(math.Max(0, between))
	best := stat.VarianceComponents{T2: []float64{within, between}}.Repetitions([]float64{sample, trial})
	if s.Best = best[0]; s.Best < 1 {
		s.Best = 1
	}
	return s
}

// fewest is the smallest number of samples of a trial.
func fewest(trials [][]float64) int {
	n := math.MaxInt
	for _, t := range trials {
		n = min(n, len(t))
	}
	return n
}
