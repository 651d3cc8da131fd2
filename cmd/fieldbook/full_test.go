package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// hurried is the experiment of 60 trials without its pauses and without what
// it leaves running.
var hurried = strings.NewReplacer("    sleep 0.02\n", "", "    test {n} = 33 && (setsid sleep 60 </dev/null >/dev/null 2>&1 &)\n", "").Replace(sixtyTrials)

// trouble is a notebook in which runs meet something that has run out.
func trouble(t *testing.T) *killed {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the tool and runs real trials")
	}
	n := notebookOf(t, "sixty", hurried)
	return &killed{t: t, bin: buildTool(t), n: n, mark: "FULL_TEST_MARK=" + n.root}
}

// limited runs the notebook under a limit of the shell's ulimit, and is what
// the run said on both streams and whether it ended well.
func (k *killed) limited(limit string) (said string, ok bool) {
	cmd := k.command()
	cmd.Args = append([]string{"sh", "-c", "ulimit " + limit + `; exec "$0" "$@"`}, cmd.Args...)
	cmd.Path = "/bin/sh"
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// cutShort wants a run to have failed with a reason that a person can act on,
// and all rows that were there before to be there still, whole.
func (k *killed) cutShort(before, said string, reasons ...string) {
	k.t.Helper()
	clear := false
	for _, r := range reasons {
		clear = clear || strings.Contains(said, r)
	}
	if !clear || strings.Contains(said, "goroutine ") {
		k.t.Errorf("the run says\n%s\nwant one of %q, and no trace", said, reasons)
	}
	after := k.text()
	if !strings.HasPrefix(after, before) || after != "" && !strings.HasSuffix(after, "\n") {
		k.t.Errorf("rows that were recorded are gone or torn:\n%s\nbefore:\n%s", after, before)
	}
}

// goesOn runs to the end without any limit and compares with an undisturbed
// session.
func (k *killed) goesOn() {
	k.t.Helper()
	if out, err := k.command().CombinedOutput(); err != nil {
		k.t.Fatalf("the run that goes on: %v\n%s", err, out)
	}
	k.compareTo(hurried)
}

// mounted puts a file system in memory in the place of the data folder, and
// is the function that gives it another size.
func (k *killed) mounted(options string) (again func(options string)) {
	k.t.Helper()
	dir := filepath.Join(k.n.root, "data")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		k.t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		k.t.Skipf("mounting is not allowed here: %v", err)
	}
	k.t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	return func(options string) {
		k.t.Helper()
		flags := uintptr(unix.MS_REMOUNT)
		if options == "ro" {
			flags, options = flags|unix.MS_RDONLY, ""
		}
		if err := unix.Mount("tmpfs", dir, "tmpfs", flags, options); err != nil {
			k.t.Fatal(err)
		}
	}
}

// The disk gets a page larger after each failure, so that it fills up at the
// session's first files, in the middle of its rows, and at its seal.
func TestADiskThatFillsUpLosesNoTrial(t *testing.T) {
	k := trouble(t)
	grow := k.mounted("size=4k")
	for size := 4; ; size += 4 {
		grow(fmt.Sprintf("size=%dk", size))
		before := k.text()
		out, err := k.command().CombinedOutput()
		if err == nil {
			t.Logf("%d KiB are enough", size)
			break
		}
		k.cutShort(before, string(out), "no space left on device")
		if size > 400 {
			t.Fatal("400 KiB are not enough for 60 trials")
		}
	}
	k.compareTo(hurried)
}

// A limit of a file's size ends a write half-way, and raises a signal.
func TestAWriteThatEndsHalfWayLosesNoTrial(t *testing.T) {
	k := trouble(t)
	for _, blocks := range []int{1, 5, 8, 10, 12, 14} { // of 512 bytes
		before := k.text()
		said, ok := k.limited(fmt.Sprintf("-f %d", blocks))
		if ok {
			t.Errorf("%d blocks are enough for all files", blocks)
		}
		k.cutShort(before, said, "file too large")
	}
	if k.rows() == 0 || k.rows() == 60 {
		t.Errorf("%d rows recorded under the limits, want some", k.rows())
	}
	k.goesOn()
}

// With fewer than nine the tool's own runtime does not come up.
func TestTooFewFileHandlesLoseNoTrial(t *testing.T) {
	k := trouble(t)
	for _, handles := range []int{9, 10, 11, 12, 13, 14, 15, 16, 18, 20} {
		before := k.text()
		if said, ok := k.limited(fmt.Sprintf("-n %d", handles)); !ok {
			k.cutShort(before, said, "too many open files", "files open")
		}
	}
	k.goesOn()
}

func TestAReadOnlyDataFolderIsSaidAndStaysAsItIs(t *testing.T) {
	k := trouble(t)
	again := k.mounted("size=1m")
	if out, err := k.command().CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	before := k.text()
	again("ro")
	cmd := k.command()
	cmd.Args = append(cmd.Args, "--new")
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Error("a run in a read-only folder succeeded")
	}
	k.cutShort(before, string(out), "read-only file system")
	for _, verb := range []string{"status", "analyze", "report", "check"} {
		if out, err := exec.Command(k.bin, "-C", k.n.root, verb).CombinedOutput(); err != nil {
			t.Errorf("%s of a read-only folder: %v\n%s", verb, err, out)
		}
	}
}

// Nobody reads on: what a run has to say is lost, and what it records is not.
func TestARunWhoseReaderIsGoneRecordsAllTrials(t *testing.T) {
	k := trouble(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := k.command()
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(io.LimitReader(r, 10)).ReadString('\n'); !errors.Is(err, io.EOF) && err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the run ends with %v", err)
	}
	k.compareTo(hurried)
}

func TestResultsThatCannotBeWrittenAreAnError(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full")
	}
	defer full.Close()
	k := trouble(t)
	cmd := exec.Command(k.bin, "-C", k.n.root, "plan", "sixty")
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = full, &said
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(said.String(), "no space left on device") {
		t.Errorf("plan onto a full disk ends with %v and says %q", err, said.String())
	}
}
