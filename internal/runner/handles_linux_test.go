package runner

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"fieldbook/internal/session"
	"golang.org/x/sys/unix"
)

// TestOutOfFileHandles: the run ends with an error that says what has run out
// and what helps; the trials before are whole, nothing is left behind, and
// once there are handles again a run goes on.
func TestOutOfFileHandles(t *testing.T) {
	const inner = "RUNNER_TEST_HANDLES"
	if os.Getenv(inner) == "" { // a limit is the whole process's: in one of its own
		cmd := exec.Command(os.Args[0], "-test.run=^TestOutOfFileHandles$")
		cmd.Env = append(os.Environ(), inner+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	r := newRig(t, 3, `
factors: {n: [1, 300]}
trial: {command: [sh, -c, "echo $$ >> pids; echo 'fieldbook: ready'; read go; echo '{{\"calls\": 1}}'"], clients: "{n}"}
metrics: {done: {from: clients, key: calls, reduce: sum, unit: "1"}}`)
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &old); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 100, Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	err := r.try(context.Background())
	if err == nil || !strings.Contains(err.Error(), "no more than 100 files open (ulimit -n raises that)") {
		t.Errorf("the error is %v, want one that names the limit", err)
	}
	r.wantStatuses(session.OK) // of the trial before
	r.wantGone("pids")
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: min(old.Max, 4096), Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	r.job.Done = func(trial int) bool { return trial == 1 || trial > 2 }
	r.run().wantStatuses(session.OK, session.OK)
}
