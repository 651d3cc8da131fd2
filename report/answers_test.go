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
