package analysis

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"fieldbook/analysis/stat"
	"fieldbook/internal/session"
)

// sampled is a study of latencies, reduced to percentiles in each trial; the
// number of samples in a trial is what of says.
func sampled(reducers []string, counted bool, samples func(trialAt) int) *study {
	metric := session.Metric{Name: "latency." + reducers[0], Unit: "us", From: "samples", Key: "rtt", Reduce: reducers[0]}
	s := newStudy(metric, "version: old new")
	for _, r := range reducers[1:] {
		m := metric
		m.Name, m.Reduce = "latency."+r, r
		s.metrics = append(s.metrics, m)
	}
	if counted {
		s.metrics = append(s.metrics, session.Metric{Name: "latency.count", Unit: "1", From: "samples", Key: "rtt", Reduce: "count"})
	}
	n := 0
	ses := s.run(ids(1), "m", "randomized-blocks", 8, func(at trialAt) outcome { return outcome{value: 1} })
	for i := range ses.Rows {
		row := &ses.Rows[i]
		n++
		for k := range row.Metrics {
			row.Metrics[k] = float64(100*(k+1)) + 10*math.Sin(float64(n))
		}
		if counted {
			row.Metrics[len(row.Metrics)-1] = float64(samples(trialAt{row.Block, row.Trial, row.Levels, ""}))
		}
	}
	return s
}

func TestPercentilesThatSamplesWereReducedTo(t *testing.T) {
	r := sampled([]string{"p99.9", "median", "mean", "p99", "p90"}, true, func(trialAt) int { return 2000 }).result()
	for _, name := range []string{"latency", "latency.p99", "latency.mean"} {
		p, err := r.Percentiles(name)
		if err != nil || !p.Sampled || p.Of != "latency" || p.Unit != "us" {
			t.Fatalf("%s: %+v, %v", name, p, err)
		}
		var names, metrics []string
		for _, l := range p.Levels {
			names, metrics = append(names, l.Name), append(metrics, l.Metric)
		}
		if !slices.Equal(names, []string{"p50", "p90", "p99", "p99.9"}) || metrics[0] != "latency.median" {
			t.Errorf("%s: %v of %v", name, names, metrics)
		}
	}
	if _, err := r.Percentiles("latencies"); err == nil {
		t.Error("an unknown metric has percentiles")
	}
}

// The trial is the unit: the median over trials of what each trial gave.
func TestAPercentileOfSamplesIsTheMedianOverTrials(t *testing.T) {
	r := sampled([]string{"p50", "p99", "p99.9"}, true, func(trialAt) int { return 2000 }).result()
	p, err := r.Percentiles("latency")
	if err != nil {
		t.Fatal(err)
	}
	var xs []float64
	for _, o := range r.Observations("latency.p99", sel("version=old")) {
		xs = append(xs, o.Value)
	}
	got, err := r.Percentile(p, p.Levels[1], sel("version=old"))
	want := stat.Median(xs, 0.95)
	if err != nil || got.Value != want.Value || got.Lo != want.Lo || got.Hi != want.Hi || got.N != 8 {
		t.Errorf("p99 is %v [%v, %v] over %d, want %v [%v, %v] over 8 trials", got.Value, got.Lo, got.Hi, got.N, want.Value, want.Lo, want.Hi)
	}
	got, err = r.Percentile(p, p.Levels[2], sel("version=old"))
	if err != nil || got.Refused != "p99.9 takes 10000 samples in each trial, and the smallest has 2000" || !math.IsNaN(got.Value) {
		t.Errorf("p99.9: %v, %q, %v", got.Value, got.Refused, err)
	}
}

func TestOneTrialOfFewSamplesIsEnoughToRefuse(t *testing.T) {
	r := sampled([]string{"p50", "p99"}, true, func(at trialAt) int {
		if at.block == 3 && at.levels[0] == "old" {
			return 999
		}
		return 1000
	}).result()
	p, err := r.Percentiles("latency")
	if err != nil {
		t.Fatal(err)
	}
	old, err1 := r.Percentile(p, p.Levels[1], sel("version=old"))
	new, err2 := r.Percentile(p, p.Levels[1], sel("version=new"))
	if err1 != nil || err2 != nil || !strings.HasSuffix(old.Refused, "the smallest has 999") || new.Refused != "" {
		t.Errorf("old %q, new %q; 1000 samples are enough for p99, 999 are not", old.Refused, new.Refused)
	}
}

func TestHowManySamplesAPercentileTakes(t *testing.T) {
	for share, want := range map[float64]int{0.25: 40, 0.5: 20, 0.75: 40, 0.9: 100, 0.95: 200, 0.99: 1000, 0.999: 10000, 0.9999: 100000} {
		if got := samplesFor(share); got != want {
			t.Errorf("samplesFor(%v) = %d, want %d", share, got, want)
		}
	}
}

