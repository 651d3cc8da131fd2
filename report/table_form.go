package report

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// tableForm is what the cells of a table's columns have in common, and that
// therefore does not stand at each.
type tableForm struct {
	class    string           // of the table: n3 says that its third column holds numbers
	numbered map[int]bool     // columns that class speaks of
	inOrder  map[int]bool     // columns whose texts sort as what they stand for
	wide     map[int]bool     // columns with texts of many words, which must not become one word wide
	tips     map[int][]string // by column, what all its tips say
}

// longText is from how many letters on a text needs room for several words a line.
const longText = 28

// mostNumbered is up to which column the style knows a class.
const mostNumbered = 14

func (t *tableBlock) form() tableForm {
	f := tableForm{numbered: map[int]bool{}, wide: map[int]bool{}, inOrder: map[int]bool{}, tips: t.sharedTips()}
	for i, c := range t.Head {
		f.inOrder[i] = t.textSorts(i)
		f.wide[i] = c.Bar == nil && !c.Num && slices.ContainsFunc(t.Rows, func(r row) bool {
			return i < len(r.Cells) && len([]rune(r.Cells[i].Phrase.text())) > longText
		})
		if c.Num && i < mostNumbered && t.Class != "claims" { // on a phone, claims are no columns
			f.numbered[i] = true
			f.class += " n" + itoa(i+1)
		}
	}
	return f
}

// beginning is the number that a text begins with, as the page's script reads it.
var beginning = regexp.MustCompile(`^[-+−]?[0-9.][0-9.,\x{202f}\x{a0}]*(?:e[-+]?[0-9]+)?`)

func beginsWith(s string) (float64, bool) {
	text := strings.NewReplacer("−", "-", ",", "", "\u202f", "", "\u00a0", "").Replace(beginning.FindString(strings.TrimSpace(s)))
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}

// textSorts says whether the texts of a column, which may be rounded and may
// have units, have the order of what its cells are sorted by.
func (t *tableBlock) textSorts(i int) bool {
	type pair struct{ shown, exact float64 }
	var all []pair
	for _, r := range t.Rows {
		if i >= len(r.Cells) || r.Cells[i].Sort == "" {
			continue
		}
		shown, ok := beginsWith(r.Cells[i].Phrase.text())
		exact, err := strconv.ParseFloat(r.Cells[i].Sort, 64)
		if !ok || err != nil || r.Cells[i].Bar != nil {
			return false
		}
		all = append(all, pair{shown, exact})
	}
	slices.SortFunc(all, func(a, b pair) int {
		switch {
		case a.exact < b.exact:
			return -1
		case a.exact > b.exact:
			return 1
		}
		return 0
	})
	return slices.IsSortedFunc(all, func(a, b pair) int {
		if a.shown < b.shown {
			return -1
		}
		return boolInt(a.shown > b.shown)
	})
}
