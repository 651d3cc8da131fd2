package analysis

import (
	"math"
	"math/rand/v2"
	"testing"
)

// noisyCurve is a study over clients on a curve, in blocks of their own heights.
func noisyCurve(r *rand.Rand, blocks int, y func(n float64) float64) *study {
	s := newStudy(elapsedMS, "clients: 1 2 4 8")
	of := map[string]float64{"1": 1, "2": 2, "4": 4, "8": 8}
	height := 1.0
	s.run(ids(1), "m", "randomized-blocks", blocks, func(at trialAt) outcome {
		if at.position%4 == 1 {
			height = math.Exp(0.3 * r.NormFloat64())
		}
		return outcome{value: height * y(of[at.levels[0]]) * math.Exp(0.05*r.NormFloat64())}
	})
	return s
}

// Intervals of slopes hold the true one as often as they say; those of
// deviations, which hold all of a level's noise, at least as often.
func TestIntervalsOfCurvesCoverTheTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation")
	}
	const draws = 2000
	r := rand.New(rand.NewPCG(19, 2))
	slopes, deviations, linear, refuted := 0, 0, 0, 0
	slope, fit := slopeClaim("slope > 0"), fitClaim(0.10)
	slope.Where, fit.Where = nil, nil
	for range draws {
		if e := judgeOne(noisyCurve(r, 8, func(n float64) float64 { return math.Pow(n, 0.7) }), slope).Parts[0].Estimate; e.Lo < 0.7*math.Ln2 && 0.7*math.Ln2 < e.Hi {
			slopes++
		}
		got := judgeOne(noisyCurve(r, 8, func(n float64) float64 { return 5 + 3*n }), fit)
		for _, p := range got.Parts {
			if p.Estimate.Lo < 0 && 0 < p.Estimate.Hi {
				deviations++
			}
		}
		switch got.Verdict {
		case Supported:
			linear++
		case Refuted:
			refuted++
		}
	}
	if share := float64(slopes) / draws; share < 0.935 || share > 0.965 {
		t.Errorf("slopes are covered in %.3f of draws, want 0.95", share)
	}
	if share := float64(deviations) / (4 * draws); share < 0.95 {
		t.Errorf("deviations are covered in %.3f of draws, want 0.95 or more", share)
	}
	if float64(linear)/draws < 0.9 || float64(refuted)/draws > 0.01 {
		t.Errorf("of lines, %d of %d are supported and %d refuted", linear, draws, refuted)
	}
}
