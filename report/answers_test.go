package report

import (
	"slices"
	"testing"
)

// TestRowsKeepTheirNamesWhereOthersGo names rows so that two versions of a
// table can be compared: by what they are about, not by their place.
func TestRowsKeepTheirNamesWhereOthersGo(t *testing.T) {
	cells := func(texts ...string) []cell {
		var all []cell
		for _, text := range texts {
			all = append(all, cell{Phrase: say(text)})
		}
		return all
	}
	words := []column{{Title: "check"}, {Title: "session"}, {Title: "finding"}}
	for _, tt := range []struct {
		name string
		head []column
		rows []row
		want []string
	}{
		{"heads alone", words, []row{{Heads: 1, Cells: cells("drift", "s1", "quiet")}, {Heads: 1, Cells: cells("modes", "s1", "two")}}, []string{"drift", "modes"}},
		{"heads and a word more", words, []row{{Heads: 1, Cells: cells("drift", "s1", "quiet")}, {Heads: 1, Cells: cells("drift", "s2", "quiet")}}, []string{"drift, s1", "drift, s2"}},
		{"a finding is no name", words, []row{{Heads: 1, Cells: cells("drift", "s1", "quiet")}, {Heads: 1, Cells: cells("drift", "s1", "loud")}}, []string{"drift", "drift (2)"}},
		{"a number is no name", []column{{Title: "way"}, {Title: "ms", Num: true}, {Title: "note"}}, []row{{Heads: 1, Cells: cells("a", "1", "")}, {Heads: 1, Cells: cells("a", "2", "")}}, []string{"a", "a (2)"}},
		{"keys", words, []row{{Key: "c1", Heads: 1, Cells: cells("It is. 12 blocks", "", "")}, {Key: "c2", Heads: 1, Cells: cells("It is not.", "", "")}}, []string{"c1", "c2"}},
	} {
		table := &tableBlock{ID: "tab", Head: tt.head, Rows: tt.rows}
		var got []string
		for _, r := range table.answers().Rows {
			got = append(got, r.Name)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: the rows are named %q, want %q", tt.name, got, tt.want)
		}
	}
}
