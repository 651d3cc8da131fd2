package report

import (
	"strconv"
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// roundtrip is a study over clients, on a line.
func roundtrip() study {
	return study{
		name: "roundtrip", title: "Round trips", factors: []session.Factor{{Name: "clients", Levels: []string{"1", "2", "4", "8"}, Numeric: true, Scale: "log"}},
		metrics: []session.Metric{{Name: "elapsed", Unit: "ms", Better: "lower", From: "json", Key: "elapsed_ms"}},
		blocks:  8, machines: []string{"epyc"}, noise: 0.02,
		of: func(l []string) float64 { n, _ := strconv.ParseFloat(l[0], 64); return 10 + 2*n },
		claims: []analysis.Claim{
			{Name: "rises", Says: "It rises.", Metric: "elapsed", Slope: "clients", Expect: &analysis.Expect{Of: "slope", Op: ">"}, Hash: "1"},
			{Name: "straight", Says: "On a line.", Metric: "elapsed", Fit: "linear", X: "clients", Within: 0.1, Hash: "2"},
			{Name: "grows", Metric: "elapsed", Compare: ptrTo(mustCompare("clients=8 / clients=1")), Expect: &analysis.Expect{Of: "ratio", Op: ">", Bound: 1}, Hash: "3"},
		},
	}
}

func ptrTo[T any](v T) *T { return &v }

func TestCurvesAndTheirClaimsInAReport(t *testing.T) {
	s := roundtrip()
	text := []byte("```{plot} curve\n:x: clients\n```\n\n{claim}`rises` {claim}`straight`\n\n```{claims}\n```\n")
	doc, problems := Build(Source{Name: s.name, Result: s.result(), Writeup: text, File: "w.md"})
	if len(problems) > 0 {
		t.Fatalf("Build reports %s", problems.Error())
	}
	md := string(doc.Markdown())
	for _, want := range []string{"Elapsed time over clients", "supported: slope 1.", " per doubling, ", "supported: deviation ", "holds at each of 4 levels; furthest from the line at clients=", "nearest to failing of 4 parts: clients="} {
		if !strings.Contains(md, want) {
			t.Errorf("no %q in\n%s", want, md)
		}
	}
	if len(doc.figures) < 1 || doc.figures[0].Figure == nil || !strings.Contains(doc.figures[0].Figure.Desc, "lack of fit") {
		t.Error("the curve is not drawn with its line")
	}
	page := string(doc.HTML())
	if ratios, slopes := strings.Count(page, `aria-label="ratio `), strings.Count(page, `aria-label="ratio per doubling `); ratios != 2 || slopes != 1 {
		t.Errorf("%d bars, %d of them of slopes; want one of the claim about a ratio and one of that about a slope", ratios, slopes)
	}
}

func TestCurveWithoutNumbersIsAProblemOfTheText(t *testing.T) {
	s := pipelining()
	_, problems := Build(Source{Name: s.name, Result: s.result(), Writeup: []byte("```{plot} curve\n:x: communication\n```\n"), File: "w.md"})
	if got := problems.Error(); !strings.Contains(got, "w.md:1:11: a curve needs numbers for x, and communication has none") {
		t.Errorf("Build reports %s", got)
	}
}
