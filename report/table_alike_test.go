package report

import "testing"

func TestColumnsThatSayTheSameInEveryRowStandInTheCaption(t *testing.T) {
	rows := func() *tableBlock {
		t := &tableBlock{Caption: say("Two rows."), Head: []column{{Title: "machine"}, {Title: "clients", Num: true}, {Title: "by"}, {Title: "time", Unit: "ms", Num: true}, {Title: "remark"}}}
		for _, m := range []string{"a", "b"} {
			t.Rows = append(t.Rows, row{Heads: 3, Cells: []cell{{Phrase: say(m)}, {Phrase: say("4")}, {Phrase: say("start")}, {Phrase: say("7")}, {}}})
		}
		return t
	}
	two := rows()
	two.liftAlike()
	if len(two.Head) != 2 || two.Head[1].Title != "time" || len(two.Rows[1].Cells) != 2 || two.Rows[0].Heads != 1 {
		t.Errorf("%d columns and %d heads are left: %+v, want the name and the number", len(two.Head), two.Rows[0].Heads, two.Head)
	}
	if got, want := two.Caption.text(), "Two rows. Of all rows: clients: 4; by: start."; got != want {
		t.Errorf("the caption is %q, want %q", got, want)
	}
	one := rows()
	one.Rows = one.Rows[:1]
	one.liftAlike()
	if len(one.Head) != 5 {
		t.Errorf("a single row is left with %d of 5 columns", len(one.Head))
	}
}
