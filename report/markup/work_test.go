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

// TestWhatGrowsWithItsSquareHasALimit: one more than the most is one message
// and no text.
func TestWhatGrowsWithItsSquareHasALimit(t *testing.T) {
	links := func(n int) string {
		return "[a]: " + strings.Repeat("b", 1<<16) + "\n\n" + strings.Repeat("[a]\n\n", n)
	}
	notes := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "[^%d]\n\n[^%d]: a\n\n", i, i)
		}
		return b.String()
	}
	square := func(n int) string {
		return strings.Repeat("|a", 1000) + "|\n" + strings.Repeat("|-", 1000) + "|\n" + strings.Repeat("|\n", n)
	}
	for _, tt := range []struct {
		name  string
		of    func(int) string
		most  int
		wrong string
	}{
		{"emphasis", func(n int) string { return strings.Repeat("*a _b ", n/2) + strings.Repeat("*a", n%2) }, mostMarks, "the paragraph has more than 1000 marks such as *, [, ` and <; split it"},
		{"links unfinished", func(n int) string { return strings.Repeat("[a](", n) }, mostMarks / 2, "the paragraph has more than 1000 marks"},
		{"roles", func(n int) string { return strings.Repeat("{a}`b` ", n) }, mostMarks, "the paragraph has more than 1000 marks"},
		{"footnotes", notes, mostFootnotes, "the writeup has more than 1000 footnotes"},
		{"definitions", func(n int) string { return strings.Repeat("[a]: b\n", n) }, mostDefinitions, "1001 lines that define links follow one another; at most 1000; put a blank line between them"},
		{"cells", square, mostCells/1002 - 2, "the tables up to this one have more than 500000 cells"},
		{"targets", links, mostTargets >> 16, "the targets of the links up to this one have more than 4194304 bytes"},
	} {
		if w, problems := Parse("w.md", []byte(tt.of(tt.most)), 0); len(problems) > 0 || w.Root.FirstChild() == nil && tt.name != "definitions" {
			t.Errorf("%s, as many as allowed: %v", tt.name, problems)
		}
		w, problems := Parse("w.md", []byte(tt.of(tt.most+1)), 0)
		if len(problems) != 1 || !strings.Contains(problems.Error(), tt.wrong) || w.Root.HasChildren() {
			t.Errorf("%s, one more: %v, want only %q and an empty text", tt.name, problems, tt.wrong)
		}
	}
}

// TestLinesWithinManyBlocksHaveALimit: each line is shown to every open block.
func TestLinesWithinManyBlocksHaveALimit(t *testing.T) {
	src := strings.Repeat("- ", 30) + "a\n" + strings.Repeat("\n", 100_000) + "b\n"
	w, problems := Parse("w.md", []byte(src), 0)
	want := "too many lines stand within lists, quotes and other blocks"
	if len(problems) != 1 || !strings.Contains(problems.Error(), want) || w.Root.HasChildren() {
		t.Errorf("problems are %v, want only %q and an empty text", problems, want)
	}
}

func TestBarsInCodeWithinTablesLoseTheirBackslash(t *testing.T) {
	w, _ := Parse("w.md", []byte("| a | b |\n|---|---|\n| `x\\|y\\|` and `\\|` | \\| |\n\n`x\\|y`\n"), 0)
	page := w.HTML(w.Root, echo{w})
	for _, want := range []string{"<td><code>x|y|</code> and <code>|</code></td>", "<td>|</td>", "<p><code>x\\|y</code></p>"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
}

func TestRolesCloseAtTheirOwnNumberOfBackticks(t *testing.T) {
	w, problems := Parse("w.md", []byte("{a}`` {b}`c` {d}``` x\n{e}```` y ```\n"), 0)
	want := "w.md:1:1: the role {a} has no closing ``"
	if got := problems.Error(); got != want || len(w.Roles) != 2 {
		t.Errorf("%d roles and\n%s\nwant 2 and\n%s", len(w.Roles), got, want)
	}
}
