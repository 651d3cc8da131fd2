package report

import (
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// oneByOne is the study in an order without blocks.
func (s study) oneByOne(order string) Source {
	in := s.input()
	in.Order = order
	for _, one := range in.Data.Sessions {
		one.Order = order
		for i := range one.Plan {
			one.Plan[i].Block, one.Rows[i].Block = 0, 0
		}
	}
	return Source{Name: s.name, Result: analysis.Analyze(in), Version: "0.1"}
}

func TestUnpairedComparisonsSayWhichTestsAndWhy(t *testing.T) {
	s := coin()
	s.factors = []session.Factor{{Name: "way", Levels: []string{"hand", "cup", "box"}}}
	s.of = func(l []string) float64 { return map[string]float64{"hand": 20, "cup": 24, "box": 20.2}[l[0]] }
	page := string(build(t, s.oneByOne("complete-randomization")).Markdown())
	for _, want := range []string{
		"Over all 3 treatments F(2, ", "(Welch's analysis of variance, since nothing is paired and the noise of treatments may differ); by ranks (Kruskal-Wallis) H = ",
		"<summary>The same by ranks</summary>", "| comparison | ratio by ranks | p, by t | p, by ranks | p, by randomization | trials | p, Shapiro-Wilk |",
		"left higher in 100 % [", "the ratio is by Welch's t on the log scale, which lets the noise of the sides differ",
		"The test by randomization deals the treatments anew", "Shapiro-Wilk finds the logarithms behind none of 1 claimed ratio other than normal at 1 % (n = 12)",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the report", want)
		}
	}
	page = string(build(t, s.oneByOne("sequential")).Markdown())
	if strings.Contains(page, "p, by randomization") || !strings.Contains(page, "There is no test by randomization: no order was drawn that it could draw anew.") {
		t.Error("a fixed order has a randomization test")
	}
}

func TestPairedComparisonsHaveRanksFolded(t *testing.T) {
	page := string(build(t, Source{Name: "coin", Result: coin().result(), Version: "0.1"}).Markdown())
	for _, want := range []string{"<summary>The same by ranks</summary>", "the exact interval of the signed-rank test: it asks for symmetry, not for normality"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the report", want)
		}
	}
	few := coin()
	few.blocks = 5
	page = string(build(t, Source{Name: "coin", Result: few.result(), Version: "0.1"}).Markdown())
	if want := "so that this rests on few blocks: way=cup / way=hand (by ranks no bounds from so few)."; !strings.Contains(page, want) {
		t.Errorf("no %q in the report of five blocks", want)
	}
}
