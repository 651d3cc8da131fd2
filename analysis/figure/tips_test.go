package figure

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// unfoldTips is what the page's script does.
func unfoldTips(folded []string) []string {
	var tips []string
	for i := 0; i+1 < len(folded); i += 2 {
		parts := strings.Split(folded[i], "#")
		for _, mark := range strings.Split(folded[i+1], ";") {
			numbers := strings.Split(mark, " ")
			tip := parts[0]
			for k, p := range parts[1:] {
				tip += numbers[k] + p
			}
			tips = append(tips, tip)
		}
	}
	return tips
}

func TestTipsFoldWithoutLoss(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tips := rapid.SliceOf(rapid.StringMatching(`[#a; ]{0,2}[0-9.,]{0,4}[b\-#]?[0-9]{0,2}`)).Draw(t, "tips")
		if got := unfoldTips(foldTips(tips)); !slices.Equal(got, tips) {
			t.Fatalf("%q comes back as %q", tips, got)
		}
	})
	if got := foldTips([]string{"trial 3, block 1: a, 2.5 ms", "trial 7, block 2: a, 2.75 ms"}); len(got) != 2 || got[1] != "3 1 2.5;7 2 2.75" {
		t.Errorf("two tooltips of one series fold to %q", got)
	}
}

var (
	titles = regexp.MustCompile(`<title>([^<]*)</title>`)
	tipped = regexp.MustCompile(`<g class="[^"]* t">.*?</g>`)
)

func TestFigureInAPageHasTheMarksAndTipsOfItsFile(t *testing.T) {
	r := pipelining().result()
	for _, s := range []Spec{{Kind: Order}, {Kind: Points}, {Kind: Interaction, X: "sessions", By: "communication"}, {Kind: ECDF}, {Kind: Residuals}} {
		s.Name = "f"
		f := mustDraw(t, r, s)
		want := titles.FindAllString(string(f.SVG), -1)
		left := titles.FindAllString(string(f.Inline), -1)
		tips := unfoldTips(f.Tips)
		if len(left)+len(tips) != len(want) {
			t.Errorf("%s: %d tooltips in the page and %d in the list, want the %d of the file", s.Kind, len(left), len(tips), len(want))
		}
		for _, tip := range tips {
			if !slices.Contains(want, "<title>"+escape(tip)+"</title>") {
				t.Errorf("%s: no mark of the file says %q", s.Kind, tip)
			}
		}
		marks := 0
		for _, g := range tipped.FindAllString(string(f.Inline), -1) {
			marks += strings.Count(g, "M")
		}
		if marks != len(tips) {
			t.Errorf("%s: %d marks for %d tooltips", s.Kind, marks, len(tips))
		}
		if len(f.Inline)*10 > len(f.SVG)*9 && len(tips) > 40 {
			t.Errorf("%s: %d bytes in the page, %d in the file", s.Kind, len(f.Inline), len(f.SVG))
		}
		wellFormed(t, f.Inline)
	}
}
