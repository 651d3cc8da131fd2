package analysis

import (
	"fmt"
	"math"
	"strings"

	"fieldbook/analysis/stat"
)

// minModes is the least number of trials in which modes are looked for.
const minModes = 50

// modes looks whether a session's numbers have more than one mode: treatment by
// treatment where each has trials enough, else all trials less their
// treatment's mean. The dip test flags (Hartigan & Hartigan 1985), with Holm
// over the treatments; the lowlands between modes give their shares.
func (r *Result) modes(d Diagnostic, trials []*trial, residuals []Residual, metric int) Diagnostic {
	d.Check = "modes"
	samples, log, why := r.modeSamples(trials, residuals, metric)
	if why != "" {
		d.Text = "modes not looked at: " + why
		return d
	}
	ds, ps := make([]float64, len(samples)), make([]float64, len(samples))
	for i, s := range samples {
		dip := stat.Dip(s.xs)
		ds[i], ps[i] = dip.D, dip.P
	}
	adjusted := stat.Holm(ps)
	worst := 0
	for i, p := range adjusted {
		if p < adjusted[worst] {
			worst = i
		}
	}
	d.Value, d.P = ds[worst], adjusted[worst]
	if d.Flag = d.P < flagAlpha; !d.Flag {
		d.Text = fmt.Sprintf("quiet: no more than one mode seen (dip test, %s)", PText(d.P))
		return d
	}
	d.Text = fmt.Sprintf("modes: %s have more than one mode (dip test, %s)", samples[worst].of, PText(d.P))
	if shares := samples[worst].shares(log, r.Metrics[metric].Unit); shares != "" {
		d.Text += ": " + shares
	}
	d.Text += "; what a ratio says is about their mix"
	return d
}

// modeSample is numbers in which modes are looked for.
type modeSample struct {
	of       string
	xs       []float64
	absolute bool // in the metric's unit; else relative to the treatment's mean
}

// modeSamples are the numbers of each treatment, or of all together.
func (r *Result) modeSamples(trials []*trial, residuals []Residual, metric int) (samples []modeSample, log bool, why string) {
	by := map[string][]float64{}
	var keys []string
	total, least := 0, math.MaxInt
	for _, t := range trials {
		if x, ok := t.number(metric); ok {
			if by[t.key] == nil {
				keys = append(keys, t.key)
			}
			by[t.key] = append(by[t.key], x)
			total++
		}
	}
	for _, k := range keys {
		least = min(least, len(by[k]))
	}
	if total < minModes {
		return nil, false, fmt.Sprintf("it takes %d trials, and there are %d", minModes, total)
	}
	if least >= minModes {
		for _, k := range keys {
			samples = append(samples, modeSample{"the numbers of " + r.selectionOf(strings.Split(k, levelSep)).String(), by[k], true})
		}
	} else {
		log = residuals[0].Log
		samples = []modeSample{{of: "the trials less their treatments' means", xs: withoutTreatments(residuals)}}
	}
	for _, s := range samples {
		if 2*countDistinct(s.xs) < len(s.xs) {
			return nil, false, "many numbers are equal; is the clock too coarse?"
		}
	}
	return samples, log, ""
}

// shares are the modes in words: "62 % about 10.2 ms, 38 % about 13.1 ms";
// nothing where the lowlands show none, or there are too few values.
func (s modeSample) shares(log bool, unit string) string {
	modes, _ := stat.Lowlands(s.xs)
	if len(modes) < 2 {
		return ""
	}
	var words []string
	for _, m := range modes {
		where := "about " + significant(m.Median, 3, false) + unitSuffix(unit)
		if !s.absolute {
			where = "about " + offText(m.Median, log)
		}
		words = append(words, percent(m.Share)+" "+where)
	}
	return strings.Join(words, ", ")
}
