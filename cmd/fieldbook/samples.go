package main

import (
	"iter"
	"sync"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// sampleCounter counts the samples of a session when it is first asked for
// it; several pages may ask at once.
func sampleCounter(data *session.Dataset) func(string) (*analysis.SampleCounts, error) {
	counters := map[string]func() (*analysis.SampleCounts, error){}
	for _, s := range data.Sessions {
		counters[s.Session] = sync.OnceValues(func() (*analysis.SampleCounts, error) { return countSamples(s) })
	}
	return func(session string) (*analysis.SampleCounts, error) {
		if count := counters[session]; count != nil {
			return count()
		}
		return nil, nil
	}
}

// sampleReader reads the samples of a session anew each time it is asked.
func sampleReader(data *session.Dataset) func(string) iter.Seq2[session.Sample, error] {
	return func(name string) iter.Seq2[session.Sample, error] {
		for _, s := range data.Sessions {
			if s.Session == name {
				return s.Samples()
			}
		}
		return func(func(session.Sample, error) bool) {}
	}
}

// countSamples is nil where a session kept no samples.
func countSamples(s *session.Session) (*analysis.SampleCounts, error) {
	var counts *analysis.SampleCounts
	for sample, err := range s.Samples() {
		if err != nil {
			return nil, err
		}
		if counts == nil {
			counts = analysis.NewSampleCounts(s.SampleColumns)
		}
		counts.Add(sample)
	}
	return counts, nil
}
