package stat

import (
	"math"
	"strconv"
)

var _ = register(map[string]refMethod{
	"bootstrap.ci":                      refBootstrap,
	"bootstrap.studentised":             refBootstrapT,
	"bootstrap.exhaustive":              refExhaustive,
	"bootstrap.hierarchical_exhaustive": refHierarchical,
	"hierarchical.variance_components":  refComponents,
})

// indices are the resamples of the second input file, counted from 0.
func (c refCase) indices() [][]int {
	var out [][]int
	for _, row := range c.rows(1) {
		var picks []int
		for _, s := range row {
			i, err := strconv.Atoi(s)
			if err != nil {
				panic(err)
			}
			picks = append(picks, i-1)
		}
		out = append(out, picks)
	}
	return out
}

func pick(xs []float64, indices []int) []float64 {
	out := make([]float64, len(indices))
	for i, at := range indices {
		out[i] = xs[at]
	}
	return out
}

// statistic is the one that the case names, over its units.
func (c refCase) statistic() (n int, f Statistic) {
	if name := c.text("statistic"); name == "mean" || name == "median" {
		xs := c.values()
		if name == "mean" {
			return len(xs), func(i []int) float64 { return average(pick(xs, i)) }
		}
		return len(xs), func(i []int) float64 { return median(pick(xs, i)) }
	}
	a, b := c.pairs()
	if c.text("statistic") == "ratio_of_means" {
		return len(a), func(i []int) float64 { return average(pick(a, i)) / average(pick(b, i)) }
	}
	d, _ := LogRatios(a, b)
	return len(a), func(i []int) float64 { return math.Exp(average(pick(d, i))) }
}

func refBootstrap(c refCase) (answer, string) {
	n, f := c.statistic()
	b := BootstrapCI(n, f, c.indices(), 0.95)
	return answer{"t0": one(b.T0), "se": one(b.SE), "bias": one(b.Bias), "perc_lo": one(b.Percentile.Lo), "perc_hi": one(b.Percentile.Hi),
		"basic_lo": one(b.Basic.Lo), "basic_hi": one(b.Basic.Hi), "bca_z0": one(b.Z0), "bca_a_jack": one(b.A),
		"bca_p_lo": one(b.Levels[0]), "bca_p_hi": one(b.Levels[1]), "bca_lo": one(b.BCa.Lo), "bca_hi": one(b.BCa.Hi)}, b.Refused
}

func refBootstrapT(c refCase) (answer, string) {
	xs := c.values()
	studentized := func(i []int) (value, se float64) {
		m, v := meanVariance(pick(xs, i))
		return m, math.Sqrt(v / float64(len(i)))
	}
	e := BootstrapT(len(xs), studentized, c.indices(), 0.95)
	_, se := studentized(identity(len(xs)))
	return answer{"t0": one(e.Value), "se": one(se), "lo": one(e.Lo), "hi": one(e.Hi),
		"z_lo": one((e.Value - e.Hi) / se), "z_hi": one((e.Value - e.Lo) / se)}, e.Refused
}

// distribution describes the values of all resamples.
func distribution(values []float64) answer {
	return answer{"n_resamples": one(float64(len(values))), "mean": one(average(values)),
		"sd_pop":     one(math.Sqrt(sumSquares(values) / float64(len(values)))),
		"q025_type1": one(QuantileType(values, 0.025, 1)),
		"q975_type1": one(QuantileType(values, 0.975, 1))}
}

func refExhaustive(c refCase) (answer, string) {
	a, b := c.pairs()
	d, _ := LogRatios(a, b)
	d = d[:min(5, len(d))]
	all, refused := AllIndices(len(d))
	if refused != "" {
		return nil, refused
	}
	got := distribution(replicate(func(i []int) float64 { return average(pick(d, i)) }, all))
	n := float64(len(d))
	got["sd_theory"] = one(math.Sqrt(sumSquares(d) / n / n))
	return got, ""
}

func refHierarchical(c refCase) (answer, string) {
	values, refused := AllHierarchical(c.table(0).groups("run", "value"), MeanOfMeans)
	return distribution(values), refused
}

func refComponents(c refCase) (answer, string) {
	tab := c.table(0)
	if tab.has("build") {
		return refThreeLevels(tab)
	}
	got := answer{}
	means := map[string][]float64{}
	for _, system := range tab.levels("system") {
		runs := tab.where("system", system).groups("run", "value")
		v := Components(flatten(runs), []int{len(runs), len(runs[0])}, 0.95)
		if v.Refused != "" {
			return nil, v.Refused
		}
		got[system+"_mean"], got[system+"_lo"], got[system+"_hi"] = one(v.Mean.Value), one(v.Mean.Lo), one(v.Mean.Hi)
		got[system+"_S1"], got[system+"_S2"], got[system+"_T2"] = one(v.S2[0]), one(v.S2[1]), one(v.T2[1])
		got[system+"_opt_r1_c10_1"] = v.Repetitions([]float64{1, 10})
		for _, run := range runs {
			means[system] = append(means[system], average(run))
		}
	}
	if len(means) == 2 {
		f, _ := independentFieller(means["B"], means["A"], false)
		e := f.interval(0.95, float64(len(means["A"])-1))
		got["fieller_B_over_A_lo"], got["fieller_B_over_A_hi"] = one(e.Lo), one(e.Hi)
	}
	return got, ""
}

func refThreeLevels(tab table) (answer, string) {
	var values []float64
	builds := tab.levels("build")
	for _, build := range builds {
		values = append(values, flatten(tab.where("build", build).groups("run", "value"))...)
	}
	runs, iters := len(tab.levels("run")), len(tab.levels("iter"))
	v := Components(values, []int{len(builds), runs, iters}, 0.95)
	if v.Refused != "" {
		return nil, v.Refused
	}
	r := v.Repetitions([]float64{1, 5, 60})
	return answer{"S1": one(v.S2[0]), "S2": one(v.S2[1]), "S3": one(v.S2[2]), "T1": one(v.T2[0]), "T2": one(v.T2[1]),
		"T3": one(v.T2[2]), "opt_r1": one(r[0]), "opt_r2": one(r[1])}, ""
}

func flatten(rows [][]float64) (out []float64) {
	for _, row := range rows {
		out = append(out, row...)
	}
	return out
}
