package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// attempts replaces the attempts of a trial, given as "status value".
func attempts(ses *session.Session, trial int, of ...session.Row) {
	ses.Rows = slices.DeleteFunc(ses.Rows, func(r session.Row) bool { return r.Trial == trial })
	for i, r := range of {
		r.Planned, r.Session, r.Machine, r.Attempt, r.Part = ses.Plan[trial-1], ses.Session, ses.Machine, i+1, max(r.Part, 1)
		ses.Rows = append(ses.Rows, r)
	}
}

func row(status string, values ...float64) session.Row {
	return session.Row{Status: status, Metrics: values}
}

func TestLastCountingAttemptCounts(t *testing.T) {
	s := ratios(1, 1, 1)
	ses := s.sessions[0]
	attempts(ses, 1, row("failed", math.NaN()), row("ok", 42))
	attempts(ses, 2, row("ok", 43), row("interrupted", math.NaN()))
	attempts(ses, 3, row("timeout", 7))
	attempts(ses, 4, row("interrupted", math.NaN()))
	var got []float64
	var status []string
	for _, o := range s.result().Observations("elapsed", nil)[:4] {
		got, status = append(got, o.Value), append(status, o.Status)
	}
	if !slices.Equal(status, []string{"ok", "ok", "timeout", "interrupted"}) {
		t.Errorf("statuses %v", status)
	}
	if got[0] != 42 || got[1] != 43 || !math.IsNaN(got[2]) || !math.IsNaN(got[3]) {
		t.Errorf("values %v, want 42 43 NaN NaN: a failure is never a number", got)
	}
}

func TestWarmupStandsApart(t *testing.T) {
	s := ratios(1, 1, 1)
	for i := range 2 {
		s.sessions[0].Plan[i].Phase, s.sessions[0].Rows[i].Phase = "warmup", "warmup"
	}
	r := s.result()
	if n, w := len(r.Observations("elapsed", nil)), len(r.WarmupObservations("elapsed", nil)); n != 4 || w != 2 {
		t.Errorf("%d measured and %d warm-up trials, want 4 and 2", n, w)
	}
	if n := mustValue(t, r, "n", "elapsed", ""); n.Value != 4 {
		t.Errorf("n = %v counts the warm-up", n.Value)
	}
}

func TestFormulasAreAppliedAtReading(t *testing.T) {
	s := newStudy(elapsedMS, "clients: 1 4")
	s.metrics = append(s.metrics, session.Metric{Name: "per_call", Unit: "ms", From: "formula"}, session.Metric{Name: "share", Unit: "1", From: "formula"},
		session.Metric{Name: "broken", Unit: "1", From: "formula"}, session.Metric{Name: "circle", Unit: "1", From: "formula"})
	s.run(ids(1), "m", "randomized-blocks", 3, func(trialAt) outcome { return outcome{value: 50} })
	s.in.Constants = []session.Constant{{Name: "calls", Value: "10"}}
	s.in.Formulas = map[string]*expr.Expr{
		"per_call": expression("elapsed / calls"), "share": expression("per_call / clients"),
		"broken": expression("1 / (clients - 4)"), "circle": expression("circle + 1"),
	}
	r := s.result()
	for metric, want := range map[string]float64{"per_call": 5, "share": 1.25, "broken": math.NaN(), "circle": math.NaN()} {
		if got := r.Observations(metric, sel("clients=4"))[0].Value; !near(got, want, 1e-12) {
			t.Errorf("%s = %v, want %v", metric, got, want)
		}
	}
	if e := mustValue(t, r, "mean", "broken", "clients=4"); !strings.HasPrefix(e.Refused, "no data") {
		t.Errorf("a metric that is nowhere computable: %v %q", e.Value, e.Refused)
	}
}

