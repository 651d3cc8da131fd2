package experiment

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldbook/internal/diag"
)

// files are the experiment files below testdata in a folder.
func files(t testing.TB, folder string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", folder, "*.yaml"))
	if err != nil || len(names) == 0 {
		t.Fatalf("testdata/%s has no files: %v", folder, err)
	}
	all := map[string][]byte{}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(name)] = src
	}
	return all
}

func TestGoodFilesHaveNoProblem(t *testing.T) {
	for name, src := range files(t, "good") {
		x, problems := Read("good", name, src)
		for _, p := range problems {
			t.Errorf("%s", p)
		}
		if len(x.Treatments) == 0 || len(x.Metrics) == 0 {
			t.Errorf("%s: %d treatments, %d metrics", name, len(x.Treatments), len(x.Metrics))
		}
	}
}

// expected finds `# ERROR col: text` and `# WARNING col: text`, which stand
// on the line that they are about, or `# ERROR line:col: text` where that
// line cannot hold a comment.
var expected = regexp.MustCompile(`# (ERROR|WARNING) (?:(\d+):)?(\d+): `)

// expectations are the problems that a bad file announces, as lines of text.
func expectations(name string, src []byte) []string {
	var all []string
	for i, line := range strings.Split(string(src), "\n") {
		found := expected.FindAllStringSubmatchIndex(line, -1)
		for k, m := range found {
			end := len(line)
			if k+1 < len(found) {
				end = found[k+1][0]
			}
			p := diag.Pos{File: name, Line: i + 1}
			if m[4] >= 0 {
				p.Line, _ = strconv.Atoi(line[m[4]:m[5]])
			}
			p.Col, _ = strconv.Atoi(line[m[6]:m[7]])
			warning := ""
			if line[m[2]:m[3]] == "WARNING" {
				warning = "warning: "
			}
			all = append(all, fmt.Sprintf("%s: %s%s", p, warning, strings.TrimSpace(line[m[1]:end])))
		}
	}
	slices.Sort(all)
	return all
}

func TestBadFilesGiveTheirMessages(t *testing.T) {
	for name, src := range files(t, "bad") {
		var got []string
		_, problems := Read("bad", name, src)
		for _, p := range problems {
			got = append(got, p.String())
		}
		slices.Sort(got)
		want := expectations(name, src)
		if len(want) == 0 {
			t.Errorf("%s announces no message", name)
		}
		for _, line := range want {
			if !slices.Contains(got, line) {
				t.Errorf("missing: %s", line)
			}
		}
		for _, line := range got {
			if !slices.Contains(want, line) {
				t.Errorf("not announced: %s", line)
			}
		}
	}
}

// unreadable are texts that cannot stand in a file of testdata.
var unreadable = []struct{ name, src, want string }{
	{"UTF-16, little endian", "\xff\xfef\x00i\x00", "x.yaml:1: the file is UTF-16, want UTF-8; save it as UTF-8"},
	{"UTF-16, big endian", "\xfe\xff\x00f\x00i", "x.yaml:1: the file is UTF-16, want UTF-8; save it as UTF-8"},
	{"UTF-16 without a mark", "f\x00i\x00e\x00", "x.yaml:1: the file is UTF-16, want UTF-8; save it as UTF-8"},
	{"NUL", "fieldbook: 1\ntitle: a\x00b\n", "x.yaml:2:9: the control character U+0000 cannot stand in the file"},
	{"escape sequence", "fieldbook: 1\ntitle: \x1b[31m\n", "x.yaml:2:8: the control character U+001B cannot stand in the file"},
	{"Latin-1", "fieldbook: 1\ntitle: Gr\xf6\xdfe\n", "x.yaml:2:10: the byte 0xf6 is not UTF-8; save the file as UTF-8"},
	{"too large", strings.Repeat("#\n", maxSize), "x.yaml:1: the file has 2097152 bytes, allowed are 1048576"},
	{"empty", "", "x.yaml:1:1: the file has no \"fieldbook\"; write fieldbook: 1\nx.yaml:1:1: there is no command to run; write commands: {NAME: COMMAND}, or trial: {command: COMMAND}"},
	{"only comments", "# nothing\n", "x.yaml:1:1: the file has no \"fieldbook\"; write fieldbook: 1\nx.yaml:1:1: there is no command to run; write commands: {NAME: COMMAND}, or trial: {command: COMMAND}"},
	{"a scalar", "hello\n", "x.yaml:1:1: the file is \"hello\", want a mapping of keys such as fieldbook: 1"},
}

