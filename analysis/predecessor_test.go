package analysis

import (
	"slices"
	"testing"

	"fieldbook/internal/session"
)

// ordered is a session of three treatments that ran in this order; those of
// the warm-up stand before the bar.
func ordered(order string) *session.Session {
	s := &session.Session{Info: session.Info{Factors: []session.Factor{{Name: "way"}}, Treatments: []session.Treatment{
		{Number: 1, Levels: []string{"a"}}, {Number: 2, Levels: []string{"b"}}, {Number: 3, Levels: []string{"c"}}}}}
	phase := measured
	if slices.Contains([]byte(order), '|') {
		phase = "warmup"
	}
	for _, c := range order {
		if c == '|' {
			phase = measured
			continue
		}
		s.Plan = append(s.Plan, session.Planned{Trial: len(s.Plan) + 1, Phase: phase, Treatment: int(c-'a') + 1, Levels: []string{string(c)}})
	}
	return s
}

func TestFixedPredecessors(t *testing.T) {
	got := FixedPredecessors(ordered("abcabcabc"))
	want := []Predecessor{{"way=a", "way=c", 3, 4}, {"way=b", "way=a", 3, 5}, {"way=c", "way=b", 3, 6}}
	if !slices.Equal(got, want) {
		t.Errorf("a cycle: %v, want %v", got, want)
	}
	got = FixedPredecessors(ordered("abc|abcabc"))
	if len(got) != 3 || got[0] != (Predecessor{"way=a", "way=c", 2, 2.5}) {
		t.Errorf("a cycle after a warm-up: %v", got)
	}
	for name, order := range map[string]string{
		"an order by chance":            "abccabbca",
		"one treatment after the other": "aaabbbccc",
		"the same but for the warm-up":  "cba|abcabc",
		"a cycle that went around once": "abc",
		"nothing":                       "",
	} {
		if got := FixedPredecessors(ordered(order)); got != nil {
			t.Errorf("%s: %v, want none", name, got)
		}
	}
}
