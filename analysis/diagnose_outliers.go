package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// minOutliers is the least number of trials among which one can stand out, and
// mostOutliers how many are named.
const (
	minOutliers  = 10
	mostOutliers = 3
)

// Outliers is a look at the trials of one session that lie far from the others
// of their treatment: beyond three quartile distances (Tukey 1977) and beyond
// 3.5 scaled median absolute deviations (Iglewicz & Hoaglin 1993) of the
// distances from their treatments' medians, in units of the noise. They are
// named and stay in every number.
type Outliers struct {
	Session, Machine string
	Log              bool           // distances are ratios of the median; else they are in the metric's unit
	Trials           []DistantTrial // those that are ok, in the order in which they ran
	Lo, Hi           float64        // a trial lies far where its Noise is beyond; NaN: no look
	LargestZ         float64        // the largest distance in scaled median absolute deviations; NaN: no look
	Refused          string
}

// DistantTrial is a trial and how far it lies from the median of its treatment.
type DistantTrial struct {
	Observation
	Off   float64 // a logarithm where the session's distances are ratios
	Noise float64 // the same in units of the noise of its treatment and of all
	Far   bool
}

// Outliers looks at each session, by its trials within a selection. The error
// is for a question that makes no sense.
func (r *Result) Outliers(metric string, where expr.Selection) ([]Outliers, error) {
	m, err := r.metricWithin(metric, where)
	if err != nil {
		return nil, err
	}
	var all []Outliers
	for _, trials := range bySession(r.countingTrials(where)) {
		all = append(all, outliersOf(trials, m))
	}
	return all, nil
}

// outliersOf is the look at the trials of one session.
func outliersOf(trials []*trial, metric int) Outliers {
	nan := math.NaN()
	o := Outliers{Session: trials[0].session.Session, Machine: trials[0].session.Machine, Lo: nan, Hi: nan, LargestZ: nan}
	o.Trials, o.Log = distances(trials, metric)
	xs := make([]float64, len(o.Trials))
	for i, a := range o.Trials {
		xs[i] = a.Noise
	}
	if len(xs) < minOutliers {
		o.Refused = fmt.Sprintf("it takes %d trials, and there are %d", minOutliers, len(xs))
		return o
	}
	flags := stat.Outliers(xs)
	if math.IsNaN(flags.LargestZ) {
		o.Refused = "more than half of the trials lie on their treatment's median; is the clock too coarse?"
		return o
	}
	o.LargestZ = flags.LargestZ
	middle, reach := stat.Quantile(xs, 0.5), 3.5*largestDistance(xs)/o.LargestZ
	o.Lo, o.Hi = math.Min(flags.FarLo, middle-reach), math.Max(flags.FarHi, middle+reach)
	for i, x := range xs {
		o.Trials[i].Far = x < o.Lo || x > o.Hi
	}
	return o
}

// Far are the trials that lie far, the farthest first.
func (o Outliers) Far() []DistantTrial {
	far := slices.DeleteFunc(slices.Clone(o.Trials), func(d DistantTrial) bool { return !d.Far })
	slices.SortStableFunc(far, func(a, b DistantTrial) int { return cmp.Compare(math.Abs(b.Noise), math.Abs(a.Noise)) })
	return far
}

// OffText is how far a trial lies off: "+2.3 %" of its treatment's median, or
// in the metric's unit, which it does not name.
func (o Outliers) OffText(d DistantTrial) string { return offText(d.Off, o.Log) }

// outliers is the look as a diagnostic.
func (r *Result) outliers(d Diagnostic, trials []*trial, metric int) Diagnostic {
	d.Check = "outliers"
	o := outliersOf(trials, metric)
	if o.Refused != "" {
		d.Text = "outliers not looked at: " + o.Refused
		return d
	}
	d.Value = o.LargestZ
	far := o.Far()
	if d.Flag = len(far) > 0; !d.Flag {
		d.Text = fmt.Sprintf("quiet: none of %s lies far from the others of its treatment", plural(len(o.Trials), "trial"))
		return d
	}
	unit := ""
	if !o.Log {
		unit = unitSuffix(r.Metrics[metric].Unit)
	}
	var names []string
	for _, a := range far[:min(len(far), mostOutliers)] {
		names = append(names, fmt.Sprintf("trial %d (%s) %s%s", a.Trial, r.selectionOf(a.Levels), o.OffText(a), unit))
	}
	if more := len(far) - mostOutliers; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	lie, are := "lie", "are"
	if len(far) == 1 {
		lie, are = "lies", "is"
	}
	d.Brief = fmt.Sprintf("outliers: %d of %s %s far from the others of the same treatment, and %s in every number", len(far), plural(len(o.Trials), "trial"), lie, are)
	d.Text = d.Brief + ": " + strings.Join(names, ", ")
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
func distances(trials []*trial, metric int) (all []DistantTrial, log bool) {
	by := map[string][]float64{}
	log = true
	for _, t := range trials {
		if x, ok := t.number(metric); ok {
			by[t.key] = append(by[t.key], x)
			log = log && x > 0
		}
	}
	own, middles := map[string][]float64{}, medians(by)
	all = make([]DistantTrial, 0, len(trials))
	pooled := make([]float64, 0, len(trials))
	keys := make([]string, 0, len(trials))
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
		all = append(all, DistantTrial{Observation: observation(t, metric), Off: off})
		keys = append(keys, t.key)
		own[t.key], pooled = append(own[t.key], math.Abs(off)), append(pooled, math.Abs(off))
	}
	if len(all) == 0 {
		return nil, log
	}
	of, usual := stat.Quantile(pooled, 0.5), medians(own)
	for i, a := range all {
		all[i].Noise = a.Off / math.Sqrt((of*of+math.Pow(usual[keys[i]], 2))/2)
		if a.Off == 0 { // also where nothing varies
			all[i].Noise = 0
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
