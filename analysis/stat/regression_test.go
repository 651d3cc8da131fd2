package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func TestPolynomialFindsTheOneThatMadeTheData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		degree := rapid.IntRange(1, 5).Draw(t, "degree")
		want := make([]float64, degree+1)
		for j := range want {
			want[j] = float64(rapid.IntRange(-5, 5).Draw(t, "b"))
		}
		var x, y []float64
		for i := range 20 {
			x, y = append(x, float64(i)), append(y, polynomial(float64(i), want...))
		}
		if Constant(y) {
			return
		}
		m := Polynomial(x, y, degree)
		for j := range want {
			if math.Abs(m.Coef[j]-want[j]) > 1e-6 {
				t.Fatalf("coefficients %v, want %v", m.Coef, want)
			}
		}
	})
}

func TestResidualsAreOrthogonal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 15).Draw(t, "n")
		a, b := numbersOf(t, "a", n, n), numbersOf(t, "b", n, n)
		y := numbersOf(t, "y", n, n)
		intercept := rapid.Bool().Draw(t, "intercept")
		m := OLS([][]float64{a, b}, y, intercept)
		if m.Refused != "" {
			return
		}
		for name, column := range map[string][]float64{"a": a, "b": b} {
			scale := math.Sqrt(squares(column)*squares(y)) + 1e-300
			if math.Abs(dot(m.Residuals, column)) > 1e-8*scale {
				t.Fatalf("residuals are not orthogonal to %s: %v", name, dot(m.Residuals, column))
			}
		}
		sum := 0.0
		for i, h := range m.Leverage {
			if h < -1e-9 || h > 1+1e-9 {
				t.Fatalf("leverage %d is %v", i, h)
			}
			sum += h
		}
		if !near(sum, float64(len(m.Coef)), 1e-6) {
			t.Fatalf("leverages sum to %v, want %d", sum, len(m.Coef))
		}
	})
}

func TestBandsMeetTheSlopeInterval(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 5, 6}, []float64{2.1, 3.9, 6.2, 7.8, 10.1, 12.2}
	m := OLS([][]float64{x}, y, true)
	mean, single := m.Band([]float64{0}, 0.95)
	if b := m.Interval(0, 0.95); !near(mean.Lo, b.Lo, 1e-9) || !near(mean.Hi, b.Hi, 1e-9) {
		t.Errorf("the band at zero is [%v, %v], the intercept [%v, %v]", mean.Lo, mean.Hi, b.Lo, b.Hi)
	}
	if single.Hi-single.Lo <= mean.Hi-mean.Lo {
		t.Errorf("a single observation [%v, %v] is less doubtful than the mean [%v, %v]", single.Lo, single.Hi, mean.Lo, mean.Hi)
	}
	if !near(m.Interval(1, 0.95).Value, Slope(x, y), 1e-12) {
		t.Errorf("slopes %v and %v differ", m.Interval(1, 0.95).Value, Slope(x, y))
	}
}

func TestDependentPredictorsAreRefused(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 5}, []float64{1, 3, 2, 5, 4}
	double := []float64{2, 4, 6, 8, 10}
	for name, m := range map[string]LeastSquares{
		"a multiple":         OLS([][]float64{x, double}, y, true),
		"a constant":         OLS([][]float64{{3, 3, 3, 3, 3}}, y, true),
		"too many":           OLS([][]float64{x, y, double, x}, y, true),
		"none":               OLS(nil, y, true),
		"of unequal lengths": OLS([][]float64{x[:3]}, y, true),
	} {
		if m.Refused == "" {
			t.Errorf("%s: %+v, must refuse", name, m)
		}
	}
}

func TestAnExactFitLeavesNothing(t *testing.T) {
	m := OLS([][]float64{{1, 2, 3, 4}}, []float64{0.3, 0.5, 0.7, 0.9}, true)
	if m.SSRes != 0 || m.Sigma != 0 || m.R2 != 1 {
		t.Errorf("%+v, want no residual", m)
	}
}

func TestFitCurveFindsItsParameters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64Range(0.5, 5).Draw(t, "a"), rapid.Float64Range(0.05, 1).Draw(t, "b")
		f := func(p []float64, x float64) float64 { return p[0] * (1 - math.Exp(-p[1]*x)) }
		var x, y []float64
		for i := range 12 {
			v := float64(i)/2 + 0.5
			x, y = append(x, v), append(y, f([]float64{a, b}, v)+1e-3*math.Sin(float64(7*i)))
		}
		fit := FitCurve(f, x, y, []float64{1, 0.3})
		if !fit.Converged || math.Abs(fit.Coef[0]-a) > 0.5*a || fit.RSS > 1.3e-5 {
			t.Fatalf("a = %v, b = %v: %+v", a, b, fit)
		}
	})
}

