package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbook/internal/design"
	"fieldbook/internal/session"
)

const note = "#!/bin/sh\necho \"$@\" | tr ' ' : >> log\n"

// TestOrder: everything that runs writes into one log.
func TestOrder(t *testing.T) {
	r := newRig(t, 2, `
factors: {f: [a, b]}
build: [./note, build]
services: {s: {command: [sh, -c, "./note up; echo up; sleep 300"], scope: block, before: [./note, s-before], after: [./note, s-after], ready: {line: up}}}
trial: {before: [./note, before, "{f}"], command: [./note, trial, "{f}"], after: [./note, after, "{f}"]}`).write("note", note)
	r.job.Plan.Trials[0].Phase = design.Warmup
	r.job.Plan.Trials[1].Phase = design.Warmup
	r.job.AfterBlock = func(block int) (bool, error) {
		return false, os.WriteFile(r.path("log"), []byte(r.read("log")+"look\n"), 0o644)
	}
	r.run()
	one := "s-before up s-after before:a trial:a after:a before:b trial:b after:b "
	if got, want := r.log(), "build "+one+one+"look"; got != want {
		t.Errorf("log is\n%s, want\n%s", got, want)
	}
}

func TestBuildOncePerText(t *testing.T) {
	r := newRig(t, 1, `
factors: {mode: [fast, slow], load: [1, 2]}
build: [sh, -c, "echo built $0 >> log; cp hello $1/program", "{mode}", "{build}"]
trial: {command: ["{build}/program", "{mode}", "{load}"]}`).write("hello", "#!/bin/sh\necho $0 $1\n").run()
	r.wantStatuses(slices.Repeat([]string{session.OK}, 4)...)
	if got := r.read("log"); got != "built fast\nbuilt slow\n" {
		t.Errorf("builds are %q, want one for each text", got)
	}
	if len(r.out.Built) != 2 {
		t.Errorf("built is %v, want two hashes", r.out.Built)
	}
	for what, hash := range r.out.Built {
		if !strings.Contains(what, "{build}") || len(hash) != 64 {
			t.Errorf("built %q is %q, want the command with {build} as written, and a SHA-256", what, hash)
		}
	}
}

func TestBuildThatFails(t *testing.T) {
	for yaml, want := range map[string]string{
		`build: {command: "echo compiling; echo error in line 3 >&2; exit 2", shell: true}`: "build: sh -c 'echo compiling; echo error in line 3 >&2; exit 2': exit 2\nerror in line 3",
		`build: [no-such-compiler]`: "cannot start: no-such-compiler: not found in PATH",
	} {
		r := newRig(t, 1, yaml+"\ntrial: {command: echo}")
		if err := r.try(context.Background()); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", yaml, err, want)
		}
	}
}

// TestBuiltIsToldBeforeTheFirstTrial, and its refusal ends the run.
func TestBuiltIsToldBeforeTheFirstTrial(t *testing.T) {
	r := newRig(t, 1, "build: [sh, -c, 'echo x > $0/x', '{build}']\ntrial: {command: echo}")
	refused := errors.New("another program")
	r.job.Built = func(built map[string]string) error {
		if len(built) != 1 {
			t.Errorf("built is %v, want one", built)
		}
		return refused
	}
	if err := r.try(context.Background()); !errors.Is(err, refused) || len(r.records) > 0 {
		t.Errorf("error %v and %d records, want the refusal and none", err, len(r.records))
	}
}

// TestCheckouts: two commits are two levels.
func TestCheckouts(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	r := newRig(t, 2, `
factors: {revision: [first, second]}
source: {git: repository, revision: "{revision}"}
trial: {command: [cat, "{source}/version"]}
metrics: {version: {from: regex, pattern: '(\d)', unit: "1"}}`)
	script := `git init -q repository && cd repository && git config user.email a@b && git config user.name c
for n in 1 2; do echo $n > version; git add version; git commit -q -m $n; [ $n = 1 ] && git tag first || git tag second; done`
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = r.job.Folder
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r.run()
	if got := r.metric("version"); !slices.Equal(got, []float64{1, 2, 1, 2}) {
		t.Errorf("versions are %v, want 1 2 1 2", got)
	}
	r.job.Experiment.Factors[0].Levels[0].Text = "never"
	r.job.Plan.Treatments[0].Levels[0] = "never"
	if err := r.try(context.Background()); err == nil || !strings.Contains(err.Error(), `revision "never"`) {
		t.Errorf("error %v, want one that names the revision", err)
	}
}

