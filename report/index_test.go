package report

import (
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

func TestIndexShowsResultsAndSessions(t *testing.T) {
	s := coin()
	s.machines = []string{"one", "one"}
	in := s.input()
	in.Data.LeftOut = []session.LeftOut{{Session: "20261129T000000Z-one", Reason: "discarded: the fan was off"}}
	empty := coin()
	empty.name, empty.machines = "empty", nil
	page := string(Index("Notebook", []Entry{{"coin", analysis.Analyze(in), "fresh"}, {"empty", empty.result(), "never run"}}))
	for _, want := range []string{
		`<svg class="spark" viewBox="0 0 220 40" role="img" aria-label="the ratio in each of 12 blocks">`, // by hand over from a cup
		"Elapsed, way=hand / way=cup: ", "<b>2</b> sessions", "Is one of them faster?", "30 Nov 2026", "machine <b>one</b>",
		"<summary>3 sessions</summary>", "left out: discarded: the fan was off", "29 Nov 2026", `href="coin/index.html"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the index\n%s", want, page[strings.Index(page, "<main"):strings.Index(page, "</main>")])
		}
	}
	if n := strings.Count(page, "<circle"); n != 12 {
		t.Errorf("%d blocks are drawn, want 12", n)
	}
}

func TestMainResultIsThatOfAClaim(t *testing.T) {
	s := pipelining()
	k, ok := mainResult(s.result())
	if want := "communication=queue sessions=2 / communication=threaded sessions=2"; !ok || k.Text != want {
		t.Errorf("the main result is %q, want that of the first claim, %q", k.Text, want)
	}
	s.claims = nil
	if k, ok = mainResult(s.result()); !ok || !strings.HasPrefix(k.Text, "sessions=2 / sessions=1") {
		t.Errorf("without claims it is %q, want the second treatment over the first", k.Text)
	}
}
