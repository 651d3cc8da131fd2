package report

import (
	"slices"
	"strings"
	"testing"
)

// handTypedIn is what is said of a writeup of the study of coins, whose means
// are about 20 ms and 24 ms.
func handTypedIn(t *testing.T, text string) []string {
	t.Helper()
	s := Source{Name: "coin", Result: coin().result(), Writeup: []byte(text), File: "w.md", Version: "0.1",
		Listing: []byte("fieldbook: 1\ntrial: {timeout: 24.5 ms}\n")}
	doc, problems := Build(s)
	if problems.Failed() {
		t.Fatalf("Build reports\n%v", problems)
	}
	var said []string
	for _, p := range HandTyped(s, doc) {
		if !p.Warning {
			t.Errorf("%v is an error, want a warning", p)
		}
		said = append(said, p.String())
	}
	return said
}

// shownNow is what a role prints of the study of coins.
func shownNow(t *testing.T, role string) string {
	t.Helper()
	doc := build(t, Source{Name: "coin", Result: coin().result(), Writeup: []byte("{value}`" + role + "`\n"), File: "w.md"})
	return doc.writeup.roles[doc.writeup.Roles[0]].text()
}

func TestHandTypedNumbers(t *testing.T) {
	hand := shownNow(t, "median elapsed way=hand as=value")
	if !strings.HasSuffix(hand, " ms") {
		t.Fatalf("the median is %q, want ms", hand)
	}
	ratio := strings.TrimSuffix(shownNow(t, "ratio elapsed way=hand / way=cup as=value"), "×")
	turned := strings.TrimSuffix(shownNow(t, "ratio elapsed way=cup / way=hand as=value"), "×")
	role := "`median elapsed way=hand`"
	for _, tt := range []struct{ name, text, want string }{
		{"prose", "It takes " + hand + ".\n", "w.md:1:10: warning: \"" + hand + "\" is typed by hand and equals a computed value; write {value}" + role},
		{"no blank before the unit", "It takes " + strings.Replace(hand, " ", "", 1) + ".\n", "w.md:1:10: "},
		{"unit in words", "It takes " + strings.Replace(hand, "ms", "milliseconds", 1) + ".\n", "w.md:1:10: "},
		{"after umlauts", "Größer: " + hand + "\n", "w.md:1:9: "},
		{"heading", "Text.\n\n## All in " + hand + "\n", "w.md:3:11: "},
		{"table", "| way | time |\n|---|---|\n| hand | " + hand + " |\n", "w.md:3:10: "},
		{"caption", "```{plot} points\n:metric: elapsed\nEach takes " + hand + " or so.\n```\n", "w.md:3:12: "},
		{"emphasis", "It takes **" + hand + "** each.\n", "w.md:1:12: "},
		{"list", "- one\n- two: " + hand + "\n", "w.md:2:8: "},
		{"alert", "> [!NOTE]\n> It takes " + hand + ".\n", "w.md:2:12: "},
		{"ratio", "By hand takes " + ratio + "× of it: {value}`ratio elapsed way=hand / way=cup`.\n", "w.md:1:15: "},
		{"ratio of a claim", "By hand takes " + ratio + " times as long.\n", "w.md:1:15: "},
		{"ratio the other way round", "The cup takes " + turned + "x of it.\n", "w.md:1:15: warning: \"" + turned + "x\" is typed by hand and equals a computed value; write {value}`ratio elapsed way=cup / way=hand`"},
		{"factor", "By a factor of " + turned + ".\n", "w.md:1:6: "},
		{"hyphen before the unit", "A " + strings.Replace(hand, " ", "-", 1) + " pause.\n", "w.md:1:3: "},
		{"short word for the unit", "It takes " + strings.Replace(hand, "ms", "msec", 1) + ".\n", "w.md:1:10: "},
		{"first of a span", "From " + strings.TrimSuffix(hand, " ms") + "–77.7 ms.\n", "w.md:1:6: "},
		{"first of two", "It takes " + strings.TrimSuffix(hand, " ms") + " and 77.7 ms.\n", "w.md:1:10: "},
		{"a value and its error", "It takes " + strings.TrimSuffix(hand, " ms") + " ± 0.1 ms.\n", "w.md:1:10: "},
		{"a product", "A grid of " + ratio + " × 12.\n", ""},
		{"code", "It takes `" + hand + "`.\n", ""},
		{"code block", "```\n" + hand + "\n```\n", ""},
		{"quotation", "He says \"it takes " + hand + "\".\n", ""},
		{"curved quotation marks", "He says “it takes " + hand + "”.\n", ""},
		{"quoted block", "> It takes " + hand + ".\n", ""},
		{"front matter", "---\ntitle: It takes " + hand + "\n---\nText.\n", ""},
		{"a role", "It takes {value}`median elapsed way=hand`.\n", ""},
		{"another number", "It takes 77.7 ms.\n", ""},
		{"another unit", "It takes " + strings.TrimSuffix(hand, " ms") + " MiB.\n", ""},
		{"no unit", "It takes " + strings.TrimSuffix(hand, " ms") + " of them.\n", ""},
		{"one significant digit", "It takes 20 ms.\n", ""},
		{"part of a word", "See v" + strings.Replace(hand, " ", "", 1) + ".\n", ""},
		{"said by the experiment file", "It gives up after 24.5 ms.\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			said := strings.Join(handTypedIn(t, tt.text), "\n")
			if tt.want == "" && said != "" || !strings.HasPrefix(said, tt.want) {
				t.Errorf("of %q it says\n%s\nwant\n%s", tt.text, said, tt.want)
			}
		})
	}
}

