package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"fieldbook/analysis/stat"
)

// uslRows are blocks of throughput that follows the law.
func uslRows(blocks int, sd, sigma, kappa float64) [][]float64 {
	return uslRowsOf(5, blocks, sd, sigma, kappa)
}

func uslRowsOf(seed uint64, blocks int, sd, sigma, kappa float64) [][]float64 {
	g := rand.New(rand.NewPCG(seed, 1))
	rows := make([][]float64, blocks)
	for i := range rows {
		for _, x := range []float64{1, 2, 4, 8, 16, 32} {
			rows[i] = append(rows[i], uslAt([]float64{1000, sigma, kappa}, x)*math.Exp(sd*g.NormFloat64()))
		}
	}
	return rows
}

func kneeOf(t *testing.T, rows [][]float64) Estimate {
	t.Helper()
	e, err := byLevel(perSecond, "1 2 4 8 16 32", rows...).result().CurveValue(Query{Metric: "elapsed", Stat: "knee"}, "clients")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// R 4.2: √((1-σ)/κ) of the nls fit of TestParametersAgainstReference.
func TestKneeAgainstReference(t *testing.T) {
	e := kneeOf(t, throughput())
	if !near(e.Value, 15.24760965, 1e-4) || e.bounded() || !hasWarning(e, stat.NoInterval) {
		t.Errorf("knee %s, %v; want 15.2476 without an interval: three blocks cannot be resampled", e.Text(), e.Warnings)
	}
}

func TestKneeWithItsInterval(t *testing.T) {
	truth := math.Sqrt((1 - 0.05) / 0.004)
	e := kneeOf(t, uslRows(20, 0.02, 0.05, 0.004))
	if math.Abs(e.Value/truth-1) > 0.03 || !(e.Lo < e.Value && e.Value < e.Hi) || e.Hi/e.Lo > 1.2 || hasWarning(e, stat.BeyondData) || e.N != 20 {
		t.Errorf("knee %s of %v", e.Text(), truth)
	}
	if again := kneeOf(t, uslRows(20, 0.02, 0.05, 0.004)); again.Lo != e.Lo || again.Hi != e.Hi {
		t.Errorf("the same data give %s and %s", e.Text(), again.Text())
	}
	if few := kneeOf(t, uslRows(10, 0.02, 0.05, 0.004)); !hasWarning(few, stat.FewBlocks) || !few.bounded() {
		t.Errorf("ten blocks: %s, %v", few.Text(), few.Warnings)
	}
}

// With twenty blocks the interval holds the truth nearly as often as it says;
// bootstrap intervals are somewhat narrow.
func TestKneesCover(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation")
	}
	truth, held, studies := math.Sqrt((1-0.05)/0.004), 0, 60
	for i := range studies {
		if e := kneeOf(t, uslRowsOf(uint64(100+i), 20, 0.03, 0.05, 0.004)); e.Lo <= truth && truth <= e.Hi {
			held++
		}
	}
	if share := float64(held) / float64(studies); share < 0.85 {
		t.Errorf("the interval holds the truth in %v of studies", share)
	}
}

// A knee beyond what was measured is marked; where resamples have no peak its
// interval is open.
func TestKneeBeyondWhatWasMeasured(t *testing.T) {
	e := kneeOf(t, uslRows(12, 0.02, 0.05, 0.0003))
	if !hasWarning(e, stat.BeyondData) || !(e.Value > 32) || e.Remark() != "extrapolated beyond what was measured" {
		t.Errorf("knee %s, %v", e.Text(), e.Warnings)
	}
	open := kneeOf(t, uslRows(12, 0.05, 0.05, 0.00005))
	if !math.IsInf(open.Hi, 1) || !strings.Contains(open.IntervalText(), "∞)") {
		t.Errorf("knee %s where coherence is hardly above zero", open.Text())
	}
	if none := kneeOf(t, uslRows(12, 0, 0.3, 0)); !strings.Contains(none.Refused, "no knee") {
		t.Errorf("contention alone: %s", none.Text())
	}
}

func TestKneeOfALawThatDoesNotFit(t *testing.T) {
	rows := uslRows(12, 0.01, 0.05, 0.004)
	for _, row := range rows {
		row[2] *= 1.3
	}
	if e := kneeOf(t, rows); e.Refused != "" || !hasWarning(e, Misfit) || e.Remark() != "the law does not fit" {
		t.Errorf("knee %s, %v", e.Text(), e.Warnings)
	}
}
