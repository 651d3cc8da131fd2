package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis/stat"
)

// minOutliers is the least number of trials among which one can stand out, and
// mostOutliers how many are named.
const (
	minOutliers  = 10
	mostOutliers = 3
)

// distant is a trial and how far it lies from the median of its treatment.
type distant struct {
	trial *trial
	off   float64 // a logarithm where all numbers of the session are above zero
	z     float64 // the same in units of the noise
}

// outliers flags the trials of a session that lie far outside: beyond three
// quartile distances (Tukey 1977) and beyond 3.5 scaled median absolute
// deviations (Iglewicz & Hoaglin 1993) of the distances from their treatments'
// medians, in units of the noise. They are named and stay in every number.
func (r *Result) outliers(d Diagnostic, trials []*trial, metric int) Diagnostic {
	d.Check = "outliers"
	all, log := distances(trials, metric)
	xs := make([]float64, len(all))
	for i, a := range all {
		xs[i] = a.z
	}
	if len(xs) < minOutliers {
		d.Text = fmt.Sprintf("outliers not looked at: it takes %d trials, and there are %d", minOutliers, len(xs))
		return d
	}
	o := stat.Outliers(xs)
	if math.IsNaN(o.LargestZ) {
		d.Text = "outliers not looked at: more than half of the trials lie on their treatment's median; is the clock too coarse?"
		return d
	}
	d.Value = o.LargestZ
	middle, scale := stat.Quantile(xs, 0.5), largestDistance(xs)/o.LargestZ
	far := slices.DeleteFunc(all, func(a distant) bool {
		return a.z >= o.FarLo && a.z <= o.FarHi || math.Abs(a.z-middle) <= 3.5*scale
	})
	if d.Flag = len(far) > 0; !d.Flag {
		d.Text = fmt.Sprintf("quiet: none of %s lies far from the others of its treatment", plural(len(xs), "trial"))
		return d
	}
	slices.SortStableFunc(far, func(a, b distant) int { return cmp.Compare(math.Abs(b.z), math.Abs(a.z)) })
	var names []string
	for _, a := range far[:min(len(far), mostOutliers)] {
		names = append(names, fmt.Sprintf("trial %d (%s) %s", a.trial.Trial, r.selectionOf(a.trial.levels), offText(a.off, log)))
	}
	if more := len(far) - mostOutliers; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	lie, are := "lie", "are"
	if len(far) == 1 {
		lie, are = "lies", "is"
	}
	d.Text = fmt.Sprintf("outliers: %d of %s %s far from the others of the same treatment, and %s in every number: %s",
		len(far), plural(len(xs), "trial"), lie, are, strings.Join(names, ", "))
	return d
}

// largestDistance is that from the median.
func largestDistance(xs []float64) float64 {
	middle, most := stat.Quantile(xs, 0.5), 0.0
	for _, x := range xs {
		most = math.Max(most, math.Abs(x-middle))
	}
	return most
}

// distances are the trials that are ok with their distances from the median of
// their treatment, on the log scale where all numbers are above zero. Noise
// differs between treatments, and is known badly of one with few trials: its
// unit is halfway, in squares, between that of the treatment and that of all.
func distances(trials []*trial, metric int) (all []distant, log bool) {
	by := map[string][]float64{}
	log = true
	for _, t := range trials {
		if x, ok := t.number(metric); ok {
			by[t.key] = append(by[t.key], x)
			log = log && x > 0
		}
	}
	own, pooled, middles := map[string][]float64{}, []float64{}, medians(by)
	for _, t := range trials {
		x, ok := t.number(metric)
		if !ok || len(by[t.key]) < 2 {
			continue
		}
		middle := middles[t.key]
		off := x - middle
		if log {
			off = math.Log(x / middle)
		}
		all = append(all, distant{trial: t, off: off})
		own[t.key], pooled = append(own[t.key], math.Abs(off)), append(pooled, math.Abs(off))
	}
	if len(all) == 0 {
		return nil, log
	}
	of, usual := stat.Quantile(pooled, 0.5), medians(own)
	for i, a := range all {
		all[i].z = a.off / math.Sqrt((of*of+math.Pow(usual[a.trial.key], 2))/2)
		if a.off == 0 { // also where nothing varies
			all[i].z = 0
		}
	}
	return all, log
}

// medians are those of several lists.
func medians(lists map[string][]float64) map[string]float64 {
	of := make(map[string]float64, len(lists))
	for name, xs := range lists {
		of[name] = stat.Quantile(xs, 0.5)
	}
	return of
}
