package report

import (
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// objects is a study of a shared object and one of each client's own, which
// differ by more than a tenth with eight clients alone.
func objects() study {
	s := roundtrip()
	s.name, s.title = "objects", "Shared or own"
	s.factors = append([]session.Factor{{Name: "object", Levels: []string{"own", "shared"}}}, s.factors...)
	line := s.of
	s.of = func(l []string) float64 {
		if l[0] == "shared" && l[1] == "8" {
			return 1.3 * line(l[1:])
		}
		return line(l[1:])
	}
	c := mustCompare("object=shared / object=own")
	s.claims = []analysis.Claim{
		{Name: "same", Says: "It makes no difference.", Metric: "elapsed", Compare: &c, ForEach: []string{"clients"}, Hash: "1",
			Statement: "ratio of elapsed, object=shared / object=own for each clients, within 0.90..1.11", Expect: &analysis.Expect{Of: "ratio", Op: "within", Lo: 0.90, Hi: 1.11}},
		{Name: "faster", Metric: "elapsed", Compare: &c, Where: mustSelection("clients=1"), Hash: "2", Expect: &analysis.Expect{Of: "ratio", Op: "<", Bound: 1}},
	}
	return s
}

func TestEquivalenceInAReport(t *testing.T) {
	s := objects()
	doc := build(t, Source{Name: s.name, Result: s.result(), Writeup: []byte("```{table} equivalence\n:claim: same\n:name: tab-same\n```\n\n{ref}`tab-same` {claim}`same` {claim}`faster`\n"), File: "w.md"})
	golden(t, "equivalence.md", string(doc.Markdown()))
	golden(t, "equivalence.html", drawn.ReplaceAllString(mainPart(doc), "…"))
}

// Every claim of a ratio within a margin has its table unasked, and no other.
func TestADefaultReportShowsEveryEquivalence(t *testing.T) {
	s := objects()
	md := string(build(t, Source{Name: s.name, Result: s.result()}).Markdown())
	if n := strings.Count(md, "at all levels"); n < 1 || strings.Count(md, "level by level") != 1 {
		t.Errorf("the report shows %d tables of an equivalence, want that of same:\n%s", strings.Count(md, "level by level"), md)
	}
}

func TestASmallestMarginIsNeverRoundedDown(t *testing.T) {
	for x, want := range map[float64]float64{3.01: 3.1, 3.1: 3.1, 0.0412: 0.042, 123: 130, 99.1: 100, 0: 0} {
		if got := roundUp(x); got != want {
			t.Errorf("roundUp(%v) = %v, want %v", x, got, want)
		}
	}
}