func TestUnreadableFiles(t *testing.T) {
	for _, tt := range unreadable {
		_, problems := Read("x", "x.yaml", []byte(tt.src))
		if got := problems.Error(); got != tt.want {
			t.Errorf("%s gives\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// A mark at the start, and Windows line ends, change nothing.
func TestByteOrderMarkAndLineEnds(t *testing.T) {
	src := files(t, "good")["1-pipelining.yaml"]
	plain, _ := Read("x", "x.yaml", src)
	windows := append([]byte("\ufeff"), bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n"))...)
	x, problems := Read("x", "x.yaml", windows)
	if len(problems) > 0 {
		t.Fatalf("problems: %v", problems)
	}
	for i, tr := range x.Treatments {
		if a, b := Identity(x, tr, ""), Identity(plain, plain.Treatments[i], ""); a != b {
			t.Fatalf("the identity of treatment %d differs", tr.Number)
		}
	}
	if x.Claims[0].Pos != plain.Claims[0].Pos {
		t.Errorf("the first claim stands at %v, want %v", x.Claims[0].Pos, plain.Claims[0].Pos)
	}
}

// Nesting beyond reason is refused, not followed into a full stack.
func TestDeepNesting(t *testing.T) {
	for _, src := range []string{
		"fieldbook: " + strings.Repeat("[", 9000) + strings.Repeat("]", 9000),
		"fieldbook: " + strings.Repeat("[", 200000),
		"factors: " + strings.Repeat("{a: ", 9000) + strings.Repeat("}", 9000),
		strings.Repeat("- ", 20000) + "x",
	} {
		if _, problems := Read("x", "x.yaml", []byte(src)); !problems.Failed() {
			t.Errorf("%d bytes %.12q… give no error", len(src), src)
		}
	}
}

func TestDefaults(t *testing.T) {
	x, problems := Read("ab", "x.yaml", files(t, "good")["0-ab.yaml"])
	if problems != nil {
		t.Fatal(problems)
	}
	d := x.Design
	if d.Order != RandomizedBlocks || d.Blocks != 10 || d.Min != 10 || d.Max != 10 || d.WarmupBlocks != 1 || d.Seed != nil || d.Until != nil {
		t.Errorf("design is %+v", d)
	}
	if m := x.Metrics[0]; len(x.Metrics) != 1 || m.Name != "wall" || m.Unit != "s" || m.Better != "lower" || m.From != FromWall {
		t.Errorf("metrics are %+v", x.Metrics)
	}
	tr := x.Trial
	if got := tr.Timeout.At(x, x.Treatments[0]).String(); got != "10m0s" {
		t.Errorf("the time-out is %s", got)
	}
	if tr.Retries != 0 || tr.Clients != nil || tr.ReadyWithin.String() != "10s" || tr.Quiet != nil || tr.Stdin != nil || tr.Cwd != nil {
		t.Errorf("trial is %+v", tr)
	}
	if x.Inputs != nil || x.DropSamples || len(x.Claims) != 0 {
		t.Errorf("inputs %v, drop samples %v, %d claims", x.Inputs, x.DropSamples, len(x.Claims))
	}
	argv := tr.Command.Argv.At(x, x.Treatments[1])
	if len(argv) != 4 || argv[0].String() != "find" || argv[3].String() != "*.jpg" {
		t.Errorf("the second command is %v", argv)
	}
}
