package stat

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// odd are inputs that methods meet sooner or later.
var odd = map[string][]float64{
	"nothing":     {},
	"one value":   {3},
	"two values":  {1, 2},
	"equal":       {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
	"zeros":       {0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	"negative":    {-3, -1, -2, -5, -4, -9, -7, -8, -6, -10},
	"with NaN":    {1, 2, math.NaN(), 4, 5, 6, 7, 8, 9, 10, 11},
	"with Inf":    {1, 2, math.Inf(1), 4, 5, 6, 7, 8, 9, 10, 11},
	"huge":        {1e300, -1e300, 1e299, 3e300, 1, 2, 3, 4, 5, 6},
	"tiny":        {1e-300, 2e-300, 4e-300, 3e-300, 7e-300, 5e-300, 6e-300, 1e-299},
	"nearly same": {1, 1 + 1e-15, 1, 1, 1 + 1e-15, 1, 1, 1, 1, 1},
	"plain":       {5, 3, 8, 6, 7, 9, 4, 2, 10, 1, 12, 11, 15, 13, 14, 18, 17, 16, 20, 19, 21},
}

// oneSample are all functions of one sample: each gives the refusal, and the
// number that must then be undefined.
var oneSample = map[string]func(xs []float64) (refused string, value float64){
	"Mean":          func(x []float64) (string, float64) { e := Mean(x, 0.95); return e.Refused, e.Value },
	"GeoMean":       func(x []float64) (string, float64) { e := GeoMean(x, 0.95); return e.Refused, e.Value },
	"Median":        func(x []float64) (string, float64) { e := Median(x, 0.95); return e.Refused, e.Value },
	"QuantileCI":    func(x []float64) (string, float64) { e := QuantileCI(x, 0.9, 0.95); return e.Refused, e.Value },
	"PairedT":       func(x []float64) (string, float64) { e := PairedT(x, 0, 0.95); return e.Refused, e.Value },
	"HodgesLehmann": func(x []float64) (string, float64) { e := HodgesLehmann(x, 0.95); return e.Refused, e.Value },
	"TOST":          func(x []float64) (string, float64) { e := TOST(x, -1, 1, 0.9); return e.Refused, e.Value },
	"TOSTSignedRank": func(x []float64) (string, float64) {
		e := TOSTSignedRank(x, -1, 1, 0.9)
		return e.Refused, e.Value
	},
	"SignedRank":     func(x []float64) (string, float64) { e := SignedRank(x, 0); return e.Refused, e.P },
	"Outliers":       func(x []float64) (string, float64) { e := Outliers(x); return e.Refused, e.Lo },
	"ShapiroWilk":    func(x []float64) (string, float64) { e := ShapiroWilk(x); return e.Refused, e.W },
	"Dip":            func(x []float64) (string, float64) { e := Dip(x); return e.Refused, e.D },
	"MannKendall":    func(x []float64) (string, float64) { e := MannKendall(x); return e.Refused, e.P },
	"SenSlope":       func(x []float64) (string, float64) { e := SenSlope(x, 0.95); return e.Refused, e.Value },
	"LjungBox":       func(x []float64) (string, float64) { e := LjungBox(x, 4); return e.Refused, e.P },
	"RunsTest":       func(x []float64) (string, float64) { e := RunsTest(x); return e.Refused, e.P },
	"RankVonNeumann": func(x []float64) (string, float64) { e := RankVonNeumann(x); return e.Refused, e.P },
	"Pettitt":        func(x []float64) (string, float64) { e := Pettitt(x); return e.Refused, e.P },
	"Steady":         func(x []float64) (string, float64) { e := Steady(x); return e.Refused, e.Mean },
	"JainInterval":   func(x []float64) (string, float64) { e := JainInterval(x, 0.95); return e.Refused, e.Value },
	"JainOf":         func(x []float64) (string, float64) { e := JainOf(x); return e.Refused, e.J },
	"Components": func(x []float64) (string, float64) {
		e := Components(x, []int{2, len(x) / 2}, 0.95)
		return e.Refused, e.Mean.Value
	},
	"BootstrapCI": func(x []float64) (string, float64) {
		e := BootstrapCI(len(x), func(i []int) float64 { return average(pick(x, i)) }, RandomIndices(len(x), 100, 1), 0.95)
		return e.Refused, e.T0
	},
	"PELT": func(x []float64) (string, float64) {
		return PELT(x, MeanVarianceChange, 10).Refused, math.NaN()
	},
}

// twoSamples are all functions of two samples.
var twoSamples = map[string]func(a, b []float64) (refused string, value float64){
	"PairedLogRatio": func(a, b []float64) (string, float64) { e := PairedLogRatio(a, b, 0.95); return e.Refused, e.Value },
	"HodgesLehmannRatio": func(a, b []float64) (string, float64) {
		e := HodgesLehmannRatio(a, b, 0.95)
		return e.Refused, e.Value
	},
	"WelchT":     func(a, b []float64) (string, float64) { e := WelchT(a, b, 0.95); return e.Refused, e.Value },
	"WelchRatio": func(a, b []float64) (string, float64) { e := WelchRatio(a, b, 0.95); return e.Refused, e.Value },
	"TOSTWelch":  func(a, b []float64) (string, float64) { e := TOSTWelch(a, b, -1, 1, 0.9); return e.Refused, e.Value },
	"MannWhitney": func(a, b []float64) (string, float64) {
		e := MannWhitney(a, b)
		return e.Refused, e.P
	},
	"HodgesLehmannShift": func(a, b []float64) (string, float64) {
		e := HodgesLehmannShift(a, b, 0.95)
		return e.Refused, e.Value
	},
	"CliffsDelta":   func(a, b []float64) (string, float64) { e := CliffsDelta(a, b, 0.95); return e.Refused, e.Value },
	"HedgesG":       func(a, b []float64) (string, float64) { e := HedgesG(a, b, 0.95); return e.Refused, e.Value },
	"FiellerPaired": func(a, b []float64) (string, float64) { e := FiellerPaired(a, b, 0.95); return e.Refused, e.Value },
	"FiellerIndependent": func(a, b []float64) (string, float64) {
		e := FiellerIndependent(a, b, false, 0.95)
		return e.Refused, e.Value
	},
	"KolmogorovSmirnov": func(a, b []float64) (string, float64) { e := KolmogorovSmirnov(a, b); return e.Refused, e.D },
	"Kendall":           func(a, b []float64) (string, float64) { e := Kendall(a, b); return e.Refused, e.P },
	"TheilSen":          func(a, b []float64) (string, float64) { e := TheilSen(a, b); return e.Refused, e.Slope },
	"FitAmdahl":         func(a, b []float64) (string, float64) { return FitAmdahl(a, b, 0.95).Refused, math.NaN() },
	"FitUSL":            func(a, b []float64) (string, float64) { return FitUSL(a, b).Refused, math.NaN() },
	"FitPowerLaw":       func(a, b []float64) (string, float64) { return FitPowerLaw(a, b, 0.95).Refused, math.NaN() },
	"FitMultiplicativeLine": func(a, b []float64) (string, float64) {
		return FitMultiplicativeLine(a, b, make([]int, len(a)), 0.95).Refused, math.NaN()
	},
	"OLS":        func(a, b []float64) (string, float64) { return OLS([][]float64{a}, b, true).Refused, math.NaN() },
	"Polynomial": func(a, b []float64) (string, float64) { return Polynomial(a, b, 2).Refused, math.NaN() },
	"OneWay":     func(a, b []float64) (string, float64) { e := OneWay([][]float64{a, b}); return e.Refused, e.SSWithin },
	"KruskalWallis": func(a, b []float64) (string, float64) {
		e := KruskalWallis([][]float64{a, b})
		return e.Refused, e.P
	},
	"Variances": func(a, b []float64) (string, float64) {
		e := Variances([][]float64{a, b})
		return e.Refused, e.BrownForsythe
	},
	"TukeyHSD": func(a, b []float64) (string, float64) {
		_, why := TukeyHSD([][]float64{a, b}, 0.95)
		return why, math.NaN()
	},
	"Friedman": func(a, b []float64) (string, float64) {
		e := Friedman([][]float64{a, b, a, b, a})
		return e.Refused, e.P
	},
	"FriedmanPairs": func(a, b []float64) (string, float64) {
		e := FriedmanPairs([][]float64{a, b, a, b, a})
		return e.Refused, e.CriticalDifference
	},
	"FriedmanExact": func(a, b []float64) (string, float64) { p, why := FriedmanExact([][]float64{a, b}); return why, p },
	"TukeyBlocks": func(a, b []float64) (string, float64) {
		_, why := TukeyBlocks([][]float64{a, b, a, b, a}, 0.95)
		return why, math.NaN()
	},
	"Permutation": func(a, b []float64) (string, float64) {
		if len(a)+len(b) > 20 { // drawing is slow and not at issue here
			a, b = a[:min(len(a), 6)], b[:min(len(b), 6)]
		}
		e := Permutation(a, b, 1)
		return e.Refused, e.P
	},
	"FitCurve": func(a, b []float64) (string, float64) {
		line := func(p []float64, x float64) float64 { return p[0] + p[1]*x }
		return FitCurve(line, a, b, []float64{1, 1}).Refused, math.NaN()
	},
}

// judge runs one function and says what is wrong with how it took the input.
func judge(missing bool, run func() (refused string, value float64)) (complaint string) {
	defer func() {
		if r := recover(); r != nil {
			complaint = fmt.Sprintf("panics: %v", r)
		}
	}()
	refused, value := run()
	if missing && refused == "" {
		return fmt.Sprintf("takes a missing value and gives %v", value)
	}
	if refused != "" && !math.IsNaN(value) {
		return fmt.Sprintf("refuses (%s) and still gives %v", refused, value)
	}
	return ""
}

// missing tells whether an input holds a value that is no finite number.
func missing(xs []float64) bool {
	return slices.ContainsFunc(xs, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// unchanged tells whether two slices are the same bit by bit.
func unchanged(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

func TestOddSamplesAreTakenOrRefused(t *testing.T) {
	for name, f := range oneSample {
		for kind, xs := range odd {
			before := slices.Clone(xs)
			if c := judge(missing(xs), func() (string, float64) { return f(xs) }); c != "" {
				t.Errorf("%s of %s %s", name, kind, c)
			}
			if !unchanged(xs, before) {
				t.Errorf("%s changes its argument %v to %v", name, before, xs)
			}
		}
	}
}

func TestOddPairsOfSamplesAreTakenOrRefused(t *testing.T) {
	for name, f := range twoSamples {
		for kindA, a := range odd {
			for kindB, b := range odd {
				beforeA, beforeB := slices.Clone(a), slices.Clone(b)
				bad := missing(a) || missing(b)
				if c := judge(bad, func() (string, float64) { return f(a, b) }); c != "" {
					t.Errorf("%s of %s and %s %s", name, kindA, kindB, c)
				}
				if !unchanged(a, beforeA) || !unchanged(b, beforeB) {
					t.Fatalf("%s changes its arguments", name)
				}
			}
		}
	}
}

func TestOddArgumentsAreUndefined(t *testing.T) {
	xs := odd["plain"]
	nan := math.NaN()
	for name, got := range map[string]float64{
		"quantile at 2":                               Quantile(xs, 2),
		"quantile of type 10":                         QuantileType(xs, 0.5, 10),
		"quantile of NaN":                             Quantile(odd["with NaN"], 0.5),
		"Harrell-Davis at 0":                          HarrellDavis(xs, 0),
		"trimmed mean of half":                        TrimmedMean(xs, 0.5),
		"mean at confidence 1":                        Mean(xs, 1).Value,
		"mean at confidence NaN":                      Mean(xs, nan).Value,
		"paired t against NaN":                        PairedT(xs, nan, 0.95).Value,
		"margin of no width":                          TOST(xs, 1, 1, 0.9).P,
		"power of no noise":                           TPower{SD: 0, Alpha: 0.05, Samples: 1}.Power(10, 1),
		"power of two one-sided tests with one block": PowerTOST(1, 0, 1, -1, 1, 0.05),
		"upper sd of one block":                       UpperSD(1, 1, 0.8),
		"slope over equal x":                          Slope([]float64{1, 1}, []float64{1, 2}),
		"efficiency of nothing":                       RelativeEfficiency(ANOVA{}),
		"block variance":                              BlockVariance(ANOVA{Refused: "x"}),
		"nonadditivity":                               Nonadditivity([][]float64{{1, 2}}).F,
	} {
		if !math.IsNaN(got) {
			t.Errorf("%s is %v, want NaN", name, got)
		}
	}
	if p, exact := SignFlip(nil, 1); !math.IsNaN(p) || exact {
		t.Errorf("SignFlip of nothing = %v, %v", p, exact)
	}
	if BlocksForHalfWidth(nan, 1, 0.95)+BlocksForHalfWidth(1, 0, 0.95)+BlocksForHalfWidth(1, 1e-9, 0.95) != 0 {
		t.Error("blocks for an impossible half-width are not 0")
	}
}

func TestOddDesignsAreRefused(t *testing.T) {
	y := []float64{1, 2, 3, 4}
	for name, d := range map[string]Design{
		"empty":             {},
		"no levels":         {Y: y, Block: []int{1, 1, 2, 2}, Levels: [][]int{{}, {}, {}, {}}},
		"levels missing":    {Y: y, Block: []int{1, 1, 2, 2}, Levels: [][]int{{0}, {1}, {0}}},
		"blocks missing":    {Y: y, Levels: [][]int{{0}, {1}, {0}, {1}}},
		"ragged":            {Y: y, Block: []int{1, 1, 2, 2}, Levels: [][]int{{0}, {1, 1}, {0}, {1}}},
		"one treatment":     {Y: y, Block: []int{1, 2, 3, 4}, Levels: [][]int{{0}, {0}, {0}, {0}}},
		"one block":         {Y: y[:2], Block: []int{1, 1}, Levels: [][]int{{0}, {1}}},
		"not crossed":       {Y: y, Block: []int{1, 1, 2, 2}, Levels: [][]int{{0, 0}, {1, 1}, {2, 2}, {3, 3}}},
		"hard factors":      {Y: y, Block: []int{1, 1, 2, 2}, Levels: [][]int{{0}, {1}, {0}, {1}}, HardFactors: []bool{true, true}},
		"few error degrees": {Y: y, Block: []int{1, 1, 2, 2}, Levels: [][]int{{0}, {1}, {0}, {1}}},
		"missing value":     {Y: []float64{1, 2, 3, math.NaN()}, Block: []int{1, 1, 2, 2}, Levels: [][]int{{0}, {1}, {0}, {1}}},
	} {
		for table, a := range map[string]ANOVA{"FactorialBlocks": FactorialBlocks(d), "SplitPlot": SplitPlot(d),
			"Unbalanced": Unbalanced(d, TypeII), "MultiMachine": MultiMachine(d, make([]int, len(d.Y)))} {
			if a.Refused == "" || len(a.Rows) > 0 {
				t.Errorf("%s of a design that is %s: %+v, must refuse", table, name, a)
			}
		}
	}
	if x, why := BlockContrasts(Design{Y: y, Block: []int{1, 1, 2, 2}, Levels: [][]int{{0}, {1}, {0}, {1}}}, []int{3}); x != nil || why == "" {
		t.Errorf("a contrast of an unknown factor: %v", x)
	}
	if a := LatinSquare([]int{1}, []int{1, 2}, []int{1}, y); a.Refused == "" {
		t.Errorf("an odd Latin square: %+v, must refuse", a)
	}
	if c := CarryOver(nil, nil, nil, nil, y); c.Refused == "" {
		t.Errorf("carry-over of nothing: %+v, must refuse", c)
	}
}
