package report

import (
	"slices"
	"strings"
)

// liftAlike takes out the columns in which all of several rows say the same,
// and says it once, in the caption. The first column stays, and so do pictures
// and numbers that do not name the row.
func (t *tableBlock) liftAlike() {
	if len(t.Rows) < 2 {
		return
	}
	var same []string
	for i := len(t.Head) - 1; i > 0; i-- {
		text := t.Rows[0].Cells[i].Phrase.text()
		if t.Head[i].Num && i >= t.Rows[0].Heads || t.Head[i].Bar != nil || slices.ContainsFunc(t.Rows, func(r row) bool { return r.Cells[i].Phrase.text() != text }) {
			continue
		}
		if text != "" {
			same = append(same, t.Head[i].title()+": "+text)
		}
		t.Head = slices.Delete(t.Head, i, i+1)
		for j := range t.Rows {
			t.Rows[j].Cells = slices.Delete(t.Rows[j].Cells, i, i+1)
			if i < t.Rows[j].Heads {
				t.Rows[j].Heads--
			}
		}
	}
	if len(same) == 0 {
		return
	}
	slices.Reverse(same)
	t.Caption = append(t.Caption, plain(" Of all rows: "+strings.Join(same, "; ")+"."))
}
