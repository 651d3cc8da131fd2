package report

import (
	"strings"
	"testing"

	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// A session that later ones replace stands once, among those that are not
// used, and its treatments are not listed one by one beside it.
func TestTheLedgerHasASessionThatOthersReplaceOnce(t *testing.T) {
	s := twoVersions("one", "one")
	in := s.input()
	old := in.Data.Sessions[0]
	old.Note = "on battery"
	for i := range old.Treatments {
		old.Treatments[i].Identity = "before"
	}
	in.Identity["beta"] = "7" // a level that is new, and without data
	in.Factors[0].Levels = append(in.Factors[0].Levels, "beta")
	got := text(t, in)
	_, ledger, _ := strings.Cut(got, "## What was left out")
	ledger, _, _ = strings.Cut(ledger, "<a id=\"machine-and-versions\">")
	if n := strings.Count(ledger, old.Session); n != 1 {
		t.Errorf("the ledger names the session %d times, want once:\n%s", n, ledger)
	}
	wantIn(t, ledger, "| "+old.Session+" | no | stale: what ran has changed since", "Treatments without data.\n\n| treatment |\n|---|\n| version=beta |")
	wantIn(t, got, "In no number is 1 session; it stands with its reason under what was left out.")
}

// What broke a rule stands with its value where the run has recorded it.
func TestAnInvalidAttemptHasTheValueThatBrokeTheRule(t *testing.T) {
	s := twoVersions("one")
	s.edit = func(r *session.Row) {
		if r.Trial < 3 {
			r.Status, r.Metrics[0] = session.Invalid, -1
			r.Reason = []string{"", "elapsed > 0 does not hold: elapsed = -1", "another rule of then"}[r.Trial]
		}
	}
	in := s.input()
	rule, err := expr.Parse("elapsed > 0")
	if err != nil {
		t.Fatal(err)
	}
	in.Valid = append(in.Valid, rule)
	wantIn(t, text(t, in), "| invalid | elapsed > 0 does not hold: elapsed = -1 |", "| invalid | elapsed > 0 does not hold |",
		"trials gave no number that counts and are not in n.")
}
