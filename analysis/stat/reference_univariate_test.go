package stat

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
)

// referenceMethods are all methods of the corpus that are implemented.
var referenceMethods = map[string]refMethod{}

func register(methods map[string]refMethod) bool {
	maps.Copy(referenceMethods, methods)
	return true
}

var _ = register(map[string]refMethod{
	"univariate.summary":                refSummary,
	"univariate.quantile":               refQuantile,
	"univariate.quantile.harrell_davis": refHarrellDavis,
	"quantile.ci.order_statistic":       refQuantileCI,
	"mean.ci.t":                         refMeanCI,
	"outlier.flags":                     refOutliers,
	"multiplicity":                      refMultiplicity,
	"normality.shapiro_wilk":            refShapiro,
	"multimodality.dip":                 refDip,
	"fairness.jain":                     refJain,
	"adaptive.fixed_width":              refFixedWidth,
})

func refSummary(c refCase) (answer, string) {
	xs := c.values()
	s := Summarize(xs)
	return answer{"n": one(float64(s.N)), "mean": one(s.Mean), "median": one(s.Median),
		"sd": one(s.SD), "var": one(s.Variance), "sem": one(s.SEM), "cv": one(s.CV),
		"mad": one(s.MAD), "mad_raw": one(s.RawMAD), "iqr7": one(s.IQR), "iqr8": one(s.IQR8),
		"trim10": one(s.Trimmed10), "trim20": one(s.Trimmed20), "geomean": one(s.GeoMean),
		"geosd": one(s.GeoSD), "harmonic": one(s.HarmonicMean), "min": one(s.Min), "max": one(s.Max),
		"skew_G1": one(s.Skewness), "exkurt_G2": one(s.Kurtosis), "acf1": Autocorrelation(xs, 1)}, ""
}

func refQuantile(c refCase) (answer, string) {
	xs := c.values()
	ps, _ := numbers(c.Expected["p"])
	got := answer{"p": ps}
	for typ := 1; typ <= 9; typ++ {
		var qs []float64
		for _, p := range ps {
			qs = append(qs, QuantileType(xs, p, typ))
		}
		got[fmt.Sprintf("type%d", typ)] = qs
	}
	return got, ""
}

func refHarrellDavis(c refCase) (answer, string) {
	got := answer{}
	for key := range c.Expected {
		var percent float64
		if _, err := fmt.Sscanf(key, "p%g", &percent); err == nil {
			got[key] = one(HarrellDavis(c.values(), percent/100))
		}
	}
	return got, ""
}

func refQuantileCI(c refCase) (answer, string) {
	xs := c.values()
	got := answer{"n": one(float64(len(xs)))}
	for _, p := range []float64{0.5, 0.9, 0.95, 0.99} {
		e := QuantileCI(xs, p, 0.95)
		if e.Refused != "" {
			return nil, e.Refused
		}
		lo, hi, _ := quantileRanks(len(xs), p, 0.95)
		name := fmt.Sprintf("p%g", 100*p)
		got[name+"_lo"], got[name+"_hi"], got[name+"_coverage"] = one(e.Lo), one(e.Hi), one(e.Confidence)
		got[name+"_lo_rank"], got[name+"_hi_rank"] = one(float64(lo)), one(float64(hi))
	}
	return got, ""
}

func refMeanCI(c refCase) (answer, string) {
	m, g := Mean(c.values(), 0.95), GeoMean(c.values(), 0.95)
	return answer{"mean": one(m.Value), "lo": one(m.Lo), "hi": one(m.Hi),
		"geomean": one(g.Value), "geo_lo": one(g.Lo), "geo_hi": one(g.Hi)}, m.Refused
}

func refOutliers(c refCase) (answer, string) {
	o := Outliers(c.values())
	return answer{"tukey_lo": one(o.Lo), "tukey_hi": one(o.Hi), "tukey_lo3": one(o.FarLo), "tukey_hi3": one(o.FarHi),
		"n_mild": one(float64(o.Mild)), "n_severe": one(float64(o.Severe)), "n_madz_3.5": one(o.BeyondMAD),
		"max_abs_z": one(o.LargestZ), "mad_low": one(o.LowerMAD), "mad_high": one(o.UpperMAD)}, o.Refused
}

func refMultiplicity(c refCase) (answer, string) {
	ps := c.table(0).floats("p")
	return answer{"holm": Holm(ps), "bh": BenjaminiHochberg(ps), "by": BenjaminiYekutieli(ps),
		"bonferroni": Bonferroni(ps), "hochberg": Hochberg(ps), "hommel": Hommel(ps)}, ""
}

func refShapiro(c refCase) (answer, string) {
	s, l := ShapiroWilk(c.values()), ShapiroWilk(logs(c.values()))
	return answer{"W": one(s.W), "p": one(s.P), "W_log": one(l.W), "p_log": one(l.P)}, s.Refused
}

func refDip(c refCase) (answer, string) {
	d := Dip(c.values())
	return answer{"dip": one(d.D), "p_interp": one(d.P), "n": one(float64(d.N))}, d.Refused
}

func refJain(c refCase) (answer, string) {
	trials := c.table(0).groups("trial", "x")
	var js []float64
	for _, x := range trials {
		js = append(js, Jain(x))
	}
	m, first := Mean(js, 0.95), JainOf(trials[0])
	_, v := meanVariance(trials[0])
	k, mean := float64(len(trials[0])), average(trials[0])
	return answer{"J": js, "mean": one(m.Value), "mean_lo": one(m.Lo), "mean_hi": one(m.Hi),
		"jack_t1_est": one(first.Jackknife), "jack_t1_se": one(first.SE), "max_min": one(first.MaxMin),
		"cv2_identity": one(1 / (1 + v*(k-1)/k/(mean*mean)))}, m.Refused
}

func refFixedWidth(c refCase) (answer, string) {
	xs := c.values()
	got := answer{}
	for key := range c.Expected {
		var w float64
		if _, err := fmt.Sscanf(key, "n_t_%g", &w); err == nil {
			got[key] = reached(FixedWidth(xs, w, 0.95, 10))
		}
		if _, err := fmt.Sscanf(key, "n_chow_robbins_%g", &w); err == nil {
			got[key] = reached(ChowRobbins(xs, w, 0.95, 10))
		}
	}
	lo, hi := ConfirmRanks(len(xs), 0.95)
	s := sorted(xs)
	got["confirm_lo_rank"], got["confirm_hi_rank"] = one(float64(lo)), one(float64(hi))
	got["confirm_lo"], got["confirm_hi"] = one(orderStatistic(s, lo)), one(orderStatistic(s, hi))
	return got, ""
}

// reached is undefined where no sample size was enough.
func reached(n int) []float64 {
	if n == 0 {
		return one(math.NaN())
	}
	return one(float64(n))
}

// text is a parameter of type string.
func (c refCase) text(name string) string {
	var s string
	_ = json.Unmarshal(c.Params[name], &s)
	return s
}
