package report

import (
	"testing"

	"fieldbook/internal/session"
)

// broad is a study of 200 trials and a writeup with eight figures of them; the
// figures of the checks come on top.
func broad() (study, []byte) {
	s := pipelining()
	s.factors = append(s.factors, session.Factor{Name: "size", Levels: []string{"1", "2", "4"}, Numeric: true})
	s.blocks, s.claims = 12, nil
	of := s.of
	s.of = func(l []string) float64 { return of(l) * float64(len(l[2])+len(l[0])) }
	text := ""
	for _, plot := range []string{
		"order", "points", "forest", "ecdf", "interaction\n:x: size\n:by: communication\n:where: sessions=1",
		"order\n:where: size=1", "points\n:where: communication=queue", "ecdf\n:where: sessions=1",
	} {
		text += "```{plot} " + plot + "\n```\n\n"
	}
	text += "```{table} treatments\n```\n"
	return s, []byte(text)
}

func TestPageIsSmall(t *testing.T) {
	s, text := broad()
	doc := build(t, Source{Name: s.name, Result: s.result(), Writeup: text, File: "w.md"})
	if n := len(doc.HTML()); n > 300_000 || len(doc.figures) < 8 {
		t.Errorf("a page of 216 trials in %d figures has %d bytes, want at most 300000 for 8 and those of the checks", len(doc.figures), n)
	}
}

func BenchmarkReport(b *testing.B) {
	s, text := broad()
	r := s.result()
	for b.Loop() {
		doc, _ := Build(Source{Name: s.name, Result: r, Writeup: text, File: "w.md"})
		doc.HTML()
		doc.Markdown()
	}
}
