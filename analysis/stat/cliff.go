package stat

import "math"

// Dominance tells how often a value of one group exceeds one of the other.
type Dominance struct {
	Estimate         // Cliff's delta: P(a > b) - P(a < b), from -1 to 1
	Variance float64 // of delta
	A12      float64 // P(a > b) + P(a = b)/2 (Vargha & Delaney 2000)
}

// CliffsDelta is the dominance of a over b with its interval (Cliff, Psychol.
// Bull. 114, 1993; asymmetric interval of Feng & Cliff, J. Mod. Appl. Stat.
// Meth. 3, 2004). Where the groups do not overlap the variance is no measure
// of doubt: one bound is delta itself then, and the other is approximate.
func CliffsDelta(a, b []float64, conf float64) Dominance {
	const method = "Cliff's delta, independent groups"
	why := firstOf(badInput(a), badInput(b), badConfidence(conf),
		atLeast(min(len(a), len(b)), 2, "value in each group"))
	if why != "" {
		e := refused(method, len(a)+len(b), conf, "%s", why)
		return Dominance{Estimate: e, Variance: math.NaN(), A12: math.NaN()}
	}
	rows, columns := dominances(a, b)
	d := Dominance{A12: (average(rows) + 1) / 2}
	d.Estimate = Estimate{Value: average(rows), Confidence: conf,
		N: len(a) + len(b), DF: float64(len(a) + len(b) - 2), Method: method}
	center := d.Value
	if math.Abs(center) == 1 { // shrunk by one pair
		center *= 1 - 1/(float64(len(a))*float64(len(b)))
		d.warn(NoInterval, "the groups do not overlap: only one bound is known, and that roughly")
	}
	d.Variance = dominanceVariance(rows, columns, squaredDominance(a, b, center), center)
	d.Lo, d.Hi = dominanceBounds(center, d.Variance, TQuantile((1+conf)/2, d.DF))
	switch d.Value {
	case 1:
		d.Hi = 1
	case -1:
		d.Lo = -1
	}
	return d
}

// dominances are the mean signs of a-b, by value of a and by value of b.
func dominances(a, b []float64) (rows, columns []float64) {
	rows, columns = make([]float64, len(a)), make([]float64, len(b))
	for i, x := range a {
		for j, y := range b {
			rows[i] += sign(x - y)
			columns[j] += sign(x - y)
		}
	}
	for i := range rows {
		rows[i] /= float64(len(b))
	}
	for j := range columns {
		columns[j] /= float64(len(a))
	}
	return rows, columns
}

// squaredDominance is the sum of (sign(a-b) - center)² over all pairs.
func squaredDominance(a, b []float64, center float64) float64 {
	sum := 0.0
	for _, x := range a {
		for _, y := range b {
			d := sign(x-y) - center
			sum += d * d
		}
	}
	return sum
}

// dominanceVariance is Cliff's unbiased variance of delta.
func dominanceVariance(rows, columns []float64, within, center float64) float64 {
	na, nb := float64(len(rows)), float64(len(columns))
	sum := nb*nb*squares(shifted(rows, center)) + na*na*squares(shifted(columns, center)) - within
	return sum / (na * nb * (na - 1) * (nb - 1))
}

// dominanceBounds is Feng & Cliff's interval; NaN without a variance.
func dominanceBounds(delta, variance, t float64) (lo, hi float64) {
	if !(variance > 0) {
		return math.NaN(), math.NaN()
	}
	u := 1 - delta*delta
	half := t * math.Sqrt(variance) * math.Sqrt(u*u+t*t*variance)
	scale := u + t*t*variance
	return (delta*u - half) / scale, (delta*u + half) / scale
}
