package report

import (
	"strings"
	"testing"
)

// ranking is the Markdown of a ranking alone.
func ranking(t *testing.T, s study, options string) string {
	t.Helper()
	text := "```{table} ranking\n" + options + "```\n"
	md := string(build(t, Source{Name: s.name, Result: s.result(), Writeup: []byte(text), File: "writeup.md", Version: "0.1"}).Markdown())
	md = md[strings.Index(md, "| rank |"):]
	return md[:strings.Index(md, "##")]
}

func TestGoldenRanking(t *testing.T) {
	golden(t, "ranking.md", ranking(t, pipelining(), ""))
}

func TestRankingsOfSeveralMachines(t *testing.T) {
	s := pipelining()
	s.machines = []string{"alpha", "beta"}
	s.noise = 0.5
	differ := ranking(t, s, "")
	for _, want := range []string{"alpha: of 15 pairs", "beta: of 9999 resamples", "order differs between machines: Kendall's W of their ranks is 0."} {
		if !strings.Contains(differ, want) {
			t.Errorf("no %q in\n%s", want, differ)
		}
	}
	if n := strings.Count(differ, "share a letter"); n != 1 {
		t.Errorf("what letters mean is said %d times", n)
	}
	s.noise = 0.0001
	if same := ranking(t, s, ""); !strings.Contains(same, "All 2 machines have the same order.") {
		t.Errorf("without noise there is one order:\n%s", same)
	}
}

func TestOnlyGeometricMeansHaveLetters(t *testing.T) {
	if md := ranking(t, pipelining(), ":stat: median\n"); strings.Contains(md, "group") || strings.Contains(md, "letter") {
		t.Errorf("a ranking by medians has letters of geometric means:\n%s", md)
	}
	few := pipelining()
	few.blocks = 2
	if md := ranking(t, few, ""); !strings.Contains(md, "No groups: too few blocks") {
		t.Errorf("two blocks give groups:\n%s", md)
	}
}
