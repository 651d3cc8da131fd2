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
	for _, p := range phrasesOf(findings([]analysis.Diagnostic{
		d("s1", "blocks", 0.004, 0.5, "drift: a"), d("s1", "outliers", math.NaN(), 4, "outliers: a"), d("s2", "blocks", 0.001, 0.6, "drift: b"),
		d("s3", "outliers", math.NaN(), -9, "outliers: b"), d("", "spread", 0.001, 1, "over size"), d("", "spread", 0.002, 1, "over workers"), d("s3", "modes", 0.001, 1, "modes: a"),
	}, r)) {
		got = append(got, p.text())
	}
	want := []string{"wall in 2 of 3 sessions, most clearly in s2: drift: b", "wall in 2 of 3 sessions, most clearly in s3: outliers: b",
		"wall: over size", "wall: over workers", "wall in s3: modes: a"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestManyFindingsAreFolded(t *testing.T) {
	r := &analysis.Result{Input: analysis.Input{Metrics: []session.Metric{{Name: "wall", Better: "lower"}, {Name: "cpu"}},
		Data: &session.Dataset{Sessions: []*session.Session{{}}}}}
	of := func(walls, cpus int) (list []analysis.Diagnostic) {
		for i := range walls + cpus {
			list = append(list, analysis.Diagnostic{Metric: map[bool]string{true: "wall", false: "cpu"}[i < walls], Check: itoa(i), Flag: true, Text: itoa(i)})
		}
		return list
	}
	for _, tt := range []struct {
		walls, cpus, open int
		folds             string
	}{
		{2, 6, 8, ""}, {2, 7, 2, "7 findings in other metrics"}, {9, 0, 8, "1 further finding in wall"}, {0, 9, 0, "9 findings in other metrics"},
		{10, 1, 8, "2 further findings in wall; 1 finding in other metrics"},
	} {
		open, folds := 0, []string{}
		for _, b := range shortly(of(tt.walls, tt.cpus), r) {
			switch b := b.(type) {
			case bullets:
				open += len(b.Items)
			case fold:
				folds = append(folds, b.Summary)
			}
		}
		if got := strings.Join(folds, "; "); open != tt.open || got != tt.folds {
			t.Errorf("of %d and %d findings %d are open and %q folded, want %d and %q", tt.walls, tt.cpus, open, got, tt.open, tt.folds)
		}
	}
}

// What is found alike in a metric and in one that is computed from it is said
// once; where much is found, single trials stand in the table of all checks
// alone.
func TestFindingsOfMetricsThatSayTheSameAreOne(t *testing.T) {
	r := &analysis.Result{Input: analysis.Input{Metrics: []session.Metric{{Name: "wall"}}, Data: &session.Dataset{Sessions: []*session.Session{{}}}}}
	d := func(metric, brief, text string) analysis.Diagnostic {
		return analysis.Diagnostic{Metric: metric, Check: "outliers", Flag: true, Brief: brief, Text: text}
	}
	all := []analysis.Diagnostic{d("wall", "1 lies far", "1 lies far: trial 3"), d("cpu", "", "2 lie far"), d("per_call", "1 lies far", "1 lies far: trial 3")}
	first := func() string {
		list, ok := shortly(all, r)[0].(bullets)
		if !ok || list.Items[1].text() != "cpu: 2 lie far" {
			t.Fatalf("%+v", list)
		}
		return list.Items[0].text()
	}
	if got, want := first(), "wall and per_call: 1 lies far: trial 3"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for i := range manyChecks {
		all = append(all, analysis.Diagnostic{Metric: "wall", Check: itoa(i), Flag: true, Text: itoa(i)})
	}
	all[1].Metric, all[1].Text = "wall", "2 lie far"
	list := shortly(all, r)[0].(bullets)
	if got, want := list.Items[0].text(), "wall and per_call: 1 lies far"; got != want || all[0].Text != "1 lies far: trial 3" {
		t.Errorf("of many %q, want %q, and the table as it was", got, want)
	}
}
