package figure

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestShortenedLabelsFitAndStayDifferent(t *testing.T) {
	words := rapid.SliceOfN(rapid.OneOf(
		rapid.StringN(0, 60, 300),
		rapid.SampledFrom([]string{"", " ", "a", "serve --cache", strings.Repeat("x", 115), strings.Repeat("x", 116), strings.Repeat("x", 115) + "y", "基準（キャッシュなし）", "مقارنة", "e\u0301\u0301\u0301", "🙂 fast", "(empty)"}),
	), 1, 12)
	rapid.Check(t, func(t *rapid.T) {
		labels, limit := words.Draw(t, "labels"), rapid.Float64Range(60, 400).Draw(t, "limit")
		out := fit(labels, limit, fontSize)
		if !distinct(labels, out) {
			t.Fatalf("labels %q became %q: some are no longer told apart", labels, out)
		}
		for i, s := range out {
			if measure(s, fontSize) > limit+1e-9 {
				t.Fatalf("%q became %q, %v wide, want at most %v", labels[i], s, measure(s, fontSize), limit)
			}
			if strings.TrimSpace(s) == "" || !utf8.ValidString(s) {
				t.Fatalf("%q became %q: nothing to see", labels[i], s)
			}
		}
	})
}

func TestWrappedLabelsFitAndStayDifferent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfN(rapid.StringN(0, 80, 300), 1, 8).Draw(t, "labels")
		limit := rapid.Float64Range(60, 200).Draw(t, "limit")
		var joined []string
		for _, lines := range wrap(labels, 2, limit, fontSize) {
			if len(lines) > 2 {
				t.Fatalf("%d lines, want at most 2: %q", len(lines), lines)
			}
			for _, l := range lines {
				if measure(l, fontSize) > limit+1e-9 {
					t.Fatalf("line %q is %v wide, want at most %v", l, measure(l, fontSize), limit)
				}
			}
			joined = append(joined, strings.Join(lines, ""))
		}
		for i := range labels { // a break takes the blank at its place
			labels[i] = strings.ReplaceAll(shown(labels[i]), " ", "")
			joined[i] = strings.ReplaceAll(joined[i], " ", "")
		}
		if !distinct(labels, joined) {
			t.Fatalf("labels %q became %q: some are no longer told apart", labels, joined)
		}
	})
}

func TestLabelsThatShareABeginningAreCutWhereTheyDiffer(t *testing.T) {
	shared := strings.Repeat("serve --cache=two-level ", 5)
	got := fit([]string{shared + "--log=off", shared + "--log=off --fsync"}, 200, fontSize)
	for i, want := range []string{"--log=off", "--fsync"} {
		if !strings.HasSuffix(got[i], want) || !strings.HasPrefix(got[i], "serve") || !strings.Contains(got[i], "…") {
			t.Errorf("label %d = %q, want its beginning, … and %q", i, got[i], want)
		}
	}
	middle := fit([]string{shared + "a" + shared, shared + "b" + shared}, 200, fontSize)
	for i, want := range []string{"…a", "…b"} {
		if !strings.Contains(middle[i], want) {
			t.Errorf("label %d = %q, want the place where they differ, %q", i, middle[i], want)
		}
	}
}

func TestLinesBreakAfterBlanksAndSigns(t *testing.T) {
	got := breakLines("batched, sessions 2 / queue, sessions 1", 140, fontSize)
	want := []string{"batched, sessions 2 /", "queue, sessions 1"}
	if !slices.Equal(got, want) {
		t.Errorf("lines %q, want %q", got, want)
	}
}

func TestTextIsCleanAndVisible(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", "(empty)"}, {"  ", "(blank)"}, {"a\x00b", "a␀b"}, {"a\nb", "a␊b"}, {"\xff", "�"}, {"a\u202eb", "a�b"}, {"vector<int>", "vector<int>"},
		{"\ufffe", "�"}, {"\u0085", "�"}, {"größe=∞ é", "größe=∞ é"},
	}
	for _, tt := range tests {
		if got := shown(tt.in); got != tt.want {
			t.Errorf("shown(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := within("مقارنة"); got != "\u2068مقارنة\u2069" {
		t.Errorf("within of an Arabic label = %q, want it isolated", got)
	}
	if n := utf8.RuneCountInString(within(strings.Repeat("x", 10_000))); n != longest {
		t.Errorf("a label of 10,000 characters is %d long in a sentence, want %d", n, longest)
	}
}
