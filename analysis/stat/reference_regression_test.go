package stat

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
)

var _ = register(map[string]refMethod{
	"regression.ols":                   refOLS,
	"regression.ols_bands":             refBands,
	"regression.nls":                   refNonlinear,
	"regression.linear_multiplicative": refMultiplicative,
	"regression.loglog_exponent":       refPowerLaw,
	"regression.amdahl":                refAmdahl,
	"regression.usl":                   refUSL,
	"regression.slope_ratio":           refSlopeRatio,
})

func refOLS(c refCase) (answer, string) {
	tab := c.table(0)
	m := c.linearModel(tab)
	if m.Refused != "" {
		return nil, m.Refused
	}
	got := answer{"resid_sd": one(m.Sigma), "r2": one(m.R2), "df_reg": one(m.DFReg), "ss_reg": one(m.SSReg),
		"ms_reg": one(m.SSReg / m.DFReg), "F": one(m.F), "df_res": one(m.DFRes), "ss_res": one(m.SSRes), "ms_res": one(m.SSRes / m.DFRes)}
	first := 1
	if m.intercept {
		first = 0
	}
	for j := range m.Coef {
		got[fmt.Sprintf("b%d", j+first)], got[fmt.Sprintf("se_b%d", j+first)] = one(m.Coef[j]), one(m.SE[j])
	}
	return got, ""
}

// linearModel fits the model that the parameters describe.
func (c refCase) linearModel(tab table) LeastSquares {
	var degree int
	if raw, ok := c.Params["degree"]; ok && json.Unmarshal(raw, &degree) == nil {
		return Polynomial(tab.floats("x"), tab.floats("y"), degree)
	}
	var names []string
	var intercept bool
	_ = json.Unmarshal(c.Params["predictors"], &names)
	_ = json.Unmarshal(c.Params["intercept"], &intercept)
	var columns [][]float64
	for _, name := range names {
		columns = append(columns, tab.floats(name))
	}
	return OLS(columns, tab.floats("y"), intercept)
}

func refBands(c refCase) (answer, string) {
	x, y := c.xy()
	m := FitLine(x, y)
	if m.Refused != "" {
		return nil, m.Refused
	}
	slope := m.Interval(1, 0.95)
	got := answer{"b0": one(m.Coef[0]), "b1": one(m.Coef[1]), "se_b0": one(m.SE[0]), "se_b1": one(m.SE[1]),
		"b1_lo": one(slope.Lo), "b1_hi": one(slope.Hi), "sigma": one(m.Sigma), "r2": one(m.R2),
		"hc3_se": m.HC3, "dw": one(m.DurbinWatson())}
	for _, at := range []float64{1, 5, 10, 20} {
		mean, single := m.Band([]float64{at}, 0.95)
		got["fit"] = append(got["fit"], mean.Value)
		got["ci_lo"], got["ci_hi"] = append(got["ci_lo"], mean.Lo), append(got["ci_hi"], mean.Hi)
		got["pi_lo"], got["pi_hi"] = append(got["pi_lo"], single.Lo), append(got["pi_hi"], single.Hi)
	}
	f, df1, df2, p := m.LackOfFit(x, y)
	got["lof_F"], got["lof_df1"], got["lof_df2"], got["lof_p"] = one(f), one(df1), one(df2), one(p)
	q := Polynomial(x, y, 2)
	got["quad_b2"], got["quad_p"] = one(q.Coef[2]), one(tTwoSided(q.Coef[2]/q.SE[2], q.DFRes))
	bp, bpP := m.BreuschPagan([][]float64{x})
	got["bp_stat"], got["bp_p"] = one(bp), one(bpP)
	return got, ""
}

// start is one of the two starting points, in the order of the parameters.
func (c refCase) start(name string) []float64 {
	byName := map[string]float64{}
	_ = json.Unmarshal(c.Params[name], &byName)
	var out []float64
	for i := range len(byName) {
		out = append(out, byName[fmt.Sprintf("b%d", i+1)])
	}
	return out
}

