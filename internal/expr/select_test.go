package expr

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestParseSelection(t *testing.T) {
	tests := []struct{ src, canonical string }{
		{"", ""},
		{"  ", ""},
		{"a=x", "a=x"},
		{"b=2  a=x", "a=x b=2"},
		{"a=x,y", "a=x,y"},
		{"a=16,2,x", "a=2,16,x"},
		{"a=x,x", "a=x"},
		{`a="x y" b="p/q"`, `a="x y" b="p/q"`},
		{`a="plain"`, "a=plain"},
		{`a=""`, `a=""`},
		{`a="say \"hi\"\n"`, `a="say \"hi\"\n"`},
		{"a=1.10", "a=1.10"},
		{"a=ü/", ""},
		{"session=s placement=two machine=m experiment=e", "experiment=e machine=m session=s placement=two"},
		{"where=1", "where=1"},
	}
	for _, tt := range tests {
		s, err := ParseSelection(tt.src)
		if tt.src == "a=ü/" {
			if err == nil {
				t.Errorf("%q is read as %v", tt.src, s)
			}
			continue
		}
		if err != nil || s.String() != tt.canonical {
			t.Errorf("%q is %q (%v), want %q", tt.src, s.String(), err, tt.canonical)
		}
	}
}

func TestSelectionErrors(t *testing.T) {
	tests := []struct {
		src, msg string
		off      int
	}{
		{"a", `unexpected "a" in a selection`, 0},
		{"a=x b", `unexpected "b" in a selection`, 4},
		{"a = x", `unexpected "a" in a selection`, 0},
		{"a=", `a level of "a" is missing`, 2},
		{"a= x", `a level of "a" is missing`, 2},
		{"a=x, y", `a level of "a" is missing`, 4},
		{"a=x a=y", `"a" stands twice in one selection`, 4},
		{"a=x=y", `unexpected "=" in a level`, 3},
		{`a="x"y`, `unexpected "y" in a level`, 5},
		{`a="x`, "the double quote is never closed", 2},
		{"a=x / b=y", `unexpected "/" in a selection`, 4},
		{"=x", `unexpected "=" in a selection`, 0},
	}
	for _, tt := range tests {
		s, err := ParseSelection(tt.src)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Msg != tt.msg || e.Off != tt.off {
			t.Errorf("%q gives %v, %#v, want %d: %s", tt.src, s, err, tt.off, tt.msg)
		}
	}
}

func TestMatches(t *testing.T) {
	levels := map[string]string{"a": "x", "b": "1.10"}
	level := func(f string) (string, bool) { l, ok := levels[f]; return l, ok }
	tests := map[string]bool{"": true, "a=x": true, "a=y": false, "a=y,x": true, "a=x b=1.1": false, "a=x b=1.10": true, "c=x": false}
	for src, want := range tests {
		s, err := ParseSelection(src)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Matches(level); got != want {
			t.Errorf("%q matches: %v, want %v", src, got, want)
		}
	}
}

func TestParseComparison(t *testing.T) {
	tests := []struct{ src, canonical string }{
		{"a=x / a=y", "a=x / a=y"},
		{"a=x/a=y", "a=x / a=y"},
		{"a=x b=1 / b=2 a=y where d=3 c=z", "a=x b=1 / a=y b=2 where c=z d=3"},
		{"a=x / other", "a=x / other"},
		{"a=x / other where a=x,y b=1", "a=x / other where a=x,y b=1"},
		{`a="/" / a="where" where b=other`, `a="/" / a=where where b=other`},
		{"other=1 / other=2", "other=1 / other=2"},
		{"where=1 / where=2 where c=3", "where=1 / where=2 where c=3"},
	}
	for _, tt := range tests {
		c, err := ParseComparison(tt.src)
		if err != nil || c.String() != tt.canonical {
			t.Errorf("%q is %q (%v), want %q", tt.src, c.String(), err, tt.canonical)
		}
	}
}

func TestComparisonErrors(t *testing.T) {
	tests := []struct {
		src, msg string
		off      int
	}{
		{"", "the left selection is missing", 0},
		{"a=x", "a / is missing", 3},
		{"/ a=x", `unexpected "/" in a comparison`, 0},
		{"a=x /", "the right selection is missing", 5},
		{"a=x / where b=1", `unexpected "where" in a comparison`, 6},
		{"a=x / a=y where", "the where selection is missing", 15},
		{"a=x / a=y / a=z", `unexpected "/" in a comparison`, 10},
		{"a=x / a=y b", `unexpected "b" in a comparison`, 10},
		{"other / a=x", `unexpected "other" in a comparison`, 0},
		{"a=x / others", `unexpected "others" in a comparison`, 6},
		{"a=x / a=y where a=x", `"a" stands on a side and in where`, 16},
	}
	for _, tt := range tests {
		c, err := ParseComparison(tt.src)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Msg != tt.msg || e.Off != tt.off {
			t.Errorf("%q gives %v, %#v, want %d: %s", tt.src, c, err, tt.off, tt.msg)
		}
	}
}

// anyLevel draws levels full of what needs quoting.
var anyLevel = rapid.OneOf(
	rapid.StringOf(rapid.SampledFrom([]rune(`ab1.-/=," \ü`+"\n\t\u00a0"))),
	rapid.SampledFrom([]string{"", "1", "1.0", "10", "where", "other", "x"}),
)

var anySelection = rapid.Custom(func(t *rapid.T) Selection {
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "where", "other", "machine", "session"}), 0, 4, rapid.ID).Draw(t, "names")
	var s Selection
	for _, n := range names {
		s = append(s, Term{Factor: n, Levels: rapid.SliceOfN(anyLevel, 1, 3).Draw(t, "levels")})
	}
	return s
})

// same says whether two selections select the same.
func same(a, b Selection) bool {
	if len(a) != len(b) {
		return false
	}
	sorted := func(l []string) []string { return slices.Compact(slices.Sorted(slices.Values(l))) }
	for _, t := range a {
		if !slices.Equal(sorted(t.Levels), sorted(b.Levels(t.Factor))) {
			return false
		}
	}
	return true
}

func TestSelectionReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySelection.Draw(t, "s")
		got, err := ParseSelection(s.String())
		if err != nil || !same(s, got) || got.String() != s.String() {
			t.Fatalf("%q is read back as %q (%v)", s.String(), got.String(), err)
		}
	})
}

func TestComparisonReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Comparison{Left: anySelection.Draw(t, "left"), Right: anySelection.Draw(t, "right"), Other: rapid.Bool().Draw(t, "other")}
		if c.Other {
			c.Right = nil
		}
		if len(c.Left) == 0 || len(c.Right) == 0 && !c.Other {
			return
		}
		got, err := ParseComparison(c.String())
		if err != nil || !same(c.Left, got.Left) || !same(c.Right, got.Right) || got.Other != c.Other || got.String() != c.String() {
			t.Fatalf("%q is read back as %q (%v)", c.String(), got.String(), err)
		}
	})
}

// The canonical text does not depend on the order in which terms stand.
func TestCanonicalTextForgetsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySelection.Draw(t, "s")
		mixed := rapid.Permutation(s).Draw(t, "mixed")
		if Selection(mixed).String() != s.String() {
			t.Fatalf("%q and %q", Selection(mixed).String(), s.String())
		}
	})
}
