package stat

import (
	"fmt"
	"math"
	"slices"
)

var _ = register(map[string]refMethod{
	"anova.oneway":           refOneWay,
	"anova.rcbd":             refBlocks,
	"anova.factorial_blocks": refFactorial,
	"anova.split_plot":       refSplitPlot,
	"anova.latin_square":     refLatin,
	"anova.multi_machine":    refMachines,
	"anova.types_unbalanced": refTypes,
	"mixed.lmer_balanced":    refMixed,
	"diagnostic.carry_over":  refCarryOver,
	"effect.block_contrasts": refContrasts,
	"equivalence.by_level":   refByLevel,
})

func refOneWay(c refCase) (answer, string) {
	t := OneWay(c.table(0).groups("group", "value"))
	return answer{"F": one(t.F), "p": one(t.P), "ss_between": one(t.SSBetween), "ss_within": one(t.SSWithin),
		"ms_between": one(t.MSBetween), "ms_within": one(t.MSWithin), "df_between": one(t.DFBetween), "df_within": one(t.DFWithin),
		"r2": one(t.R2), "resid_sd": one(t.ResidualSD), "welch_F": one(t.WelchF), "welch_df1": one(t.WelchDF1),
		"welch_df2": one(t.WelchDF2), "welch_p": one(t.WelchP)}, t.Refused
}

func refBlocks(c refCase) (answer, string) {
	rows := c.blocksByTreatment()
	for i := range rows {
		rows[i] = logs(rows[i])
	}
	d, _ := rowsDesign(rows)
	a := FactorialBlocks(d)
	if a.Refused != "" {
		return nil, a.Refused
	}
	n := Nonadditivity(rows)
	got := answer{"F_treatment": one(a.Rows[0].F), "p_treatment": one(a.Rows[0].P), "F_block": one(a.Blocks.F),
		"mse": one(a.Residual.MS), "df_resid": one(a.Residual.DF), "rel_efficiency": one(RelativeEfficiency(a)),
		"tukey_nonadditivity_F": one(n.F), "tukey_nonadditivity_p": one(n.P)}
	for _, m := range columnMeans(rows) {
		got["geomeans"] = append(got["geomeans"], math.Exp(m))
	}
	pairs, refused := TukeyBlocks(rows, 0.95)
	for _, p := range pairs { // the case has the earlier treatment less the later one
		got["pair_log_diff"] = append(got["pair_log_diff"], -p.Value)
		got["pair_lo"], got["pair_hi"] = append(got["pair_lo"], -p.Hi), append(got["pair_hi"], -p.Lo)
		got["pair_p_tukey"] = append(got["pair_p_tukey"], p.P)
	}
	return got, refused
}

// design is the factorial design of a table, with logarithms of y.
func (tab table) design(y string, factors ...string) Design {
	d := Design{Block: tab.index("block"), Y: logs(tab.floats(y))}
	d.Levels = make([][]int, len(d.Y))
	for _, f := range factors {
		for i, level := range tab.index(f) {
			d.Levels[i] = append(d.Levels[i], level)
		}
	}
	return d
}

func refFactorial(c refCase) (answer, string) {
	got := answer{}
	for _, machine := range c.table(0).levels("machine") {
		d := c.table(0).where("machine", machine).design("time_s", "mode", "sessions")
		a := FactorialBlocks(d)
		if a.Refused != "" {
			return nil, a.Refused
		}
		key := func(s string) string { return machine + "." + s }
		for i, name := range []string{"mode", "sessions", "int"} {
			got[key("F_"+name)], got[key("p_"+name)] = one(a.Rows[i].F), one(a.Rows[i].P)
		}
		got[key("mse")], got[key("df")] = one(a.Residual.MS), one(a.Residual.DF)
		// Effects with the pooled error; the first level over the second.
		for name, term := range map[string][]int{"ratio_pip_thr": {0}, "ratio_1_2": {1}, "int": {0, 1}} {
			x, _ := BlockContrasts(d, term)
			size := -average(x)
			se := math.Sqrt(a.Residual.MS / float64(a.N))
			if len(term) == 2 {
				size, se = -size, 2*se
			}
			half := TQuantile(0.975, a.Residual.DF) * se
			value := key(name)
			if name == "int" {
				value = key("int_ratio")
			}
			got[value], got[key(name)+"_lo"], got[key(name)+"_hi"] = one(math.Exp(size)), one(math.Exp(size-half)), one(math.Exp(size+half))
		}
	}
	return got, ""
}

func refSplitPlot(c refCase) (answer, string) {
	d := c.table(0).design("y", "A", "B")
	wrong := FactorialBlocks(d)
	d.HardFactors = []bool{true, false}
	a := SplitPlot(d)
	if a.Refused != "" {
		return nil, a.Refused
	}
	return answer{"F_A": one(a.Rows[0].F), "p_A": one(a.Rows[0].P), "df_wp_error": one(a.Rows[0].ErrorDF),
		"F_B": one(a.Rows[1].F), "p_B": one(a.Rows[1].P), "F_AB": one(a.Rows[2].F), "p_AB": one(a.Rows[2].P),
		"df_sp_error": one(a.Rows[1].ErrorDF), "F_A_if_wrongly_rcbd": one(wrong.Rows[0].F)}, ""
}

func refLatin(c refCase) (answer, string) {
	tab := c.table(0)
	a := LatinSquare(tab.index("row"), tab.index("col"), tab.index("treatment"), tab.floats("y"))
	if a.Refused != "" {
		return nil, a.Refused
	}
	return answer{"F_row": one(a.Rows[0].F), "F_col": one(a.Rows[1].F), "F_treatment": one(a.Rows[2].F),
		"p_treatment": one(a.Rows[2].P), "mse": one(a.Residual.MS), "df_resid": one(a.Residual.DF)}, ""
}

