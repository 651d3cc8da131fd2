package stat

import (
	"math"
	"testing"
)

// At the break-even variation, Student's test of two made-up samples with
// exactly that variation has exactly p = 0.05.
func TestBreakEvenCVIsWhereStudentsTestTurns(t *testing.T) {
	for _, c := range []struct {
		ratio  float64
		n1, n2 int
	}{{1.24, 10, 10}, {1 / 1.24, 10, 10}, {1.05, 4, 10}, {3, 2, 2}} {
		e := BreakEvenCV(c.ratio, c.n1, c.n2)
		tstat := math.Abs(math.Log(c.ratio)) / (e.Value * math.Sqrt(1/float64(c.n1)+1/float64(c.n2)))
		if p := 2 * (1 - TCDF(tstat, float64(c.n1+c.n2-2))); math.Abs(p-0.05) > 1e-9 {
			t.Errorf("ratio %g of %d and %d runs: p = %v at the break-even variation %v, want 0.05", c.ratio, c.n1, c.n2, p, e.Value)
		}
	}
}

func TestBreakEvenCVRefusesWhatHasNone(t *testing.T) {
	for _, c := range []struct {
		ratio  float64
		n1, n2 int
	}{{0, 10, 10}, {-1, 10, 10}, {math.NaN(), 10, 10}, {math.Inf(1), 10, 10}, {1.2, 1, 10}, {1.2, 10, 0}} {
		if e := BreakEvenCV(c.ratio, c.n1, c.n2); e.Refused == "" || !math.IsNaN(e.Value) {
			t.Errorf("ratio %g of %d and %d runs: %+v, want a refusal", c.ratio, c.n1, c.n2, e)
		}
	}
}