// TestHandTypedProposalIsReadAsItStands writes the proposed role in place of
// the number: nothing is said any more, and the number is the same.
func TestHandTypedProposalIsReadAsItStands(t *testing.T) {
	hand := shownNow(t, "median elapsed way=hand as=value")
	said := handTypedIn(t, "It takes "+hand+".\n")
	if len(said) != 1 {
		t.Fatalf("it says %q", said)
	}
	_, rest, _ := strings.Cut(said[0], "write ")
	role, _, _ := strings.Cut(rest, ", so that")
	if again := handTypedIn(t, "It takes "+role+".\n"); len(again) > 0 {
		t.Errorf("with %s in its place it says %q", role, again)
	}
	body := strings.TrimSuffix(strings.TrimPrefix(role, "{value}`"), "`")
	if got := shownNow(t, body+" as=value"); got != hand {
		t.Errorf("%s prints %q, want %q", role, got, hand)
	}
}

// TestManyNumbersEqualSomethingByChance: of a study with hundreds of
// treatments some number is near any that a person types.
func TestManyNumbersEqualSomethingByChance(t *testing.T) {
	h := handTyped{}
	for i := range 300 {
		h.all = append(h.all, computed{value: 10 + float64(i)*0.1, unit: "ms", rank: anyTreatment})
	}
	n := newNumberReader(Source{Result: coin().result()}).read("It takes 22 ms.")
	if len(n) != 1 || !h.byChance(n[0]) {
		t.Errorf("22 ms among 300 numbers from 10 to 40 ms is no chance")
	}
	h.all = h.all[:2]
	if h.byChance(n[0]) {
		t.Errorf("22 ms among two numbers is chance")
	}
}

// TestThousandsInTypedNumbers: a blank is either a thousands mark or none; what
// follows it is read for the case that the whole equals nothing.
func TestThousandsInTypedNumbers(t *testing.T) {
	type reading struct {
		at          int
		value, tail float64 // tail 0: none
	}
	for _, tt := range []struct {
		text string
		want []reading
	}{
		{"12 345 ms", []reading{{0, 12345, 345}}},
		{"1 234 567.8 ms", []reading{{0, 1234567.8, 567.8}}},
		{"12\u00a0345 ms", []reading{{0, 12345, 0}}},
		{"12\u202f345\u202fms", []reading{{0, 12345, 0}}},
		{"12\u2009345 ms", []reading{{0, 12345, 0}}},
		{"12&nbsp;345&nbsp;ms", []reading{{0, 12345, 0}}},
		{"12'345 ms", []reading{{0, 12345, 0}}},
		{"12’345 ms", []reading{{0, 12345, 0}}},
		{"12,345 ms", []reading{{0, 12345, 0}}},
		{"-12 345 ms", []reading{{0, -12345, 345}}},
		{"1 200 to 3 400 ms", []reading{{0, 1200, 200}, {9, 3400, 400}}},
		{"block 3 120 ms", []reading{{6, 3120, 120}}},
		{"in 2004 120 ms", []reading{{8, 120, 0}}},
		{"v3 120 ms", []reading{{3, 120, 0}}},
		{"1.5 120 ms", []reading{{4, 120, 0}}},
		{"12 34 ms", []reading{{3, 34, 0}}},
		{"12  345 ms", []reading{{4, 345, 0}}},
		{"1234 5678 ms", []reading{{5, 5678, 0}}},
		{"12 345 of them", nil},
	} {
		var got []reading
		for _, n := range newNumberReader(Source{Result: coin().result()}).read(tt.text) {
			r := reading{at: n.at, value: n.value}
			if n.tail != nil {
				r.tail = n.tail.value
			}
			got = append(got, r)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q is read as %v, want %v", tt.text, got, tt.want)
		}
	}
}

// TestHandTypedKnowsTheUnitsOfMetrics: those that no other study has, too.
func TestHandTypedKnowsTheUnitsOfMetrics(t *testing.T) {
	s := coin()
	s.metrics[0].Unit = "coins/s"
	src := Source{Name: "coin", Result: s.result(), Version: "0.1", File: "w.md", Writeup: []byte("{value}`median elapsed way=hand as=value`\n")}
	doc := build(t, src)
	shown := doc.writeup.roles[doc.writeup.Roles[0]].text()
	if !strings.HasSuffix(shown, " coins/s") {
		t.Fatalf("the median is %q, want coins/s", shown)
	}
	src.Writeup = []byte("It makes " + shown + " of them, and 77.7 coins/s.\n")
	if got := HandTyped(src, build(t, src)); len(got) != 1 || !strings.Contains(got[0].String(), "w.md:1:10: ") {
		t.Errorf("of %q it says %v", src.Writeup, got)
	}
}

// TestHandTypedProposesNoRoleThatFails: a ratio at one level of a claim is
// asked for at that level.
func TestHandTypedProposesNoRoleThatFails(t *testing.T) {
	src := notebook()
	src.File = "w.md"
	found := 0
	for _, c := range src.Result.Claims {
		for _, p := range c.Parts {
			text := numberIn(p.Estimate, "value").Text
			src.Writeup = []byte("It is " + text + ".\n")
			doc := build(t, src)
			for _, said := range HandTyped(src, doc) {
				found++
				_, rest, _ := strings.Cut(said.Hint, "write ")
				role, _, _ := strings.Cut(rest, ", so that")
				again := src
				again.Writeup = []byte("It is " + role + ".\n")
				if _, problems := Build(again); problems.Failed() {
					t.Errorf("for %q it proposes %s, of which Build says %v", text, role, problems)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no number of a claim is found")
	}
}
