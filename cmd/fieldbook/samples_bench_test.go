package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"fieldbook/analysis/stat"
	"fieldbook/internal/session"
)

// sampledTrials is the number of trials that the samples are spread over.
const sampledTrials = 1000

// writeSampled seals a session of two treatments whose trials reported so
// many samples in all, reduced to their p99 as the runner reduces them.
func writeSampled(b *testing.B, notebook string, samples int) {
	b.Helper()
	info := session.Info{
		Experiment: "sampled", Machine: "box", Purpose: "measure", Order: "randomized-blocks", Generator: "pcg-1",
		Seed: "0000000000000001", Blocks: sampledTrials / 2,
		Factors:       []session.Factor{{Name: "version", Levels: []string{"old", "new"}}},
		Metrics:       []session.Metric{{Name: "rtt.p99", Unit: "us", Better: "lower", From: "samples", Reduce: "p99", Key: "rtt"}},
		SampleColumns: []session.Column{{Name: "rtt", Unit: "us"}},
		Treatments:    []session.Treatment{{Number: 1, Levels: []string{"old"}, Identity: "a"}, {Number: 2, Levels: []string{"new"}, Identity: "b"}},
		Parts:         []session.Part{{Tool: "benchmark", Environment: map[string]string{}}},
	}
	var plan []session.Planned
	for i := range sampledTrials {
		treatment := info.Treatments[i%2]
		plan = append(plan, session.Planned{Trial: i + 1, Phase: "measured", Block: i/2 + 1, Position: i%2 + 1, Treatment: treatment.Number, Levels: treatment.Levels})
	}
	began := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	w, err := session.Create(filepath.Join(notebook, "data", "sampled"), info, plan, nil, session.Options{Sync: session.SyncNone, Now: func() time.Time { return began }})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(9, 99))
	for i, p := range plan {
		rec := session.Record{Row: session.Row{Planned: p, Attempt: 1, Started: began.Add(time.Duration(i) * time.Second), Duration: 0.5, Status: session.OK}}
		var xs []float64
		for k := range samples / sampledTrials {
			x := math.Round(1000*math.Exp(3+0.5*r.NormFloat64())) / 1000
			xs = append(xs, x)
			rec.Samples = append(rec.Samples, session.Sample{Trial: p.Trial, Attempt: 1, Client: 1, Index: k + 1, Values: []float64{x}})
		}
		rec.Metrics = []float64{stat.Quantile(xs, 0.99)}
		if err := w.Append(rec); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Seal(); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}

// reduceAgain reads every sample, reduces them trial by trial, and wants what
// the session recorded.
func reduceAgain(b *testing.B, notebook string) {
	b.Helper()
	data, err := session.ReadDataset(filepath.Join(notebook, "data", "sampled"), session.Choose{})
	if err != nil {
		b.Fatal(err)
	}
	s := data.Sessions[0]
	var xs []float64
	at := 0
	reduce := func() {
		if got := stat.Quantile(xs, 0.99); got != s.Rows[at].Metrics[0] {
			b.Fatalf("trial %d: the samples give %v, the session says %v", at+1, got, s.Rows[at].Metrics[0])
		}
		xs, at = xs[:0], at+1
	}
	for sample, err := range s.Samples() {
		if err != nil {
			b.Fatal(err)
		}
		if sample.Trial > at+1 {
			reduce()
		}
		xs = append(xs, sample.Values[0])
	}
	reduce()
	if at != sampledTrials {
		b.Fatalf("samples of %d trials, want %d", at, sampledTrials)
	}
}

// BenchmarkAnalyzeSamples analyses a sealed session of a million and of ten
// million samples by the command, which checks every byte against the seal,
// and reduces all samples once more trial by trial as they are read. Both
// together may take 2 s and 20 s, and the command 500 MB.
func BenchmarkAnalyzeSamples(b *testing.B) {
	bin := buildTool(b)
	for _, size := range []struct {
		samples int
		most    time.Duration
	}{{1_000_000, 2 * time.Second}, {10_000_000, 20 * time.Second}} {
		b.Run(fmt.Sprintf("samples=%d", size.samples), func(b *testing.B) {
			notebook := b.TempDir()
			if err := os.Mkdir(filepath.Join(notebook, "experiments"), 0o755); err != nil {
				b.Fatal(err)
			}
			writeSampled(b, notebook, size.samples)
			var times, readings []time.Duration
			peak := 0.0
			for b.Loop() {
				start := time.Now()
				cmd := exec.Command(bin, "-C", notebook, "analyze", "sampled")
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
				times = append(times, time.Since(start))
				peak = max(peak, float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)/1024)
				start = time.Now()
				reduceAgain(b, notebook)
				readings = append(readings, time.Since(start))
			}
			b.ReportMetric(slices.Min(times).Seconds(), "s-analyze")
			b.ReportMetric(slices.Min(readings).Seconds(), "s-reduce")
			b.ReportMetric(peak, "MiB")
			if both := slices.Min(times) + slices.Min(readings); both > size.most || peak > 500 {
				b.Errorf("%d samples take %v and %.0f MiB, at most %v and 500 are wanted", size.samples, both, peak, size.most)
			}
		})
	}
}