func TestRulesAreAppliedAtReading(t *testing.T) {
	s := ratios(1, 1, 1)
	attempts(s.sessions[0], 1, session.Row{Status: "invalid", Reason: "not elapsed > 1000", Metrics: []float64{110}})
	attempts(s.sessions[0], 2, row("ok", 5))
	attempts(s.sessions[0], 3, row("failed", 110))
	in := s.input()
	if got := Analyze(in).Observations("elapsed", nil)[0]; got.Status != "invalid" || got.Value != 110 {
		t.Errorf("without a file the recorded status stands: %s %v", got.Status, got.Value)
	}
	in.Valid = []*expr.Expr{expression("elapsed > 10")}
	obs := Analyze(in).Observations("elapsed", nil)
	if obs[0].Status != "ok" || obs[1].Status != "invalid" || obs[1].Reason != "elapsed > 10 does not hold" || obs[2].Status != "failed" {
		t.Errorf("statuses %s, %s (%q), %s", obs[0].Status, obs[1].Status, obs[1].Reason, obs[2].Status)
	}
	counts := Analyze(in).Counts()
	total := Tally{}
	for _, c := range counts {
		total.OK += c.Trials.OK
		total.Invalid += c.Trials.Invalid
		total.Failed += c.Trials.Failed
	}
	if total != (Tally{OK: 4, Invalid: 1, Failed: 1}) {
		t.Errorf("counts %+v", total)
	}
}

func TestCountsAndExclusions(t *testing.T) {
	s := ratios(1, 1, 1, 1)
	ses := s.sessions[0]
	attempts(ses, 1, row("failed", math.NaN()), row("timeout", math.NaN()), row("ok", 42))
	attempts(ses, 3, session.Row{Status: "skipped", Reason: "no such program"})
	attempts(ses, 8)
	r := s.result()
	first := r.Counts()[0]
	if first.Treatment != "version=old" || first.Planned != 4 || first.Attempts.All() < first.Trials.All() {
		t.Errorf("%+v", first)
	}
	var planned, ran int
	var attempted Tally
	for _, c := range r.Counts() {
		planned, ran = planned+c.Planned, ran+c.Trials.All()
		attempted.Failed += c.Attempts.Failed
		attempted.Timeout += c.Attempts.Timeout
		attempted.Skipped += c.Attempts.Skipped
	}
	if planned != 8 || ran != 7 || attempted != (Tally{Failed: 1, Timeout: 1, Skipped: 1}) {
		t.Errorf("%d planned, %d ran, attempts %+v", planned, ran, attempted)
	}
	got := r.Exclusions()
	if len(got) != 3 || got[0].Trial != 1 || !got[0].TriedAgain || got[2].Reason != "no such program" || got[2].TriedAgain {
		t.Errorf("exclusions %+v", got)
	}
	ses.Stopping = &session.Stopping{Claim: "c", Max: 4, Looks: []session.Look{{Block: 2}, {Block: 3, Stop: true}}}
	if n := s.result().Counts()[ses.Plan[7].Treatment-1].Planned; n != 3 {
		t.Errorf("%d trials planned, want 3: the session stopped before block 4", n)
	}
}

func TestCutBlocksAreMarked(t *testing.T) {
	s := ratios(1, 1, 1)
	for i := 3; i < 6; i++ {
		s.sessions[0].Rows[i].Part = 2
	}
	r := s.result()
	for _, o := range r.Observations("elapsed", nil) {
		if o.CutBlock != (o.Block == 2) {
			t.Errorf("block %d: cut %v", o.Block, o.CutBlock)
		}
	}
	if f := r.SessionFacts(); len(f) != 1 || !slices.Equal(f[0].CutBlocks, []int{2}) {
		t.Errorf("session facts %+v", f)
	}
}

// today is an input with an experiment file whose identities are given.
func today(s *study, identity map[string]string) Input {
	in := s.input()
	in.Identity = identity
	return in
}

