package report

import "testing"

func TestTicksOfAnAxisOfRatios(t *testing.T) {
	for x, want := range map[float64]string{0.01: "0.01", 0.333: "0.33", 1: "1", 12.4: "12", 99: "99", 100: "100", 1000: "1000", 2500: "2500"} {
		if got := tickText(x); got != want {
			t.Errorf("%v is written %q, want %q", x, got, want)
		}
	}
}
