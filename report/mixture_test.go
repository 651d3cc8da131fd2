package report

import (
	"strings"
	"testing"

	"fieldbook/analysis"
)

// Every second trial of two treatments is slow, whatever its block.
func TestRatiosOfTwoModesSayThatTheyAreOfAMix(t *testing.T) {
	s := coin()
	s.blocks = 120
	s.noise = 0.01
	s.claims = []analysis.Claim{ratioClaim("slower", "The cup is slower.", "way=cup / way=hand", ">", 1)}
	plainPage := string(build(t, Source{Name: "coin", Result: s.result(), Writeup: []byte(mixedText), File: "w.md"}).HTML())
	if strings.Contains(plainPage, "W_MULTIMODAL") {
		t.Error("a quiet study is said to have modes")
	}
	n := 0
	s.of = func(levels []string) float64 {
		n++
		if levels[0] == "cup" && n*7919%13 < 6 {
			return 20
		}
		return 10
	}
	r := s.result()
	doc := build(t, Source{Name: "coin", Result: r, Writeup: []byte(mixedText), File: "w.md"})
	md, page := string(doc.Markdown()), string(doc.HTML())
	const note = "Of elapsed, way=cup have more than one mode within blocks (dip test, W_MULTIMODAL)"
	if got := strings.Count(md, note); got != 2 {
		t.Errorf("%d notes %q, want one below the claims and one below the comparisons:\n%s", got, note, md)
	}
	if got := strings.Count(page, "W_MULTIMODAL"); got < 3 {
		t.Errorf("the page has the warning %d times, want it in the tooltip of the ratio too", got)
	}
	if v := r.Claims[0].Verdict; v != analysis.Supported {
		t.Errorf("the claim is %s, want its verdict as before", v)
	}
}

const mixedText = "A ratio of {value}`ratio elapsed way=cup / way=hand`.\n\n```{claims}\n```\n\n```{table} comparisons\n:compare: way=cup / way=hand\n```\n"
