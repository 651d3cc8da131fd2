package report

import (
	"regexp"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/session"
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

// Of what was left out only that is counted which there is, in the number that
// it has.
func TestWhatIsNotCountedIsCounted(t *testing.T) {
	for _, tt := range []struct {
		treatments, attempts, sessions int
		want                           string
	}{
		{1, 0, 0, "1 treatment has no data"}, {0, 1, 0, "1 attempt does not count"}, {0, 0, 2, "2 sessions do not count"},
		{2, 1, 1, "2 treatments have no data, 1 attempt and 1 session do not count"},
	} {
		if got := notCounted(tt.treatments, tt.attempts, tt.sessions); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// Where nothing worked, nothing is called enough, quiet or counted.
func TestAnExperimentInWhichAllFailedIsNotPraised(t *testing.T) {
	s := twoVersions("one", "two")
	s.edit = func(r *session.Row) { r.Status, r.Reason = session.Failed, "exit 1" }
	got := text(t, s.input())
	wantIn(t, got, "| Analysis: enough trials | no | No trial of any treatment counts. |", "No measured trial counts. 48 attempts",
		"No check of order, drift, carry-over, outliers, modes or controls could be made on elapsed; the table says why.")
	s.edit = func(r *session.Row) {
		if r.Block > 1 || r.Treatment > 1 || r.Machine != "one" {
			r.Status, r.Reason = session.Failed, "exit 1"
		}
	}
	wantIn(t, text(t, s.input()), "| Analysis: enough trials | in part | 0 to 1 trials of a treatment; no interval can be made of fewer than two. |", "1 measured trial counts.")
}

func TestSizesOfSessionsAreToldTogether(t *testing.T) {
	in := twoVersions("one", "two").input()
	in.Data.Sessions[1].Blocks = 6
	in.Data.Sessions[1].Rows = in.Data.Sessions[1].Rows[:12]
	in.Data.Sessions[1].Plan = in.Data.Sessions[1].Plan[:12]
	wantIn(t, text(t, in), "There are 2 sessions of 12 or 6 blocks, from the seeds ")
	in.Data.Sessions[0].Order, in.Data.Sessions[1].Order = "sequential", "sequential"
	got := text(t, in)
	wantIn(t, got, " trials of each treatment. There was no warm-up. The number of trials of each session was fixed before it began.")
	if regexp.MustCompile(`trials of each treatment, from`).MatchString(got) {
		t.Error("an order that was not drawn has a seed")
	}
}

func TestWhatSamplesAreReducedTo(t *testing.T) {
	for reduce, want := range map[string]string{
		"p50": "the median", "p99": "the 99th percentile", "p1": "the 1st percentile", "p92": "the 92nd percentile", "p13": "the 13th percentile",
		"p99.9": "the 99.9th percentile", "mean": "the mean", "sd": "the standard deviation",
	} {
		if got := reducedTo(reduce); got != want {
			t.Errorf("%s is %q, want %q", reduce, got, want)
		}
	}
	p := metricItems(&analysis.Result{Input: analysis.Input{Metrics: []session.Metric{{Name: "rtt", Unit: "us", From: "wall"}}}})
	if got := p[0].text(); got != "rtt (µs): from the start of the program to its exit, by the monotonic clock." {
		t.Errorf("%q", got)
	}
}