// A plateau determines its height, and not how fast it was reached.
func TestFitCurveSaysWhatTheDataDoNotDetermine(t *testing.T) {
	f := func(p []float64, x float64) float64 { return p[0] * (1 - math.Exp(-p[1]*x)) }
	fit := FitCurve(f, []float64{100, 110, 120, 130}, []float64{5, 5.1, 4.9, 5}, []float64{1, 1})
	if fit.Converged || len(fit.Warnings) == 0 {
		t.Errorf("%+v, must say that it did not converge", fit)
	}
}

func TestFitCurveSurvivesAModelWithoutValues(t *testing.T) {
	f := func(p []float64, x float64) float64 { return math.Log(-p[0]*p[0] - x) }
	if fit := FitCurve(f, []float64{1, 2, 3}, []float64{1, 2, 3}, []float64{1}); fit.Refused == "" {
		t.Errorf("%+v, must refuse", fit)
	}
}

func TestFitCurveKeepsUnitsOut(t *testing.T) {
	f := func(p []float64, x float64) float64 { return p[0] * (1 - math.Exp(-p[1]*x)) }
	x, y := []float64{1, 2, 3, 5, 7, 10}, []float64{109, 149, 149, 191, 213, 224}
	scaled := make([]float64, len(y))
	for i := range y {
		scaled[i] = 1e6 * y[i]
	}
	a, b := FitCurve(f, x, y, []float64{100, 0.75}), FitCurve(f, x, scaled, []float64{1e8, 0.75})
	if !near(1e6*a.Coef[0], b.Coef[0], 1e-7) || !near(a.Coef[1], b.Coef[1], 1e-7) || !near(a.SE[1], b.SE[1], 1e-5) {
		t.Errorf("%+v, in other units %+v", a, b)
	}
}

func TestUSLFindsItsLaw(t *testing.T) {
	n := []float64{1, 2, 4, 8, 16, 32, 64}
	law := func(p ...float64) (x []float64) {
		for i, v := range n {
			x = append(x, usl(p, v)*(1+1e-4*math.Sin(float64(5*i))))
		}
		return x
	}
	u := FitUSL(n, law(1000, 0.03, 0.0004))
	if u.Refused != "" || !near(u.Sigma, 0.03, 0.01) || math.Abs(u.Peak-math.Sqrt(0.97/0.0004)) > 3 {
		t.Errorf("%+v, want σ 0.03 and a peak at 49", u)
	}
	if u := FitUSL(n, law(1000, 0.03, 1e-5)); len(u.Warnings) == 0 {
		t.Errorf("%+v, the peak lies beyond the data: want a warning", u)
	}
	if u := FitUSL(n, law(1000, 0.03, -1e-5)); u.Refused != "" || u.Kappa != 0 || len(u.Warnings) == 0 {
		t.Errorf("%+v, want contention alone", u)
	}
	if u := FitUSL(n[:5], law(1000, 0.03, 0)[:5]); u.Refused == "" {
		t.Errorf("five sizes: %+v, must refuse", u)
	}
}

func TestAmdahlRefusesTimesThatGrow(t *testing.T) {
	if a := FitAmdahl([]float64{1, 2, 4, 8}, []float64{10, 12, 14, 15}, 0.95); a.Refused == "" {
		t.Errorf("%+v, must refuse", a)
	}
}

// Data on a line with an intercept are linear, and their log-log slope is no
// exponent.
func TestALineIsNotCalledAPower(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 5))
	var x, y []float64
	var block []int
	for b := range 8 {
		for _, n := range []float64{1, 2, 4, 8, 16} {
			x, block = append(x, n), append(block, b)
			y = append(y, (1+0.05*float64(b))*(1.1+0.4*n)*math.Exp(0.01*g.NormFloat64()))
		}
	}
	p := FitPowerLaw(x, y, 0.95)
	m := FitMultiplicativeLine(x, y, block, 0.9)
	if p.Exponent.Hi > 0.9 || len(p.Warnings) == 0 {
		t.Errorf("power law %+v: want a slope far below one, and a warning", p)
	}
	if m.Refused != "" || m.LackP < 0.01 || !near(m.B/m.A, 0.4/1.1, 0.02) {
		t.Errorf("line %+v: want no lack of fit, and b/a = %v", m, 0.4/1.1)
	}
	for j, d := range m.Deviations {
		if d.Lo > 0 && d.Lo > 0.02 || d.Hi < -0.02 {
			t.Errorf("deviation at %v: %+v", m.X[j], d)
		}
	}
}

func TestTheilSenIsNotMovedByOneValue(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 5, 6, 7}, []float64{2, 4, 6, 8, 10, 12, 1000}
	if l := TheilSen(x, y); l.Slope != 2 || l.Slopes != 21 {
		t.Errorf("%+v, want slope 2 from 21 pairs", l)
	}
	if l := TheilSen([]float64{1, 1, 1}, []float64{1, 2, 3}); l.Refused == "" {
		t.Errorf("equal x: %+v, must refuse", l)
	}
}
