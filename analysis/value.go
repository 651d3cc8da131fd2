package analysis

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// confidence is that of every interval unless its name says otherwise.
const confidence = 0.95

// Codes of this package's own warnings.
const (
	StaleData     = "W_STALE"          // rows that no longer belong to the experiment
	NotRandomized = "W_NOT_RANDOMISED" // the order was fixed
	Confounded    = "W_CONFOUNDED"     // treatment and time cannot be told apart
	Incomplete    = "W_INCOMPLETE"     // blocks left out, since one side is missing
	NoBlocks      = "W_NO_BLOCKS"      // nothing was paired
	Unblocked     = "W_UNBLOCKED"      // sessions without blocks beside some with
	ZeroRatio     = "W_ZERO"           // a side is zero throughout
	Heterogeneous = "W_HETEROGENEOUS"  // the ratio differs between sessions
	Sessions      = "W_SESSIONS"       // an interval leaves out what differs from session to session
)

// Value answers a query with an interval, one number per trial: the median
// and percentiles with the exact order-statistic interval, the mean with
// Student's, the geometric mean with Student's of the logarithms; "min",
// "max", "sd", "cv" and "n" have none. Only trials that are ok count. Where
// the selection covers several treatments or machines the estimate is
// refused and says what to name; "n" alone counts over treatments. The error
// is for a question that makes no sense.
func (r *Result) Value(q Query) (Estimate, error) {
	metric, err := r.metricIndex(q.Metric)
	if err != nil {
		return Estimate{}, err
	}
	if err := checkStat(q.Stat); err != nil {
		return Estimate{}, err
	}
	if err := r.check(q.Selection); err != nil {
		return Estimate{}, err
	}
	e := Estimate{Metric: q.Metric, Stat: q.Stat, Unit: r.unitOf(metric, q.Stat), Selection: q.Selection.String()}
	trials := r.countingTrials(q.Selection)
	if why := r.ambiguous(q, trials); why != "" {
		e.Estimate = refused("%s", why)
		return e, nil
	}
	xs := okValues(trials, metric)
	if len(xs) == 0 && q.Stat != "n" {
		e.Estimate = refused("%s", r.noData(q.Selection, trials))
		return e, nil
	}
	e.Estimate = r.censoring(trials, metric).censored(overGroups(bySessionNumbers(trials, metric), q.Stat), xs, q.Stat)
	e.addStale(trials)
	return e, nil
}

// statistics by name, apart from percentiles.
var statNames = []string{"cv", "geomean", "max", "mean", "median", "min", "n", "sd"}

func checkStat(name string) error {
	if _, ok := percentile(name); ok || slices.Contains(statNames, name) {
		return nil
	}
	return unknown("statistic", name, append(slices.Clone(statNames), "p50", "p90", "p99"))
}

// percentile reads pNN, 0 < NN < 100 with decimals allowed, as a share.
func percentile(name string) (float64, bool) {
	digits, ok := strings.CutPrefix(name, "p")
	if !ok || strings.Trim(digits, "0123456789.") != "" {
		return 0, false
	}
	p, err := strconv.ParseFloat(digits, 64)
	return p / 100, err == nil && p > 0 && p < 100
}

// statistic is a statistic of numbers of trials, at least one.
func statistic(xs []float64, name string, conf float64) stat.Estimate {
	if p, ok := percentile(name); ok {
		return stat.QuantileCI(xs, p, conf)
	}
	switch name {
	case "median":
		return stat.Median(xs, conf)
	case "mean":
		return stat.Mean(xs, conf)
	case "geomean":
		return stat.GeoMean(xs, conf)
	case "n":
		return bare(float64(len(xs)), len(xs), "number of trials that are ok")
	}
	sum := stat.Summarize(xs)
	switch name {
	case "min":
		return bare(sum.Min, len(xs), "smallest trial")
	case "max":
		return bare(sum.Max, len(xs), "largest trial")
	case "sd":
		return defined(sum.SD, len(xs), "standard deviation over trials", "it takes two trials")
	}
	return defined(sum.CV, len(xs), "standard deviation over mean", "it takes two trials and a mean above zero")
}

