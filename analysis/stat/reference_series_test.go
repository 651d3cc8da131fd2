package stat

import "math"

var _ = register(map[string]refMethod{
	"diagnostic.mann_kendall":     refMannKendall,
	"diagnostic.kendall_exact":    refKendallExact,
	"diagnostic.autocorrelation":  refAutocorrelation,
	"diagnostic.runs_test":        refRuns,
	"diagnostic.von_neumann_rank": refVonNeumann,
	"changepoint.pettitt":         refPettitt,
	"changepoint.pelt":            refPELT,
	"regression.theil_sen":        refTheilSen,
	"regression.sen_slope_ci":     refSenSlope,
})

func refMannKendall(c refCase) (answer, string) {
	t := MannKendall(c.values())
	return answer{"S": one(t.S), "varS": one(t.VarS), "z_cc": one(t.Z), "p_cc": one(t.P), "tau_b": one(t.TauB)}, t.Refused
}

func refKendallExact(c refCase) (answer, string) {
	xs := c.values()[:9]
	t := Kendall(timeOf(xs), xs)
	concordant := (t.S + float64(len(xs)*(len(xs)-1)/2)) / 2
	return answer{"T": one(concordant), "tau": one(t.TauB), "p": one(t.PExact)}, t.Refused
}

func refAutocorrelation(c refCase) (answer, string) {
	xs := c.values()
	h := DefaultLag(len(xs))
	first, all := LjungBox(xs, 1), LjungBox(xs, h)
	return answer{"acf": Autocorrelation(xs, 10), "LB1": one(first.LjungBox), "LB1_p": one(first.P), "h": one(float64(h)),
		"LBh": one(all.LjungBox), "LBh_p": one(all.P), "BPh": one(all.BoxPierce)}, first.Refused
}

func refRuns(c refCase) (answer, string) {
	t := RunsTest(c.values())
	return answer{"n1": one(float64(t.Above)), "n2": one(float64(t.Below)), "runs": one(t.Statistic), "z": one(t.Z), "p": one(t.P)}, t.Refused
}

func refVonNeumann(c refCase) (answer, string) {
	t := RankVonNeumann(c.values())
	return answer{"RVN": one(t.Statistic), "z": one(t.Z), "p": one(t.P)}, t.Refused
}

func refPettitt(c refCase) (answer, string) {
	t := Pettitt(c.values())
	return answer{"K": one(float64(t.At)), "U": one(t.U), "p": one(t.P)}, t.Refused
}

func refPELT(c refCase) (answer, string) {
	xs := c.values()
	n := float64(len(xs))
	s := PELT(xs, MeanVarianceChange, DefaultPenalty(len(xs)))
	mbic := PELT(xs, MeanVarianceMBIC, 4*math.Log(n))
	scaled := make([]float64, len(xs))
	for i, x := range xs {
		scaled[i] = x / deviation(xs)
	}
	mean := PELT(scaled, MeanChange, 3*math.Log(n))
	got := answer{"meanvar_15logn": floats(s.Changes()), "meanvar_MBIC": floats(mbic.Changes()),
		"mean_scaled_3logn": floats(mean.Changes()), "n_changepoints": one(float64(len(s.Changes())))}
	for _, g := range s.Segments {
		got["means"] = append(got["means"], g.Mean)
		got["vars_mle"] = append(got["vars_mle"], g.Variance)
	}
	return got, s.Refused
}

// floats are whole numbers as an answer.
func floats(xs []int) []float64 {
	out := []float64{}
	for _, x := range xs {
		out = append(out, float64(x))
	}
	return out
}

// xy are the columns of a curve, x being time where there is no x.
func (c refCase) xy() (x, y []float64) {
	tab := c.table(0)
	if tab.has("x") {
		return tab.floats("x"), tab.floats("y")
	}
	return tab.floats("t"), tab.floats("value")
}

func refTheilSen(c refCase) (answer, string) {
	l := TheilSen(c.xy())
	return answer{"slope": one(l.Slope), "intercept": one(l.Intercept), "intercept_conover": one(l.InterceptConover),
		"n_slopes": one(float64(l.Slopes))}, l.Refused
}

func refSenSlope(c refCase) (answer, string) {
	t := SenSlope(c.values(), 0.95)
	return answer{"slope": one(t.Value), "lo": one(t.Lo), "hi": one(t.Hi), "z": one(t.T), "p": one(t.P)}, t.Refused
}
