package analysis

import (
	"math"
	"testing"

	"fieldbook/internal/session"
)

func TestValuesThatAreNoNumbersAreCountedByKind(t *testing.T) {
	failed := func(reason string) Observation {
		return Observation{Status: session.Failed, Reason: reason, Value: math.NaN()}
	}
	all := []Observation{
		{Status: session.OK, Value: 5},
		failed("m: the value is NaN"),
		failed("other: the value is NaN; m: the value is infinite"),
		failed("m: sample 3: rtt: the value is infinite"),
		failed("m: client 0: calls: null is not a number"),
		failed("m: the value is empty"),
		failed("other: the value is NaN"), // says nothing of m
		failed(`m: "the value is NaN!" is not a number`),
		{Status: session.Timeout, Reason: "m: the value is NaN", Value: math.NaN()},
		{Status: session.Invalid, Reason: "not m > 0", Value: 0},
		{Status: session.OK, Value: math.NaN()}, // a formula of today that gives none
	}
	got := GapsIn("m", all)
	if want := (Gaps{Of: 11, NaN: 1, Infinite: 2, Empty: 2, Other: 4}); got != want {
		t.Errorf("GapsIn = %+v, want %+v", got, want)
	}
	if got, want := got.Text(), "9 of 11 left out: 1 NaN, 2 infinite, 2 empty, 4 without a value"; got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
	if got := (Gaps{Of: 9, Other: 3}).Text(); got != "" {
		t.Errorf("Text = %q where no value was there, want none", got)
	}
}
