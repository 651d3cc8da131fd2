package report

import (
	"strings"
	"testing"

	"fieldbook/analysis"
)

func TestClaimsStandAtTheSideOfThePage(t *testing.T) {
	s := pipelining()
	doc := build(t, Source{Name: s.name, Result: s.result(), Writeup: []byte("# T\n\n```{claims}\n```\n"), File: "w.md"})
	text := string(doc.HTML())
	nav := text[strings.Index(text, "<nav"):strings.Index(text, "</nav>")]
	shown := shownClaims(s.result())
	if n := strings.Count(nav, "<li>"); n != len(shown) || n == 0 {
		t.Fatalf("%d claims at the side, want the %d of the table:\n%s", n, len(shown), nav)
	}
	for _, c := range shown {
		id := "claim-" + strings.ToLower(c.Claim.Name)
		if !strings.Contains(strings.ToLower(nav), `href="#`+id+`"`) || !strings.Contains(strings.ToLower(text), `<tr id="`+id+`"`) {
			t.Errorf("the page does not lead to the row %s of the claim %s", id, c.Claim.Name)
		}
		if !strings.Contains(nav, "<span>"+c.Claim.Name+"</span> "+string(c.Verdict)+"</a>") {
			t.Errorf("the verdict on %s, %s, does not stand beside its name:\n%s", c.Claim.Name, c.Verdict, nav)
		}
	}
	if empty := build(t, Source{Name: s.name, Result: s.result(), Writeup: []byte("# T\n"), File: "w.md"}); strings.Contains(string(empty.HTML()), `class="claimed"`) && len(empty.claimed) == 0 {
		t.Error("a page without a table of claims lists some at its side")
	}
}

func TestVerdictsAreCounted(t *testing.T) {
	list := []claimEntry{{"a", "a", analysis.Undecided}, {"b", "b", analysis.Refuted}, {"c", "c", "untested"}, {"d", "d", analysis.Refuted}, {"e", "e", analysis.Supported}}
	if got, want := verdictCounts(list), "1 supported, 2 refuted, 1 undecided, 1 untested"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if claimLinks(nil) != nil {
		t.Error("no claims make a list of them")
	}
}
