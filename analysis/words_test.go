package analysis

import "testing"

func TestPublishedClause(t *testing.T) {
	part := func(machine string, v Verdict) PublishedPart { return PublishedPart{Machine: machine, Verdict: v} }
	for _, tt := range []struct {
		verdict Verdict
		parts   []PublishedPart
		want    string
	}{
		{Holds, []PublishedPart{part("a", Holds), part("b", Holds)}, "holds on 2 of 2 machines"},
		{Fails, []PublishedPart{part("a", Holds), part("b", Fails), part("c", NotStated)}, "holds on 1 of 2 machines"},
		{Fails, []PublishedPart{part("a", Fails), part("b", Fails)}, "holds on none of 2 machines"},
		{Fails, []PublishedPart{part("", Fails)}, "fails"},
		{NotStated, nil, "is not stated"},
	} {
		if got := (ClaimResult{PublishedVerdict: tt.verdict, PublishedParts: tt.parts}).PublishedClause(); got != tt.want {
			t.Errorf("PublishedClause() of %v = %q, want %q", tt.parts, got, tt.want)
		}
	}
}
