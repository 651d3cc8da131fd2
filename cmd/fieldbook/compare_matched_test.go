package main

import (
	"slices"
	"testing"
)

// TestEntriesOfOneNameAreMatchedInTurn compares lists in which a name stands
// twice.
func TestEntriesOfOneNameAreMatchedInTurn(t *testing.T) {
	for _, tt := range []struct {
		name              string
		older, newer, say []string
	}{
		{"same", []string{"a1", "a2", "b1"}, []string{"a1", "a2", "b1"}, nil},
		{"second changed", []string{"a1", "a2"}, []string{"a1", "a3"}, []string{"a2 a3"}},
		{"one gone", []string{"a1", "b1", "a2"}, []string{"a1", "b1"}, []string{"-a2"}},
		{"one new", []string{"a1"}, []string{"a1", "a2"}, []string{"+a2"}},
	} {
		var said []string
		matched(tt.older, tt.newer, func(s string) string { return s[:1] }, func(x, y string) {
			if x != y {
				said = append(said, x+" "+y)
			}
		}, func(s string, gone bool) {
			if gone {
				said = append(said, "-"+s)
			} else {
				said = append(said, "+"+s)
			}
		})
		if !slices.Equal(said, tt.say) {
			t.Errorf("%s: said %q, want %q", tt.name, said, tt.say)
		}
	}
}
