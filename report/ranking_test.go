package report

import (
	"slices"
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

// A default report ranks what differs in kind; two treatments are compared,
// and levels of an axis stand in their order.
func TestDefaultReportsRankWhatDiffersInKind(t *testing.T) {
	three := coin()
	three.factors[0].Levels, three.factors[0].Labels = []string{"hand", "cup", "box"}, nil
	three.of = func(l []string) float64 { return map[string]float64{"hand": 20, "cup": 24, "box": 18}[l[0]] }
	aimless := three
	aimless.metrics = slices.Clone(three.metrics)
	aimless.metrics[0].Better = ""
	for _, tt := range []struct {
		name   string
		of     study
		ranked bool
	}{
		{"three ways", three, true}, {"no better direction", aimless, false}, {"two ways", coin(), false}, {"a numeric factor", pipelining(), false},
	} {
		md := string(build(t, Source{Name: "coin", Result: tt.of.result(), Version: "0.1"}).Markdown())
		if ranked := strings.Contains(md, "| rank |"); ranked != tt.ranked {
			t.Errorf("%s: ranked %v, want %v", tt.name, ranked, tt.ranked)
		}
	}
}
