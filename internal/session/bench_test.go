package session

import (
	"fmt"
	"testing"
)

// bigPlan is so many trials of two treatments with rows as they are usual.
func bigPlan(trials int) (Info, []Planned) {
	info := smallInfo()
	info.ClientColumns, info.SampleColumns = nil, nil
	info.Treatments[1].Levels = []string{"odd"}
	return info, smallPlan(&info, trials/2-1)
}

func BenchmarkAppend(b *testing.B) {
	for _, sync := range []struct {
		name string
		sync Sync
	}{{"trial", SyncTrial}, {"block", SyncBlock}, {"none", SyncNone}} {
		b.Run("sync="+sync.name, func(b *testing.B) {
			info, plan := bigPlan(100_000)
			opts := at(0)
			opts.Sync = sync.sync
			w := createBig(b, info, plan, opts)
			r := plainOK(1)
			r.Metrics = []float64{0.123456789, 12.5}
			b.ReportAllocs()
			for trial := 1; b.Loop(); trial++ {
				if trial > len(plan) {
					b.StopTimer()
					closed(b, w)
					w, trial = createBig(b, info, plan, opts), 1
					b.StartTimer()
				}
				r.Planned = Planned{Trial: trial}
				if err := w.Append(r); err != nil {
					b.Fatal(err)
				}
			}
			closed(b, w)
		})
	}
}

func createBig(b *testing.B, info Info, plan []Planned, opts Options) *Writer {
	b.Helper()
	w, err := Create(b.TempDir(), info, plan, nil, opts)
	if err != nil {
		b.Fatal(err)
	}
	return w
}

func bigSession(b *testing.B, trials int) string {
	info, plan := bigPlan(trials)
	w, err := Create(b.TempDir(), info, plan, nil, at(0))
	if err != nil {
		b.Fatal(err)
	}
	for trial := 1; trial <= trials; trial++ {
		r := plainOK(trial)
		r.Metrics = []float64{float64(trial) / 7, 12.5}
		appendAll(b, w, []Record{r})
	}
	return closed(b, w)
}

func BenchmarkRead(b *testing.B) {
	for _, trials := range []int{1_000, 100_000} {
		b.Run(fmt.Sprintf("trials=%d", trials), func(b *testing.B) {
			dir := bigSession(b, trials)
			for b.Loop() {
				mustRead(b, dir)
			}
		})
	}
}

// BenchmarkSamples reduces a million samples while it reads them.
func BenchmarkSamples(b *testing.B) {
	w := create(b, b.TempDir(), at(0))
	r := attempt(1, 1, OK)
	for i := range 1_000_000 {
		r.Samples = append(r.Samples, Sample{Client: 2, Index: i, Values: []float64{float64(i%9973) / 64}})
	}
	appendAll(b, w, []Record{r})
	s := mustRead(b, closed(b, w))
	b.ReportAllocs()
	for b.Loop() {
		sum := 0.0
		for sample, err := range s.Samples() {
			if err != nil {
				b.Fatal(err)
			}
			sum += sample.Values[0]
		}
		if sum == 0 {
			b.Fatal("no samples")
		}
	}
}
