package runner

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldbook/internal/design"
	"fieldbook/internal/experiment"
	"fieldbook/internal/session"
)

// rig runs an experiment file in a folder of its own and keeps what came out.
type rig struct {
	t       testing.TB
	job     Job
	records []session.Record
	events  []Event
	out     Outcome
}

// newRig reads a file and plans blocks of all treatments in their order.
func newRig(t testing.TB, blocks int, yaml string) *rig {
	t.Helper()
	x, problems := experiment.Read("test", "experiment.yaml", []byte("fieldbook: 1\n"+yaml))
	if problems.Failed() {
		t.Fatalf("the test's file is wrong:\n%s", problems.Error())
	}
	r := &rig{t: t}
	r.job = Job{Experiment: x, Plan: inOrder(x, blocks), Folder: t.TempDir(), Work: t.TempDir(), Machine: "here", Session: "now", Part: 1,
		Sink:     func(rec session.Record) error { r.records = append(r.records, rec); return nil },
		Progress: func(e Event) { r.events = append(r.events, e) }}
	return r
}

// inOrder is a plan of measured blocks without a draw.
func inOrder(x *experiment.Experiment, blocks int) *design.Plan {
	p := &design.Plan{Blocks: blocks, Order: experiment.RandomizedBlocks, Treatments: x.Treatments}
	for b := range blocks {
		for i, t := range x.Treatments {
			p.Trials = append(p.Trials, design.Trial{Number: len(p.Trials) + 1, Phase: design.Measured, Block: b + 1, Position: i + 1, Treatment: t.Number})
		}
	}
	return p
}

// run runs to the end, and fails the test where the run itself fails or any
// process is left behind.
func (r *rig) run() *rig {
	r.t.Helper()
	if err := r.try(context.Background()); err != nil {
		r.t.Fatalf("Run: %v", err)
	}
	return r
}

func (r *rig) try(ctx context.Context) error {
	r.t.Helper()
	var err error
	r.out, err = Run(ctx, r.job)
	if pids, childErr := childrenByScan(); childErr != nil || len(pids) > 0 {
		r.t.Errorf("children after the run: %v %v", pids, childErr)
	}
	return err
}

// write puts a file into the experiment's folder; programs are executable.
func (r *rig) write(name, content string) *rig {
	r.t.Helper()
	mode := os.FileMode(0o644)
	if strings.HasPrefix(content, "#!") {
		mode = 0o755
	}
	if err := os.WriteFile(r.path(name), []byte(content), mode); err != nil {
		r.t.Fatal(err)
	}
	return r
}

// copy copies a file from testdata into the experiment's folder.
func (r *rig) copy(name string) *rig {
	r.t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		r.t.Fatal(err)
	}
	return r.write(name, string(b))
}

func (r *rig) path(name string) string { return filepath.Join(r.job.Folder, name) }

// read is a file of the experiment's folder, "" where there is none.
func (r *rig) read(name string) string {
	b, _ := os.ReadFile(r.path(name))
	return string(b)
}

// lines are the lines of a file of the experiment's folder.
func (r *rig) lines(name string) []string { return strings.Fields(r.read(name)) }

// statuses are the statuses of all attempts, in order.
func (r *rig) statuses() []string {
	var all []string
	for _, rec := range r.records {
		all = append(all, rec.Status)
	}
	return all
}

// metric is a metric's value in each attempt.
func (r *rig) metric(name string) []float64 {
	r.t.Helper()
	i := slices.IndexFunc(r.job.Experiment.Metrics, func(m experiment.Metric) bool { return m.Name == name })
	if i < 0 {
		r.t.Fatalf("the file has no metric %q", name)
	}
	var all []float64
	for _, rec := range r.records {
		all = append(all, rec.Metrics[i])
	}
	return all
}

// only is the record of a run that has one.
func (r *rig) only() session.Record {
	r.t.Helper()
	if len(r.records) != 1 {
		r.t.Fatalf("%d records, want 1: %v", len(r.records), r.statuses())
	}
	return r.records[0]
}

// wantStatuses compares the statuses of all attempts.
func (r *rig) wantStatuses(want ...string) {
	r.t.Helper()
	if got := r.statuses(); !slices.Equal(got, want) {
		r.t.Errorf("statuses are %v, want %v", got, want)
		for _, rec := range r.records {
			r.t.Logf("trial %d: %s: %s", rec.Trial, rec.Status, rec.Reason)
		}
	}
}

// wantGone fails where a process whose number a workload wrote down lives.
func (r *rig) wantGone(file string) {
	r.t.Helper()
	numbers := r.lines(file)
	if len(numbers) == 0 {
		r.t.Errorf("%s names no process: the workload did not get as far", file)
	}
	for _, n := range numbers {
		pid, err := strconv.Atoi(n)
		if err != nil || pid <= 1 {
			r.t.Errorf("%s holds %q, want a process number", file, n)
		} else if syscall.Kill(pid, 0) == nil {
			r.t.Errorf("process %d of %s is alive", pid, file)
		}
	}
}

// within fails where something took longer than a generous bound.
func within(t testing.TB, most time.Duration, what string, f func()) {
	t.Helper()
	began := time.Now()
	f()
	if took := time.Since(began); took > most {
		t.Errorf("%s took %s, want at most %s", what, took, most)
	}
}

// tryFirst tries the first treatment.
func tryFirst(t testing.TB, r *rig) Tried {
	t.Helper()
	tried, err := Try(context.Background(), r.job, r.job.Experiment.Treatments[0])
	if err != nil {
		t.Fatalf("Try: %v", err)
	}
	return tried
}
