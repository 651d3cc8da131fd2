package runner

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// runnerFolder names, in the environment, the folder of a runner that is to
// be killed.
const runnerFolder = "RUNNER_TEST_FOLDER"

// TestRunnerToBeKilled is no test of its own: TestKilledRunnerTakesItsChildren
// runs it in a process of its own.
func TestRunnerToBeKilled(t *testing.T) {
	folder := os.Getenv(runnerFolder)
	if folder == "" {
		t.Skip("only as another test's process")
	}
	r := newRig(t, 1, `
services: {s: {command: [sh, -c, "echo $$ > service; exec sleep 300"], ready: {command: [test, -s, service]}}}
trial: {command: [sh, -c, "echo $$ > trial; exec sleep 300"]}`)
	r.job.Folder = folder
	r.run()
}

// TestKilledRunnerTakesItsChildren: even a runner that is killed, and can
// clean up nothing, leaves neither trial nor service.
func TestKilledRunnerTakesItsChildren(t *testing.T) {
	r := newRig(t, 1, "commands: {only: echo}")
	cmd := exec.Command(os.Args[0], "-test.run=^TestRunnerToBeKilled$")
	cmd.Env = append(os.Environ(), runnerFolder+"="+r.job.Folder)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the trial starts", func() bool { return r.read("trial") != "" })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() // it was killed: that is the error
	for _, file := range []string{"trial", "service"} {
		pid, err := strconv.Atoi(r.lines(file)[0])
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, "the "+file+" ends", func() bool {
			syscall.Wait4(pid, nil, syscall.WNOHANG, nil) // it may have become ours to reap
			return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
		})
	}
}

// eventually waits, generously, until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for began := time.Now(); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > 30*time.Second {
			t.Fatalf("%s: not within 30 s", what)
		}
	}
}

// TestOrphansAreReapedDuringLongTrials: a trial that leaves many short-lived
// orphans does not use up the process numbers.
func TestOrphansAreReapedDuringLongTrials(t *testing.T) {
	l, err := newLocal(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	l.tidying = 50 * time.Millisecond
	const script = `for i in 1 2 3 4 5; do ( sh -c : & ) ; done; sleep 1; grep -l "^PPid:.$PPID$" /proc/[0-9]*/status | wc -l`
	out, err := l.run(&work{commands: []*command{{path: "/bin/sh", argv: []string{"sh", "-c", script}, env: os.Environ(), dir: t.TempDir()}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(out.stdout(0).kept.text()); got != "2\n" || !out.exits[0].ok() {
		t.Errorf("the trial counts %q children of its parent, %s; want only itself and the guardian", got, out.exits[0])
	}
}
