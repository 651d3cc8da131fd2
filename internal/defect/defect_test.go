package defect

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// fail panics; the test looks for its name in stacks.
func fail(v any) { panic(v) }

// said is what Say writes when a function panics, and the file it names.
func said(t *testing.T, f func()) (line, file string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var b strings.Builder
	func() {
		defer func() { Say(&b, recover()) }()
		f()
	}()
	names, err := filepath.Glob(filepath.Join(dir, "fieldbook-defect-*.txt"))
	if err != nil || len(names) != 1 {
		t.Fatalf("files are %q, %v; want one", names, err)
	}
	text, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(b.String(), names[0], "FILE"), string(text)
}

func TestSayIsOneLineAndAFile(t *testing.T) {
	Doing("fieldbook run \x1b[31mwords")
	At("experiment wörds")
	line, file := said(t, func() { fail(errors.New("no \x1b[1m\"end\"\nsecond line")) })
	const want = `fieldbook: a defect of the tool itself has stopped "fieldbook run \x1b[31mwords" at experiment wörds: no \x1b[1m"end"; what is recorded is safe; please report it with FILE` + "\n"
	if line != want {
		t.Errorf("said is\n%swant\n%s", line, want)
	}
	if !strings.Contains(file, "second line") || !strings.Contains(file, "defect.fail(") {
		t.Errorf("the file has not the whole value and the stack:\n%s", file)
	}
}

// TestCarrierRaisesWhereOneWaits: with the stack of the goroutine that
// panicked, also where several do.
func TestCarrierRaisesWhereOneWaits(t *testing.T) {
	line, file := said(t, func() {
		var c Carrier
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() {
				defer c.Catch()
				fail("in a goroutine")
			})
		}
		wait.Wait()
		c.Raise()
		t.Error("Raise has not panicked")
	})
	if !strings.Contains(line, ": in a goroutine;") || !strings.Contains(file, "defect.fail(") {
		t.Errorf("said is %q, in the file\n%s", line, file)
	}
	var none Carrier
	none.Raise()
}

// TestCatchEndsTheProcess: with one line, and without a trace.
func TestCatchEndsTheProcess(t *testing.T) {
	if os.Getenv("DEFECT_TEST") != "" {
		go func() {
			defer Catch()
			fail("alone")
		}()
		select {}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestCatchEndsTheProcess$")
	cmd.Env = append(os.Environ(), "DEFECT_TEST=1", "TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 1 || strings.Count(string(out), "\n") != 1 || !strings.Contains(string(out), ": alone;") {
		t.Errorf("the process ends with %v and\n%s\nwant exit code 1 and one line", err, out)
	}
}

// TestNowhereToPutTheDetails: it is said, and still one line.
func TestNowhereToPutTheDetails(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	var b strings.Builder
	Say(&b, "broken")
	if got := b.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "its details could not be written (open ") {
		t.Errorf("said is %q", got)
	}
}
