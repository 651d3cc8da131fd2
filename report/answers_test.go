package report

import (
	"slices"
	"testing"
)

// TestRowsOfOneNameAreToldByWhatTellsMostOfThem: two rows that nothing but
// their finding tells apart take no name from the others.
func TestRowsOfOneNameAreToldByWhatTellsMostOfThem(t *testing.T) {
	table := tableBlock{Head: []column{{Title: "check"}, {Title: "metric"}, {Title: "session"}, {Title: "finding"}}}
	for _, cells := range [][]string{{"trend", "elapsed", "a", "quiet"}, {"trend", "connect", "a", "quiet"}, {"noise", "elapsed", "a", "quiet"}, {"noise", "elapsed", "a", "loud"}} {
		r := row{Heads: 1}
		for _, c := range cells {
			r.Cells = append(r.Cells, cell{Phrase: phrase{plain(c)}})
		}
		table.Rows = append(table.Rows, r)
	}
	want := []string{"trend, elapsed", "trend, connect", "noise, elapsed", "noise, elapsed (2)"}
	if got := table.rowNames(); !slices.Equal(got, want) {
		t.Errorf("the rows are named %q, want %q", got, want)
	}
}

// What a page says of another experiment's claim, or of a claim on an earlier
// study's numbers, is among its answers, so that a change of it is seen.
func TestClaimsThatAreNotThePagesOwnAreAnswers(t *testing.T) {
	s := notebook()
	s.Writeup, s.File = []byte("---\nuses: [order]\n---\n{claim}`D1`, {claim}`D1 as=verdict`, {claim}`D1 as=published`, {claim}`experiment=order D1`.\n"), "w.md"
	a, err := ReadAnswers(build(t, s).Answers())
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	for _, v := range a.Values {
		asked = append(asked, v.Asked)
		if v.Text == "" {
			t.Errorf("%s has no text", v.Asked)
		}
	}
	if want := []string{"{claim}`D1 as=published`", "{claim}`experiment=order D1`"}; !slices.Equal(asked, want) {
		t.Errorf("the values are %q, want %q", asked, want)
	}
}
