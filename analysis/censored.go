package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// Censoring is how many trials ended at their time-out: all that is known of
// them is that they take longer.
type Censoring struct {
	N, Of int           // timed out, of all that ran
	Limit time.Duration // the shortest time-out among them
	// Bound is the limit in the metric's unit, where the metric is a time that
	// the trial took and less is better; NaN elsewhere.
	Bound float64
}

// CensoredData is the code of the doubt about a number from which trials are
// missing that took longer than any in it.
const CensoredData = "W_CENSORED"

// Text is "2 of 12 timed out at 1m0s".
func (c Censoring) Text() string {
	return fmt.Sprintf("%d of %s timed out at %s", c.N, plural(c.Of, "trial"), limitText(c.Limit))
}

// limitText is a time limit as a reader sees it: "60 s", "1.5 s".
func limitText(d time.Duration) string { return significant(d.Seconds(), 4, false) + " s" }

// mostly says that more than half timed out, so that not even the middle is
// known.
func (c Censoring) mostly() bool { return 2*c.N > c.Of }

// timeoutReason begins what a session says of an attempt that timed out.
const timeoutReason = "no end within "

// limit is the time-out that ended a trial.
func (t *trial) limit() time.Duration {
	text, _ := strings.CutPrefix(t.reason, timeoutReason)
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return d
	}
	return time.Duration(t.attempts[len(t.attempts)-1].Duration * float64(time.Second))
}

// Censored is how many trials of a selection timed out.
func (r *Result) Censored(metric string, s expr.Selection) (Censoring, error) {
	m, err := r.metricIndex(metric)
	if err != nil {
		return Censoring{}, err
	}
	return r.censoring(r.countingTrials(s), m), nil
}

// above is the limit at which a trial timed out, in the unit of a metric that
// is a time it took; NaN elsewhere.
func (t *trial) above(metric int) float64 {
	m := t.read.in.Metrics[metric]
	if t.status != session.Timeout || !isCost(m) {
		return math.NaN()
	}
	if x, _ := convert(t.limit().Seconds(), "s", m.Unit); x > 0 {
		return x
	}
	return math.NaN()
}

// censoring counts the trials that timed out.
func (r *Result) censoring(trials []*trial, metric int) Censoring {
	c := Censoring{Bound: math.NaN()}
	for _, t := range trials {
		if !t.ran() {
			continue
		}
		c.Of++
		if t.status == session.Timeout {
			if d := t.limit(); c.N == 0 || d < c.Limit {
				c.Limit = d
			}
			c.N++
		}
	}
	if c.N > 0 && isCost(r.Metrics[metric]) {
		c.Bound, _ = convert(c.Limit.Seconds(), "s", r.Metrics[metric].Unit)
	}
	return c
}

// isCost says whether a metric is a time that grows with that of the trial, so
// that one that timed out lies above all that did not.
func isCost(m session.Metric) bool {
	return units[m.Unit].of == "time" && m.Better != "higher" && slices.Contains([]string{"wall", "json", "regex", "file"}, m.From)
}

// beyondAll stands for numbers above every other.
const beyondAll = math.MaxFloat64 / 8

// withCensored are the numbers with one beyond all for each that timed out,
// where they are known to lie there.
func (c Censoring) withCensored(xs []float64) []float64 {
	if math.IsNaN(c.Bound) {
		return xs
	}
	return append(slices.Clone(xs), slices.Repeat([]float64{beyondAll}, c.N)...)
}

// open is an estimate by ranks whose bounds may lie beyond all numbers.
func (c Censoring) open(e stat.Estimate) stat.Estimate {
	const far = beyondAll / 1e9
	switch {
	case e.Refused != "":
		return e
	case e.Value > far:
		n := e.N
		e = refused("above %s: %s", limitText(c.Limit), c.Text())
		e.N = n
		return e
	case e.Hi > far:
		e.Hi = math.Inf(1)
	}
	return e
}

// censored is a statistic of trials some of which timed out; ok says that it
// needs no other.
func (c Censoring) censored(e stat.Estimate, xs []float64, name string) stat.Estimate {
	p, isPercentile := percentile(name)
	if name == "median" {
		p, isPercentile = 0.5, true
	}
	switch {
	case c.N == 0 || name == "n" || name == "min":
		return e
	case isPercentile && !math.IsNaN(c.Bound):
		return c.open(stat.QuantileCI(c.withCensored(xs), p, confidence))
	case name == "max" && !math.IsNaN(c.Bound):
		return refused("above %s: %s", limitText(c.Limit), c.Text())
	case c.mostly():
		return refused("%s: there is no %s of what is left", c.Text(), StatWords(name))
	case e.Refused == "":
		e.Warnings = append(slices.Clone(e.Warnings), c.warning())
	}
	return e
}

// warning is the doubt about a number without the trials that timed out.
func (c Censoring) warning() stat.Warning {
	text := c.Text() + ": these are not in this number"
	if !math.IsNaN(c.Bound) {
		text += ", and would make it larger by what cannot be known"
	}
	return stat.Warning{Code: CensoredData, Text: text}
}

// quantileEvidence is that of a quantile over trials some of which timed out.
func (c Censoring) quantileEvidence(xs []float64, p float64) evidence {
	ev := quantileEvidence(c.withCensored(xs), p)
	ev.i95, ev.i90 = c.open(ev.i95), c.open(ev.i90)
	return ev
}
