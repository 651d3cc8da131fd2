package markup

import (
	"fmt"
	"strings"
	"testing"
)

// TestPlacesCountFewBytes: no place is found by counting from the beginning of
// its line.
func TestPlacesCountFewBytes(t *testing.T) {
	w, problems := Parse("w.md", []byte(strings.Repeat("ä\u202e", 100_000)), 0)
	if want := "w.md:1:200000: "; len(problems) != 100_000 || !strings.HasPrefix(problems[99_999].String(), want) {
		t.Errorf("%d problems, the last %v, want it to begin %s", len(problems), problems[len(problems)-1], want)
	}
	for off := 0; off <= len(w.Text); off += 7 {
		if _, rest := w.counted(off); len(rest) > stride {
			t.Fatalf("%d bytes are counted for offset %d, want at most %d", len(rest), off, stride)
		}
	}
}

// TestHeadingsOfOneNameCostWhatTheirNumberDoes: twice as many take about twice
// the allocations, of which each try of a number is one.
func TestHeadingsOfOneNameCostWhatTheirNumberDoes(t *testing.T) {
	allocations := func(n int) float64 {
		return testing.AllocsPerRun(1, func() {
			var ids IDs
			for range n {
				ids.Take("head")
			}
			if got, want := ids.Take("Head"), fmt.Sprintf("head-%d", n); got != want {
				t.Errorf("the address is %q, want %q", got, want)
			}
		})
	}
	once, twice := allocations(2000), allocations(4000)
	if twice > 2.5*once {
		t.Errorf("4000 headings take %v allocations, 2000 take %v", twice, once)
	}
}

func TestNestingHasALimit(t *testing.T) {
	details := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%s{details} More\n", strings.Repeat("`", n+3-i))
		}
		b.WriteString("in\n")
		for i := range n {
			b.WriteString(strings.Repeat("`", 4+i) + "\n")
		}
		return b.String()
	}
	quotes := func(n int) string { return strings.Repeat(">", n) + " a\n" }
	lists := func(n int) string { return strings.Repeat("- ", n) + "a\n" }
	notes := func(n int) string {
		var refs, b strings.Builder
		for i := range n {
			fmt.Fprintf(&refs, "[^%d] ", i)
			fmt.Fprintf(&b, "[^%d]: ", i)
		}
		return refs.String() + "\n\n" + b.String() + "a\n"
	}
	for _, tt := range []struct {
		name string
		of   func(int) string
		at   string
	}{
		{"folded parts", details, "w.md:33:1"}, {"quotes", quotes, "w.md:1:33"}, {"lists", lists, "w.md:1:65"},
		{"ordered lists", func(n int) string { return strings.Repeat("1. ", n) + "a\n" }, "w.md:1:97"}, {"footnotes", notes, "w.md:3:215"},
		{"alerts", func(n int) string { return "> [!NOTE]\n" + quotes(n) }, "w.md:2:33"},
		{"unclosed folded parts", func(n int) string { return strings.Repeat("```{details} More\n", n) }, "w.md:33:1"},
	} {
		if _, problems := Parse("w.md", []byte(tt.of(mostNested)), 0); strings.Contains(problems.Error(), "nested") {
			t.Errorf("%s, %d deep: %v", tt.name, mostNested, problems)
		}
		for _, deep := range []int{mostNested + 1, 20 * mostNested} {
			w, problems := Parse("w.md", []byte(tt.of(deep)), 0)
			want := tt.at + ": quotes, lists, footnotes and folded parts are nested 33 deep; at most 32"
			if tt.name == "folded parts" || tt.name == "footnotes" {
				want = want[strings.Index(want, ": "):]
			}
			if got := problems.Error(); !strings.HasSuffix(got, want) || len(problems) != 1 || w.Root.HasChildren() {
				t.Errorf("%s, %d deep: %s, want only %s and an empty text", tt.name, deep, got, want)
			}
		}
	}
}