func TestStaleRowsAreShownUntilFreshOnesAreThere(t *testing.T) {
	s := ratios(1.5, 1.5, 1.5, 1.5)
	changed := map[string]string{"old": "id1", "new": "id2"}
	in := today(s, changed)
	in.Claims = []Claim{newOverOld("ratio > 1")}
	in.Changed = map[string]map[string]string{s.sessions[0].Session: {"new": "trial.command changed"}}
	r := Analyze(in)
	e := mustValue(t, r, "mean", "elapsed", "version=new")
	if len(e.Stale) == 0 || !hasWarning(e, StaleData) || math.IsNaN(e.Value) {
		t.Errorf("a stale number is shown and marked: %v %v", e.Value, e.Stale)
	}
	if fresh := mustValue(t, r, "mean", "elapsed", "version=old"); len(fresh.Stale) != 0 {
		t.Errorf("a fresh number is marked %v", fresh.Stale)
	}
	if c := mustCompare(t, r, "elapsed", "version=new / version=old"); len(c.Ratio.Stale) == 0 || !strings.Contains(c.Words(0), "the data is stale") {
		t.Errorf("a ratio of a stale side is marked: %v, %q", c.Ratio.Stale, c.Words(0))
	}
	if c := r.Claims[0]; c.Verdict != NotJudged || !strings.Contains(c.Why, "stale") || math.IsNaN(c.Parts[0].Estimate.Value) {
		t.Errorf("no claim is judged on stale rows: %s %q", c.Verdict, c.Why)
	}
	if st := r.Standings(); len(st) != 1 || st[0].Treatment != "version=new" || st[0].State != Stale || st[0].LeftOut || st[0].Reason != "trial.command changed since" {
		t.Errorf("standings %+v", st)
	}

	next := s.run(ids(2), "m", "randomized-blocks", 4, func(trialAt) outcome { return outcome{value: 100} })
	next.Treatments[1].Identity = "id2"
	in.Data = s.input().Data
	r = Analyze(in)
	if e := mustValue(t, r, "mean", "elapsed", "version=new"); e.Value != 100 || e.N != 4 || len(e.Stale) != 0 {
		t.Errorf("old rows are left out where fresh ones are there: %v, n = %d, %v", e.Value, e.N, e.Stale)
	}
	if e := mustValue(t, r, "n", "elapsed", "version=old"); e.Value != 8 {
		t.Errorf("n of the unchanged treatment = %v, want 8", e.Value)
	}
	c := mustCompare(t, r, "elapsed", "version=new / version=old")
	if c.Ratio.Refused != "" || c.Ratio.N != 4 || c.Incomplete != 0 {
		t.Errorf("old blocks without a side are no incomplete ones: n = %d, %d incomplete, %q", c.Ratio.N, c.Incomplete, c.Ratio.Refused)
	}
	if st := r.Standings(); len(st) != 1 || !st[0].LeftOut {
		t.Errorf("standings %+v", st)
	}
}

// Rows of two programs, neither of which is today's, are not one number.
func TestStaleRowsOfTwoProgramsAreNotPooled(t *testing.T) {
	s := ratios(1.5, 1.5, 1.5, 1.5)
	s.run(ids(2), "m", "randomized-blocks", 3, func(trialAt) outcome { return outcome{value: 100} }).Treatments[1].Identity = "id2"
	r := Analyze(today(s, map[string]string{"old": "id1", "new": "id3"}))
	if e := mustValue(t, r, "mean", "elapsed", "version=new"); e.Value != 100 || e.N != 3 || len(e.Stale) == 0 {
		t.Errorf("mean of stale rows = %v over %d, stale %v; want the newest program's alone, marked", e.Value, e.N, e.Stale)
	}
	if e := mustValue(t, r, "n", "elapsed", "version=old"); e.Value != 7 {
		t.Errorf("n of the unchanged treatment = %v, want 7", e.Value)
	}
	if st := r.Standings(); len(st) != 2 || st[0].LeftOut || !st[1].LeftOut || !slices.Equal(st[0].Sessions, []string{s.sessions[1].Session}) || !slices.Equal(st[1].Sessions, []string{s.sessions[0].Session}) {
		t.Errorf("standings %+v, want the newest program's rows shown as stale, and those before left out", st)
	}
}

func TestAcceptedRowsAreGood(t *testing.T) {
	s := ratios(1.5, 1.5, 1.5, 1.5)
	s.sessions[0].Remarks = []session.Remark{
		{Kind: "accept", Text: "only a comment changed", Change: session.Change{Was: "id1", Now: "id2"}},
		{Kind: "accept", Text: "of something else", Change: session.Change{Was: "id1", Now: "id3"}},
	}
	r := Analyze(today(s, map[string]string{"old": "id1", "new": "id2"}))
	if e := mustValue(t, r, "mean", "elapsed", "version=new"); len(e.Stale) != 0 || e.N != 4 {
		t.Errorf("accepted rows: %v, n = %d", e.Stale, e.N)
	}
	if st := r.Standings(); len(st) != 1 || st[0].State != Accepted || st[0].Reason != "only a comment changed" {
		t.Errorf("standings %+v", st)
	}
	r = Analyze(today(s, map[string]string{"old": "id1", "new": "id4"}))
	if st := r.Standings(); len(st) != 1 || st[0].State != Stale {
		t.Errorf("standings after a later change %+v, want stale: it was not accepted", st)
	}
}