func TestRetries(t *testing.T) {
	r := newRig(t, 1, `trial: {command: ./flaky, retries: 2}`).write("flaky", "#!/bin/sh\necho >> tries; [ $(wc -l < tries) -ge 3 ]\n").run()
	r.wantStatuses(session.Failed, session.Failed, session.OK)
	for i, rec := range r.records {
		if rec.Trial != 1 || rec.Attempt != i+1 {
			t.Errorf("record %d is attempt %d of trial %d", i+1, rec.Attempt, rec.Trial)
		}
	}
	if r.out.NotOK != 0 || !r.out.Complete {
		t.Errorf("outcome is %+v, want complete, and nothing not ok", r.out)
	}
	r = newRig(t, 2, "trial: {command: \"false\", retries: 1}")
	r.job.Attempts = func(trial int) int { return 5 * (2 - trial) }
	r.run()
	if len(r.records) != 4 || r.records[0].Attempt != 6 || r.records[1].Attempt != 7 || r.records[2].Attempt != 1 || r.out.NotOK != 2 {
		t.Errorf("%d records, outcome %+v; want 4, numbered on from earlier attempts, 2 not ok", len(r.records), r.out)
	}
	r = newRig(t, 1, "trial: {command: echo m=1, retries: 3}\nmetrics: {m: {from: regex, pattern: 'm=(.)', unit: '1'}}\nvalid: [m > 1]").run()
	r.wantStatuses(session.Invalid)
}

func TestDoneTrialsAreLeftOut(t *testing.T) {
	r := newRig(t, 3, "factors: {f: [a, b]}\ntrial: {command: [echo, '{f}']}")
	done := map[int]bool{1: true, 2: true, 4: true}
	r.job.Done = func(trial int) bool { return done[trial] }
	var asked []int
	r.job.AfterBlock = func(block int) (bool, error) { asked = append(asked, block); return false, nil }
	r.run()
	var ran []int
	for _, rec := range r.records {
		ran = append(ran, rec.Trial)
	}
	if !slices.Equal(ran, []int{3, 5, 6}) {
		t.Errorf("trials run are %v, want 3 5 6", ran)
	}
	if !slices.Equal(asked, []int{1, 2, 3}) {
		t.Errorf("asked after the blocks %v, want 1 (done before, not looked at), 2 and 3", asked)
	}
	if last := r.events[len(r.events)-1]; last.Done != 6 || last.Total != 6 {
		t.Errorf("the last event says %d of %d, want 6 of 6", last.Done, last.Total)
	}
}

func TestStopAfterABlock(t *testing.T) {
	r := newRig(t, 5, "factors: {f: [a, b]}\ntrial: {command: [echo, '{f}']}")
	r.job.AfterBlock = func(block int) (bool, error) { return block == 2, nil }
	r.run()
	if len(r.records) != 4 || !r.out.Stopped || !r.out.Complete {
		t.Errorf("%d records, outcome %+v; want 4, stopped and complete", len(r.records), r.out)
	}
	r.job.AfterBlock = func(int) (bool, error) { return false, errors.New("no data") }
	if err := r.try(context.Background()); err == nil || r.out.Complete {
		t.Errorf("error %v, outcome %+v; want the look's error", err, r.out)
	}
}

