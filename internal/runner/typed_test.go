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
		{"env MODE='a b' EMPTY='' taskset -c 0 {build}/x 'a b' {store.port}  # time-out 90 s", `echo 'a;b'  # after the trial`},
		{"env MODE=c EMPTY='' taskset -c 0,1 {build}/x c {store.port}  # time-out 90 s", `echo 'a;b'  # after the trial`},
	} {
		want = append([]string{
			"make {build}  # build",
			"mkdir -p x  # before service store",
			"env LEVEL=quiet taskset -c 1 store --port {store.port} &  # service store, for each block",
			"sync  # before the trial",
		}, want...)
		if got := CommandLines(r.job.Experiment, r.job.Experiment.Treatments[i]); !slices.Equal(got, want) {
			t.Errorf("treatment %d has\n%q, want\n%q", i+1, got, want)
		}
	}
}
