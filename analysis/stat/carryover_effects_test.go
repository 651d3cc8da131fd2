package stat

import (
	"math"
	"strings"
	"testing"
)

// followed is twelve blocks of four treatments, of which those numbered 2 and
// 3 leave half a unit for the next trial.
func followed() (sequence, period, treatment, before []int, y []float64) {
	treatment = []int{0, 3, 2, 1, 0, 1, 3, 2, 1, 0, 3, 2, 0, 1, 2, 3, 3, 2, 0, 1, 3, 0, 2, 1, 0, 1, 3, 2, 0, 2, 1, 3, 0, 2, 1, 3, 2, 3, 0, 1, 2, 1, 3, 0, 1, 3, 2, 0}
	y = []float64{11.28, 13.725, 14.166, 13.275, 11.209, 12.509, 14.393, 13.551, 12.078, 10.909, 14.363, 13.936, 11.573, 11.9, 13.983, 15.341,
		14.415, 13.679, 12.348, 12.433, 14.773, 11.831, 13.66, 12.92, 11.541, 12.285, 14.372, 14.015, 11.559, 14.051, 13.672, 15.039,
		12.206, 13.977, 13.686, 15.434, 14.18, 15.81, 12.77, 12.946, 13.66, 13.505, 15.538, 12.438, 13.388, 15.358, 15.204, 12.892}
	last := -1
	for i, t := range treatment {
		sequence, period, before = append(sequence, i/4), append(period, i%4), append(before, last)
		last = t
	}
	return sequence, period, treatment, before, y
}

// R 4.2.2: m <- lm(y ~ factor(sequence) + factor(period) + factor(treatment) + k)
// with k the sum-to-zero columns of the predecessor, 0 in the first row;
// anova(m0, m), coef(m), confint(m), and of the last level -sum(coef) with its
// interval from vcov(m).
func TestEffectsOfPredecessorsAgreeWithR(t *testing.T) {
	sequence, period, treatment, before, y := followed()
	got := CarryOverEffects(sequence, period, treatment, [][]int{before}, y)
	if got.Refused != "" || math.Abs(got.Carry.F-7.09629) > 1e-5 || math.Abs(got.Carry.P-0.0011507) > 1e-7 || got.Carry.DF != 3 || got.Carry.ErrorDF != 27 {
		t.Fatalf("%q %+v, want F(3, 27) = 7.09629, p = 0.0011507", got.Refused, got.Carry)
	}
	want := [][3]float64{{-0.310547277848, -0.5012112018142, -0.119883353881}, {-0.107889278749, -0.3091366232638, 0.093358065766},
		{0.273999905968, 0.0856339262608, 0.462365885675}, {0.144436650629, -0.0556173046589, 0.3444906059166}}
	compareEffects(t, got.After[0], want)
	for i, want := range []float64{0.0190979464474, -0.4432183446458, 0.1218445659047} {
		if math.Abs(got.Residuals[i]-want) > 1e-10 {
			t.Errorf("residual %d is %v, want %v", i, got.Residuals[i], want)
		}
	}
	if test := CarryOver(sequence, period, treatment, before, y); test.Refused == "" && math.Abs(test.Carry.F-got.Carry.F) > 1e-9 {
		t.Errorf("F is %v, and CarryOver has %v", got.Carry.F, test.Carry.F)
	}
}

// R 4.2.2: the same with two factors of the predecessor, each 1 or -1.
func TestEffectsOfTwoFactorsOfPredecessorsAgreeWithR(t *testing.T) {
	sequence, period, treatment, before, y := followed()
	upper, lower := make([]int, len(y)), make([]int, len(y))
	for i, b := range before {
		if upper[i], lower[i] = b/2, b%2; b < 0 {
			upper[i], lower[i] = -1, -1
		}
	}
	got := CarryOverEffects(sequence, period, treatment, [][]int{upper, lower}, y)
	if got.Refused != "" || math.Abs(got.Carry.F-8.97911) > 1e-5 || got.Carry.DF != 2 || got.Carry.ErrorDF != 28 {
		t.Fatalf("%q %+v, want F(2, 28) = 8.97911", got.Refused, got.Carry)
	}
	compareEffects(t, got.After[0], [][3]float64{{-0.2167338983832, -0.321686462108, -0.111781334659}, {0.2167338983832, 0.111781334659, 0.321686462108}})
	compareEffects(t, got.After[1][:1], [][3]float64{{-0.0171058930997, -0.144382920700, 0.110171134501}})
}

func compareEffects(t *testing.T, got []Aftermath, want [][3]float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d levels, want %d", len(got), len(want))
	}
	for i, a := range got {
		for k, x := range []float64{a.Effect.Value, a.Effect.Lo, a.Effect.Hi} {
			if math.Abs(x-want[i][k]) > 1e-10 {
				t.Errorf("level %d: %v, want %v", a.Level, x, want[i][k])
			}
		}
	}
}

func TestEffectsOfPredecessorsAreRefused(t *testing.T) {
	sequence, period, treatment, before, y := followed()
	cycle, last := make([]int, len(y)), make([]int, len(y))
	for i := range cycle {
		cycle[i], last[i] = i%4, (i+3)%4
	}
	rare := append([]int{}, before...)
	rare[7] = 9
	for name, tt := range map[string]struct {
		treatment []int
		previous  [][]int
		want      string
	}{
		"a fixed cycle": {cycle, [][]int{last}, "cannot be told from the treatment"},
		"a rare level":  {treatment, [][]int{rare}, "at least 2 trials"},
		"one level":     {treatment, [][]int{make([]int, len(y))}, "after the same level"},
		"no factor":     {treatment, nil, "nothing says"},
		"too short":     {treatment, [][]int{{1, 2}}, "differ in number"},
	} {
		if got := CarryOverEffects(sequence, period, tt.treatment, tt.previous, y); !strings.Contains(got.Refused, tt.want) {
			t.Errorf("%s: refused %q, want %q", name, got.Refused, tt.want)
		}
	}
}

// A number that follows from the treatment leaves no noise, and what rounding
// leaves is none: there is nothing to weigh a carry-over against.
func TestCarryOverEffectsOfNumbersWithoutNoise(t *testing.T) {
	var sequence, period, treatment, previous []int
	var y []float64
	before := -1
	for block, order := range [][]int{{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {0, 1, 2}, {1, 0, 2}} {
		for place, level := range order {
			sequence, period = append(sequence, block), append(period, place)
			treatment, previous = append(treatment, level), append(previous, before)
			y = append(y, math.Log(100*[]float64{1, 2, 8}[level]))
			before = level
		}
	}
	e := CarryOverEffects(sequence, period, treatment, [][]int{previous}, y)
	if e.Refused != "" || !math.IsNaN(e.Carry.P) {
		t.Errorf("numbers without noise give %+v, want no p", e)
	}
}
