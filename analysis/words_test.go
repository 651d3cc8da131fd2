package analysis

import (
	"strings"
	"testing"
)

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

func TestFarRisesAreFactors(t *testing.T) {
	for _, tt := range []struct {
		value, lo, hi float64
		want          string
	}{
		{1.25, 1.21, 1.29, "25.0 % [21.0, 29.0] higher (worse)"},
		{9.9, 9, 11, "890 % [800, 1000] higher (worse)"},
		{64.2, 60, 68, "64.2 times as much [60.0, 68.0] (worse)"},
		{64440, 62000, 67000, "64\u202f400 times as much [62\u202f000, 67\u202f000] (worse)"},
		{3, 0.5, 18, "inconclusive: between 50 % lower and 18 times as much"},
	} {
		c := Comparison{Better: "lower", Ratio: est(Ratio, "1", tt.value, tt.lo, tt.hi)}
		if got := c.Words(0); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.value, got, tt.want)
		}
	}
}

func TestDigitsWithoutAnInterval(t *testing.T) {
	of := func(kind Kind, unit, stat string, value float64) Estimate {
		e := est(kind, unit, value, nan, nan)
		e.Stat, e.Confidence = stat, 0
		return e
	}
	printed := of(Absolute, "ms", "value", 1234.5)
	printed.Published = true
	quotient := of(Ratio, "1", "ratio", 0.86)
	quotient.Published = true
	for _, tt := range []struct{ got, want string }{
		{of(Absolute, "1", "cv", 0.49934).PercentText(), "49.9 %"},
		{of(Absolute, "1", "breakeven", 0.22871).PercentText(), "22.9 %"},
		{quotient.Text(), "0.860×"},
		{of(Absolute, "s", "max", 22.187).Text(), "22.19 s"},
		{of(Absolute, "ms", "sd", 1.23456).Text(), "1.235 ms"},
		{printed.Text(), "1234.5 ms"},
		{of(Absolute, "1", "n", 9999).Text(), "9999"},
		{of(Absolute, "1", "n", 10080).Text(), "10\u202f080"},
	} {
		if !strings.HasPrefix(tt.got, tt.want) {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

func TestALevelSaysItselfWhereItIsAWord(t *testing.T) {
	for label, want := range map[string]bool{
		"queue": true, "by hand": true, "go1.26": true, "日本": true,
		"": false, "a": false, "0": false, "4 kB": false, "1 0 a": false, "Off": false, "x=y": false, "(empty)": false,
	} {
		if got := SaysItself(label); got != want {
			t.Errorf("%q says itself what it is: %v, want %v", label, got, want)
		}
	}
}
