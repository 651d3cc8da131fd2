package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fieldbook/internal/session"
)

// hostileVerbs are the verbs and what a person may type after them, for the
// session of x and those of an experiment that is gone.
func hostileVerbs(own string, gone [2]string) [][]string {
	list := [][]string{
		{"check"}, {"plan", "x"}, {"run", "x"}, {"run", "x", "--new", "-v", "--note", spell}, {"try", "x"}, {"try", "x", "-v"}, {"try", "x", "what=e" + spell + "\x1b[1Aok"},
		{"try", "x", "nothing=" + spell}, {"analyze", "x"}, {"analyze", "gone"}, {"analyze", "--metric", spell}, {"analyze", "x", "-v"}, {"analyze", "gone", "-v"}, {"analyze", "gone", "--metric", "w"},
		{"report", "x"}, {"report", "x", "--publish"}, {"report", "gone"}, {"report"}, {"status"}, {"verify"}, {"doctor"}, {"version"}, {"schema"},
		{"run", spell}, {spell}, {"run", "--" + spell}, {"plan", "x", "--seed", spell}, {"plan", "x", "--blocks", spell}, {"analyze", "--sessions", spell}, {"analyze", "gone", "--sessions", "commit=" + spell},
		{"plan", "gone", "--precision", "3%"}, {"plan", "x", "--precision", "3%"}, {"plan", "x", "--power", "0.8", "--effect", spell}, {"plan", "gone", "--power", spell},
		{"compare", gone[0], gone[1]}, {"compare", "gone", "gone"}, {"compare", own, gone[0]}, {"compare", own, spell}, {"compare", gone[0], gone[1], "--metric", spell},
		{"compare", "SITE", "OTHER"}, {"compare", "SITE", "SITE"},
		{"note", own, "n" + spell}, {"note", gone[0], "n" + spell}, {"status"}, {"verify"},
		{"init", spell, "true 1", "true 2"}, {"init", "new", "true " + spell, "false " + spell}, {"-C", "/nowhere" + spell, "check"}, {"help", spell}, {"completion", spell},
		{"__complete", "run", spell}, {"run", "--machine", spell, "x"}, {"analyze", "x", "--color", spell}, {"serve", "--listen", spell}, {"serve", spell}, {"run", "x", "--sync", spell}, {"run", "x", "--for", spell},
		{"report", "x", "--out", "OUT" + spell}, {"analyze", "x", "--format", spell}, {"accept", "x", "--because", "a" + spell}, {"accept", spell, "--because", spell},
		{"discard", own, "--because", "d" + spell}, {"discard", gone[0], "--because", "d" + spell}, {"status"}, {"analyze", "gone"}, {"report", "gone"}, {"report", "x"},
	}
	for _, args := range list {
		switch args[0] {
		case "plan", "analyze", "compare", "verify", "status", "doctor":
			list = append(list, append(slices.Clone(args), "--format", "json"))
		}
	}
	// What takes a session out of all numbers comes last.
	slices.SortStableFunc(list, func(a, b []string) int { return late(a) - late(b) })
	return list
}

func late(args []string) int {
	if args[0] == "discard" {
		return 1
	}
	return 0
}

func TestNoVerbPrintsARawEscape(t *testing.T) {
	n, gone := hostileNotebook(t)
	verb := func(args ...string) (said, told string, code int) {
		var stdout, stderr bytes.Buffer
		code = run(append([]string{"-C", n.root, "--machine", "m"}, args...), &stdout, &stderr)
		return stdout.String(), stderr.String(), code
	}
	if _, told, code := verb("run", "x", "--new"); code != exitFailed || !strings.Contains(told, "recorded") {
		t.Fatalf("the run ends with %d and says %q", code, told)
	}
	ids, err := session.IDs(filepath.Join(n.root, "data", "x"))
	if err != nil || len(ids) != 1 {
		t.Fatalf("sessions %v, %v", ids, err)
	}
	sites := [2]string{t.TempDir(), t.TempDir()}
	for i, experiment := range []string{"x", "gone"} {
		if _, told, code := verb("report", experiment, "--out", sites[i]); code != exitDone {
			t.Fatal(told)
		}
	}
	quiet := func(args []string) {
		said, told, code := verb(args...)
		for _, text := range []string{said, told} {
			if i := strings.IndexFunc(text, raw); i >= 0 {
				t.Errorf("%q ends with %d and prints the raw character %q in %q", args, code, text[i:i+1], text[max(0, i-60):min(len(text), i+20)])
			}
			if strings.Contains(text, "\nfieldbook: all is well") {
				t.Errorf("%q lets a level speak as if it were the tool", args)
			}
		}
		if args[len(args)-1] == "json" && said != "" && !json.Valid([]byte(said)) {
			t.Errorf("%q prints what is no JSON: %s", args, said)
		}
		if strings.Contains(told, "a defect of the tool") {
			t.Errorf("%q: %s", args, told)
		}
	}
	for _, args := range hostileVerbs(ids[0], gone) {
		quiet(placed(args, sites, t.TempDir()))
	}
	// Now something else is run, which also changes its own inputs.
	writeOver(t, filepath.Join(n.root, "experiments", "x", "experiment.yaml"), strings.Replace(hostile, `command: "printf`, `command: "touch 'new`+spellYAML+`'; printf`, 1))
	for _, args := range [][]string{{"status"}, {"status", "--format", "json"}, {"verify"}, {"analyze", "x"}, {"accept", "x", "--because", "a reason"}, {"status"}, {"run", "x", "--new"}, {"status"}, {"report", "x"}, {"verify"}} {
		quiet(args)
	}
	if _, err := os.Stat(filepath.Join(n.root, "..", "escape")); err == nil {
		t.Error("a level made a file outside the notebook")
	}
}

