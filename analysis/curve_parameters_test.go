package analysis

import (
	"math"
	"testing"

	"fieldbook/internal/session"
)

func throughput() [][]float64 {
	return [][]float64{{1000, 1830, 3050, 4520, 5080, 4310}, {1050, 1900, 3260, 4600, 5350, 4400}, {970, 1800, 2990, 4380, 4900, 4250}}
}

var perSecond = session.Metric{Name: "elapsed", Unit: "1/s", Better: "higher"}

// R 4.2: nls(log(y) ~ h2*s2 + h3*s3 + log(f(x))) with block effects that sum
// to zero; estimate ± qt(.975, df) · standard error.
func TestParametersAgainstReference(t *testing.T) {
	times := byLevel(elapsedMS, "1 2 4 8 16 32", []float64{41, 52.5, 69, 113, 188, 352}, []float64{45.2, 55, 77, 118, 210, 371}, []float64{39.5, 48, 70.2, 104, 182, 329})
	falling := byLevel(elapsedMS, "1 2 4 8 16 32", []float64{100, 62, 43, 34.1, 28, 26.3}, []float64{104, 65, 45, 34.9, 30.2, 27}, []float64{97, 60.1, 41, 33, 27.2, 25.1})
	tests := []struct {
		of    *study
		model string
		want  [][2]float64
		df    float64
	}{
		{times, "linear", [][2]float64{{30.987915144, 32.67691742}, {9.810199832, 10.18445863}}, 14},
		{times, "power law", [][2]float64{{30.6576305031, 39.6526405094}, {0.5577825886, 0.6797044816}}, 14},
		{byLevel(perSecond, "1 2 4 8 16 32", throughput()...), "scalability law", [][2]float64{{992.0142171, 1014.213696}, {0.07524088532, 0.08557637492}, {0.003768455494, 0.004142361763}}, 13},
		{falling, "Amdahl's law", [][2]float64{{99.4892173088, 101.871376894}, {0.2319086473, 0.241657287}}, 14},
	}
	for _, tt := range tests {
		f := fitOf(mustCurve(t, tt.of, "").Series[0], tt.model)
		if len(f.Parameters) != len(tt.want) {
			t.Errorf("%s: %d parameters (%s)", tt.model, len(f.Parameters), f.Refused)
			continue
		}
		for i, want := range tt.want {
			if p := f.Parameters[i]; math.Abs(p.Lo/want[0]-1) > 1e-5 || math.Abs(p.Hi/want[1]-1) > 1e-5 || p.DF != tt.df {
				t.Errorf("%s, %s: [%v, %v] of %v df, want %v of %v", tt.model, p.Stat, p.Lo, p.Hi, p.DF, want, tt.df)
			}
		}
	}
}

// Akaike weights: exp(-Δ/2), shared out among the models that are not
// refused (Burnham & Anderson 2002).
func TestWeightsOfModels(t *testing.T) {
	times := byLevel(elapsedMS, "1 2 4 8 16 32", []float64{41, 52.5, 69, 113, 188, 352}, []float64{45.2, 55, 77, 118, 210, 371}, []float64{39.5, 48, 70.2, 104, 182, 329})
	s := mustCurve(t, times, "").Series[0]
	sum := 0.0
	for _, f := range s.Fits {
		if f.Refused != "" {
			if !math.IsNaN(f.Weight) || !math.IsNaN(f.Delta) || len(f.Parameters) != 0 {
				t.Errorf("%s is refused and has Δ %v, weight %v", f.Model, f.Delta, f.Weight)
			}
			continue
		}
		sum += f.Weight
	}
	line, parabola := fitOf(s, "linear"), fitOf(s, "quadratic")
	if !near(sum, 1, 1e-12) || line.Delta != 0 || !near(parabola.Delta, 131.812114-127.334957, 1e-6) || !near(line.Weight/parabola.Weight, math.Exp(parabola.Delta/2), 1e-9) {
		t.Errorf("weights sum to %v; quadratic Δ %v, line %v times as heavy", sum, parabola.Delta, line.Weight/parabola.Weight)
	}
}

// A line with noise in proportion: the interval of its steepness holds the
// truth in 95 of 100 studies.
func TestParametersCover(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation")
	}
	held, studies := 0, 400
	for i := range studies {
		rows := drawRows(uint64(i), 8, 0.05, func(x float64) float64 { return 30 + 10*x })
		b := fitOf(mustCurve(t, byLevel(elapsedMS, "1 2 4 8", rows...), "").Series[0], "linear").Parameters[1]
		if b.Lo <= 10 && 10 <= b.Hi {
			held++
		}
	}
	if share := float64(held) / float64(studies); share < 0.92 || share > 0.98 {
		t.Errorf("the interval of b holds the truth in %v of studies", share)
	}
}