// TestFinish lets the running trial end.
func TestFinish(t *testing.T) {
	r := newRig(t, 5, "trial: {command: ./slow}").write("slow", "#!/bin/sh\necho yes > started\nsleep 0.4\n")
	finish, over := make(chan struct{}), make(chan struct{})
	r.job.Finish = finish
	go func() { // once the first trial runs
		defer close(finish)
		for ended := false; !ended && r.read("started") == ""; {
			select {
			case <-over:
				ended = true
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	r.run()
	close(over)
	r.wantStatuses(session.OK)
	if r.out.Complete || r.out.NotOK != 0 {
		t.Errorf("outcome is %+v, want not complete", r.out)
	}
}

// TestCancel stops at once, at any stage.
func TestCancel(t *testing.T) {
	for _, tt := range []struct{ yaml, status string }{
		{"trial: {command: ./hang}", session.Interrupted},
		{"trial: {command: echo, before: ./hang}", session.Interrupted},
		{"trial: {command: echo, after: ./hang}", session.Interrupted},
		{"services: {s: {command: ./hang, ready: {line: never, within: 60s}}}\ntrial: {command: echo}", session.Interrupted},
		{"services: {s: {command: ./hang, scope: trial, ready: {line: never, within: 60s}}}\ntrial: {command: echo}", session.Interrupted},
		{"trial: {command: ./hang, quiet: {cpu-below: 1%, wait: 60s}}", session.Interrupted},
		{"build: ./hang\ntrial: {command: echo}", ""},
	} {
		r := newRig(t, 2, tt.yaml).write("hang", "#!/bin/sh\necho $$ >> pids\necho {}\nexec sleep 300\n")
		ctx, cancel := context.WithTimeout(context.Background(), 400*time.Millisecond)
		var err error
		within(t, 20*time.Second, "the run", func() { err = r.try(ctx) })
		cancel()
		if err != nil || r.out.Complete {
			t.Errorf("%s: error %v, outcome %+v; want none, not complete", tt.yaml, err, r.out)
		}
		if tt.status != "" {
			r.wantStatuses(tt.status)
		} else {
			r.wantStatuses()
		}
		if r.read("pids") != "" {
			r.wantGone("pids")
		}
	}
}

func TestSinkEndsTheRun(t *testing.T) {
	r := newRig(t, 3, "trial: {command: echo}")
	full := errors.New("disk full")
	r.job.Sink = func(session.Record) error { return full }
	if err := r.try(context.Background()); !errors.Is(err, full) {
		t.Errorf("error %v, want that of the sink", err)
	}
}

// TestBeforeAndAfter: a failure of either fails the attempt; after runs
// however the trial ended.
func TestBeforeAndAfter(t *testing.T) {
	for _, tt := range []struct{ trial, status, reason, log string }{
		{"before: [sh, -c, 'echo no >&2; exit 3'], command: [./note, trial], after: [./note, after]", session.Failed, "before: sh -c 'echo no >&2; exit 3': exit 3: no", ""},
		{"command: [./note, trial], after: [sh, -c, 'exit 4']", session.Failed, "after: sh -c 'exit 4': exit 4", "trial"},
		{"command: [sh, -c, 'exit 5'], after: [./note, after]", session.Failed, "exit 5", "after"},
		{"command: [sh, -c, 'exit 5'], after: ['false']", session.Failed, "exit 5; after: false: exit 1", ""},
		{"command: sleep 60, after: [./note, after], timeout: 200ms", session.Timeout, "no end within 200ms", "after"},
		{"before: sleep 60, command: [./note, trial], timeout: 200ms", session.Failed, "before: sleep 60: no end within 200ms", ""},
		{"before: [sh, -c, 'cp note made'], command: [./made, trial]", session.OK, "", "trial"},
		{"before: [no-such], command: [./note, trial]", session.Skipped, "cannot start: no-such: not found in PATH", ""},
		{"command: [./note, trial], after: [no-such]", session.Skipped, "cannot start: no-such: not found in PATH", ""},
	} {
		r := newRig(t, 1, "trial: {"+tt.trial+"}").write("note", note).run()
		if rec := r.only(); rec.Status != tt.status || rec.Reason != tt.reason || r.log() != tt.log {
			t.Errorf("%s:\n%s: %s, log %q;\nwant %s: %s, log %q", tt.trial, rec.Status, rec.Reason, r.log(), tt.status, tt.reason, tt.log)
		}
	}
}

func TestProcessorsAreChosen(t *testing.T) {
	r := newRig(t, 1, `
services: {s: {command: [sh, -c, "grep Cpus_allowed_list /proc/self/status > of-service; sleep 300"], cpus: [0], ready: {command: [test, -s, of-service]}}}
factors: {placement: [one, all]}
trial: {command: [sh, -c, "grep Cpus_allowed_list /proc/self/status >> of-trial"], cpus: {by: placement, one: [0], all: `+allCPUs(t)+`}}`)
	if strings.HasPrefix(allCPUs(t), "[1") {
		t.Skip("processor 0 is not ours")
	}
	r.run()
	r.wantStatuses(session.OK, session.OK)
	if got := r.lines("of-service"); got[1] != "0" {
		t.Errorf("the service is held to %v, want 0", got)
	}
	if got := r.lines("of-trial"); got[1] != "0" || got[3] == "0" && strings.Contains(allCPUs(t), ",") {
		t.Errorf("the trials are held to %v, want 0, then all", got)
	}
}

// allCPUs are the processors that this process may use, as a list.
func allCPUs(t *testing.T) string {
	t.Helper()
	l, err := newLocal(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	var list []int
	for cpu := range 1024 {
		if l.allows([]int{cpu}) == nil {
			list = append(list, cpu)
		}
	}
	return strings.ReplaceAll(fmt.Sprint(list), " ", ", ")
}

func TestProcessorsThatAreNotThere(t *testing.T) {
	r := newRig(t, 1, "trial: {command: echo, cpus: [0, 1000]}")
	if err := r.try(context.Background()); err == nil || !strings.Contains(err.Error(), "trial of treatment 1: cpus: processor 1000 may not be used here, only 0") {
		t.Errorf("error %v, want one that names the processor and those that may be used", err)
	}
}

func TestQuiet(t *testing.T) {
	r := newRig(t, 1, "trial: {command: echo, quiet: {cpu-below: 100%, wait: 30s}}").run()
	if s := r.only().State; !(s.QuietS > 0.09) || s.QuietS > 20 {
		t.Errorf("waited %g s for a share below 100 %%, want one look", s.QuietS)
	}
	r = newRig(t, 1, "trial: {command: echo, quiet: {cpu-below: 0.000001%, wait: 300ms}}").run()
	r.wantStatuses(session.OK)
	if s := r.only().State; s.QuietS > 20 {
		t.Errorf("waited %g s, want at most a little over 0.3", s.QuietS)
	}
}

func TestRowsSayWhatWasPlanned(t *testing.T) {
	r := newRig(t, 1, "factors: {f: [a]}\ntrial: {command: [echo, '{f}']}")
	r.job.Plan.Trials[0] = design.Trial{Number: 9, Phase: design.Warmup, Block: 2, Plot: 3, Position: 4, Treatment: 1, Control: "B"}
	before := time.Now()
	r.run()
	rec := r.only()
	want := session.Planned{Trial: 9, Phase: "warmup", Block: 2, Plot: 3, Position: 4, Treatment: 1, Control: "B", Levels: []string{"a"}}
	if fmt.Sprint(rec.Planned) != fmt.Sprint(want) || rec.Session != "now" || rec.Machine != "here" || rec.Part != 1 || rec.Attempt != 1 {
		t.Errorf("row is %+v, want %+v", rec.Row, want)
	}
	if rec.Started.Location() != time.UTC || rec.Started.Before(before.Add(-time.Second)) || rec.StdoutBytes != 2 || rec.Exit != 0 || len(rec.Outputs) != 0 {
		t.Errorf("row is %+v, outputs %v", rec.Row, rec.Outputs)
	}
}

func TestScratchIsFreshAndRemoved(t *testing.T) {
	r := newRig(t, 3, `trial: {command: [sh, -c, "ls $0; echo x > $0/file; echo $0 > where", "{scratch}"]}`).run()
	for _, rec := range r.records {
		if rec.StdoutBytes != 0 {
			t.Errorf("trial %d finds %d bytes of names in its folder, want none", rec.Trial, rec.StdoutBytes)
		}
	}
	where := strings.TrimSpace(r.read("where"))
	if _, err := os.Stat(where); !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(where, r.job.Work+string(filepath.Separator)) {
		t.Errorf("the folder %s: %v, want it gone, and within %s", where, err, r.job.Work)
	}
}

func TestCommandText(t *testing.T) {
	r := newRig(t, 1, `
factors: {f: ["a b", c]}
build: [echo, "{build}"]
trial: {command: ["{build}/x", "{f}", "{scratch}", "it's", "{{1..3}}"]}`)
	if got, want := CommandText(r.job.Experiment, r.job.Experiment.Treatments[0]), `{build}/x 'a b' {scratch} 'it'\''s' '{1..3}'`; got != want {
		t.Errorf("CommandText = %s, want %s", got, want)
	}
	r = newRig(t, 1, "trial: {command: 'a | b', shell: true}")
	if got, want := CommandText(r.job.Experiment, r.job.Experiment.Treatments[0]), `sh -c 'a | b'`; got != want {
		t.Errorf("CommandText = %s, want %s", got, want)
	}
}
