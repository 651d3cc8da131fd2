package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/analysis/stat"
	"fieldbook/internal/session"
)

// byLevel is a study of one factor with the numbers of each block in the
// order of its levels.
func byLevel(metric session.Metric, levels string, blocks ...[]float64) *study {
	s := newStudy(metric, "clients: "+levels)
	s.factors[0].Numeric = true
	names := strings.Fields(levels)
	s.run(ids(1), "m", "randomized-blocks", len(blocks), func(at trialAt) outcome {
		return outcome{value: blocks[at.block-1][slices.Index(names, at.levels[0])]}
	})
	return s
}

func mustCurve(t *testing.T, s *study, where string) Curve {
	t.Helper()
	c, err := s.result().Curve("elapsed", "clients", sel(where))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func fitOf(s CurveSeries, model string) CurveFit {
	for _, f := range s.Fits {
		if f.Model == model {
			return f
		}
	}
	return CurveFit{Refused: "there is no such model"}
}

// R 4: nls(log(y) ~ h(s2, s3) + log(f(x))), with h the effects of three
// blocks that sum to zero; AICc = n log(RSS/n) + 2k + 2k(k+1)/(n-k-1) with k
// parameters, two block effects and the variance; p of the F test against
// lm(log(y) ~ block + factor(x)).
func TestCompetitorsAgainstReference(t *testing.T) {
	times := byLevel(elapsedMS, "1 2 4 8 16 32", []float64{41, 52.5, 69, 113, 188, 352}, []float64{45.2, 55, 77, 118, 210, 371}, []float64{39.5, 48, 70.2, 104, 182, 329})
	s := mustCurve(t, times, "").Series[0]
	tests := []struct {
		model string
		aicc  float64
		lackP float64
		coef  []float64
	}{
		{"linear", -131.812114, 0.977793, []float64{31.83241631, 9.99732923}},
		{"quadratic", -127.334957, 0.951936, []float64{31.717788549, 10.060084191, -0.002790046}},
		{"power law", -59.603718, 9.34765e-09, []float64{math.Exp(3.55977071), 0.61874354}},
	}
	for _, tt := range tests {
		f := fitOf(s, tt.model)
		if !near(f.AICc, tt.aicc, 1e-7) || !near(f.LackP/tt.lackP, 1, 1e-4) || f.Refused != "" {
			t.Errorf("%s: AICc %v, p %v (%s), want %v, %v", tt.model, f.AICc, f.LackP, f.Refused, tt.aicc, tt.lackP)
			continue
		}
		for i, want := range tt.coef {
			if !near(f.Coef[i], want, 2e-5) {
				t.Errorf("%s: %v, want %v", tt.model, f.Coef, tt.coef)
			}
		}
	}
	if s.Fits[0].Model != "linear" || !near(s.Line.LackP, 0.977793, 1e-4) || !near(s.Line.A, 31.83241631, 1e-5) {
		t.Errorf("the best is %s; line %+v", s.Fits[0].Model, s.Line)
	}
	if e := s.Exponent; !near(e.Value, 0.61874354, 1e-7) || !hasWarning(e, stat.Intercept) || !strings.Contains(e.Warnings[len(e.Warnings)-1].Text, "does not fit") {
		t.Errorf("exponent %s %v, want 0.6187 and that it is none", e.Text(), e.Warnings)
	}
}

// R 4, as above, of throughput: log(l*x/(1+s*(x-1)+k*x*(x-1))).
func TestScalabilityLawAgainstReference(t *testing.T) {
	rows := [][]float64{{1000, 1830, 3050, 4520, 5080, 4310}, {1050, 1900, 3260, 4600, 5350, 4400}, {970, 1800, 2990, 4380, 4900, 4250}}
	rate := session.Metric{Name: "elapsed", Unit: "1/s", Better: "higher"}
	f := fitOf(mustCurve(t, byLevel(rate, "1 2 4 8 16 32", rows...), "").Series[0], "scalability law")
	want := []float64{1003.114, 0.08040863, 0.003955409}
	if f.Refused != "" || !near(f.AICc, -146.864389, 1e-6) {
		t.Fatalf("AICc %v (%s), want -146.864389", f.AICc, f.Refused)
	}
	for i := range want {
		if math.Abs(f.Coef[i]/want[i]-1) > 1e-4 {
			t.Errorf("coefficients %v, want %v", f.Coef, want)
		}
	}
	// The time of the same work is one over the rate, and the law is the same.
	for _, row := range rows {
		for i := range row {
			row[i] = 1 / row[i]
		}
	}
	g := fitOf(mustCurve(t, byLevel(elapsedMS, "1 2 4 8 16 32", rows...), "").Series[0], "scalability law")
	if !near(g.AICc, f.AICc, 1e-9) || !near(g.At(8)*f.At(8), 1, 1e-6) {
		t.Errorf("as a time: AICc %v and %v at 8, as a rate %v and %v", g.AICc, g.At(8), f.AICc, f.At(8))
	}
}

func TestAmdahlsLawIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		serial, parallel := rapid.Float64Range(1, 50).Draw(t, "serial"), rapid.Float64Range(10, 100).Draw(t, "parallel")
		s := overClients("1 2 4 8", 6, 1e-4, func(_ string, n float64) float64 { return serial + parallel/n })
		c, err := s.result().Curve("elapsed", "clients", sel("mode=own"))
		if err != nil {
			t.Fatal(err)
		}
		f := fitOf(c.Series[0], "Amdahl's law")
		if f.Refused != "" || math.Abs(f.Coef[1]/(serial/(serial+parallel))-1) > 0.02 {
			t.Fatalf("%v + %v/n: %v (%s)", serial, parallel, f.Coef, f.Refused)
		}
	})
}

