package analysis

import (
	"math"
	"testing"
)

// The variation of a run at which the sums of 2004 would say nothing.
func TestBreakEvenOfPublishedSums(t *testing.T) {
	r := Analyze(pipelining(t))
	for _, tt := range []struct {
		comparison string
		percent    float64
	}{
		{"communication=queue sessions=1 / communication=queue sessions=2 where machine=" + uni, 22.9},
		{"communication=queue sessions=1 / communication=queue sessions=2 where machine=" + dual, 7.0},
		{"communication=queue sessions=1 / communication=queue sessions=2 where machine=" + slow, 5.4},
		{"communication=threaded sessions=2 / communication=queue sessions=1 where machine=" + uni, 12.5},
		{"communication=threaded sessions=2 / communication=queue sessions=1 where machine=" + dual, 27},
		{"communication=threaded sessions=1 / communication=queue sessions=1 where machine=" + slow, 25},
		{"communication=threaded sessions=1 / communication=threaded sessions=2 where machine=" + dual, 2.6},
		{"communication=threaded sessions=2 / communication=threaded sessions=1 where machine=" + slow, 16},
		{"communication=threaded sessions=1 / communication=threaded sessions=2 where machine=" + slow, 16},
	} {
		e, err := r.PublishedBreakEven("elapsed", comparison(tt.comparison))
		digit := 0.05
		if tt.percent > 15 && tt.percent == math.Trunc(tt.percent) {
			digit = 0.5
		}
		if err != nil || e.Refused != "" || math.Abs(100*e.Value-tt.percent) > digit {
			t.Errorf("%s: %v %+v, want %v %%", tt.comparison, err, e.Estimate, tt.percent)
		}
		if !math.IsNaN(e.Lo) || !e.Published || e.Unit != "1" {
			t.Errorf("%s: %+v, want a published pure number without an interval", tt.comparison, e)
		}
	}
}

func TestBreakEvenWantsOneNumberOfSeveralRunsOnEitherSide(t *testing.T) {
	in := pipelining(t)
	in.Published.Rows[0].Aggregate = "value"
	in.Published.Rows[4].N = 1
	r := Analyze(in)
	for text, want := range map[string]string{
		"communication=queue sessions=1 / communication=queue sessions=2 where machine=" + uni:              "n/a (a single value was published, and not of how many runs)",
		"communication=queue sessions=2 / communication=queue sessions=1 where machine=" + dual:             "n/a (it takes at least two runs on either side, there are 10 and 1)",
		"communication=queue / communication=threaded where sessions=1,2 machine=" + slow:                   "n/a (it wants one number on either side, and 2 numbers are published)",
		"communication=queue sessions=1 / communication=batched sessions=1 where machine=" + slow:           "n/a (not stated)",
		"communication=queue sessions=1 / communication=queue sessions=2 where machine=" + uni + "," + dual: "",
	} {
		e, err := r.PublishedBreakEven("elapsed", comparison(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Text(); got != want && (want != "" || e.Refused == "") {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
