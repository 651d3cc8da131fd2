package session

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var start = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)

// at is Options whose clock stands so many seconds behind start.
func at(second int) Options {
	return Options{Sync: SyncNone, Now: func() time.Time { return start.Add(time.Duration(second) * time.Second) }}
}

// smallInfo describes a session of two treatments with clients and samples.
// One level has a comma, a quote and a line break.
func smallInfo() Info {
	return Info{
		Experiment: "small", Machine: "box", Purpose: "measure", Order: "randomized-blocks",
		Generator: "pcg-1", Seed: "0000000000000007", Blocks: 3,
		Factors:       []Factor{{Name: "mode", Levels: []string{"plain", "odd,\"\n1.10"}}},
		Metrics:       []Metric{{Name: "wall", Unit: "s", Better: "lower", From: "wall"}, {Name: "rtt.p50", Unit: "us", From: "samples", Reduce: "p50"}},
		ClientColumns: []Column{{Name: "calls"}},
		SampleColumns: []Column{{Name: "rtt", Unit: "us"}},
		Treatments: []Treatment{
			{Number: 1, Levels: []string{"plain"}, Identity: "aa"},
			{Number: 2, Levels: []string{"odd,\"\n1.10"}, Identity: "bb"},
		},
		Parts: []Part{{Tool: "test", Environment: map[string]string{"cpu": "one"}}},
	}
}

// smallPlan is a warm-up block and so many measured ones of all treatments.
func smallPlan(info *Info, blocks int) []Planned {
	var plan []Planned
	for b := range blocks + 1 {
		phase, block := "measured", b
		if b == 0 {
			phase, block = "warmup", 1
		}
		for i, t := range info.Treatments {
			plan = append(plan, Planned{Trial: len(plan) + 1, Phase: phase, Block: block, Position: i + 1, Treatment: t.Number, Levels: t.Levels})
		}
	}
	return plan
}

// attempt is what an attempt at a trial leaves; the same arguments give the
// same record.
func attempt(trial, attempt int, status string) Record {
	x := float64(trial) + float64(attempt)/8
	r := Record{Row: Row{
		Planned: Planned{Trial: trial}, Attempt: attempt, Started: start.Add(time.Duration(trial*1000+attempt) * time.Millisecond),
		Duration: x / 3, Status: status, Metrics: []float64{x / 3, math.NaN()},
		StdoutBytes: int64(trial), State: State{Load1: 0.25, ForeignCPU: math.NaN(), MHz: 2400, TempC: math.NaN(), QuietS: 1e-7},
	}}
	for c := range 2 {
		r.Clients = append(r.Clients, Client{Trial: trial, Attempt: attempt, Client: c, Clock: "runner", StartNS: int64(trial) * 1e9, FinishNS: int64(trial)*1e9 + 5, Values: []float64{x}})
		for i := range 2 {
			r.Samples = append(r.Samples, Sample{Trial: trial, Attempt: attempt, Client: c, Index: i, Values: []float64{x + float64(i)/10}})
		}
	}
	switch status {
	case OK:
	case Interrupted:
		r.Exit, r.Signal, r.Reason = -1, "SIGKILL", "interrupted"
	default:
		r.Exit, r.Reason = 3, "exit 3, \"why\"\nsecond line"
		r.Outputs = map[string][]byte{"stdout": []byte("some\n"), "client-1-stderr": {0, 255}}
	}
	return r
}

// story is the attempts of the small session, in order: with a retry, an
// interruption and a failure that stays.
func story() []Record {
	return []Record{
		attempt(1, 1, OK), attempt(2, 1, OK), attempt(3, 1, OK), attempt(4, 1, Failed), attempt(4, 2, OK),
		attempt(5, 1, Interrupted), attempt(5, 2, OK), attempt(6, 1, Timeout), attempt(6, 2, Failed),
		attempt(7, 1, Invalid), attempt(8, 1, OK),
	}
}

func create(t testing.TB, dataDir string, opts Options) *Writer {
	t.Helper()
	info := smallInfo()
	w, err := Create(dataDir, info, smallPlan(&info, 3), []byte("fieldbook: 1\n"), opts)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func appendAll(t testing.TB, w *Writer, list []Record) {
	t.Helper()
	for _, r := range list {
		if err := w.Append(r); err != nil {
			t.Fatal(err)
		}
	}
}

func closed(t testing.TB, w *Writer) string {
	t.Helper()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.Dir()
}

// sealed is the folder of a whole, sealed small session.
func sealedSession(t testing.TB, dataDir string, opts Options) string {
	t.Helper()
	w := create(t, dataDir, opts)
	appendAll(t, w, story())
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	return closed(t, w)
}

func mustRead(t testing.TB, dir string) *Session {
	t.Helper()
	s, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func clientsOf(t testing.TB, s *Session) (list []Client) {
	t.Helper()
	for c, err := range s.Clients() {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

func samplesOf(t testing.TB, s *Session) (list []Sample) {
	t.Helper()
	for c, err := range s.Samples() {
		if err != nil {
			t.Fatal(err)
		}
		c.Values = slices.Clone(c.Values)
		list = append(list, c)
	}
	return list
}

// files is everything in and beside a folder, by path.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		all[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func diff(want, got any) string {
	return cmp.Diff(want, got, cmpopts.EquateNaNs(), cmpopts.EquateEmpty())
}

func readText(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeText(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// memoryDir is a folder of the test in memory, where there is one: syncs cost
// nothing there.
func memoryDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "fieldbook-session")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
