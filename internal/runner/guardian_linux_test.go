package runner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	guard "fieldbook/internal/guardian"
	"golang.org/x/sys/unix"
)

// runnerKind is what a runner that is to be killed does before.
type runnerKind struct {
	service   bool // a service starts the processes, not the trial
	wiped     bool // they throw their environment away
	scan      bool // it makes no control groups
	unguarded bool // its guardian is killed first
}

// detached starts two processes that leave group, session and parent, and
// ignore what they are told.
const detached = `echo $FIELDBOOK_RUNNER > mark
for i in 1 2; do
	( setsid $WIPE /bin/sh -c 'trap "" TERM INT HUP; echo $$ >> pids; while :; do /bin/sleep 1; done' & )
done
eval "$RUNNER_TEST_LINE"
exec sleep 300`

// killedRunner starts a process that runs a trial, or a service and a trial,
// with detached processes, in a folder, and kills it when they are up. The
// mark of the run is returned.
func killedRunner(t *testing.T, folder string, kind runnerKind) runMark {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestRunnerWithDetachedProcesses$")
	cmd.Env = append(os.Environ(), runnerFolder+"="+folder, "TMPDIR="+folder)
	for name, set := range map[string]bool{"RUNNER_TEST_SERVICE=1": kind.service, "WIPE=env -i": kind.wiped, "RUNNER_TEST_SCAN=1": kind.scan} {
		if set {
			cmd.Env = append(cmd.Env, name)
		}
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait() // it was killed: that is the error
	defer cmd.Process.Kill()
	eventually(t, "the detached processes start", func() bool {
		text, err := os.ReadFile(filepath.Join(folder, "pids"))
		return err == nil && strings.Count(string(text), "\n") == 2
	})
	text, err := os.ReadFile(filepath.Join(folder, "mark"))
	m, ok := parseMark(strings.TrimSpace(string(text)))
	if err != nil || !ok {
		t.Fatalf("the mark is %q, %v", text, err)
	}
	guardian := guardianOf(t, m)
	if kind.unguarded {
		unix.Kill(guardian, unix.SIGKILL)
	}
	return m
}

// guardianOf is the process that guards a run.
func guardianOf(t *testing.T, m runMark) int {
	t.Helper()
	all, err := processes()
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range all {
		line, _ := readSmall("/proc/" + strconv.Itoa(pid) + "/cmdline")
		if bytes.HasPrefix(line, []byte(guard.Name+"\x00"+m.String())) {
			return pid
		}
	}
	t.Fatalf("run %s has no guardian", m)
	return 0
}

// pidsIn are the numbers that detached processes wrote down in a folder.
func pidsIn(t *testing.T, folder string) (pids []int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "pids"))
	if err != nil {
		t.Fatal(err)
	}
	for field := range strings.FieldsSeq(string(text)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// TestRunnerWithDetachedProcesses is no test of its own: killedRunner runs it
// in a process of its own.
func TestRunnerWithDetachedProcesses(t *testing.T) {
	folder := os.Getenv(runnerFolder)
	if folder == "" {
		t.Skip("only as another test's process")
	}
	l, err := newLocal(nil)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("RUNNER_TEST_SCAN") != "" {
		without(l)
	}
	if _, _, err := WorkFolder(); err != nil {
		t.Fatal(err)
	}
	c := shell(l, folder, detached)
	if os.Getenv("RUNNER_TEST_SERVICE") != "" {
		c.env = append(c.env, serviceMark+"=s.1")
		c.line = func(line []byte) { panic("a line that nobody can read") }
		if _, err := l.start(c); err != nil {
			t.Fatal(err)
		}
		c = shell(l, folder, "exec sleep 300")
	}
	_, err = l.run(&work{commands: []*command{c}})
	t.Errorf("the runner lives: %v", err)
}

// TestGuardianEndsWhatAKilledRunLeft: a run is killed by force, and nobody
// starts another. What its trial or its service has started ends all the same,
// and its groups and its temporary folder are gone.
func TestGuardianEndsWhatAKilledRunLeft(t *testing.T) {
	for _, tt := range []struct {
		name string
		kind runnerKind
	}{
		{"of a trial", runnerKind{}},
		{"of a service", runnerKind{service: true}},
		{"of a trial, without an environment", runnerKind{wiped: true}},
		{"of a trial, without control groups", runnerKind{scan: true}},
		{"of a service, without control groups", runnerKind{scan: true, service: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if dir, err := ownGroup("/"); !tt.kind.scan && (err != nil || unix.Access(dir, unix.W_OK) != nil) {
				t.Skip("this process may make no control groups (cgroup v2) here")
			}
			t.Parallel()
			folder := t.TempDir()
			m := killedRunner(t, folder, tt.kind)
			for _, pid := range pidsIn(t, folder) {
				eventually(t, "the process ends", func() bool {
					p, there := statOf(pid)
					return !there || p.ended
				})
			}
			eventually(t, "groups and folders are gone", func() bool {
				folders, err := filepath.Glob(filepath.Join(folder, workPrefix+"*"))
				return err == nil && len(folders)+len(goneGroups(func(other runMark) bool { return other == m })) == 0
			})
		})
	}
}

// TestGuardianThatDoesNotStart: it is said, and the run goes on.
func TestGuardianThatDoesNotStart(t *testing.T) {
	l, err := newLocal(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	unix.Kill(l.guard.pid, unix.SIGKILL)
	eventually(t, "the guardian ends", func() bool { return hasEnded(l.guard.pid) })
	io.Copy(io.Discard, l.guard.ready) // it may have written before
	var said string
	l.cleanUp(func(format string, args ...any) { said += fmt.Sprintf(format, args...) })
	if !strings.Contains(said, "the guardian of this run does not start") {
		t.Errorf("said is %q, want that there is no guardian", said)
	}
}

// TestPanicInAGoroutineLeavesNothing: the runner's process says so in one line
// and ends, and what its service has started ends too.
func TestPanicInAGoroutineLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestRunnerWithDetachedProcesses$")
	cmd.Env = append(os.Environ(), runnerFolder+"="+folder, "TMPDIR="+folder, "RUNNER_TEST_SERVICE=1",
		"RUNNER_TEST_LINE=exec 2>/dev/null; until [ $(wc -l < pids) = 2 ]; do sleep 0.01; done; echo a line")
	out, err := cmd.CombinedOutput()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.ExitCode() != 1 || bytes.Count(out, []byte("\n")) != 1 || !bytes.Contains(out, []byte("a line that nobody can read; what is recorded is safe")) {
		t.Errorf("the runner's process ends with %v and\n%s\nwant exit code 1 and one line", err, out)
	}
	for _, pid := range pidsIn(t, folder) {
		eventually(t, "the service's process ends", func() bool {
			p, there := statOf(pid)
			return !there || p.ended
		})
	}
}

// TestGuardianIsInNobodysWay: it holds no file of the run, hears no signal
// that ends one, sleeps while nothing happens, and is gone with a normal end.
func TestGuardianIsInNobodysWay(t *testing.T) {
	mine, err := os.Create(filepath.Join(t.TempDir(), "mine"))
	if err != nil {
		t.Fatal(err)
	}
	defer mine.Close()
	l, err := newLocal(nil)
	if err != nil {
		t.Fatal(err)
	}
	closeOnce := l.close
	defer func() { closeOnce() }()
	pid := guardianOf(t, l.mark)
	folder := "/proc/" + strconv.Itoa(pid)
	if err := l.guard.await(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the guardian is blocked", func() bool {
		p, _ := os.ReadFile(folder + "/stat")
		return bytes.Contains(p, []byte(") S "))
	})
	files, err := filepath.Glob(folder + "/fd/*")
	if err != nil || len(files) < 3 {
		t.Fatalf("its files are %v, %v; want at least three", files, err)
	}
	for _, file := range files {
		to, err := os.Readlink(file)
		n, _ := strconv.Atoi(filepath.Base(file))
		if err != nil || to == mine.Name() || n <= 2 && to != os.DevNull {
			t.Errorf("its file %d is %s, %v; want none of the run's", n, to, err)
		}
	}
	if session, err := unix.Getsid(pid); err != nil || session != pid {
		t.Errorf("its session is %d, %v; want its own, %d", session, err, pid)
	}
	const look = 100 * time.Millisecond
	for before := -1; before != switches(t, folder); time.Sleep(look) { // it has just begun
		before = switches(t, folder)
	}
	before := switches(t, folder)
	time.Sleep(10 * look)
	if after := switches(t, folder); after != before {
		t.Errorf("it was woken %d times in a second, want never", after-before)
	}
	for _, sig := range []unix.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM} {
		unix.Kill(pid, sig)
	}
	time.Sleep(50 * time.Millisecond)
	if p, there := statOf(pid); !there || p.ended {
		t.Error("a signal has ended the guardian")
	}
	l.close()
	closeOnce = func() {}
	if p, there := statOf(pid); there && p.parent == os.Getpid() {
		t.Error("the guardian outlives the run")
	}
}

// switches is how often the threads of a process went to sleep so far.
func switches(t *testing.T, folder string) (n int) {
	t.Helper()
	files, err := filepath.Glob(folder + "/task/*/status")
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no threads: %v", folder, err)
	}
	for _, file := range files {
		text, _ := os.ReadFile(file)
		_, after, _ := strings.Cut(string(text), "\nvoluntary_ctxt_switches:")
		fields := strings.Fields(after)
		if len(fields) == 0 {
			continue // the thread has ended
		}
		one, err := strconv.Atoi(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		n += one
	}
	return n
}
