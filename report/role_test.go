package report

import (
	"strings"
	"testing"
)

func TestFormsOfAClaim(t *testing.T) {
	s := pipelining()
	s.published = oldNumbers()
	doc := build(t, Source{Name: "pipelining", Result: s.result(), File: "w.md",
		Writeup: []byte("One {claim}`D1 as=verdict`, {claim}`as=published D1`, {claim}`D4 as=published`, {claim}`D9 as=verdict`.\n")})
	if md := string(doc.Markdown()); !strings.Contains(md, "One is refuted, holds on 1 of 1 machine, holds on 1 of 1 machine, is not judged.") {
		t.Error(md)
	}
}