// refNonlinear must converge from the second start; from the first it must
// agree with that, or say that it did not converge.
func refNonlinear(c refCase) (answer, string) {
	tab := c.table(0)
	f := parseCurve(c.text("model"))
	far := FitCurve(f, tab.floats("x"), tab.floats("y"), c.start("start1"))
	near := FitCurve(f, tab.floats("x"), tab.floats("y"), c.start("start2"))
	if near.Refused != "" {
		return nil, near.Refused
	}
	if !near.Converged {
		return nil, "no convergence from the second start"
	}
	if far.Converged && math.Abs(far.RSS-near.RSS) > 1e-6*near.RSS {
		return nil, fmt.Sprintf("claims to converge to %v from the first start, with residuals of %g", far.Coef, far.RSS)
	}
	got := answer{"rss": one(near.RSS), "resid_sd": one(near.Sigma), "df": one(near.DF)}
	for j := range near.Coef {
		got[fmt.Sprintf("b%d", j+1)], got[fmt.Sprintf("se_b%d", j+1)] = one(near.Coef[j]), one(near.SE[j])
	}
	return got, ""
}

func refMultiplicative(c refCase) (answer, string) {
	tab := c.table(0).where("mode", "shared")
	x, y, block := tab.floats("clients"), tab.floats("completion_s"), tab.index("block")
	m := FitMultiplicativeLine(x, y, block, 0.90)
	if m.Refused != "" {
		return nil, m.Refused
	}
	exponent, f, p := blockedPowerLaw(x, y, block)
	return answer{"a": one(m.A), "b": one(m.B), "rss": one(m.RSS), "rss_full": one(m.RSSFull), "df_error": one(m.DFError),
		"lof_F": one(m.LackF), "lof_p": one(m.LackP), "power_exponent": one(exponent), "power_lof_F": one(f), "power_lof_p": one(p)}, ""
}

// blockedPowerLaw is the slope of ln y on ln x within blocks, and its lack of
// fit against one mean per x.
func blockedPowerLaw(x, y []float64, block []int) (exponent, f, p float64) {
	rows, distinct, _ := curveRows(x, y, block)
	lx, means := logs(distinct), columnMeans(rows)
	exponent = Slope(lx, means)
	center, grand := average(lx), average(means)
	lack := 0.0
	for j := range lx {
		d := means[j] - grand - exponent*(lx[j]-center)
		lack += float64(len(rows)) * d * d
	}
	d, _ := rowsDesign(rows)
	a := FactorialBlocks(d)
	df := float64(len(lx) - 2)
	f = lack / df / a.Residual.MS
	return exponent, f, fUpper(f, df, a.Residual.DF)
}

func refPowerLaw(c refCase) (answer, string) {
	x, y := c.xy()
	p := FitPowerLaw(x, y, 0.95)
	return answer{"exponent": one(p.Exponent.Value), "se": one(p.SE), "lo": one(p.Exponent.Lo), "hi": one(p.Exponent.Hi),
		"prefactor": one(p.Prefactor), "t_slope_eq_1": one(p.T), "p_slope_eq_1": one(p.P), "lof_F": one(p.LackF), "lof_p": one(p.LackP)}, p.Refused
}

func refAmdahl(c refCase) (answer, string) {
	x, y := c.xy()
	a := FitAmdahl(x, y, 0.95)
	return answer{"T1": one(a.T1), "serial": one(a.Serial), "parallel": one(a.Parallel),
		"serial_fraction": one(a.Fraction.Value), "se_delta": one(a.FractionSE), "rss": one(a.RSS)}, a.Refused
}

func refUSL(c refCase) (answer, string) {
	u := FitUSL(c.xy())
	return answer{"lambda": one(u.Lambda), "sigma": one(u.Sigma), "kappa": one(u.Kappa), "se_lambda": one(u.SELambda),
		"se_sigma": one(u.SESigma), "se_kappa": one(u.SEKappa), "rss": one(u.RSS), "df": one(u.DF), "n_peak": one(u.Peak)}, u.Refused
}

func refSlopeRatio(c refCase) (answer, string) {
	slopes := map[string][]float64{}
	for _, mode := range c.table(0).levels("mode") {
		tab := c.table(0).where("mode", mode)
		for _, block := range tab.levels("block") {
			one := tab.where("block", block)
			slopes[mode] = append(slopes[mode], Slope(one.floats("clients"), one.floats("completion_s")))
		}
	}
	if !slices.Equal(slices.Sorted(maps.Keys(slopes)), []string{"perclient", "shared"}) {
		return nil, "the modes are not those of the case"
	}
	t := PairedLogRatio(slopes["perclient"], slopes["shared"], 0.95)
	shared := Mean(slopes["shared"], 0.95)
	return answer{"slope_shared": one(shared.Value), "slope_shared_lo": one(shared.Lo), "slope_shared_hi": one(shared.Hi),
		"slope_perclient": one(average(slopes["perclient"])), "slope_ratio": one(t.Value), "lo": one(t.Lo), "hi": one(t.Hi), "p": one(t.P)}, t.Refused
}
