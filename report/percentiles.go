package report

import "fieldbook/analysis/figure"

// metricNamed is the metric that an option names. The plot of percentiles
// takes the name that several metrics share too: latency for latency.p50 and
// latency.p99.
func (w *wish) metricNamed(name string) string {
	if w.d.Name != "plot" || w.d.Argument != figure.Percentiles {
		return name
	}
	if p, err := w.r.Percentiles(name); err == nil && p.Sampled && p.Of == name {
		return p.Levels[0].Metric
	}
	return name
}

// percentileFigure is, for a default report, the percentiles of the samples
// that the main metric was reduced from; nothing where there are no several.
func (b *builder) percentileFigure() []block {
	p, err := b.r.Percentiles(mainMetric(b.r))
	if err != nil || !p.Sampled || len(p.Levels) < 2 {
		return nil
	}
	return []block{b.figure(figure.Percentiles)}
}
