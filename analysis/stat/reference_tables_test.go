package stat

import (
	"fmt"
	"math"
)

var _ = register(map[string]refMethod{
	"distribution.rank":              byID(rankTables),
	"distribution.tails":             byID(tailTables),
	"distribution.studentized_range": refStudentizedRange,
	"power.t":                        byID(powerTables),
	"power.tost":                     byID(tostTables),
	"design.williams":                byID(designTables),
})

// byID computes the tables whose arguments stand in the case's call alone.
func byID(tables map[string]func() answer) refMethod {
	return func(c refCase) (answer, string) {
		table, ok := tables[c.ID]
		if !ok {
			return nil, "the arguments of this table are not known"
		}
		return table(), ""
	}
}

var rankTables = map[string]func() answer{
	"dist-ranks": func() answer {
		return answer{
			"pwilcox":   each3(rankSumCDF, []int{0, 3, 10, 25, 50, 99}, []int{3, 4, 5, 8, 10, 20}, []int{3, 5, 6, 7, 10, 12}),
			"qwilcox":   quantiles3(rankSumQuantile, []float64{.025, .025, .05, .5}, []int{4, 10, 10, 15}, []int{4, 10, 12, 20}),
			"psignrank": each2(signedRankCDF, []int{0, 5, 15, 27, 100}, []int{5, 8, 10, 12, 30}),
			"qsignrank": quantiles2(signedRankQuantile, []float64{.025, .05, .025}, []int{6, 10, 25}),
			"pkendall9": one(Kendall(timeOf(make([]float64, 9)), []float64{1, 3, 2, 4, 6, 5, 8, 7, 9}).PExact),
		}
	},
	"dist-ranks2": func() answer {
		return answer{
			"pwilcox":   each3(rankSumCDF, []int{2, 8, 30, 60}, []int{4, 6, 9, 12}, []int{4, 6, 8, 11}),
			"psignrank": each2(signedRankCDF, []int{3, 11, 40}, []int{7, 9, 15}),
			"qwilcox":   quantiles3(rankSumQuantile, []float64{.025, .005}, []int{8, 9}, []int{8, 14}),
		}
	},
}

func each3(f func(a, b, c int) float64, a, b, c []int) (out []float64) {
	for i := range a {
		out = append(out, f(a[i], b[i], c[i]))
	}
	return out
}

func each2(f func(a, b int) float64, a, b []int) (out []float64) {
	for i := range a {
		out = append(out, f(a[i], b[i]))
	}
	return out
}

func quantiles3(f func(q float64, m, n int) int, q []float64, m, n []int) (out []float64) {
	for i := range q {
		out = append(out, float64(f(q[i], m[i], n[i])))
	}
	return out
}

func quantiles2(f func(q float64, n int) int, q []float64, n []int) (out []float64) {
	for i := range q {
		out = append(out, float64(f(q[i], n[i])))
	}
	return out
}

var tailTables = map[string]func() answer{
	"dist-tails": func() answer {
		return answer{
			"pt2_upper":    tails2(tTwoSided, []float64{2.5, 8, 20, 60}, []float64{3, 9, 27, 100}),
			"pf_upper":     tails3(fUpper, []float64{4, 50, 1000, 50}, []float64{1, 1, 1, 3}, []float64{9, 81, 81, 27}),
			"pnorm_upper":  tails1(normalUpper, []float64{1.96, 5, 8, 12, 20}),
			"pchisq_upper": tails2(chiSquaredUpper, []float64{3.84, 30, 200}, []float64{1, 4, 10}),
			"qt975":        tails1(func(df float64) float64 { return TQuantile(.975, df) }, []float64{1, 2, 4.37, 9, 1e6}),
			"pnct":         tails3(noncentralTCDF, []float64{1, 2.1, 5}, []float64{9, 18, 27}, []float64{.5, 1, 3}),
		}
	},
	"dist-tails2": func() answer {
		return answer{
			"pf_upper":    tails3(fUpper, []float64{7, 120, 600}, []float64{2, 1, 3}, []float64{18, 57, 90}),
			"pnorm_upper": tails1(normalUpper, []float64{3, 6, 9, 15}),
			"pt2_upper":   tails2(tTwoSided, []float64{12, 30}, []float64{12, 40}),
		}
	},
}

func tails1(f func(a float64) float64, a []float64) (out []float64) {
	for _, x := range a {
		out = append(out, f(x))
	}
	return out
}

func tails2(f func(a, b float64) float64, a, b []float64) (out []float64) {
	for i := range a {
		out = append(out, f(a[i], b[i]))
	}
	return out
}

func tails3(f func(a, b, c float64) float64, a, b, c []float64) (out []float64) {
	for i := range a {
		out = append(out, f(a[i], b[i], c[i]))
	}
	return out
}

// refStudentizedRange takes q, k and df from the table itself; its quantiles
// are those of all its degrees of freedom, -1 standing for infinity.
func refStudentizedRange(c refCase) (answer, string) {
	q, _ := numbers(c.Expected["q"])
	k, _ := numbers(c.Expected["k"])
	df, _ := numbers(c.Expected["df"])
	got := answer{"q": q, "k": k, "df": df}
	var distinct []float64
	for i := range q {
		if i == 0 || df[i] != df[i-1] {
			distinct = append(distinct, degrees(df[i]))
		}
		got["p_upper"] = append(got["p_upper"], StudentizedRangeUpper(q[i], int(k[i]), degrees(df[i])))
	}
	for key := range c.Expected {
		var percent, groups int
		if _, err := fmt.Sscanf(key, "qtukey%d_k%d", &percent, &groups); err != nil {
			continue
		}
		for _, d := range distinct {
			got[key] = append(got[key], StudentizedRangeQuantile(float64(percent)/100, groups, d))
		}
	}
	return got, ""
}

