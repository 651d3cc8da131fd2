package analysis

import (
	"math"
	"testing"

	"fieldbook/internal/session"
)

// failedFor is what became of a trial, by the reason that its session gives.
func failedFor(reason string) Observation {
	return Observation{Status: session.Failed, Reason: reason, Value: math.NaN()}
}

// withMetrics is a result of a session that has these metrics.
func withMetrics(names ...string) *Result {
	s := &session.Session{}
	for _, n := range names {
		s.Metrics = append(s.Metrics, session.Metric{Name: n})
	}
	return &Result{Input: Input{Data: &session.Dataset{Sessions: []*session.Session{s}}}}
}

func TestValuesThatAreNoNumbersAreCountedByKind(t *testing.T) {
	all := []Observation{
		{Status: session.OK, Value: 5},
		failedFor("m: the value is NaN"),
		failedFor("other: the value is NaN; m: the value is infinite"),
		failedFor("m: sample 3: rtt: the value is infinite"),
		failedFor("m: client 0: calls: null is not a number"),
		failedFor("m: the value is empty"),
		failedFor(`m: "the value is NaN!" is not a number`),
		failedFor("m: the value is NaN; after: ./tidy: exit 1"),
		{Status: session.Timeout, Reason: "m: the value is NaN", Value: math.NaN()},
		{Status: session.Invalid, Reason: "not m > 0", Value: 0},
		{Status: session.OK, Value: math.NaN()}, // a formula of today that gives none
	}
	got := withMetrics("m", "other").GapsIn("m", all).Text()
	if want := "9 of 11 left out: 2 NaN, 2 infinite, 2 empty, 3 without a value"; got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
}

// TestValuesGoWithAnotherMetrics: a trial fails as a whole, so that one
// metric's NaN takes the good values of the others with it.
func TestValuesGoWithAnotherMetrics(t *testing.T) {
	for _, tt := range []struct{ name, reason, want string }{
		{"another's", "x: the value is NaN", "1 of 1 left out: 1 NaN of metric x"},
		{"one of samples", "rtt.p99: sample 3: rtt: the value is infinite", "1 of 1 left out: 1 infinite of metric rtt.p99"},
		{"of two the first", "x: the value is empty; rtt.p99: the value is NaN", "1 of 1 left out: 1 empty of metric x"},
		{"of two the first that was there", "x: no JSON object on standard output has the key x; rtt.p99: the value is NaN", "1 of 1 left out: 1 NaN of metric rtt.p99"},
		{"that which it is computed from", "rtt.p99: the value is NaN; x: null is not a number; m: metric x has no value: null is not a number", "1 of 1 left out: 1 empty of metric x"},
		{"its own before another's", "x: the value is NaN; m: the value is empty", "1 of 1 left out: 1 empty"},
		{"its own was never there", "x: the value is NaN; m: no JSON object on standard output has the key m", ""},
		{"computed from one that was never there", "x: nothing on standard output matches x; rtt.p99: the value is NaN; m: metric x has no value: nothing on standard output matches x", ""},
		{"a circle", "m: metric m has no value: it is computed from itself", ""},
		{"what a program said", "exit 1: x; x: the value is NaN", ""},
		{"what a command beside said", "before: ./make: exit 1: the value is NaN", ""},
		{"no reason", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := withMetrics("m", "x", "rtt.p99").GapsIn("m", []Observation{failedFor(tt.reason)}).Text()
			if got != tt.want {
				t.Errorf("Text of %q = %q, want %q", tt.reason, got, tt.want)
			}
		})
	}
}

func TestGapsOfOwnAndOtherMetricsStandInOneSentence(t *testing.T) {
	all := []Observation{
		{Status: session.OK, Value: 5}, failedFor("z: the value is NaN"), failedFor("y: the value is infinite"), failedFor("y: the value is NaN"),
		failedFor("m: the value is NaN"), failedFor("z: the value is NaN"), failedFor("exit 3"),
	}
	got := withMetrics("m", "y", "z").GapsIn("m", all).Text()
	if want := "6 of 7 left out: 1 NaN, 1 NaN of metric y, 1 infinite of metric y, 2 NaN of metric z, 1 without a value"; got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
}
