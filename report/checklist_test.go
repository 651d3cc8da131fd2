package report

import (
	"regexp"
	"testing"

	"fieldbook/analysis"
)

// The answers read as sentences whether one thing is counted or several.
func TestTheChecklistsReadAsEnglish(t *testing.T) {
	one := twoVersions("one")
	one.claims, one.factors[0].Levels = nil, []string{"old"}
	wantIn(t, text(t, one.input()), "The one treatment was measured, and no attempt and no session is left out.", "Measured was elapsed;", "Varied was version;")
	wantIn(t, text(t, twoVersions("one").input()), "Both treatments were measured,")
	wantIn(t, text(t, pipelining().input()), "All 6 treatments were measured,", "Measured were elapsed and errors;", "Varied were communication and sessions;")

	sentences := regexp.MustCompile(`^[A-Z0-9].*\.$`)
	r := analysis.Analyze(pipelining().input())
	for _, l := range append(hoeflerBelli(r), sigplan(r)...) {
		cells := rulingTable("", []ruling{l}).Rows[0].Cells
		if got := cells[2].Phrase.text(); !sentences.MatchString(got) {
			t.Errorf("%s: %q is no sentence", l.Rule, got)
		}
	}
}

// Of a warm-up and of several seeds the page speaks as English does.
func TestTheLedgerAndTheMethodsReadAsEnglish(t *testing.T) {
	rows := attemptTable([]analysis.Exclusion{{Phase: "warmup"}, {Phase: "measured"}}, "").Rows
	if a, b := rows[0].Cells[3].Phrase.text(), rows[1].Cells[3].Phrase.text(); a != "warm-up" || b != "measured" {
		t.Errorf("phases are %q and %q", a, b)
	}
	wantIn(t, text(t, twoVersions("one", "two").input()), "from the seeds 83f1c29d5a6b7c8d and 83f1c29d5a6b7c8d.")
}
