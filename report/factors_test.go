package report

import (
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// The table of factors says which combinations of levels are no treatments.
func TestTheTableOfFactorsSaysWhatIsNoTreatment(t *testing.T) {
	size := session.Factor{Name: "size", Unit: "kB", Numeric: true, Levels: []string{"1", "2", "4"}}
	way := session.Factor{Name: "way", Levels: []string{"queue", "b", "c"}}
	tag := session.Factor{Name: "tag", Levels: []string{"x", "y", "z"}}
	for _, tt := range []struct {
		name    string
		factors []session.Factor
		drop    func(t []string) bool
		want    string
	}{
		{"all", []session.Factor{size, way}, func([]string) bool { return false }, ""},
		{"a pair", []session.Factor{size, way}, func(t []string) bool { return t[0] == "4" && t[1] == "b" },
			"Of the 9 combinations of these levels 8 are treatments: size = 4 kB never meets way = b."},
		{"a level", []session.Factor{size, way}, func(t []string) bool { return t[1] == "queue" },
			"Of the 9 combinations of these levels 6 are treatments: none has way = queue."},
		{"zip", []session.Factor{size, way, tag}, func(t []string) bool { return t[1] == "queue" != (t[2] == "x") || t[1] == "b" != (t[2] == "y") },
			"Of the 27 combinations of these levels 9 are treatments: way and tag move together."},
		{"three at once", []session.Factor{size, way, tag}, func(t []string) bool { return t[0] == "1" && t[1] == "b" && t[2] == "x" },
			"Of the 27 combinations of these levels 26 are treatments."},
		{"many", []session.Factor{size, way, tag}, func(t []string) bool { return t[0] != "1" && t[1] != "b" || t[1] != "b" && t[2] != "x" },
			"Of the 27 combinations of these levels 11 are treatments: size = 2 kB never meets way = queue; size = 2 kB never meets way = c; size = 4 kB never meets way = queue; " +
				"size = 4 kB never meets way = c; way = queue never meets tag = y; way = queue never meets tag = z; 2 further pairs of levels never meet."},
		{"one", []session.Factor{size}, func(t []string) bool { return t[0] != "1" },
			"Of the 3 combinations of these levels one is a treatment: none has size = 2 kB or size = 4 kB."},
	} {
		in := analysis.Input{Factors: tt.factors, Data: &session.Dataset{}, Identity: map[string]string{}}
		for _, levels := range cross(tt.factors) {
			if !tt.drop(levels) {
				in.Identity[keyOf(levels)] = "x"
			}
		}
		r := analysis.Analyze(in)
		if got := combinationsOf(r).text(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if got, want := combinationsOf(r).whole(), tt.name == "all" || tt.name == "zip"; got != want {
			t.Errorf("%s: nothing is left out: %v, want %v", tt.name, got, want)
		}
	}
	s := pipelining()
	in := s.input()
	delete(in.Identity, keyOf([]string{"queue", "2"}))
	wantIn(t, text(t, in), "Of the 6 combinations of these levels 5 are treatments: communication = queue never meets sessions = 2.",
		"Not every combination of levels is a treatment, as the table of factors says, and why is the author's to say")
}

// keyOf is a treatment as Input.Identity has it.
func keyOf(levels []string) string { return strings.Join(levels, "\x1f") }
