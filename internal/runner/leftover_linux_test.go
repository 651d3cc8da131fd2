package runner

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestMarks(t *testing.T) {
	m, err := newMark()
	if err != nil {
		t.Fatal(err)
	}
	small := runMark{pid: 7}
	for _, want := range []runMark{m, small} {
		text := want.String()
		if got, ok := parseMark(text); !ok || got != want || len(text) != markLength {
			t.Errorf("%s of length %d is read as %+v, %t; want %+v and length %d", text, len(text), got, ok, want, markLength)
		}
	}
	for _, text := range []string{"", "x", m.String()[1:], strings.ToUpper(runMark{pid: 0xabc}.String()), strings.Replace(m.String(), "-", "+", 1)} {
		if got, ok := parseMark(text); ok {
			t.Errorf("%q is read as %+v, want no mark", text, got)
		}
	}
}

// TestWhoseRunHasEnded: only what is known to be dead is; a process number
// that another process has now counts as dead, a container's does not.
func TestWhoseRunHasEnded(t *testing.T) {
	m, err := newMark()
	if err != nil {
		t.Fatal(err)
	}
	reused, container, stranger, none := m, m, m, m
	reused.start--
	container.space++
	container.start--
	stranger.uid++
	stranger.start--
	none.pid = 1 << 30
	for _, tt := range []struct {
		name string
		of   runMark
		want bool
	}{{"this process", m, false}, {"an earlier process of its number", reused, true}, {"a container's", container, false},
		{"another user's", stranger, false}, {"a number that nobody has", none, true}} {
		if got := m.orphaned(tt.of); got != tt.want {
			t.Errorf("%s: has ended is %t, want %t", tt.name, got, tt.want)
		}
	}
}

// without executes, in a test, without control groups.
func without(l *local) {
	l.family.groups.close()
	l.family.groups = groups{}
}

// bothWays runs a test with control groups, where this machine lets the tool
// make some, and without.
func bothWays(t *testing.T, test func(t *testing.T, l *local)) {
	for _, way := range []string{"control groups", "scan"} {
		t.Run(way, func(t *testing.T) {
			l, err := newLocal(nil)
			if err != nil {
				t.Fatal(err)
			}
			defer l.close()
			if way == "scan" {
				without(l)
			} else if l.family.groups.trial == nil {
				t.Skip("this process may make no control groups (cgroup v2) here")
			}
			test(t, l)
		})
	}
}

// shell is a command for the shell, with the run's mark.
func shell(l *local, dir, script string) *command {
	return &command{path: "/bin/sh", argv: []string{"sh", "-c", script}, env: l.marked(os.Environ()), dir: dir}
}

// TestWhatTrialsStartEndsWithThem: programs that try to get away, or end
// badly. Each writes down the numbers of its processes.
func TestWhatTrialsStartEndsWithThem(t *testing.T) {
	const daemon = `trap "" TERM INT HUP; echo $$ >> pids; while :; do sleep 1; done`
	for _, tt := range []struct{ name, script string }{
		{"leaves the session", `setsid sh -c '` + daemon + `' & until [ -s pids ]; do sleep 0.01; done`},
		{"leaves parent and session", `( setsid sh -c '` + daemon + `' & ) ; until [ -s pids ]; do sleep 0.01; done`},
		{"without an environment", `( setsid env -i PATH="$PATH" sh -c '` + daemon + `' & ) ; until [ -s pids ]; do sleep 0.01; done`},
		{"dies of a signal", `( setsid sh -c '` + daemon + `' & ) ; until [ -s pids ]; do sleep 0.01; done; kill -SEGV $$`},
		{"floods both streams", `( setsid sh -c 'echo $$ >> pids; yes >&2 & yes' & ) ; until [ -s pids ]; do sleep 0.01; done`},
		{"starts new ones all the time", `( setsid sh -c 'echo $$ >> pids; i=0; while [ $i -lt 20000 ]; do sleep 1 & i=$((i+1)); done' & ) ; until [ -s pids ]; do sleep 0.01; done`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, l *local) {
				if tt.name == "starts new ones all the time" && l.family.groups.trial == nil {
					t.Skip("only the kernel is certain to be faster")
				}
				dir := t.TempDir()
				for range 2 { // the second in a group in which something was killed
					if _, err := l.run(&work{commands: []*command{shell(l, dir, tt.script)}}); err != nil {
						t.Fatal(err)
					}
				}
				wantNone(t, l, filepath.Join(dir, "pids"))
			})
		})
	}
}

