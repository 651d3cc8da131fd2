package report

import (
	"fmt"
	"strings"
	"testing"
)

// TestFewLabelsAreLookedThrough asks for a name that is nearly that of a
// heading: the hint names it as long as the headings are few, and a wrong name
// among thousands costs no search.
func TestFewLabelsAreLookedThrough(t *testing.T) {
	for headings, hinted := range map[int]bool{10: true, mostMeant: true, mostMeant + 10: false} {
		var b strings.Builder
		for i := range headings {
			fmt.Fprintf(&b, "## part %03d\n\n", i)
		}
		b.WriteString("{ref}`part-00q` and [there](#part-00q)\n")
		_, problems := Build(Source{Name: "coin", Result: coin().result(), Writeup: []byte(b.String()), File: "w.md"})
		told, hints := 0, 0
		for _, p := range problems {
			if strings.Contains(p.Text, "part-00q") {
				told++
				if strings.Contains(p.Hint, "part-00") {
					hints++
				}
			}
		}
		if told != 2 || (hints == 2) != hinted || (hints == 0) == hinted {
			t.Errorf("%d headings: %d problems with %d hints, want 2 and hints: %v", headings, told, hints, hinted)
		}
	}
}

// TestBeyondALimitThePageSaysSo has writeups that are read no further than
// their front matter: that is all that is said of them, and the page says it.
func TestBeyondALimitThePageSaysSo(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("> ", 40) + "x\n":        "are nested 33 deep; at most 32",
		strings.Repeat("x", mostWritten+1):      "the writeup has 1048594 bytes, allowed are 1048576",
		strings.Repeat("*a ", 1200) + "\n\nx\n": "the paragraph has more than 1000 marks",
	} {
		doc, problems := Build(Source{Name: "coin", Result: coin().result(), Writeup: []byte("---\ntitle: x\n---\n" + text), File: "w.md"})
		if len(problems) != 1 || !strings.Contains(problems[0].Text, want) {
			t.Errorf("the problems are %v, want one with %q", problems, want)
		}
		for _, said := range [][]byte{doc.HTML(), doc.Markdown()} {
			if !strings.Contains(string(said), want) {
				t.Errorf("the report does not say %q:\n%.600s", want, said)
			}
		}
	}
}
