package session

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A changed digit reads as a number like any other; in a session that is not
// sealed yet the row's checksum tells.
func TestAChangedDigitInARowStopsEverything(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"a digit": func(s string) string { return strings.Replace(s, "0.375", "0.376", 1) },
		"a digit of a time": func(s string) string {
			return strings.Replace(s, "09:30:01.001Z", "09:30:01.002Z", 1)
		},
		"a reason": func(s string) string { return strings.Replace(s, "exit 3", "exit 2", 1) },
	} {
		dataDir := memoryDir(t)
		dir := closed(t, func() *Writer { w := create(t, dataDir, at(0)); appendAll(t, w, story()[:6]); return w }())
		path := filepath.Join(dir, trialsName)
		good := readText(t, path)
		if change(good) == good {
			t.Fatalf("%s: nothing changed", name)
		}
		writeText(t, path, change(good))
		before := files(t, dataDir)
		_, readErr := Read(dir)
		_, _, _, err := Continue(dir, Part{}, at(9))
		for what, err := range map[string]error{"Read": readErr, "Continue": err} {
			if err == nil || !regexp.MustCompile(`trials\.csv:\d+: the row is not as it was written`).MatchString(err.Error()) {
				t.Errorf("%s, %s: %v, want the row that is not as it was written", name, what, err)
			}
		}
		if d := diff(before, files(t, dataDir)); d != "" {
			t.Errorf("%s: Continue changed files (-before +after):\n%s", name, d)
		}
		writeText(t, path, good)
		finish(t, dir)
	}
}

// A loss of power may take the last checksums, and a crash leave one more
// than there are rows; neither is damage.
func TestChecksumsMayBeFewerOrOneMore(t *testing.T) {
	whole := func(t *testing.T, dir string) string { return readText(t, dir+".sums") }
	for name, left := range map[string]func(string) string{
		"none":        func(string) string { return "" },
		"half a line": func(s string) string { return s[:3*sumLength+4] },
		"zeros":       func(s string) string { return s[:3*sumLength] + strings.Repeat("\x00", 2*sumLength) },
		"one more":    func(s string) string { return s + "01234567\n" },
	} {
		dir := closed(t, func() *Writer { w := create(t, memoryDir(t), at(0)); appendAll(t, w, story()[:6]); return w }())
		want := whole(t, dir)
		writeText(t, dir+".sums", left(want))
		if s := mustRead(t, dir); len(s.Rows) != 6 {
			t.Errorf("%s: %d rows, want 6", name, len(s.Rows))
		}
		w, _, _, err := Continue(dir, Part{}, at(9))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := whole(t, dir); got != want {
			t.Errorf("%s: the checksums are %q when the session goes on, want %q", name, got, want)
		}
		closed(t, w)
		finish(t, dir)
		if _, err := os.Stat(dir + ".sums"); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the checksums are still there behind the seal (%v)", name, err)
		}
	}
}
