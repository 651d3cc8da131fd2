package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// clone copies the committed state of this repository into an empty folder.
func clone(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := filepath.Join(t.TempDir(), "clone")
	if out, err := exec.Command("git", "clone", "-q", "--no-hardlinks", "../..", dir).CombinedOutput(); err != nil {
		t.Skipf("this tree is no git repository that can be cloned: %v\n%s", err, out)
	}
	return dir
}

// TestReportInAFreshClone is the main use: `make report`, and nothing before.
func TestReportInAFreshClone(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the tool and runs real trials")
	}
	dir := clone(t)
	cmd := exec.Command("make", "report")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+dir, "MAKEFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("make report: %v\n%s", err, out)
	}
	for _, name := range []string{"index.html", "noise/index.html", "noise/report.md", "order/index.html", "order/report.md"} {
		if !isFile(filepath.Join(dir, "site", name)) {
			t.Errorf("make report wrote no site/%s\n%s", name, out)
		}
	}
	trials, _ := filepath.Glob(filepath.Join(dir, "data", "noise", "*", "trials.csv"))
	if len(trials) != 1 {
		t.Errorf("data/noise holds %d sessions after make report, want the one that it ran", len(trials))
	}
}

// TestReportsAreTheSameBytesEverywhere renders the recorded data under other
// folders, time zones, locales and numbers of processors.
func TestReportsAreTheSameBytesEverywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the tool and renders everything several times")
	}
	bin := buildTool(t)
	var first map[string][]byte
	for _, env := range [][]string{
		{"TZ=UTC", "LC_ALL=C", "GOMAXPROCS=1"},
		{"TZ=Asia/Kolkata", "LC_ALL=de_DE.UTF-8", "GOMAXPROCS=2", "NO_COLOR=1"},
		{"TZ=America/St_Johns", "LC_ALL=tr_TR.UTF-8", "GOMAXPROCS=8"},
	} {
		dir := clone(t)
		cmd := exec.Command(bin, "-C", dir, "report")
		cmd.Env = append(os.Environ(), env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", env, err, out)
		}
		files := readTree(t, filepath.Join(dir, "site"))
		if first == nil {
			first = files
			continue
		}
		if len(files) != len(first) {
			t.Errorf("%v: %d files, want %d", env, len(files), len(first))
		}
		for name, data := range first {
			if !bytes.Equal(files[name], data) {
				t.Errorf("%v: %s differs", env, name)
			}
		}
	}
}

// readTree is every file below a folder, by relative path.
func readTree(t *testing.T, root string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		files[rel], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestPublishedReportsAreWhatTheDataGives renders the reports that stand
// beside their experiments anew, in a clone, and wants no difference. Every
// link of the site that is rendered with them has to arrive.
func TestPublishedReportsAreWhatTheDataGives(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the tool and renders everything")
	}
	bin, dir := buildTool(t), clone(t)
	published, err := filepath.Glob(filepath.Join(dir, "experiments", "*", "README.md"))
	if err != nil || len(published) == 0 {
		t.Fatalf("no report is published beside its experiment (%v)", err)
	}
	args := []string{"-C", dir, "report", "--publish"}
	for _, path := range published {
		args = append(args, filepath.Base(filepath.Dir(path)))
	}
	if out, err := exec.Command(bin, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command("git", "status", "--porcelain", "experiments")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("published reports are not what the data gives; `make publish` renders them anew (%v)\n%s", err, out)
	}
	for _, problem := range siteProblems(filepath.Join(dir, "site")) {
		t.Error(problem)
	}
}
