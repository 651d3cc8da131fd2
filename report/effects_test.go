package report

import (
	"math"
	"strings"
	"testing"

	"fieldbook/internal/session"
)

// Where a failed trial leaves no whole design there is no model, and nothing
// is said of one: what it never computed would stand there as zeros.
func TestEffectsThatAreRefusedSupposeNothing(t *testing.T) {
	const asked = "```{table} effects\n```\n"
	const supposes = "What the table of effects supposes"
	s := pipelining()
	if md := markdownOf(t, s, asked); !strings.Contains(md, supposes) {
		t.Fatalf("the whole design has no %q:\n%s", supposes, md)
	}
	s.edit = func(r *session.Row) {
		if r.Block%3 == 0 && r.Position == 1 {
			r.Status, r.Metrics = session.Failed, []float64{math.NaN(), math.NaN()}
		}
	}
	md := markdownOf(t, s, asked)
	if !strings.Contains(md, "No effects: ") {
		t.Fatalf("the effects are not refused:\n%s", md)
	}
	for _, never := range []string{supposes, "0 times as many", "0-fold"} {
		if strings.Contains(md, never) {
			t.Errorf("it says %q of effects that are refused:\n%s", never, md)
		}
	}
}

// markdownOf is the report of a study as a writeup asks for it.
func markdownOf(t *testing.T, s study, writeup string) string {
	t.Helper()
	return string(build(t, Source{Name: s.name, Result: s.result(), Writeup: []byte(writeup), File: "w.md"}).Markdown())
}
