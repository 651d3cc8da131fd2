package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// flagAlpha is the level of a flag. Flags never gate anything: a machine that
// drifts is no reason to drop data, and a quiet one no proof.
const flagAlpha = 0.01

// Diagnostic is one look at order, drift or noise, as a sentence.
type Diagnostic struct {
	Metric, Session, Machine string
	// Check is "trend", "blocks", "shift", "neighbours", "outliers", "modes", "calls" of a session;
	// "carry-over", "sessions", "control", "spread", "unaffected" of a machine;
	// "machines" of all.
	Check string
	Value float64
	P     float64 // NaN: no test
	Flag  bool
	Text  string // "quiet: no trend seen over the trials (p = 0.41)"
	Brief string // Text without the single trials that it names; empty where it names none
}

// Skipped says that the look could not be made: too few data, or an order that
// does not allow it.
func (d Diagnostic) Skipped() bool { return !d.Flag && strings.Contains(d.Text, "not looked at") }

// Diagnostics look at the residuals of every session in the order of its
// trials, at the A/A control, and at the metrics that no factor should move.
func (r *Result) Diagnostics() []Diagnostic {
	var all []Diagnostic
	for m := range r.Metrics {
		for _, trials := range bySession(r.countingTrials(nil)) {
			all = append(all, r.orderChecks(m, trials)...)
		}
		for _, machine := range r.machinesIn(nil) {
			all = append(all, r.carryOver(m, machine))
		}
		all = append(all, r.heterogeneityChecks(m)...)
		all = append(all, r.controlChecks(m)...)
		all = append(all, r.spreadChecks(m)...)
	}
	for _, trials := range bySession(r.countingTrials(nil)) {
		all = append(all, r.callChecks(trials)...)
	}
	for _, name := range r.Unaffected {
		all = append(all, r.unaffected(name)...)
	}
	return all
}

// maxTrend is the longest series that is looked at for a trend, which takes
// all pairs of it.
const maxTrend = 5_000

// orderChecks look at one session's residuals in run order, and at its block
// means.
func (r *Result) orderChecks(metric int, trials []*trial) []Diagnostic {
	residuals := residualsOf(trials, metric)
	s := trials[0].session
	over, blocks := r.courseOfTrials(residuals, metric, s.Order), r.courseOfBlocks(residuals, metric)
	d := Diagnostic{Metric: r.Metrics[metric].Name, Session: s.Session, Machine: s.Machine, Value: math.NaN(), P: math.NaN()}
	// Blocks take a drift out of the residuals, which tell its size no more.
	paired := len(blocks.xs) > 1
	checks := []Diagnostic{trend(d, "trend", "the order of trials", over, !paired)}
	level := over
	if paired {
		level = blocks
		checks = append(checks, trend(d, "blocks", "the order of blocks, which a comparison within blocks does not feel", blocks, true))
	}
	checks = append(checks, shift(d, level), neighbours(d, withoutTreatments(residuals)))
	return append(checks, r.outliers(d, trials, metric), r.modes(d, trials, metric))
}

// withoutTreatments is each trial's number less its treatment's mean, in run
// order. Residuals of the block model would not do for a look at neighbours:
// within a block they sum to zero, so that they are opposed to one another
// even where the trials are independent.
func withoutTreatments(residuals []Residual) []float64 {
	sum, n := map[string]float64{}, map[string]float64{}
	for _, res := range residuals {
		sum[treatmentKey(res.Levels)] += res.Fitted + res.Residual
		n[treatmentKey(res.Levels)]++
	}
	var xs []float64
	for _, res := range residuals {
		k := treatmentKey(res.Levels)
		xs = append(xs, left(res.Fitted+res.Residual, sum[k]/n[k], res.Log))
	}
	return xs
}

// neighbours is whether trials resemble those that ran just before them.
func neighbours(d Diagnostic, xs []float64) Diagnostic {
	d.Check = "neighbours"
	t := stat.LjungBox(xs, stat.DefaultLag(len(xs)))
	if t.Refused != "" {
		d.Text = "likeness of neighbours not looked at: " + t.Refused
		return d
	}
	d.Value, d.P = stat.Autocorrelation(xs, 1)[0], t.P
	if d.Flag = t.P < flagAlpha; d.Flag {
		d.Text = fmt.Sprintf("neighbours: trials are not independent of those that ran shortly before (lag 1: %s, %s)", NumberText(d.Value), PText(t.P))
		return d
	}
	d.Text = fmt.Sprintf("quiet: no likeness of neighbouring trials seen (lag 1: %s, %s)", NumberText(d.Value), PText(t.P))
	return d
}

// controlChecks look at the A/A control of a metric on each machine.
func (r *Result) controlChecks(metric int) []Diagnostic {
	var all []Diagnostic
	for _, machine := range r.Machines() {
		f := r.floorOn(metric, machine)
		if f == nil {
			continue
		}
		d := Diagnostic{Metric: r.Metrics[metric].Name, Machine: machine, Check: "control", Value: f.Ratio.Value, P: f.P}
		switch {
		case math.IsNaN(f.Ratio.Lo):
			d.Text = "control: no interval of the A/A ratio: " + firstOf(f.Ratio.Refused, f.Ratio.NoInterval())
		case f.Ratio.Lo > 1 || f.Ratio.Hi < 1:
			d.Flag = true
			d.Text = "control: two labels of one treatment differ, " + f.Ratio.Text() + "; smaller differences than this mean nothing here"
		default:
			d.Text = "quiet: two labels of one treatment give " + f.Ratio.Text()
		}
		all = append(all, d)
	}
	return all
}

// unaffected looks whether any factor moves a metric that none should.
func (r *Result) unaffected(metric string) []Diagnostic {
	tables, err := r.Effects(metric, expr.Selection{})
	if err != nil {
		return nil
	}
	var all []Diagnostic
	for _, t := range tables {
		d := Diagnostic{Metric: metric, Machine: t.Machine, Check: "unaffected", Value: math.NaN(), P: math.NaN()}
		if t.Refused != "" {
			d.Text = "whether a factor moves it was not looked at: " + t.Refused
			all = append(all, d)
			continue
		}
		var ps []float64
		for _, e := range t.Effects {
			ps = append(ps, e.P)
		}
		adjusted := stat.Holm(ps)
		least := smallest(adjusted, make([]int, len(ps)), 0)
		if d.P = least; least < flagAlpha {
			d.Flag = true
			e := t.Effects[slices.Index(adjusted, least)]
			d.Text = fmt.Sprintf("moved: %s changes it, which it should not (%s)", andList(e.Factors), PText(least))
		} else {
			d.Text = fmt.Sprintf("quiet: no factor is seen to move it (smallest %s after Holm)", PText(least))
		}
		all = append(all, d)
	}
	return all
}
