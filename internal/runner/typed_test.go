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
			"env LEVEL=quiet taskset -c 1 store --port {store.port} &  # service store, for each block",
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
