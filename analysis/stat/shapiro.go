package stat

import "math"

// maxShapiro is the largest sample that Royston's approximation covers.
const maxShapiro = 5000

// Normality is the outcome of the Shapiro-Wilk test. A large P is no proof of
// normality; a report shows it beside the data and decides nothing by it.
type Normality struct {
	N       int
	W       float64 // squared correlation with normal scores, at most 1
	P       float64
	Refused string
}

// ShapiroWilk tests that the values are a normal sample, by Royston's
// algorithm AS R94 (Appl. Stat. 44, 1995) for 3 to 5000 values. The
// polynomials agree with exact values to five or six digits.
func ShapiroWilk(xs []float64) Normality {
	t := Normality{N: len(xs), W: math.NaN(), P: math.NaN()}
	t.Refused = firstOf(badInput(xs), atLeast(len(xs), 3, "value"), constantSeries(xs))
	if t.Refused == "" && len(xs) > maxShapiro {
		t.Refused = "the approximation covers at most 5000 values"
	}
	if t.Refused != "" {
		return t
	}
	s := sorted(xs)
	oneLessW := shapiroComplement(s, shapiroWeights(len(s)))
	t.W = 1 - oneLessW
	t.P = shapiroP(t.W, oneLessW, len(s))
	return t
}

// shapiroWeights are the weights of all order statistics, antisymmetric and
// of unit length: normal scores with the outermost one or two corrected.
func shapiroWeights(n int) []float64 {
	m := make([]float64, n)
	for i := range m {
		m[i] = normalQuantile((float64(i+1) - 0.375) / (float64(n) + 0.25))
	}
	if n == 3 {
		return []float64{-math.Sqrt(0.5), 0, math.Sqrt(0.5)}
	}
	total := squares(m)
	u := 1 / math.Sqrt(float64(n))
	outer := []float64{
		m[n-1]/math.Sqrt(total) + polynomial(u, 0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056),
	}
	if n > 5 {
		outer = append(outer,
			m[n-2]/math.Sqrt(total)+polynomial(u, 0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633))
	}
	return normalizeInner(m, total, outer)
}

// normalizeInner puts the corrected outer weights in place and scales the
// inner ones so that the squares of all sum to one.
func normalizeInner(m []float64, total float64, outer []float64) []float64 {
	n := len(m)
	left, room := total, 1.0
	for i, a := range outer {
		left -= 2 * m[i] * m[i]
		room -= 2 * a * a
	}
	scale := math.Sqrt(left / room)
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = m[i] / scale
	}
	for i, a := range outer {
		weights[i], weights[n-1-i] = -a, a
	}
	return weights
}

// shapiroComplement is 1-W, computed as such: W is close to one, and the
// difference carries the p-value. The values are scaled by their range.
func shapiroComplement(s, weights []float64) float64 {
	span := s[len(s)-1] - s[0]
	x := shifted(s, s[0])
	for i := range x {
		x[i] /= span
	}
	x = shifted(x, average(x))
	a := shifted(weights, average(weights))
	sa, sx, cross := squares(a), squares(x), 0.0
	for i := range x {
		cross += a[i] * x[i]
	}
	both := math.Sqrt(sa * sx)
	return (both - cross) * (both + cross) / (sa * sx)
}

// shapiroP is the p-value: exact for three values, else normal after
// Royston's transformation of 1-W.
func shapiroP(w, oneLessW float64, n int) float64 {
	x, logN := float64(n), math.Log(float64(n))
	y := math.Log(oneLessW)
	switch {
	case n == 3:
		return math.Max(0, 6/math.Pi*(math.Asin(math.Sqrt(w))-math.Asin(math.Sqrt(0.75))))
	case n <= 11:
		limit := polynomial(x, -2.273, 0.459)
		if y >= limit {
			return 0
		}
		mean := polynomial(x, 0.544, -0.39978, 0.025054, -6.714e-4)
		sd := math.Exp(polynomial(x, 1.3822, -0.77857, 0.062767, -0.0020322))
		return normalUpper((-math.Log(limit-y) - mean) / sd)
	}
	mean := polynomial(logN, -1.5861, -0.31082, -0.083751, 0.0038915)
	sd := math.Exp(polynomial(logN, -0.4803, -0.082676, 0.0030302))
	return normalUpper((y - mean) / sd)
}

// polynomial is c[0] + c[1] x + c[2] x² + ..., by Horner's rule.
func polynomial(x float64, c ...float64) float64 {
	sum := 0.0
	for i := len(c) - 1; i >= 0; i-- {
		sum = sum*x + c[i]
	}
	return sum
}
