package report

import (
	"math"
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// What a check found stands open with its plot, what it did not find is folded.
func TestChecksStandWithTheirPlots(t *testing.T) {
	s := pipelining()
	s.blocks, s.claims = 12, nil
	quiet := build(t, Source{Name: s.name, Result: s.result()})
	text := string(quiet.Markdown())
	fold := strings.Index(text, "<summary>Plots of the checks that found nothing</summary>")
	for _, id := range []string{"check-outliers-elapsed", "check-carry-over-elapsed"} {
		if at := strings.Index(text, `<a id="`+id+`"></a>`); fold < 0 || at < fold {
			t.Errorf("%s stands at %d, want it in the fold at %d", id, at, fold)
		}
	}
	spoil := func(r *analysis.Result) { // one trial takes ten times as long
		r.Data.Sessions[0].Rows[7].Metrics[0] *= 10
	}
	in := s.result()
	spoil(in)
	loud := build(t, Source{Name: s.name, Result: analysis.Analyze(in.Input)})
	text = string(loud.Markdown())
	at, fold := strings.Index(text, `<a id="check-outliers-elapsed"></a>`), strings.Index(text, "<summary>Plots of the checks that found nothing</summary>")
	if at < 0 || at > fold || !strings.Contains(text, "figures/check-outliers-elapsed-light.svg") || strings.Contains(text, "**Figure 0") {
		t.Errorf("the plot of outliers stands at %d, want it open before the fold at %d", at, fold)
	}
	if _, ok := loud.Files()["figures/check-outliers-elapsed-dark.svg"]; !ok {
		t.Error("the plot of outliers has no file")
	}
	if page := string(loud.HTML()); !strings.Contains(page, "the numbers behind the figure of outliers (elapsed)") {
		t.Error("the plot of outliers has no data behind it")
	}
}

// One page draws so many trials for its checks, and names what it leaves out;
// what was found in the main metric is drawn all the same.
func TestPlotsOfChecksAreFew(t *testing.T) {
	s := pipelining()
	s.blocks, s.claims = 150, nil // 600 trials
	page := func(r *analysis.Result) string {
		return string(build(t, Source{Name: s.name, Result: r}).Markdown())
	}
	text := page(s.result())
	if n := strings.Count(text, `<a id="check-`); n != 2 || !strings.Contains(text, "Not drawn here, to keep the page small: modes of elapsed.") {
		t.Errorf("quiet: %d plots of checks, want those of outliers and of carry-over", n)
	}
	of := s.of
	n := 0
	s.of = func(l []string) float64 {
		n++
		if n%1000 < 400 {
			return 1.5 * of(l)
		}
		return of(l)
	}
	if text = page(s.result()); !strings.Contains(text, `<a id="check-modes-elapsed">`) || !strings.Contains(text, `<a id="check-outliers-elapsed">`) {
		t.Errorf("slow for a while: the modes found in the main metric are not drawn:\n%s", text[strings.Index(text, "conspicuous"):][:900])
	}
}

func TestFiguresOfChecksPutWhatWasFoundFirst(t *testing.T) {
	d := func(metric, check string, flag bool, text string) analysis.Diagnostic {
		return analysis.Diagnostic{Metric: metric, Check: check, Flag: flag, Text: text}
	}
	all := []analysis.Diagnostic{
		d("cpu", "outliers", false, "quiet"), d("cpu", "modes", true, "modes: "), d("io", "outliers", false, "quiet"),
		d("elapsed", "outliers", false, "quiet"), d("elapsed", "blocks", true, "drift: "), d("elapsed", "modes", false, "modes not looked at: few"),
		d("elapsed", "carry-over", false, "quiet"),
	}
	got := figuresOf(all, "elapsed")
	want := []checkFigure{{"outliers", "elapsed", true}, {"modes", "cpu", true}, {"carry-over", "elapsed", false}}
	if len(got) != len(want) {
		t.Fatalf("%+v, want %+v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

// What several sessions show alike is one finding, by the clearest of them.
func TestFindingsOfSessionsAreGathered(t *testing.T) {
	r := &analysis.Result{Input: analysis.Input{Data: &session.Dataset{Sessions: []*session.Session{{}, {}, {}}}}}
	d := func(s, check string, p, value float64, text string) analysis.Diagnostic {
		return analysis.Diagnostic{Metric: "wall", Session: s, Check: check, P: p, Value: value, Flag: true, Text: text}
	}
	var got []string
	for _, p := range findings([]analysis.Diagnostic{
		d("s1", "blocks", 0.004, 0.5, "drift: a"), d("s1", "outliers", math.NaN(), 4, "outliers: a"), d("s2", "blocks", 0.001, 0.6, "drift: b"),
		d("s3", "outliers", math.NaN(), -9, "outliers: b"), d("", "spread", 0.001, 1, "over size"), d("", "spread", 0.002, 1, "over workers"), d("s3", "modes", 0.001, 1, "modes: a"),
	}, r) {
		got = append(got, p.text())
	}
	want := []string{"wall in 2 of 3 sessions, most clearly in s2: drift: b", "wall in 2 of 3 sessions, most clearly in s3: outliers: b",
		"wall: over size", "wall: over workers", "wall in s3: modes: a"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestManyFindingsOfOtherMetricsAreFolded(t *testing.T) {
	r := &analysis.Result{Input: analysis.Input{Metrics: []session.Metric{{Name: "wall", Better: "lower"}, {Name: "cpu"}},
		Data: &session.Dataset{Sessions: []*session.Session{{}}}}}
	var flagged []analysis.Diagnostic
	for i := range 9 {
		flagged = append(flagged, analysis.Diagnostic{Metric: []string{"wall", "cpu"}[min(i/2, 1)], Check: itoa(i), Flag: true, Text: "found"})
	}
	blocks := shortly(flagged, r)
	if len(blocks) != 2 {
		t.Fatalf("%d blocks, want the findings in wall and a fold", len(blocks))
	}
	open, isOpen := blocks[0].(bullets)
	rest, isFold := blocks[1].(fold)
	if !isOpen || !isFold || len(open.Items) != 2 || rest.Summary != "7 findings in other metrics" {
		t.Errorf("%+v", blocks)
	}
	if blocks := shortly(flagged[:8], r); len(blocks) != 1 {
		t.Errorf("8 findings stand in %d blocks, want all in the open", len(blocks))
	}
}