// wantNone fails where a process of a list, or with the run's mark, lives.
func wantNone(t *testing.T, l *local, list string) {
	t.Helper()
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	for field := range strings.FieldsSeq(string(text)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		if p, there := statOf(pid); there && !p.ended {
			t.Errorf("process %d (%s) lives", pid, nameOf(pid))
		}
	}
	if pids, err := carriers(func(m runMark) bool { return m == l.mark }); err != nil || len(pids) > 0 {
		t.Errorf("processes with the mark of the run are %v, %v; want none", pids, err)
	}
}

// TestControlGroupsAreRemoved: neither a run that left nothing nor one whose
// trial left something leaves a group.
func TestControlGroupsAreRemoved(t *testing.T) {
	l, err := newLocal(nil)
	if err != nil {
		t.Fatal(err)
	}
	if l.family.groups.trial == nil {
		l.close()
		t.Skip("this process may make no control groups (cgroup v2) here")
	}
	_, err = l.run(&work{commands: []*command{shell(l, t.TempDir(), "sleep 300 & sleep 0.1")}})
	mine := func(m runMark) bool { return m == l.mark }
	before := goneGroups(mine)
	l.close()
	if after := goneGroups(mine); err != nil || len(before) != 2 || len(after) > 0 {
		t.Errorf("groups during the run are %q, after it %q, %v; want two and none", before, after, err)
	}
}

// TestNextRunEndsWhatAKilledOneLeft: processes that have left group, session
// and parent outlive a runner that was killed together with its guardian, until
// the next start.
func TestNextRunEndsWhatAKilledOneLeft(t *testing.T) {
	for _, tt := range []struct {
		name  string
		wiped bool
	}{{"with their environment", false}, {"without an environment", true}} {
		t.Run(tt.name, func(t *testing.T) {
			if dir, err := ownGroup("/"); tt.wiped && (err != nil || unix.Access(dir, unix.W_OK) != nil) {
				t.Skip("this process may make no control groups (cgroup v2) here, by which such a one is known")
			}
			folder := t.TempDir()
			m := killedRunner(t, folder, runnerKind{wiped: tt.wiped, unguarded: true})
			next := newRig(t, 1, "commands: {only: echo}").run()
			next.wantStatuses("ok")
			if pids, err := carriers(func(other runMark) bool { return other == m }); err != nil || len(pids) > 0 {
				t.Errorf("processes of the killed run are %v, %v; want none", pids, err)
			}
			for _, pid := range pidsIn(t, folder) {
				if p, there := statOf(pid); there && !p.ended {
					t.Errorf("process %d (%s) lives", pid, nameOf(pid))
				}
			}
			if left := goneGroups(func(other runMark) bool { return other == m }); len(left) > 0 {
				t.Errorf("groups of the killed run are %q, want none", left)
			}
		})
	}
}

// TestLeftoversAreSaid: the next start names what it ends and counts the
// folders that it removes. The killed runner's folder lies where only this
// test looks; its processes another run may end first.
func TestLeftoversAreSaid(t *testing.T) {
	folder := t.TempDir()
	killedRunner(t, folder, runnerKind{unguarded: true})
	t.Setenv("TMPDIR", folder)
	next := newRig(t, 1, "commands: {only: echo}").run()
	if !slices.ContainsFunc(next.events, func(e Event) bool {
		return e.Kind == "warning" && e.Text == "temporary folders of killed runs are removed: 1"
	}) {
		t.Errorf("events are %+v, want a warning that one folder is removed", next.events)
	}
	if left, err := filepath.Glob(filepath.Join(folder, workPrefix+"*")); err != nil || len(left) > 0 {
		t.Errorf("temporary folders are %q, %v; want none", left, err)
	}
}

// TestEndMarkedNamesAndSpares: what carries a mark in question is killed and
// named, what carries another is not, nor is this process whatever it carries.
func TestEndMarkedNamesAndSpares(t *testing.T) {
	m, err := newMark() // its runner lives: no other run on this machine touches it
	if err != nil {
		t.Fatal(err)
	}
	other := m
	other.nonce++
	start := func(m runMark) *exec.Cmd {
		cmd := exec.Command("sleep", "300")
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), markVar + m.String()}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	meant, spared := start(m), start(other)
	defer spared.Wait()
	defer spared.Process.Kill()
	names, err := endMarked(func(x runMark) bool { return x == m })
	if err != nil || !slices.Equal(names, []string{"sleep"}) {
		t.Errorf("ended are %q, %v; want one sleep", names, err)
	}
	exited, ok := errors.AsType[*exec.ExitError](meant.Wait())
	if status, _ := exited.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Errorf("the marked process: %v; want killed", exited)
	}
	if p, there := statOf(spared.Process.Pid); !there || p.ended {
		t.Error("the process with another mark was ended")
	}
	if !ancestors()[os.Getpid()] || !ancestors()[os.Getppid()] {
		t.Error("this process and its parent are not among those that are spared")
	}
}