func degrees(df float64) float64 {
	if df < 0 {
		return math.Inf(1)
	}
	return df
}

// pilot plans a paired test as R's power.t.test does.
var pilot = TPower{SD: .025, Alpha: .05, Samples: 1, OneTail: true}

// uniroot searches the detectable difference as power.t.test does: by Brent's
// method over fourteen decades, to 1.2e-4 absolute, which leaves three digits
// here. TestDetectableDifference holds TPower.Delta to its definition.
func uniroot(t TPower, power, n float64) float64 {
	f := func(delta float64) float64 { return t.Power(n, delta) - power }
	tolerance := math.Pow(0x1p-52, 0.25)
	a, b := t.SD*1e-7, t.SD*1e7
	c := a
	fa, fb := f(a), f(b)
	fc := fa
	for range 1000 {
		last := b - a
		if math.Abs(fc) < math.Abs(fb) {
			a, b, c = b, c, b
			fa, fb, fc = fb, fc, fb
		}
		least := 2*0x1p-52*math.Abs(b) + tolerance/2
		step := (c - b) / 2
		if math.Abs(step) <= least || fb == 0 {
			return b
		}
		if math.Abs(last) >= least && math.Abs(fa) > math.Abs(fb) {
			step = brentStep(a, b, c, fa, fb, fc, last, least, step)
		}
		if math.Abs(step) < least {
			step = math.Copysign(least, step)
		}
		a, fa = b, fb
		b += step
		fb = f(b)
		if sign(fb) == sign(fc) {
			c, fc = a, fa
		}
	}
	return b
}

// brentStep interpolates where that is safe, and halves otherwise.
func brentStep(a, b, c, fa, fb, fc, last, least, half float64) float64 {
	var p, q float64
	cb := c - b
	if a == c {
		t := fb / fa
		p, q = cb*t, 1-t
	} else {
		r, t, u := fa/fc, fb/fc, fb/fa
		p = u * (cb*r*(r-t) - (b-a)*(t-1))
		q = (r - 1) * (t - 1) * (u - 1)
	}
	if p > 0 {
		q = -q
	} else {
		p = -p
	}
	if p < 0.75*cb*q-math.Abs(least*q)/2 && p < math.Abs(last*q/2) {
		return p / q
	}
	return half
}

var powerTables = map[string]func() answer{
	"power-t": func() answer {
		return answer{
			"n_two_sample":         one(TPower{SD: 1.5, Alpha: .05, Samples: 2, OneTail: true}.Size(1, .9)),
			"n_paired":             one(TPower{SD: .025, Alpha: .05, Samples: 1, OneTail: true}.Size(math.Log(1.02), .8)),
			"power_paired_n10":     one(TPower{SD: .03, Alpha: .05, Samples: 1}.Power(10, math.Log(1.03))),
			"power_two_sample_n10": one(TPower{SD: 1.2, Alpha: .05, Samples: 2, OneTail: true}.Power(10, 1)),
			"mde_paired_n10":       one(uniroot(pilot, .8, 10)),
		}
	},
	"power-t2": func() answer {
		return answer{
			"n_paired":        one(TPower{SD: .04, Alpha: .05, Samples: 1, OneTail: true}.Size(math.Log(1.05), .95)),
			"power_paired_n6": one(TPower{SD: .025, Alpha: .05, Samples: 1}.Power(6, .03)),
			"n_two_sample":    one(TPower{SD: .4, Alpha: .01, Samples: 2, OneTail: true}.Size(.5, .8)),
		}
	},
}

// tostPower is PowerTOST with a symmetric margin, a ratio.
func tostPower(n int, sd, theta, margin float64) []float64 {
	return one(PowerTOST(n, theta, sd, -math.Log(margin), math.Log(margin), .05))
}

func tostBlocks(sd, margin, power float64) []float64 {
	return one(float64(BlocksForEquivalence(0, sd, -math.Log(margin), math.Log(margin), .05, power)))
}

var tostTables = map[string]func() answer{
	"power-tost": func() answer {
		return answer{"pow_n10": tostPower(10, .012, 0, 1.02), "pow_n20_theta": tostPower(20, .03, .005, 1.03),
			"pow_n5": tostPower(5, .02, 0, 1.05), "n80": tostBlocks(.02, 1.02, .8)}
	},
	"power-tost2": func() answer {
		return answer{"pow_n12": tostPower(12, .02, 0, 1.03), "pow_n8_theta": tostPower(8, .015, -.004, 1.02),
			"n90": tostBlocks(.025, 1.03, .9)}
	},
}

var designTables = map[string]func() answer{
	"design-williams": func() answer {
		got := answer{"first_row_k4": floats(Williams(4)[0]), "first_row_k6": floats(Williams(6)[0])}
		for k := 3; k <= 6; k++ {
			rows := Williams(k)
			least, most, self := len(rows), 0, 0
			for i, counts := range Neighbours(rows, k) {
				for j, n := range counts {
					if i == j {
						self = max(self, n)
						continue
					}
					least, most = min(least, n), max(most, n)
				}
			}
			got[fmt.Sprintf("k%d", k)] = floats([]int{len(rows), least, most, self})
		}
		return got
	},
}
