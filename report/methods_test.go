package report

import (
	"math"
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// twoVersions is a study of two treatments over sessions of some machines.
func twoVersions(machines ...string) study {
	return study{
		name: "versions", title: "Two versions", factors: []session.Factor{{Name: "version", Levels: []string{"old", "new"}}},
		metrics: []session.Metric{{Name: "elapsed", Unit: "ms", Better: "lower", From: "json", Key: "elapsed_ms"}},
		blocks:  12, machines: machines, noise: 0.03, of: func([]string) float64 { return 100 },
		claims: []analysis.Claim{ratioClaim("faster", "New is faster.", "version=new / version=old", "<", 1)},
	}
}

// text is the default report as Markdown.
func text(t *testing.T, in analysis.Input) string {
	t.Helper()
	doc, problems := Build(Source{Name: "versions", Result: analysis.Analyze(in)})
	if problems.Failed() {
		t.Fatal(problems)
	}
	return string(doc.Markdown())
}

func wantIn(t *testing.T, report string, wanted ...string) {
	t.Helper()
	for _, w := range wanted {
		if !strings.Contains(report, w) {
			t.Errorf("the report lacks %q", w)
		}
	}
}

// How the number of blocks came about is told as it was recorded.
func TestMethodsTellHowBlocksWereChosen(t *testing.T) {
	in := twoVersions("m", "m").input()
	wantIn(t, text(t, in), "The number of blocks of each session was fixed before it began.")
	in.Data.Sessions[0].Stopping = &session.Stopping{Claim: "faster", HalfWidth: 0.03, Min: 10, Max: 20, Looks: []session.Look{
		{Block: 10, HalfWidth: 0.051}, {Block: 11, HalfWidth: 0.042}, {Block: 12, HalfWidth: 0.029, Stop: true}}}
	wantIn(t, text(t, in), "from block 10 on, recording stopped once the interval of claim faster was at most ±3 % wide, at the latest after block 20.",
		"after block 10 ±5.1 %, went on; after block 11 ±4.2 %, went on; after block 12 ±2.9 %, stopped.",
		"In 1 other session it was fixed beforehand.")

	in = twoVersions("m").input()
	in.Data.Sessions[0].Blocks = 15
	wantIn(t, text(t, in), "ended after 12 of 15 planned blocks.")
}

// A report shows what was reached, and what could have been shown.
func TestMethodsShowThePrecisionReached(t *testing.T) {
	in := twoVersions("m").input()
	p := analysis.Analyze(in).Claims[0].Parts[0]
	wantIn(t, text(t, in), "| faster |  | 12 | ±"+shareText(p.Estimate.RelativeHalfWidth())+" | ±"+shareText(p.SmallestMargin()-1)+" |")
}

// Ratios over sessions say whether these differ.
func TestComparisonsSayWhetherSessionsDiffer(t *testing.T) {
	alike := twoVersions("m", "m")
	alike.blocks = 6
	wantIn(t, text(t, alike.input()), "Sessions: the ratio is not seen to differ between 2 sessions (F(1, 10) = ")
	in := twoVersions("m", "m", "m").input()
	for i := range in.Data.Sessions[2].Rows {
		if row := &in.Data.Sessions[2].Rows[i]; row.Levels[0] == "new" {
			row.Metrics[0] *= 1.3
		}
	}
	wantIn(t, text(t, in), "Sessions: the ratio version=new / version=old differs between 3 sessions (F(2, 33) = ",
		"sessions: the effect of version differs between 3 of them (p < 0.0001); look at each alone")
}

// What timed out is said where its number would stand.
func TestTimeoutsAreShownInTheTable(t *testing.T) {
	for times, want := range map[int][]string{
		2: {"new: 2 of 12 trials timed out at 60 s: above.", "2 of 12 trials timed out at 60 s: these are not in this number"},
		8: {"new: 8 of 12 trials timed out at 60 s: above.", "8 of 12 trials timed out at 60 s: there is no"},
	} {
		in := twoVersions("m").input()
		n := 0
		for i := range in.Data.Sessions[0].Rows {
			if row := &in.Data.Sessions[0].Rows[i]; row.Levels[0] == "new" && n < times {
				n++
				row.Status, row.Reason, row.Duration, row.Metrics = session.Timeout, "no end within 1m0s", 60, []float64{math.NaN()}
			}
		}
		doc, _ := Build(Source{Name: "versions", Result: analysis.Analyze(in)})
		got := string(doc.Markdown()) + string(doc.HTML())
		wantIn(t, got, want...)
	}
}

// What is in no number is told with the methods, and one treatment is one.
func TestMethodsTellWhatIsLeftOut(t *testing.T) {
	s := twoVersions("m")
	wantIn(t, text(t, s.input()), "Every attempt ended as planned, and no session is left out.", "ran each of the 2 treatments once")
	s.edit = func(r *session.Row) {
		if r.Phase == "measured" && r.Block <= 3 {
			r.Status = []string{session.Failed, session.Timeout, session.Timeout}[r.Block-1]
		}
	}
	in := s.input()
	in.Data.LeftOut = []session.LeftOut{{Session: "20261130T120000Z-m", Reason: "set aside"}}
	wantIn(t, text(t, in), "In no number are 2 failed attempts, 4 timed-out attempts and 1 session; each stands with its reason under what was left out.")
	s = twoVersions("m")
	s.factors[0].Levels, s.factors[0].HardToChange, s.claims = []string{"old"}, true, nil
	wantIn(t, text(t, s.input()), "Each block ran the one treatment once,", "Hard to change is version:")
}

func TestMeanInPlaceOfAGeometricMeanIsCalledSo(t *testing.T) {
	s := twoVersions("m")
	s.noise, s.claims, s.of = 0, nil, func(l []string) float64 { return map[string]float64{"old": 0, "new": 5}[l[0]] }
	wantIn(t, text(t, s.input()), "| old | 12 | 0 (mean) |", "there is no geometric mean")
}

func TestMethodsNameWhatClientsAreReducedTo(t *testing.T) {
	for _, tt := range []struct {
		m    session.Metric
		want string
	}{
		{session.Metric{From: "clients", Reduce: "jain", Key: "calls", Per: "seconds"}, "Jain's index (1 where all get the same, 1/n where one gets all) of calls / seconds over the clients of a trial."},
		{session.Metric{From: "clients", Reduce: "span"}, "the time from the first client's start to the last one's end, over the clients of a trial."},
		{session.Metric{From: "clients", Reduce: "start-skew"}, "the time between the first client's start and the last one's, over the clients of a trial."},
		{session.Metric{From: "clients", Reduce: "sum", Key: "calls"}, "the sum of calls over the clients of a trial."},
	} {
		if got := metricSource(tt.m).text(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.m.Reduce, got, tt.want)
		}
	}
}