func TestMissingAndOrphaned(t *testing.T) {
	s := ratios(1.5, 1.5, 1.5)
	in := today(s, map[string]string{"old": "id1", "newer": "id1"})
	in.Factors = []session.Factor{{Name: "version", Levels: []string{"old", "newer"}}}
	r := Analyze(in)
	var states []string
	for _, st := range r.Standings() {
		states = append(states, st.Treatment+" "+st.State)
	}
	if !slices.Equal(states, []string{"version=newer missing", "version=new orphaned"}) {
		t.Errorf("standings %v", states)
	}
	if n := len(r.Observations("elapsed", nil)); n != 3 {
		t.Errorf("%d observations, want the 3 of the old version", n)
	}
	if e := mustValue(t, r, "mean", "elapsed", "version=newer"); e.Refused != "no data" {
		t.Errorf("a missing treatment: %q", e.Refused)
	}
	in.Claims = []Claim{{Name: "c", Metric: "elapsed", Compare: ptr(comparison("version=newer / version=old")), Expect: expect("ratio < 1")}}
	if c := Analyze(in).Claims[0]; c.Verdict != NotJudged || !strings.HasPrefix(c.Why, "no data") {
		t.Errorf("a claim on a missing treatment: %s %q", c.Verdict, c.Why)
	}
}

func ptr[T any](x T) *T { return &x }

func TestFactorsOfAnotherOrder(t *testing.T) {
	s := newStudy(elapsedMS, "a: 1 2", "b: x y")
	s.run(ids(1), "m", "randomized-blocks", 3, func(at trialAt) outcome {
		return outcome{value: map[string]float64{"1x": 1, "1y": 2, "2x": 3, "2y": 4}[at.levels[0]+at.levels[1]]}
	})
	in := s.input()
	in.Factors = []session.Factor{s.factors[1], s.factors[0]}
	in.Identity = map[string]string{"x\x1f1": "id1", "y\x1f1": "id1", "x\x1f2": "id1", "y\x1f2": "id1"}
	r := Analyze(in)
	if got := r.Observations("elapsed", sel("b=x a=2"))[0]; got.Value != 3 || !slices.Equal(got.Levels, []string{"x", "2"}) || got.Stale {
		t.Errorf("%+v", got)
	}
}

func TestSessionsOfOtherMetricsGiveNoNumber(t *testing.T) {
	s := ratios(1, 1, 1)
	in := s.input()
	in.Metrics = append([]session.Metric{{Name: "later", Unit: "s"}}, in.Metrics...)
	r := Analyze(in)
	if got := r.Observations("later", nil)[0].Value; !math.IsNaN(got) {
		t.Errorf("a metric that the session did not read = %v", got)
	}
	if got := r.Observations("elapsed", nil)[0].Value; math.IsNaN(got) {
		t.Error("elapsed has lost its column")
	}
}

func TestSessionsOfWhichNothingIsUsedAreLeftOut(t *testing.T) {
	s := ratios(1.5, 1.5, 1.5, 1.5)
	next := s.run(ids(2), "m", "randomized-blocks", 4, func(trialAt) outcome { return outcome{value: 100} })
	next.Treatments[1].Identity = "id2"
	in := today(s, map[string]string{"old": "id1", "new": "id2"})
	if r := Analyze(in); len(r.Data.Sessions) != 2 || len(r.Data.LeftOut) != 0 {
		t.Errorf("%d sessions in use, left out %v; want 2, since one treatment of the first is fresh", len(r.Data.Sessions), r.Data.LeftOut)
	}
	next.Treatments[0].Identity = "id3"
	in.Identity["old"] = "id3"
	r := Analyze(in)
	if len(r.Data.Sessions) != 1 || len(r.Data.LeftOut) != 1 || !strings.HasPrefix(r.Data.LeftOut[0].Reason, "stale: ") || len(in.Data.Sessions) != 2 {
		t.Errorf("in use %d, left out %v, of the input %d", len(r.Data.Sessions), r.Data.LeftOut, len(in.Data.Sessions))
	}
	if st := r.Standings(); len(st) != 2 || !st[0].LeftOut {
		t.Errorf("standings %+v", st)
	}
}
