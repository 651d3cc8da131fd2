package runner

import (
	"slices"
	"testing"
)

func TestCommandLines(t *testing.T) {
	r := newRig(t, 1, `
factors: {f: ["a b", c]}
build: {command: [make, "{build}"]}
services:
  store: {command: [store, --port, "{store.port}"], scope: block, cpus: [1], env: {LEVEL: quiet}, before: [mkdir, -p, x], ready: {tcp: "localhost:{store.port}"}}
trial:
  command: ["{build}/x", "{f}", "{store.port}"]
  before: [sync]
  after: 'echo "a;b"'
  cpus: {by: f, "a b": [0], c: [0, 1]}
  env: {MODE: "{f}", EMPTY: ""}
  timeout: 90s`)
	for i, want := range [][]string{
		{"env MODE='a b' EMPTY='' taskset -c 0 {build}/x 'a b' {store.port}  # time-out 90 s", `env MODE='a b' EMPTY='' echo 'a;b'  # after the trial`},
		{"env MODE=c EMPTY='' taskset -c 0,1 {build}/x c {store.port}  # time-out 90 s", `env MODE=c EMPTY='' echo 'a;b'  # after the trial`},
	} {
		want = append([]string{
			"make {build}  # build",
			"env LEVEL=quiet mkdir -p x  # before service store",
			"env LEVEL=quiet taskset -c 1 store --port {store.port} &  # service store, for each block; ready when localhost:{store.port} takes a connection, within 10 s",
			"env MODE=" + []string{"'a b'", "c"}[i] + " EMPTY='' sync  # before the trial",
		}, want...)
		if got := CommandLines(r.job.Experiment, r.job.Experiment.Treatments[i]); !slices.Equal(got, want) {
			t.Errorf("treatment %d has\n%q, want\n%q", i+1, got, want)
		}
	}
}

// A file for standard input is sought from the experiment's folder, and what
// runs before and after a trial runs in the trial's.
func TestCommandLinesInAFolder(t *testing.T) {
	r := newRig(t, 1, "trial: {command: [cat], cwd: in, stdin: x.txt, before: [pwd], after: [pwd]}")
	want := []string{"(cd in && pwd)  # before the trial", "(cd in && cat) < x.txt  # time-out 600 s", "(cd in && pwd)  # after the trial"}
	if got := CommandLines(r.job.Experiment, r.job.Experiment.Treatments[0]); !slices.Equal(got, want) {
		t.Errorf("the lines are %q, want %q", got, want)
	}
}

// What makes a service ready, and what gives a trial another try or lets it
// wait, is part of how it ran.
func TestCommandLinesSayWhatIsWaitedForAndTriedAgain(t *testing.T) {
	for _, tt := range []struct{ ready, trial, service, want string }{
		{`{line: "up|on", within: 1500ms}`, "retries: 1", "with a line that matches 'up|on', within 1.5 s", "tried once more where it fails or times out"},
		{`{http: "http://{s.address}/"}`, "retries: 3", "when http://{s.address}/ answers, within 10 s", "tried up to 3 times more where it fails or times out"},
		{`{command: [test, -e, "a b"]}`, "quiet: {cpu-below: 10%, wait: 5s}", "when test -e 'a b' exits with 0, within 10 s",
			"waits up to 5 s until others' work keeps less than 10 % of the processors busy"},
	} {
		r := newRig(t, 1, "services: {s: {command: [sleep, \"9\"], scope: block, ready: "+tt.ready+"}}\ntrial: {command: [echo], "+tt.trial+"}")
		want := []string{"sleep 9 &  # service s, for each block; ready " + tt.service, "echo  # time-out 600 s; " + tt.want}
		if got := CommandLines(r.job.Experiment, r.job.Experiment.Treatments[0]); !slices.Equal(got, want) {
			t.Errorf("the lines are\n%q, want\n%q", got, want)
		}
	}
}
