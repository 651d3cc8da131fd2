package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldbook/internal/session"
)

// took is what recording trials took: time, and the tool's memory in MiB.
type took struct {
	time                 time.Duration
	early, running, peak float64 // after a tenth of the trials; the most while trials ran; the most of all
}

// recordTrue records n trials of `true` in a fresh notebook.
func recordTrue(b *testing.B, bin, sync string, n int) took {
	b.Helper()
	dir := b.TempDir()
	file := filepath.Join(dir, "experiments", "true", "experiment.yaml")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		b.Fatal(err)
	}
	src := fmt.Sprintf("fieldbook: 1\nfactors: {one: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}\ntrial: {command: [\"true\"], env: {ONE: \"{one}\"}}\n"+
		"metrics: {wall: {from: wall, unit: s}}\ndesign: {blocks: %d, warmup-blocks: 0}\n", n/10)
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(bin, "-C", dir, "run", "-q", "--sync", sync)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	seen := make(chan took)
	go func() { seen <- watchMemory(dir, cmd.Process.Pid, n) }()
	err := cmd.Wait()
	r := took{time: time.Since(start)}
	if memory := <-seen; err != nil {
		b.Fatalf("%v\n%s", err, out.Bytes())
	} else {
		r.early, r.running = memory.early, memory.running
	}
	r.peak = float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024
	return r
}

// watchMemory looks now and then at the resident memory of a run of n
// trials until all rows are written or the process has ended.
func watchMemory(dir string, pid, n int) (r took) {
	for range time.Tick(time.Duration(max(n/50, 100)) * time.Millisecond) {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, after, resident := strings.Cut(string(status), "VmRSS:")
		if err != nil || !resident {
			return r
		}
		var kib float64
		fmt.Sscan(after, &kib)
		rows := 0
		if files, _ := filepath.Glob(filepath.Join(dir, "data", "true", "*", "trials.csv")); len(files) == 1 {
			text, _ := os.ReadFile(files[0])
			rows = bytes.Count(text, []byte{'\n'}) - 1
		}
		switch {
		case rows >= n:
			return r
		case r.early == 0 && rows >= n/10:
			r.early = kib / 1024
		}
		r.running = max(r.running, kib/1024)
	}
	return r
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
		ours += recordTrue(b, bin, "none", 1000).time
		start := time.Now()
		if out, err := exec.Command(hyperfine, "-N", "--style", "none", "--runs", "1000", "true").CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		theirs += time.Since(start)
	}
	b.ReportMetric(float64(ours)/float64(theirs), "of-hyperfine")
	b.ReportMetric(float64(ours.Microseconds())/float64(b.N)/1000, "us/trial")
}

// BenchmarkSync is the speed of trials of ten treatments, and the tool's
// memory, under each way of making rows durable. That 100,000 trials take no
// longer each than 1,000, and no more memory at their end than after a tenth
// of them, shows that nothing grows while trials run; the plan is held from
// the start, and the table at the end reads all rows back.
func BenchmarkSync(b *testing.B) {
	bin := buildTool(b)
	for _, n := range []int{1_000, 100_000} {
		for _, sync := range []string{"none", "block", "trial"} {
			b.Run(fmt.Sprintf("%s/trials=%d", sync, n), func(b *testing.B) {
				var sum time.Duration
				var most took
				for b.Loop() {
					r := recordTrue(b, bin, sync, n)
					sum += r.time
					most = took{early: max(most.early, r.early), running: max(most.running, r.running), peak: max(most.peak, r.peak)}
				}
				b.ReportMetric(float64(b.N*n)/sum.Seconds(), "trials/s")
				b.ReportMetric(most.early, "MiB-after-a-tenth")
				b.ReportMetric(most.running, "MiB-running")
				b.ReportMetric(most.peak, "MiB-in-all")
			})
		}
	}
}

// BenchmarkReadBack analyses a recorded session of ten treatments in a
// process of its own: seconds from start to exit, and peak memory.
func BenchmarkReadBack(b *testing.B) {
	bin := buildTool(b)
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprintf("trials=%d", n), func(b *testing.B) {
			dir := b.TempDir()
			if err := os.MkdirAll(filepath.Join(dir, "experiments"), 0o755); err != nil {
				b.Fatal(err)
			}
			writeLong(b, dir, n)
			var most float64
			for b.Loop() {
				cmd := exec.Command(bin, "-C", dir, "analyze", "long")
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
				most = max(most, float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)/1024)
			}
			b.ReportMetric(most, "MiB")
		})
	}
}

// writeLong seals a session of so many trials in the notebook.
func writeLong(b *testing.B, notebook string, trials int) {
	b.Helper()
	info := session.Info{
		Experiment: "long", Machine: "box", Purpose: "measure", Order: "randomized-blocks", Generator: "pcg-1",
		Seed: "0000000000000001", Blocks: trials / 10,
		Factors: []session.Factor{{Name: "version"}},
		Metrics: []session.Metric{{Name: "wall", Unit: "s", Better: "lower", From: "wall"}},
		Parts:   []session.Part{{Tool: "benchmark", Environment: map[string]string{}}},
	}
	for i := range 10 {
		level := string(rune('a' + i))
		info.Factors[0].Levels = append(info.Factors[0].Levels, level)
		info.Treatments = append(info.Treatments, session.Treatment{Number: i + 1, Levels: []string{level}, Identity: level})
	}
	plan := make([]session.Planned, trials)
	for i := range plan {
		t := info.Treatments[i%10]
		plan[i] = session.Planned{Trial: i + 1, Phase: "measured", Block: i/10 + 1, Position: i%10 + 1, Treatment: t.Number, Levels: t.Levels}
	}
	began := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	w, err := session.Create(filepath.Join(notebook, "data", "long"), info, plan, nil, session.Options{Sync: session.SyncNone, Now: func() time.Time { return began }})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(4, 44))
	for i, p := range plan {
		x := 0.01 * math.Exp(0.1*r.NormFloat64())
		row := session.Row{Planned: p, Attempt: 1, Started: began.Add(time.Duration(i) * time.Millisecond), Duration: x, Status: session.OK, Metrics: []float64{x}}
		if err := w.Append(session.Record{Row: row}); err != nil {
			b.Fatal(err)
		}
	}
	if err := errors.Join(w.Seal(), w.Close()); err != nil {
		b.Fatal(err)
	}
}