// Without a metric that counts, the rows of samples are counted; without
// those the doubt is said.
func TestSamplesAreCountedWhereNoMetricDoes(t *testing.T) {
	s := sampled([]string{"p50", "p90"}, false, nil)
	level := func(in Input) (Estimate, error) {
		r := Analyze(in)
		p, err := r.Percentiles("latency")
		if err != nil {
			t.Fatal(err)
		}
		return r.Percentile(p, p.Levels[1], sel("version=old"))
	}
	if e, err := level(s.input()); err != nil || e.Refused != "" || !hasWarning(e, Uncounted) {
		t.Errorf("nothing counted: %q, %v, warnings %v", e.Refused, err, e.Warnings)
	}
	in := s.input()
	in.CountSamples = func(string) (*SampleCounts, error) {
		c := NewSampleCounts([]session.Column{{Name: "other"}, {Name: "rtt"}})
		for trial := range 17 {
			for i := range 100 {
				x := 1.0
				if trial == 5 && i == 0 {
					x = math.NaN() // this sample has no such key
				}
				c.Add(session.Sample{Trial: trial, Attempt: 1, Index: i + 1, Values: []float64{math.NaN(), x}})
			}
		}
		return c, nil
	}
	e, err := level(in)
	old := s.sessions[0].Plan[4].Levels[0] == "old"
	if err != nil || old != strings.HasSuffix(e.Refused, "the smallest has 99") {
		t.Errorf("99 samples in trial 5 (of old: %v): %q, %v", old, e.Refused, err)
	}
	in.CountSamples = func(string) (*SampleCounts, error) { return nil, errors.New("samples.csv is torn") }
	if _, err := level(in); err == nil {
		t.Error("an error of reading the samples is not passed on")
	}
}

func TestAPercentileOfTrialsTakesEnoughOfThem(t *testing.T) {
	xs := make([]float64, 20)
	for i := range xs {
		xs[i] = float64((i*7)%20 + 1)
	}
	r := valuesOf(xs...).result()
	p, err := r.Percentiles("elapsed")
	if err != nil || p.Sampled {
		t.Fatalf("%+v, %v", p, err)
	}
	var refusals []string
	for _, l := range p.Levels {
		e, err := r.Percentile(p, l, sel("version=v"))
		if err != nil {
			t.Fatal(err)
		}
		if e.Refused != "" {
			refusals = append(refusals, e.Refused)
		} else if want := stat.QuantileCI(xs, l.Share, 0.95); e.Value != want.Value || e.Lo != want.Lo || e.Hi != want.Hi {
			t.Errorf("%s: %v [%v, %v], want %v [%v, %v]", l.Name, e.Value, e.Lo, e.Hi, want.Value, want.Lo, want.Hi)
		}
	}
	if want := []string{"p99 takes 100 trials, and there are 20", "p99.9 takes 1000 trials, and there are 20"}; !slices.Equal(refusals, want) {
		t.Errorf("refused %q, want %q: p95 of 20 trials has one beyond it", refusals, want)
	}
}

func TestDensityOfATreatment(t *testing.T) {
	xs := []float64{1, 2, 4, 8, 16, 3, 5, 7, 9, 11, 13}
	r := valuesOf(xs...).result()
	plain, err := r.Density("elapsed", sel("version=v"), false)
	if err != nil || plain.Bandwidth != stat.Density(xs, 10).Bandwidth || plain.N != 11 {
		t.Errorf("%+v, %v", plain, err)
	}
	log, err := r.Density("elapsed", sel("version=v"), true)
	if err != nil || log.X[0] < 0.999 || log.X[len(log.X)-1] > 16.001 || log.Bandwidth <= 1 {
		t.Errorf("of logarithms: from %v to %v, bandwidth %v, %v", log.X[0], log.X[len(log.X)-1], log.Bandwidth, err)
	}
	few, err := valuesOf(xs[:9]...).result().Density("elapsed", sel("version=v"), false)
	if err != nil || few.Refused != "a density takes 10 trials, and there are 9" {
		t.Errorf("nine trials: %q, %v", few.Refused, err)
	}
	if d, _ := valuesOf(0, 1, 2, 3, 4, 5, 6, 7, 8, 9).result().Density("elapsed", sel("version=v"), true); d.Refused == "" {
		t.Error("a zero has a logarithm")
	}
}

func TestTextsInOneUnit(t *testing.T) {
	e := mustValue(t, valuesOf(0.09, 0.091, 0.089, 0.092, 0.088, 0.0905).result(), "median", "elapsed", "version=v")
	if got := e.ValueText(); got != "90.3 µs" && got != "90.2 µs" {
		t.Errorf("on its own: %q, want µs", got)
	}
	if got := e.In("ms").Text(); !strings.HasSuffix(got, "]") || !strings.Contains(got, " ms [0.0") {
		t.Errorf("among milliseconds: %q", got)
	}
	if got := e.In("MiB").ValueText(); got != e.ValueText() {
		t.Errorf("in a unit of another kind: %q", got)
	}
}
