package report

import (
	"strings"
	"testing"

	"fieldbook/analysis"
)

func TestWhatDiffersBetweenSessionsStandsBesideComparisons(t *testing.T) {
	s := coin()
	s.machines = []string{"one", "one"}
	text := []byte("```{table} comparisons\n:compare: way=cup / way=hand\n```\n\n```{claims}\n```\n\n```{table} sessions\n:compare: way=cup / way=hand\n```\n")
	in := s.input()
	note := "The sessions differ in kernel"
	md := string(build(t, Source{Name: "coin", Result: analysis.Analyze(in), Writeup: text, File: "w.md"}).Markdown())
	if strings.Contains(md, note) {
		t.Errorf("sessions that are alike differ in something:\n%s", md)
	}
	in.Data.Sessions[1].Parts[0].Environment["kernel"] = "Linux 6.2.0"
	md = string(build(t, Source{Name: "coin", Result: analysis.Analyze(in), Writeup: text, File: "w.md"}).Markdown())
	paired, across := "Both sides of a block met the same.", "across sessions may differ for that reason."
	if strings.Count(md, note) != 3 || strings.Count(md, paired) != 2 || strings.Count(md, across) != 1 {
		t.Errorf("want the note at three tables, %q at two and %q at one:\n%s", paired, across, md)
	}
}

func TestMarkdownHasContents(t *testing.T) {
	text := []byte("## One\n\n## Two {value}`n elapsed`\n\nx\n")
	md := string(build(t, Source{Name: "coin", Result: coin().result(), Writeup: text, File: "w.md"}).Markdown())
	if want := "Contents: [One](#one) · [Two 12](#two) · [For the record](#for-the-record)"; !strings.Contains(md, want) {
		t.Errorf("no %q in\n%s", want, md)
	}
}
