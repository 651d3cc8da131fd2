package stat

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Of Piepho's rule that is all: two share a letter exactly where they are not
// told apart. No letter can be left out, and no group can take in another.
func TestLettersAreSharedExactlyByThoseNotToldApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 8).Draw(t, "k")
		table := make([][]bool, k)
		for i := range table {
			table[i] = make([]bool, k)
			for j := range i {
				table[i][j] = rapid.Bool().Draw(t, "apart")
				table[j][i] = table[i][j]
			}
		}
		apart := func(i, j int) bool { return table[i][j] }
		names := CompactLetters(k, apart)
		for i := range k {
			if names[i] == "" {
				t.Fatalf("%d has no letter: %q", i, names)
			}
			for j := range i {
				if shared := strings.ContainsAny(names[i], names[j]); shared == apart(i, j) {
					t.Fatalf("%d is %q and %d is %q, told apart: %v", i, names[i], j, names[j], apart(i, j))
				}
			}
		}
		members := map[string]bool{}
		for _, letter := range letters {
			var in string
			for i := range k {
				if strings.ContainsRune(names[i], letter) {
					in += string(rune('0' + i))
				}
			}
			if in != "" && members[in] {
				t.Fatalf("two letters for the same group: %q", names)
			}
			members[in] = true
		}
		for _, letter := range strings.Join(names, "") {
			for i := range k {
				if !strings.ContainsRune(names[i], letter) && joins(names, letter, i, apart) {
					t.Fatalf("%d could be one of group %c: %q", i, letter, names)
				}
			}
		}
	})
}

// joins says whether i is told apart from no member of a group.
func joins(names []string, letter rune, i int, apart func(i, j int) bool) bool {
	for j := range names {
		if strings.ContainsRune(names[j], letter) && apart(i, j) {
			return false
		}
	}
	return true
}

func TestLettersFollowTheRanks(t *testing.T) {
	far := func(i, j int) bool { return max(i, j)-min(i, j) > 1 }
	if got, want := CompactLetters(4, far), []string{"a", "ab", "bc", "c"}; !slices.Equal(got, want) {
		t.Errorf("neighbours alone are not told apart: %q, want %q", got, want)
	}
	if got := CompactLetters(60, func(i, j int) bool { return i != j }); got != nil {
		t.Errorf("60 groups have the letters %q; there are 52", got)
	}
}

func TestConcordanceIsThatOfFriedman(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, k := rapid.IntRange(5, 8).Draw(t, "b"), rapid.IntRange(2, 5).Draw(t, "k")
		rows := make([][]float64, b)
		for i := range rows {
			for range k {
				rows[i] = append(rows[i], float64(rapid.IntRange(0, 3).Draw(t, "y")))
			}
		}
		f, w := Friedman(rows), Concordance(rows)
		if f.Refused != "" {
			t.Skip(f.Refused)
		}
		if math.Abs(f.W-w) > 1e-12 {
			t.Fatalf("W = %v, Friedman's %v", w, f.W)
		}
	})
}
