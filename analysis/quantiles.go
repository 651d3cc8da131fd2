package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// Uncounted is the code of a warning: nobody wrote down how many samples the
// trials had, so that nothing says whether they carry the percentile.
const Uncounted = "W_UNCOUNTED"

// Percentiles are the percentiles that there are of a metric.
type Percentiles struct {
	Of      string // what they are percentiles of: "latency", or the metric itself
	Unit    string
	Sampled bool              // of the samples of a trial, one number a trial; else of trials
	Levels  []PercentileLevel // ascending
}

// PercentileLevel is one of them.
type PercentileLevel struct {
	Name   string  // "p99.9"
	Share  float64 // of what lies at or below it, 0.999
	Metric string  // that holds it: "latency.p99.9", or the metric itself
}

// ofTrials are the percentiles of trials that are looked at. Those that the
// trials are too few for are refused one by one.
var ofTrials = []string{"p50", "p75", "p90", "p95", "p99", "p99.9"}

// Percentiles are those of the samples that metric was reduced from, where it
// was reduced to percentiles, else those of the metric over trials. It takes
// "latency.p99" as well as the "latency" that it shares with others.
func (r *Result) Percentiles(metric string) (Percentiles, error) {
	family, _, _ := strings.Cut(metric, ".")
	p := Percentiles{Of: family, Sampled: true}
	for _, m := range r.Metrics {
		share, ok := sampledPercentile(m)
		if of, _, _ := strings.Cut(m.Name, "."); ok && of == family {
			p.Unit = m.Unit
			p.Levels = append(p.Levels, PercentileLevel{Name: percentileName(share), Share: share, Metric: m.Name})
		}
	}
	slices.SortFunc(p.Levels, func(a, b PercentileLevel) int { return cmp.Compare(a.Share, b.Share) })
	p.Levels = slices.CompactFunc(p.Levels, func(a, b PercentileLevel) bool { return a.Share == b.Share })
	if len(p.Levels) > 0 {
		return p, nil
	}
	i, err := r.metricIndex(metric)
	if err != nil {
		return Percentiles{}, err
	}
	p = Percentiles{Of: metric, Unit: r.Metrics[i].Unit}
	for _, name := range ofTrials {
		share, _ := percentile(name)
		p.Levels = append(p.Levels, PercentileLevel{Name: name, Share: share, Metric: metric})
	}
	return p, nil
}

// sampledPercentile is which percentile of a trial's samples a metric is.
func sampledPercentile(m session.Metric) (share float64, ok bool) {
	switch {
	case m.From != "samples":
		return 0, false
	case m.Reduce == "median":
		return 0.5, true
	}
	return percentile(m.Reduce)
}

// percentileName is the plain name of a percentile: p99 for p99.0.
func percentileName(share float64) string {
	return "p" + strconv.FormatFloat(math.Round(share*1e8)/1e6, 'f', -1, 64)
}

// Percentile is one of them for one treatment. Of samples it is the median
// over trials of each trial's percentile, with the exact order-statistic
// interval: the trial is the unit, and samples are never pooled. It is
// refused where a trial has fewer samples than samplesFor. Of trials it is
// the percentile itself, refused where fewer than one of them is expected
// beyond it.
func (r *Result) Percentile(p Percentiles, level PercentileLevel, where expr.Selection) (Estimate, error) {
	statistic := level.Name
	if p.Sampled {
		statistic = "median"
	}
	e, err := r.Value(Query{Metric: level.Metric, Stat: statistic, Selection: where})
	if err != nil || e.Refused != "" {
		return e, err
	}
	why := fewTrials(level, e.N)
	if p.Sampled {
		if why, err = r.fewSamples(&e, level, where); err != nil {
			return Estimate{}, err
		}
	}
	if why != "" {
		n := e.N
		e.Estimate = refused("%s", why)
		e.N = n
	}
	return e, nil
}