// placed puts the paths of two sites and of a folder into a command.
func placed(args []string, sites [2]string, out string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		arg = strings.ReplaceAll(arg, "SITE", sites[0])
		arg = strings.ReplaceAll(arg, "OTHER", sites[1])
		args[i] = strings.ReplaceAll(arg, "OUT", out+"/")
	}
	return args
}

// raw says whether a character does something to a terminal, or to how its
// line is read.
func raw(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || strings.ContainsRune(spell, r) && r > '~' || r >= 0x7f && r < 0xa0 ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// Escapes change nothing of what a program reads.
func TestJSONIsTheTextAsItWas(t *testing.T) {
	var b bytes.Buffer
	want := map[string]string{"k" + spell: spell + "ä<&>\"\\ 👩‍👩 \u202a\u2069\n\t"}
	if err := writeJSON(&b, want); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(b.String(), raw); i >= 0 {
		t.Errorf("a raw character in %q", b.String())
	}
	if !strings.Contains(b.String(), `ä<&>\"\\ 👩‍👩 \u202a`) || !strings.Contains(b.String(), `\udb40\udc41`) {
		t.Errorf("escapes are others: %s", b.String())
	}
	var got map[string]string
	if err := json.Unmarshal(b.Bytes(), &got); err != nil || len(got) != 1 || got["k"+spell] != want["k"+spell] {
		t.Errorf("%v: %q is read as %q", err, want, got)
	}
}

// A comparison's JSON has the facts of a stranger's machine, each character.
func TestComparedFactsAreLossless(t *testing.T) {
	n, gone := hostileNotebook(t)
	var stdout, stderr bytes.Buffer
	if code := run([]string{"-C", n.root, "compare", gone[0], gone[1], "--format", "json"}, &stdout, &stderr); code != exitDone && code != exitDiffers {
		t.Fatal(stderr.String())
	}
	var v any
	if err := json.Unmarshal(stdout.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	if !holds(v, "k"+spell+"b") {
		t.Errorf("no kernel of the second session in %s", stdout.String())
	}
}

// holds says whether a JSON value has a text somewhere.
func holds(v any, text string) bool {
	switch v := v.(type) {
	case string:
		return v == text
	case []any:
		return slices.ContainsFunc(v, func(one any) bool { return holds(one, text) })
	case map[string]any:
		for _, one := range v {
			if holds(one, text) {
				return true
			}
		}
	}
	return false
}

func TestTablesForSpreadsheetsHoldNoFormula(t *testing.T) {
	n := notebookOf(t, "x", hostile[:strings.Index(hostile, "published: ")])
	var stdout, stderr bytes.Buffer
	if code := run([]string{"-C", n.root, "plan", "x", "--format", "csv"}, &stdout, &stderr); code != exitDone {
		t.Fatal(stderr.String())
	}
	rows, err := csv.NewReader(&stdout).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	found, exact := false, false
	for _, row := range rows {
		for _, cell := range row {
			found = found || cell == "'=cmd|'/C calc'!A0"
			exact = exact || cell == "e"+spell+"\x1b[1Aok"
			if cell != "" && strings.ContainsRune("=@\t\r", rune(cell[0])) {
				t.Errorf("a cell is the formula %q", cell)
			}
		}
	}
	if !found {
		t.Error("the level that looks like a formula is not in the table")
	}
	if !exact {
		t.Error("a level is not in the table as it is")
	}
}