func TestCurveHasASeriesForEachOtherLevel(t *testing.T) {
	s := overClients("1 2 4 8", 6, 0.01, func(mode string, n float64) float64 {
		if mode == "own" {
			return 30 + 10*n
		}
		return 20 + 2*n*n
	})
	c := mustCurve(t, s, "")
	if len(c.Series) != 2 || c.Series[1].Selection.String() != "mode=shared" || len(c.Series[0].Points) != 4 {
		t.Fatalf("%+v", c)
	}
	r := s.result()
	for _, one := range c.Series {
		for _, p := range one.Points {
			want := mustValue(t, r, "geomean", "elapsed", one.Selection.String()+" clients="+p.Level)
			if p.Estimate.Text() != want.Text() || p.Estimate.Lo >= p.Estimate.Value {
				t.Errorf("%s at %s: %s, want %s", one.Selection, p.Level, p.Estimate.Text(), want.Text())
			}
		}
	}
	if own, shared := c.Series[0].Line, c.Series[1].Line; !(own.LackP > 0.05) || !(shared.LackP < 1e-6) {
		t.Errorf("lack of fit of a line p = %v, of a parabola p = %v", own.LackP, shared.LackP)
	}
	if best := c.Series[1].Fits[0].Model; best != "quadratic" {
		t.Errorf("the best model of a parabola is %s", best)
	}
	if f := fitOf(c.Series[0], "scalability law"); !strings.Contains(f.Refused, "6") || !math.IsNaN(f.At(2)) {
		t.Errorf("the scalability law over four levels: %q", f.Refused)
	}
	last := c.Series[0].Fits[len(c.Series[0].Fits)-1]
	if last.Refused == "" {
		t.Errorf("refused models come last, and %s is there", last.Model)
	}
}

func TestMachinesAreSeries(t *testing.T) {
	s := newStudy(elapsedMS, "clients: 1 2 4 8")
	for i, m := range []string{"north", "south"} {
		s.run(ids(i+1), m, "randomized-blocks", 5, withNoise(func(l []string) float64 { return 10 }, 0.01))
	}
	c := mustCurve(t, s, "")
	if len(c.Series) != 2 || c.Series[0].Selection.String() != "machine=north" || c.Series[0].Line.Refused != "" {
		t.Errorf("%+v", c.Series)
	}
	if one := mustCurve(t, s, "machine=south"); len(one.Series) != 1 || len(one.Series[0].Selection) != 0 {
		t.Errorf("one machine: %+v", one.Series)
	}
}

// A level without a number is said, and the others are fitted.
func TestLevelsWithoutANumber(t *testing.T) {
	s := newStudy(elapsedMS, "clients: 1 2 4 8 16")
	s.run(ids(1), "m", "randomized-blocks", 5, func(at trialAt) outcome {
		if at.levels[0] == "16" {
			return outcome{status: session.Timeout}
		}
		return withNoise(func([]string) float64 { return 10 }, 0.01)(at)
	})
	one := mustCurve(t, s, "").Series[0]
	if one.Line.Refused != "" || len(one.Line.X) != 4 || !strings.Contains(one.Points[4].Estimate.Refused, "5 timeout") {
		t.Errorf("line over %v (%s), last point %q", one.Line.X, one.Line.Refused, one.Points[4].Estimate.Refused)
	}
}

func TestCurvesThatCannotBeFitted(t *testing.T) {
	line := func(_ string, n float64) float64 { return 30 + 10*n }
	tests := []struct {
		study *study
		want  string
	}{
		{overClients("1 2 4", 6, 0.01, line), "takes 4 levels"},
		{overClients("1 2 4 8", 1, 0.01, line), "takes two blocks"},
		{overClients("1 2 4 8", 6, 0.01, func(string, float64) float64 { return -1 }), "log scale needs values above zero"},
		{newStudy(elapsedMS, "mode: own", "clients: 1 2 4 8"), "nothing, since there is no series"},
	}
	for _, tt := range tests {
		c := mustCurve(t, tt.study, "")
		for _, s := range c.Series {
			if !strings.Contains(s.Line.Refused, tt.want) || len(s.Fits) != 0 || s.Exponent.Refused == "" {
				t.Errorf("line refused with %q, want %q; %d fits", s.Line.Refused, tt.want, len(s.Fits))
			}
		}
	}
	r := overClients("1 2 4 8", 6, 0.01, line).result()
	for _, q := range [][3]string{{"elapsd", "clients", ""}, {"elapsed", "client", ""}, {"elapsed", "mode", ""}, {"elapsed", "clients", "clients=3"}} {
		if _, err := r.Curve(q[0], q[1], sel(q[2])); err == nil {
			t.Errorf("Curve(%q): no error", q)
		}
	}
}

// Blocks that are slower as a whole change no fit and no AICc.
func TestHeightsOfBlocksDoNotMatter(t *testing.T) {
	rows := [][]float64{{41, 52.5, 69, 113, 188}, {45.2, 55, 77, 118, 210}, {39.5, 48, 70.2, 104, 182}}
	want := mustCurve(t, byLevel(elapsedMS, "1 2 4 8 16", rows...), "").Series[0]
	for i := range rows[1] {
		rows[0][i] *= 3
		rows[1][i] /= 3
	}
	got := mustCurve(t, byLevel(elapsedMS, "1 2 4 8 16", rows...), "").Series[0]
	for _, f := range want.Fits {
		if g := fitOf(got, f.Model); f.Refused == "" && (!near(g.AICc, f.AICc, 1e-7) || !near(g.LackP, f.LackP, 1e-6)) {
			t.Errorf("%s: AICc %v and p %v, want %v and %v", f.Model, g.AICc, g.LackP, f.AICc, f.LackP)
		}
	}
}
