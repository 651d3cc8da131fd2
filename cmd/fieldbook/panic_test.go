package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fieldbook/internal/runner"
)

// broken is a writer that panics when it is to write a text; everything else
// is kept.
type broken struct {
	bytes.Buffer
	at string
}

func (b *broken) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(b.at)) {
		var none []int
		return none[len(p)], nil
	}
	return b.Buffer.Write(p)
}

// wantDefect fails where a panic was not told in one line, the last, without
// a trace.
func wantDefect(t *testing.T, code int, stderr, activity string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	want := "fieldbook: a defect of the tool itself has stopped " + activity + ": runtime error: index out of range"
	if code != exitFailed || !strings.HasPrefix(lines[len(lines)-1], want) || strings.Contains(stderr, "goroutine") {
		t.Errorf("exit code %d and\n%s\nwant %d and at the end one line that begins\n%s", code, stderr, exitFailed, want)
	}
}

func TestPanicIsToldInOneLine(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var stderr bytes.Buffer
	code := run([]string{"version"}, &broken{at: version}, &stderr)
	if n := strings.Count(stderr.String(), "\n"); n != 1 {
		t.Errorf("%d lines, want one", n)
	}
	wantDefect(t, code, stderr.String(), `"fieldbook version"`)
}

// TestPanicDuringARun: services and what they have started are ended, the
// temporary folder is removed, and `run` goes on from the rows that are there.
func TestPanicDuringARun(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("setsid is not installed")
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	n := notebookOf(t, "words", `fieldbook: 1
factors: {n: [1, 2]}
design: {blocks: 3, warmup-blocks: 0}
services: {s: {shell: true, command: "(setsid sleep 300 &); touch {s.scratch}/up; exec sleep 300", ready: {command: [test, -e, "{s.scratch}/up"]}}}
trial: {command: [echo, "{n}"]}
`)
	t.Setenv("PANIC_TEST_MARK", n.root)
	args := []string{"-C", n.root, "run"}
	stderr := &broken{at: "block 1/3"}
	code := run(args, &bytes.Buffer{}, stderr)
	wantDefect(t, code, stderr.String(), strconv.Quote(runner.ShellWords(append([]string{"fieldbook"}, args...)))+" at experiment words")
	if left := marked("PANIC_TEST_MARK="+n.root, ""); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if folders, err := filepath.Glob(filepath.Join(temp, "fieldbook-*[0-9]")); err != nil || len(folders) > 0 {
		t.Errorf("temporary folders are %q, %v; want none", folders, err)
	}
	var calm bytes.Buffer
	if code := run(args, &bytes.Buffer{}, &calm); code != exitDone {
		t.Fatalf("the next run exits with %d\n%s", code, calm.String())
	}
	sessions, err := filepath.Glob(filepath.Join(n.root, "data", "words", "2*", "trials.csv"))
	if err != nil || len(sessions) != 1 {
		t.Fatalf("sessions are %q, %v; want the one that was gone on with", sessions, err)
	}
	rows, err := os.ReadFile(sessions[0])
	if got := strings.Count(string(rows), "\n"); err != nil || got != 7 {
		t.Errorf("the session has %d lines, %v; want a header and six trials:\n%s", got, err, rows)
	}
}

// TestPanicOfARequestIsAnswered: a page that cannot be made takes neither the
// server nor its terminal with it.
func TestPanicOfARequestIsAnswered(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	w := httptest.NewRecorder()
	caught(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("no page") })).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "a defect of the tool itself") {
		t.Errorf("the answer is %d %q, want 500 and a reason", w.Code, w.Body)
	}
}
