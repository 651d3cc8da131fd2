package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// step is a command that a document shows, with the output it shows.
type step struct {
	line    int
	command string
	output  []string
}

// steps are the `$ ` lines of a document's console blocks, in order, with the
// `> ` lines that go on with them.
func steps(doc string) []step {
	var out []step
	in := false
	for i, line := range strings.Split(doc, "\n") {
		switch command, isCommand := strings.CutPrefix(line, "$ "); {
		case strings.HasPrefix(line, "```"):
			in = line == "```console"
		case in && isCommand:
			out = append(out, step{line: i + 1, command: command})
		case in && len(out) > 0 && strings.TrimSpace(line) != "":
			last := &out[len(out)-1]
			if more, ok := strings.CutPrefix(line, "> "); ok && len(last.output) == 0 {
				last.command += "\n" + more
			} else {
				last.output = append(last.output, line)
			}
		}
	}
	return out
}

var (
	numbers = regexp.MustCompile(`\d[\d.:,]*(e[+-]?\d+)?`)
	blanks  = regexp.MustCompile(`\s+`)
)

// likeLine matches a line as shown: any number stands for any number, "…" for
// anything, and blanks for any blanks.
func likeLine(shown string) *regexp.Regexp {
	p := regexp.QuoteMeta(strings.TrimSpace(shown))
	p = numbers.ReplaceAllString(p, `[\d.:,e+-]+`)
	p = strings.ReplaceAll(p, "…", ".*")
	return regexp.MustCompile(blanks.ReplaceAllString(p, `\s+`))
}

// TestDocumentsShowWhatTheToolDoes runs the console blocks of each document
// in one empty folder, from top to bottom.
func TestDocumentsShowWhatTheToolDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs real trials")
	}
	bin := buildTool(t)
	docs, _ := filepath.Glob("../../docs/*.md")
	for _, path := range append(docs, "../../README.md") {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all := steps(string(src))
		if len(all) == 0 {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			dir := t.TempDir()
			for _, s := range all {
				runStep(t, dir, bin, path, s)
			}
		})
	}
}

func runStep(t *testing.T, dir, bin, doc string, s step) {
	t.Helper()
	cmd := exec.Command("sh", "-c", s.command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(bin)+":"+os.Getenv("PATH"), "FIELDBOOK=fieldbook", "XDG_CONFIG_HOME="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s:%d: %s: %v\n%s", doc, s.line, s.command, err, out)
	}
	for _, shown := range s.output {
		if !likeLine(shown).Match(out) {
			t.Errorf("%s:%d: %s\nshown:  %s\nprinted: %s", doc, s.line, s.command, shown, out)
		}
	}
}

// buildTool builds the tool into a folder of its own.
func buildTool(t testing.TB) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "fieldbook")
	if out, err := exec.Command("go", "build", "-trimpath", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin
}
