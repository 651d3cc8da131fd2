package report

import (
	"strings"
	"testing"
)

func TestSeveralMachinesAreNeverPooled(t *testing.T) {
	s := coin()
	s.machines = []string{"alpha", "beta"}
	text := []byte("{value}`geomean elapsed way=cup machine=beta` {value}`geomean elapsed way=cup`\n\n```{table} treatments\n```\n\n```{table} ranking\n```\n\n```{table} comparisons\n```\n\n```{claims}\n```\n")
	doc, problems := Build(Source{Name: "coin", Result: s.result(), Writeup: text, File: "w.md"})
	if got := problems.Error(); !strings.HasPrefix(got, "w.md:1:71: warning: no machine is named, and there is data of alpha and beta: numbers are of beta,") {
		t.Errorf("Build reports %s", got)
	}
	md := string(doc.Markdown())
	for _, want := range []string{
		"| machine | way | n |", "| alpha | from a cup | 6 |", "| beta | by hand | 6 |", "| rank | machine | way |", "| 1 | beta | by hand |",
		"way=cup / way=hand<br>where machine=alpha", "way=cup / way=hand<br>where machine=beta", "nearest to failing of 2 parts: machine=",
	} {
		if !strings.Contains(md, want) {
			t.Errorf("no %q in\n%s", want, md)
		}
	}
}
