package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A level of 10 kB moves the numbers behind it by no more than a line's
// width, and two that differ at their ends still differ.
func TestALongCellLeavesATableReadable(t *testing.T) {
	long := strings.Repeat("ä", 10_000)
	var b strings.Builder
	columns(&b, [][]string{{"what", "n", "why"}, {long + "1", "3", long}, {long + "2", "4", "short"}}, 1)
	lines := strings.Split(b.String(), "\n")
	if len(lines) != 4 || strings.Fields(lines[1])[0] == strings.Fields(lines[2])[0] || !strings.HasSuffix(lines[1], long) {
		t.Fatalf("the table is\n%s", b.String())
	}
	if n := utf8.RuneCountInString(lines[2]); n > widestCell+20 {
		t.Errorf("a line has %d characters", n)
	}
	if !strings.Contains(lines[2], "…") || !strings.Contains(lines[2], "ä2  4") {
		t.Errorf("the line is %q", lines[2])
	}
}

// What stands behind wide, combining and invisible characters stays in its
// column.
func TestColumnsOfWideCharacters(t *testing.T) {
	var b strings.Builder
	columns(&b, [][]string{{"日本語", "x"}, {"e\u0301te\u0301", "x"}, {"plain", "x"}, {"🚀", "x"}})
	if want := "日本語  x\ne\u0301te\u0301     x\nplain   x\n🚀      x\n"; b.String() != want {
		t.Errorf("the table is\n%s\nwant\n%s", b.String(), want)
	}
}
