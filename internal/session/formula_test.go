package session

import (
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFormulasAreGuardedAndNothingElse(t *testing.T) {
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "@SUM(A1)": "'@SUM(A1)", "+HYPERLINK(\"http://x\")": "'+HYPERLINK(\"http://x\")",
		"-2+3+cmd|' /C calc'!A0": "'-2+3+cmd|' /C calc'!A0", "\t=1": "'\t=1", "\r=1": "'\r=1",
		"'=1": "''=1", "''@x": "'''@x", "-O2": "-O2", "-1.5e-3": "-1.5e-3", "+sse": "+sse", "--opt=3": "--opt=3",
		"'quoted'": "'quoted'", "'": "'", "": "", "plain": "plain", "a=b": "a=b", "−1": "−1",
	} {
		if got := Guarded(text); got != want {
			t.Errorf("%q is written as %q, want %q", text, got, want)
		}
	}
}

func TestGuardedTextReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("'=+-@\t\rA1(|! ")), 0, 8, -1).Draw(t, "text")
		cell := Guarded(text)
		if formula(cell) {
			t.Fatalf("%q is written as the formula %q", text, cell)
		}
		if got := unguarded(cell); got != text {
			t.Fatalf("%q is written as %q and reads as %q", text, cell, got)
		}
	})
}

// A session whose levels and reasons look like formulas holds none, and reads
// back as it was.
func TestASessionHoldsNoFormula(t *testing.T) {
	info := smallInfo()
	info.Factors[0].Levels = []string{"=cmd|'/C calc'!A0", "'=x"}
	info.Treatments[0].Levels, info.Treatments[1].Levels = info.Factors[0].Levels[:1], info.Factors[0].Levels[1:]
	w, err := Create(memoryDir(t), info, smallPlan(&info, 3), nil, at(0))
	if err != nil {
		t.Fatal(err)
	}
	r := attempt(1, 1, Failed)
	r.Reason = "@SUM(1+1)*cmd|' /C calc'!A0"
	appendAll(t, w, []Record{r, attempt(1, 2, OK), attempt(2, 1, OK)})
	dir := closed(t, w)
	for _, name := range []string{planName, trialsName, clientsName, samplesName} {
		text := readText(t, filepath.Join(dir, name))
		for _, cell := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '\n' }) {
			if formula(strings.TrimLeft(cell, "\"")) {
				t.Errorf("%s holds the formula %q", name, cell)
			}
		}
	}
	s := mustRead(t, dir)
	if s.Rows[0].Reason != r.Reason || s.Rows[0].Levels[0] != info.Factors[0].Levels[0] || s.Rows[2].Levels[0] != "'=x" {
		t.Errorf("rows read back as %q, %q, %q", s.Rows[0].Reason, s.Rows[0].Levels, s.Rows[2].Levels)
	}
	if err := AddRemark(dir, NoteRemark, "=1+1", start); err != nil {
		t.Fatal(err)
	}
	if s := mustRead(t, dir); s.Remarks[0].Text != "=1+1" || strings.Contains(readText(t, remarksPath(dir)), ",=") {
		t.Errorf("the remark is %q in %q", s.Remarks[0].Text, readText(t, remarksPath(dir)))
	}
}
