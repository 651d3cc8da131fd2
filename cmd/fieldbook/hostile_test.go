package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbook/internal/session"
)

// hostile is an experiment whose every text tries to move a terminal's
// cursor, to begin a line of its own, to turn the direction of text, or to be
// a formula. Its workload prints the same, and one treatment fails with it.
const hostile = `fieldbook: 1
title: "t\e[2J\e]0;owned\a\r"
question: "q\e[31m\u202ereversed"
factors:
  what: {levels: ["plain", "=cmd|'/C calc'!A0", "e\e[1A\e[2Kok", "../../escape", "line\nfieldbook: all is well"], labels: ["a\e[5m", "=1+1", "c\b\b", "d", "e\x9b1m"]}
design: {blocks: 2, warmup-blocks: 0}
trial:
  shell: true
  command: "printf '\\033[2J\\033]0;x\\007{{\"v\": 1}}\\n'; printf '{{\"v\": 1}}\\n'; printf 'broken\\033[31m\\n' >&2; test '{what}' != plain"
  env: {WHAT: "{what}"}
metrics:
  v: {from: json, key: v, unit: "u\e[7m", better: lower}
claims:
  c: {says: "s\e[8m", metric: v, compare: what=plain / what="../../escape", expect: ratio < 2}
`

// hostileVerbs are the verbs and what a person may type after them.
func hostileVerbs(session string) [][]string {
	return [][]string{
		{"check"}, {"plan", "x"}, {"plan", "x", "--format", "json"}, {"run", "x"}, {"try", "x"}, {"try", "x", "what=e\x1b[1A\x1b[2Kok"},
		{"try", "x", "nothing=\x1b[2J"}, {"analyze"}, {"analyze", "--format", "json"}, {"analyze", "--metric", "\x1b[2J"}, {"analyze", "-v"},
		{"report"}, {"report", "--publish"}, {"status"}, {"status", "--format", "json"}, {"verify"}, {"doctor"}, {"version"},
		{"run", "\x1b[2J"}, {"\x1b[2J"}, {"run", "--\x1b[2J"}, {"plan", "x", "--seed", "\x1b[2J"}, {"analyze", "--sessions", "\x1b[2J"},
		{"note", session, "n\x1b[2J"}, {"compare", session, session}, {"compare", session, "\x1b[2J"}, {"discard", session, "--because", "d\x1b[2J"}, {"status"},
		{"init", "\x1b[2J", "true 1", "true 2"}, {"-C", "/nowhere\x1b[2J", "check"}, {"accept", "x", "--because", "a\x1b[2J"}, {"help", "\x1b[2J"},
		{"completion", "\x1b[2J"}, {"run", "--machine", "\x1b[2J", "x"}, {"analyze", "x", "--color", "\x1b[2J"},
	}
}

func TestNoVerbPrintsARawEscape(t *testing.T) {
	n := notebookOf(t, "x", hostile)
	verb := func(args ...string) (string, int) {
		var stdout, stderr bytes.Buffer
		code := run(append([]string{"-C", n.root, "--machine", "m"}, args...), &stdout, &stderr)
		return stdout.String() + stderr.String(), code
	}
	if said, code := verb("run", "x", "--new"); code != exitFailed || !strings.Contains(said, "recorded") {
		t.Fatalf("the run ends with %d and says %q", code, said)
	}
	ids, err := session.IDs(filepath.Join(n.root, "data", "x"))
	if err != nil || len(ids) != 1 {
		t.Fatalf("sessions %v, %v", ids, err)
	}
	for _, args := range hostileVerbs(ids[0]) {
		said, code := verb(args...)
		if i := strings.IndexFunc(said, raw); i >= 0 {
			t.Errorf("%q ends with %d and prints the raw character %q in %q", args, code, said[i:i+1], said[max(0, i-60):min(len(said), i+20)])
		}
		if strings.Contains(said, "\nfieldbook: all is well") {
			t.Errorf("%q lets a level speak as if it were the tool", args)
		}
	}
	if _, err := os.Stat(filepath.Join(n.root, "..", "escape")); err == nil {
		t.Error("a level made a file outside the notebook")
	}
}

// raw says whether a character does something to a terminal.
func raw(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r == 0x2028 || r == 0x2029
}

func TestTablesForSpreadsheetsHoldNoFormula(t *testing.T) {
	n := notebookOf(t, "x", hostile)
	var stdout, stderr bytes.Buffer
	if code := run([]string{"-C", n.root, "plan", "x", "--format", "csv"}, &stdout, &stderr); code != exitDone {
		t.Fatal(stderr.String())
	}
	rows, err := csv.NewReader(&stdout).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, row := range rows {
		for _, cell := range row {
			found = found || cell == "'=cmd|'/C calc'!A0"
			if cell != "" && strings.ContainsRune("=@\t\r", rune(cell[0])) {
				t.Errorf("a cell is the formula %q", cell)
			}
		}
	}
	if !found {
		t.Error("the level that looks like a formula is not in the table")
	}
}