// fewTrials says where the largest or smallest trial is all that a percentile
// of trials could be read from.
func fewTrials(level PercentileLevel, n int) string {
	rare := math.Min(level.Share, 1-level.Share)
	if need := int(math.Ceil(1/rare - 1e-9)); n < need {
		return fmt.Sprintf("%s takes %s, and there %s", level.Name, plural(need, "trial"), areThere(n))
	}
	return ""
}

func areThere(n int) string {
	if n == 1 {
		return "is 1"
	}
	return "are " + strconv.Itoa(n)
}

// samplesFor is how many samples a trial must have for a percentile to be
// read from it: so many that ten are expected beyond it.
func samplesFor(share float64) int {
	return int(math.Ceil(10/math.Min(share, 1-share) - 1e-6))
}

// fewSamples says whether a trial has too few samples for a percentile; where
// their number is not known, the estimate carries the doubt.
func (r *Result) fewSamples(e *Estimate, level PercentileLevel, where expr.Selection) (string, error) {
	m, err := r.metricIndex(level.Metric)
	if err != nil {
		return "", err
	}
	need, least := samplesFor(level.Share), math.MaxInt
	for _, t := range r.countingTrials(where) {
		if _, ok := t.number(m); !ok {
			continue
		}
		n, err := r.samplesOf(t, m)
		if err != nil {
			return "", err
		}
		least = min(least, n)
	}
	switch {
	case least < 0:
		e.warn(Uncounted, "how many samples the trials had is not recorded: whether they carry %s was not looked at, which takes %d in each (`reduce` takes count)", level.Name, need)
	case least < need:
		return fmt.Sprintf("%s takes %s in each trial, and the smallest has %d", level.Name, plural(need, "sample"), least), nil
	}
	return "", nil
}

// samplesOf is how many samples of a metric a trial had: by the count that
// they were reduced to beside it, else as counted in its session; -1: unknown.
func (r *Result) samplesOf(t *trial, metric int) (int, error) {
	family, _, _ := strings.Cut(r.Metrics[metric].Name, ".")
	for i, m := range r.Metrics {
		if m.Name == family+".count" && !math.IsNaN(t.values[i]) {
			return int(t.values[i]), nil
		}
	}
	if r.CountSamples == nil {
		return -1, nil
	}
	c, err := r.CountSamples(t.session.Session)
	if err != nil || c == nil {
		return -1, err
	}
	return c.of(t.Trial, lastCounting(t.attempts).Attempt, r.Metrics[metric]), nil
}

// SampleCounts are how many samples the attempts of one session had, by
// column of samples.csv.
type SampleCounts struct {
	columns []string
	last    attemptID
	now     []int
	by      map[attemptID][]int
}

type attemptID struct{ trial, attempt int }

// NewSampleCounts counts samples of these columns.
func NewSampleCounts(columns []session.Column) *SampleCounts {
	c := &SampleCounts{by: map[attemptID][]int{}}
	for _, one := range columns {
		c.columns = append(c.columns, one.Name)
	}
	return c
}

// Add takes in one sample; those of one attempt come one after the other.
func (c *SampleCounts) Add(s session.Sample) {
	if id := (attemptID{s.Trial, s.Attempt}); c.now == nil || id != c.last {
		c.last = id
		if c.now = c.by[id]; c.now == nil {
			c.now = make([]int, len(c.columns))
			c.by[id] = c.now
		}
	}
	for i, v := range s.Values {
		if !math.IsNaN(v) {
			c.now[i]++
		}
	}
}

// of is how many samples a metric had in an attempt: of a formula as many as
// its rarest column. An attempt that is not there had none.
func (c *SampleCounts) of(trial, attempt int, m session.Metric) int {
	names := []string{m.Key}
	if m.Formula != "" {
		f, err := expr.Parse(m.Formula)
		if err != nil {
			return -1
		}
		names = nil
		for _, n := range f.Names() {
			names = append(names, n.Name)
		}
	}
	least := -1
	counts := c.by[attemptID{trial, attempt}]
	for i, column := range c.columns {
		if !slices.Contains(names, column) {
			continue
		}
		n := 0
		if counts != nil {
			n = counts[i]
		}
		if least < 0 || n < least {
			least = n
		}
	}
	return least
}