func refMachines(c refCase) (answer, string) {
	tab := c.table(0)
	a := MultiMachine(tab.design("time_s", "mode", "sessions"), tab.index("machine"))
	got := answer{"mse": one(a.Residual.MS), "df_resid": one(a.Residual.DF)}
	for _, r := range a.Rows {
		got["F"], got["p"], got["df"] = append(got["F"], r.F), append(got["p"], r.P), append(got["df"], r.DF)
	}
	return got, a.Refused
}

func refTypes(c refCase) (answer, string) {
	d := c.table(0).design("time_s", "mode", "sessions")
	got := answer{}
	for i, types := range []SumsOfSquares{TypeI, TypeII, TypeIII} {
		a := Unbalanced(d, types)
		if a.Refused != "" {
			return nil, a.Refused
		}
		name := fmt.Sprintf("type%d_", i+1)
		for _, r := range append([]ANOVARow{a.Blocks}, a.Rows...) {
			got[name+"ss"], got[name+"F"], got[name+"p"] = append(got[name+"ss"], r.SS), append(got[name+"F"], r.F), append(got[name+"p"], r.P)
		}
		got["rss"], got["df_resid"] = one(a.Residual.SS), one(a.Residual.DF)
	}
	return got, ""
}

func refMixed(c refCase) (answer, string) {
	tab := c.table(0)
	a := FactorialBlocks(tab.where("machine", tab.text["machine"][0]).design("time_s", "mode", "sessions"))
	got := answer{"var_block": one(BlockVariance(a)), "var_resid": one(a.Residual.MS)}
	for _, r := range a.Rows {
		got["F"], got["p"], got["den_df"] = append(got["F"], r.F), append(got["p"], r.P), append(got["den_df"], r.ErrorDF)
	}
	return got, a.Refused
}

func refCarryOver(c refCase) (answer, string) {
	tab := c.table(0)
	names := tab.levels("treatment")
	previous := make([]int, len(tab.text["prev"]))
	for i, p := range tab.text["prev"] {
		previous[i] = slices.Index(names, p)
	}
	t := CarryOver(tab.index("seq"), tab.index("period"), tab.index("treatment"), previous, tab.floats("y"))
	return answer{"F_carry": one(t.Carry.F), "df1": one(t.Carry.DF), "df2": one(t.Carry.ErrorDF), "p_carry": one(t.Carry.P),
		"F_treatment_adj": one(t.Treatment.F), "p_treatment_adj": one(t.Treatment.P)}, t.Refused
}

func refContrasts(c refCase) (answer, string) {
	got := answer{}
	for _, machine := range c.table(0).levels("machine") {
		tab := c.table(0).where("machine", machine).sortBy("block")
		d := tab.design("time_s", "mode", "sessions")
		for name, x := range contrastsOf(tab, d) {
			if refused := got.contrast(machine+"_"+name, x); refused != "" {
				return nil, refused
			}
		}
	}
	return got, ""
}

// contrastsOf are the block contrasts of both factors, of their interaction,
// and of sessions at each mode.
func contrastsOf(tab table, d Design) map[string][]float64 {
	out := map[string][]float64{}
	out["mode"], _ = BlockContrasts(d, []int{0})
	out["sessions"], _ = BlockContrasts(d, []int{1})
	out["interaction"], _ = BlockContrasts(d, []int{0, 1})
	for _, mode := range tab.levels("mode") {
		out["sessions_in_"+mode], _ = BlockContrasts(tab.where("mode", mode).design("time_s", "sessions"), []int{0})
	}
	return out
}

// contrast adds all that is computed of one contrast.
func (got answer) contrast(key string, x []float64) (refused string) {
	t, e := PairedT(x, 0, 0.95), TOST(x, -math.Log(1.03), math.Log(1.03), 0.90)
	h := HodgesLehmann(x, 0.95)
	p, _ := SignFlip(x, Seed(key))
	got[key+"_ratio"], got[key+"_lo"], got[key+"_hi"] = one(math.Exp(t.Value)), one(math.Exp(t.Lo)), one(math.Exp(t.Hi))
	got[key+"_p"], got[key+"_p_signflip"], got[key+"_p_tost3pct"] = one(t.P), one(p), one(e.P)
	got[key+"_hl"], got[key+"_hl_lo"], got[key+"_hl_hi"] = one(math.Exp(h.Value)), one(math.Exp(h.Lo)), one(math.Exp(h.Hi))
	return firstOf(t.Refused, e.Refused, h.Refused)
}

func refByLevel(c refCase) (answer, string) {
	got := answer{"margin": one(1.05)}
	var ps []float64
	for _, n := range c.table(0).levels("clients") {
		tab := c.table(0).where("clients", n).sortBy("block")
		d, why := LogRatios(tab.where("mode", "perclient").floats("completion_s"), tab.where("mode", "shared").floats("completion_s"))
		t, e := PairedT(d, 0, 0.95), TOST(d, -math.Log(1.05), math.Log(1.05), 0.90)
		if refused := firstOf(why, t.Refused, e.Refused); refused != "" {
			return nil, refused
		}
		key := "n" + n
		got[key+"_ratio"], got[key+"_lo95"], got[key+"_hi95"] = one(math.Exp(t.Value)), one(math.Exp(t.Lo)), one(math.Exp(t.Hi))
		got[key+"_lo90"], got[key+"_hi90"], got[key+"_p_tost"] = one(math.Exp(e.Lo)), one(math.Exp(e.Hi)), one(e.P)
		ps = append(ps, e.P)
	}
	got["p_all_levels_iut"], got["p_holm"] = one(slices.Max(ps)), Holm(ps)
	return got, ""
}