// bare is a value that has no interval by its nature.
func bare(x float64, n int, method string) stat.Estimate {
	return stat.Estimate{Value: x, Lo: math.NaN(), Hi: math.NaN(), N: n, Method: method}
}

func defined(x float64, n int, method, else_ string) stat.Estimate {
	if math.IsNaN(x) {
		e := refused("n/a (n = %d): %s", n, else_)
		e.N, e.Method = n, method
		return e
	}
	return bare(x, n, method)
}

// refused is an estimate without a number.
func refused(format string, args ...any) stat.Estimate {
	nan := math.NaN()
	return stat.Estimate{Value: nan, Lo: nan, Hi: nan, Refused: fmt.Sprintf(format, args...)}
}

func (r *Result) unitOf(metric int, statistic string) string {
	if statistic == "cv" || statistic == "n" {
		return "1"
	}
	return r.Metrics[metric].Unit
}

// countingTrials are the trials that ran and that statistics of a selection
// may use, ok or not, in the order in which they ran.
func (r *Result) countingTrials(s expr.Selection) []*trial {
	var in []*trial
	for _, t := range r.trials {
		if t.countsFor(s) && t.ran() && r.matches(t, s) {
			in = append(in, t)
		}
	}
	return in
}

// okValues are the numbers of the trials that are ok; one that could not be
// computed is none.
func okValues(trials []*trial, metric int) []float64 {
	var xs []float64
	for _, t := range trials {
		if x, ok := t.number(metric); ok {
			xs = append(xs, x)
		}
	}
	return xs
}

// ambiguous says what a query leaves open.
func (r *Result) ambiguous(q Query, trials []*trial) string {
	if q.Stat == "n" {
		return ""
	}
	if open := r.open(r.treatmentsIn(q.Selection), nil); len(open) > 0 {
		return nameThem(open)
	}
	return askMachine(trials)
}

// askMachine asks for one machine where there are several: what they measured
// is never pooled.
func askMachine(trials []*trial) string {
	var machines []string
	for _, t := range trials {
		if m := "machine=" + t.session.Machine; !slices.Contains(machines, m) {
			machines = append(machines, m)
		}
	}
	if len(machines) < 2 {
		return ""
	}
	slices.Sort(machines)
	return "several machines: name " + orList(machines)
}

// noData says why a selection has no number.
func (r *Result) noData(s expr.Selection, trials []*trial) string {
	switch {
	case len(r.treatments) == 0:
		return "no data: no treatment is declared"
	case len(r.treatmentsIn(s)) == 0:
		return "no data: no treatment is " + s.String()
	case len(trials) == 0:
		return "no data"
	}
	return fmt.Sprintf("no data: none of %s gave a number (%s)", plural(len(trials), "trial"), statusWords(trials))
}

// statusWords counts trials by status: "3 timeout, 1 failed".
func statusWords(trials []*trial) string {
	var words []string
	for _, status := range []string{session.OK, session.Invalid, session.Failed, session.Timeout, session.Interrupted, session.Skipped} {
		n := 0
		for _, t := range trials {
			if t.status == status {
				n++
			}
		}
		if n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, status))
		}
	}
	return strings.Join(words, ", ")
}

// addStale marks an estimate by the reasons why rows behind it no longer
// belong to the experiment.
func (e *Estimate) addStale(trials []*trial) {
	for _, t := range trials {
		if t.stale != "" && !slices.Contains(e.Stale, t.stale) {
			e.Stale = append(e.Stale, t.stale)
		}
	}
	if len(e.Stale) > 0 {
		e.warn(StaleData, "stale: %s", strings.Join(e.Stale, "; "))
	}
}

// warn adds a doubt, once.
func (e *Estimate) warn(code, format string, args ...any) {
	w := stat.Warning{Code: code, Text: fmt.Sprintf(format, args...)}
	if !slices.Contains(e.Warnings, w) {
		e.Warnings = append(e.Warnings, w)
	}
}

// plural is "1 block", "2 blocks".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
