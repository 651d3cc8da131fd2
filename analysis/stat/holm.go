package stat

import (
	"math"
	"sort"
)

// Holm adjusts p-values for having been looked at together (Holm, Scand. J.
// Stat. 6, 1979): the family-wise error stays below the level. Here and in
// the other adjustments the order of the input is kept, and a NaN stays NaN
// and does not count as a test.
func Holm(ps []float64) []float64 {
	out, order := adjustable(ps)
	m, worst := len(order), 0.0
	for i, at := range order {
		worst = math.Max(worst, math.Min(1, float64(m-i)*ps[at]))
		out[at] = worst
	}
	return out
}

// Bonferroni multiplies each p-value by their number.
func Bonferroni(ps []float64) []float64 {
	out, order := adjustable(ps)
	for _, at := range order {
		out[at] = math.Min(1, float64(len(order))*ps[at])
	}
	return out
}

// Hochberg is Holm's step-up counterpart, for independent or positively
// dependent tests (Biometrika 75, 1988).
func Hochberg(ps []float64) []float64 {
	return stepUp(ps, func(rank, m int) float64 { return float64(m - rank + 1) })
}

// BenjaminiHochberg controls the false discovery rate instead of the
// family-wise error (J. R. Stat. Soc. B 57, 1995): for screening many tests.
func BenjaminiHochberg(ps []float64) []float64 {
	return stepUp(ps, func(rank, m int) float64 { return float64(m) / float64(rank) })
}

// BenjaminiYekutieli is BenjaminiHochberg under any dependence (Ann. Stat.
// 29, 2001).
func BenjaminiYekutieli(ps []float64) []float64 {
	return stepUp(ps, func(rank, m int) float64 {
		harmonic := 0.0
		for i := 1; i <= m; i++ {
			harmonic += 1 / float64(i)
		}
		return harmonic * float64(m) / float64(rank)
	})
}

// stepUp multiplies each p-value by the factor of its 1-based rank among m,
// and takes the least of its own and all larger ones.
func stepUp(ps []float64, factor func(rank, m int) float64) []float64 {
	out, order := adjustable(ps)
	least := 1.0
	for i := len(order) - 1; i >= 0; i-- {
		at := order[i]
		least = math.Min(least, factor(i+1, len(order))*ps[at])
		out[at] = least
	}
	return out
}

// Hommel is the closed test of Simes' inequality (Hommel, Biometrika 75,
// 1988), in Wright's formulation (Biometrics 48, 1992).
func Hommel(ps []float64) []float64 {
	out, order := adjustable(ps)
	n := len(order)
	p, adjusted := make([]float64, n+1), make([]float64, n+1)
	for i, at := range order {
		p[i+1] = ps[at]
	}
	simes := math.Inf(1)
	for i := 1; i <= n; i++ {
		simes = math.Min(simes, float64(n)*p[i]/float64(i))
	}
	for i := range adjusted {
		adjusted[i] = simes
	}
	for m := n - 1; m >= 2; m-- {
		raise(adjusted, p, m, n)
	}
	for i, at := range order {
		out[at] = math.Min(1, math.Max(adjusted[i+1], p[i+1]))
	}
	return out
}

// raise lifts the adjusted values to what intersections of m hypotheses ask;
// p is sorted and counts from 1.
func raise(adjusted, p []float64, m, n int) {
	simes := math.Inf(1)
	for j := 2; j <= m; j++ {
		simes = math.Min(simes, float64(m)*p[n-m+j]/float64(j))
	}
	for i := 1; i <= n; i++ {
		q := math.Min(float64(m)*p[min(i, n-m+1)], simes)
		adjusted[i] = math.Max(adjusted[i], q)
	}
}

// adjustable is a result full of NaN and the indices of the p-values that
// are numbers, smallest first.
func adjustable(ps []float64) (out []float64, order []int) {
	out = make([]float64, len(ps))
	for i, p := range ps {
		out[i] = math.NaN()
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return ps[order[a]] < ps[order[b]] })
	return out, order
}
