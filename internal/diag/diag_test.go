package diag

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestProblemIsOneLine(t *testing.T) {
	tests := []struct {
		p    Problem
		want string
	}{
		{Problem{Pos: Pos{"a.yaml", 3, 5}, Text: "blocks is 0", Hint: "want 1"}, "a.yaml:3:5: blocks is 0; want 1"},
		{Problem{Pos: Pos{"a.yaml", 3, 0}, Text: "x", Warning: true}, "a.yaml:3: warning: x"},
		{Problem{Pos: Pos{File: "a.yaml"}, Text: "x"}, "a.yaml: x"},
		{Problem{Text: "x"}, "x"},
		{Problem{Pos: Pos{"a\x1b[2J.yaml", 1, 1}, Text: "two\nlines\u202e and \u2028 more"}, `a\u001b[2J.yaml:1:1: two\u000alines\u202e and \u2028 more`},
	}
	for _, tt := range tests {
		if got := tt.p.String(); got != tt.want {
			t.Errorf("%#v is %q, want %q", tt.p, got, tt.want)
		}
	}
}

func TestShiftLeavesAPlaceWithoutColumnAlone(t *testing.T) {
	if got := (Pos{"a", 2, 3}).Shift(4); got != (Pos{"a", 2, 7}) {
		t.Errorf("shifted to %v", got)
	}
	if got := (Pos{"a", 2, 0}).Shift(4); got != (Pos{"a", 2, 0}) {
		t.Errorf("shifted to %v", got)
	}
}

func TestList(t *testing.T) {
	var l List
	if l.Err() != nil || l.Failed() || l.Errors() != 0 {
		t.Error("an empty list has an error")
	}
	l.Hint("lost")
	l.Warnf(Pos{"a", 9, 1}, "w %d", 1)
	if l.Err() != nil || l.Failed() || l.Errors() != 0 {
		t.Error("a warning is an error")
	}
	l.Errorf(Pos{"a", 2, 1}, "e %q", "x")
	l.Hint("do %s", "y")
	l.Add(Problem{Pos: Pos{"a", 2, 1}, Text: `e "x"`, Hint: "do y"}, Problem{Pos: Pos{"Z", 1, 1}, Text: "z"})
	if !l.Failed() || l.Errors() != 3 {
		t.Errorf("%d errors, want 3", l.Errors())
	}
	want := "Z:1:1: z\na:2:1: e \"x\"; do y\na:9:1: warning: w 1"
	if got := l.Sorted().Err().Error(); got != want {
		t.Errorf("sorted, the list is\n%s\nwant\n%s", got, want)
	}
	if len(l) != 4 {
		t.Error("Sorted changed the list")
	}
}

func TestMeant(t *testing.T) {
	tests := []struct {
		word       string
		candidates []string
		want       string
	}{
		{"blcoks", []string{"order", "blocks"}, `did you mean "blocks"?`},
		{"Blocks", []string{"order", "blocks"}, `did you mean "blocks"?`},
		{"block", []string{"blocks"}, `did you mean "blocks"?`},
		{"on", []string{"off", "an"}, `did you mean "an"?`},
		{"x", []string{"y"}, "known: y"},
		{"frobnicate", []string{"a", "b"}, "known: a, b"},
		{"x", nil, ""},
		{"", []string{"a"}, "known: a"},
	}
	for _, tt := range tests {
		if got := Meant(tt.word, tt.candidates); got != tt.want {
			t.Errorf("Meant(%q, %v) = %q, want %q", tt.word, tt.candidates, got, tt.want)
		}
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"ab", "ba", 1}, {"kitten", "sitting", 3}, {"blocks", "blcoks", 1}, {"ä", "a", 1}, {"abc", "ca", 3}}
	for _, tt := range tests {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestDistanceIsSymmetricAndBounded(t *testing.T) {
	word := rapid.StringMatching(`[abc]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		d := distance(a, b)
		if d != distance(b, a) || d > max(len(a), len(b)) || (d == 0) != (a == b) {
			t.Fatalf("distance(%q, %q) = %d, back %d", a, b, d, distance(b, a))
		}
	})
}

// Nothing in a message can move a cursor or begin a line of its own.
func TestPrintableHasNoControls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		p := Printable(s)
		if strings.ContainsAny(p, "\x00\x1b\n\r\t\u0085\u2028\u2029\u202e\u2066") || Printable(p) != p {
			t.Fatalf("%q is printed as %q", s, p)
		}
	})
}

// Two names that differ by what nobody sees are shown as two; what scripts and
// emoji are written with stays.
func TestWhatCannotBeSeenIsShown(t *testing.T) {
	for in, want := range map[string]string{
		"a\u200bb": `a\u200bb`, "\ufeffa": `\ufeffa`, "a\u00adb": `a\u00adb`, "a\u2060": `a\u2060`, "\u3164": `\u3164`, "a\U000e0041": `a\U000e0041`,
		"می\u200cخواهم": "می\u200cخواهم", "👩\u200d🔬": "👩\u200d🔬", "❤\ufe0f": "❤\ufe0f", "\u0600": "\u0600", "größe": "größe",
	} {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
}
