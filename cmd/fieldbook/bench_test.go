package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// recordTrue records n trials of `true` in a fresh notebook and gives the
// time taken and the tool's peak memory in MiB.
func recordTrue(b *testing.B, bin, sync string, n int) (time.Duration, float64) {
	b.Helper()
	dir := b.TempDir()
	file := filepath.Join(dir, "experiments", "true", "experiment.yaml")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		b.Fatal(err)
	}
	src := fmt.Sprintf("fieldbook: 1\nfactors: {one: [only]}\ntrial: {command: [\"true\"], env: {ONE: \"{one}\"}}\n"+
		"metrics: {wall: {from: wall, unit: s}}\ndesign: {blocks: %d, warmup-blocks: 0}\n", n)
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(bin, "-C", dir, "run", "-q", "--sync", sync)
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return time.Since(start), float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024
}

// BenchmarkThousandTrials sets 1,000 trials of `true` beside 1,000 runs by
// hyperfine, turn by turn, and reports the ratio of whole-process times.
func BenchmarkThousandTrials(b *testing.B) {
	hyperfine, err := exec.LookPath("hyperfine")
	if err != nil {
		b.Skip("hyperfine is not installed")
	}
	bin := buildTool(b)
	var ours, theirs time.Duration
	for b.Loop() {
		d, _ := recordTrue(b, bin, "none", 1000)
		ours += d
		start := time.Now()
		if out, err := exec.Command(hyperfine, "-N", "--style", "none", "--runs", "1000", "true").CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		theirs += time.Since(start)
	}
	b.ReportMetric(float64(ours)/float64(theirs), "of-hyperfine")
	b.ReportMetric(float64(ours.Microseconds())/float64(b.N)/1000, "us/trial")
}

// BenchmarkSync is the cost of a trial under each way of making rows durable.
func BenchmarkSync(b *testing.B) {
	bin := buildTool(b)
	for _, sync := range []string{"none", "block", "trial"} {
		b.Run(sync, func(b *testing.B) {
			var sum time.Duration
			for b.Loop() {
				d, _ := recordTrue(b, bin, sync, 1000)
				sum += d
			}
			b.ReportMetric(float64(sum.Microseconds())/float64(b.N)/1000, "us/trial")
		})
	}
}

// BenchmarkManyTrials shows that neither the cost of a trial nor
// the memory grows with their number: both are given beside those at 1,000.
func BenchmarkManyTrials(b *testing.B) {
	bin := buildTool(b)
	for b.Loop() {
		few, fewMiB := recordTrue(b, bin, "none", 1000)
		many, manyMiB := recordTrue(b, bin, "none", 100000)
		b.ReportMetric(float64(many)/100/float64(few), "cost-of-1000")
		b.ReportMetric(manyMiB, "MiB")
		b.ReportMetric(fewMiB, "MiB-at-1000")
	}
}
