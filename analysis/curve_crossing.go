package analysis

import (
	"fmt"
	"math"

	"fieldbook/analysis/stat"
)

// cross finds where the left curve of a pair goes through the right one. A
// crossing is shown between two levels at which the curves differ for
// certain, after Holm over the levels, and the other way round. In between,
// the logarithm of their ratio is interpolated in each block, over the
// logarithm of x where all levels are above zero. The crossing is where its
// mean is 0; the interval is all x between the two levels at which a paired t
// test over blocks does not tell the ratio from 1 (the inversion of Fieller,
// 1954). So it never leaves what was measured.
func (r *Result) cross(p *CurvePair, l *ladder, note string) {
	d := l.logRatios()
	if len(d) < 3 {
		p.NoCrossing = plural(len(d), "block") + ": a crossing takes three"
		return
	}
	at, ps := make([]line, len(l.xs)), make([]float64, len(l.xs))
	for j := range at {
		at[j] = pairedLine(column(d, j), "")
		ps[j] = at[j].p(0)
	}
	signs := make([]int, len(at))
	above, below, last := 0, 0, -1
	for j, adjusted := range stat.Holm(ps) {
		switch {
		case !(adjusted < alpha):
			continue
		case at[j].value > 0:
			signs[j] = 1
			above++
		default:
			signs[j] = -1
			below++
		}
		if last >= 0 && signs[last] != signs[j] {
			p.Crossings = append(p.Crossings, r.crossing(l, d, last, j, p.Text, note))
		}
		last = j
	}
	if len(p.Crossings) == 0 {
		p.NoCrossing = noCrossing(len(at), above, below)
	}
}

// logRatios are, by block and level, the logarithm of left over right of a
// ladder of two curves.
func (l *ladder) logRatios() [][]float64 {
	k := len(l.xs)
	var d [][]float64
	for _, row := range l.rows() {
		one := make([]float64, k)
		for j := range k {
			one[j] = row[j] - row[k+j]
		}
		d = append(d, one)
	}
	return d
}

// noCrossing says what was seen instead of a crossing.
func noCrossing(levels, above, below int) string {
	side, n := "higher", above
	if below > above {
		side, n = "lower", below
	}
	switch n {
	case 0:
		return "none shown within what was measured: the curves are not told apart at any level"
	case levels:
		return "none within what was measured: left is " + side + " at every level"
	}
	return fmt.Sprintf("none shown within what was measured: left is %s at %d of %d levels, and not told apart at the others", side, n, levels)
}

// crossing is the one between two levels.
func (r *Result) crossing(l *ladder, d [][]float64, from, to int, text, note string) Estimate {
	place, back := math.Log, math.Exp
	if l.xs[0] <= 0 {
		place, back = identical, identical
	}
	u := mapped(l.xs, place)
	x, lo, hi := crossingBetween(u, d, from, to)
	e := r.ladderFinding(l, "crossing", text, line{refused: "not computed"}).Estimate
	e.Unit = r.unitOfFactor(l.factor)
	caveats := e.Warnings
	e.Estimate = stat.Estimate{Value: back(x), Lo: back(lo), Hi: back(hi), Confidence: confidence, N: len(d), DF: float64(len(d) - 1),
		Method: fmt.Sprintf("crossing between %s=%s and %s, interpolated by block; t test over blocks inverted%s", l.factor, l.levels[from], l.levels[to], note)}
	e.addWarnings(caveats)
	return e
}

// crossingBetween is where the mean of the interpolated rows changes sign
// between two places, and the least and greatest place at which it is not
// told from zero.
func crossingBetween(u []float64, d [][]float64, from, to int) (x, lo, hi float64) {
	x, lo, hi = math.NaN(), math.NaN(), math.NaN()
	for j := from; j < to; j++ {
		a, b := column(d, j), column(d, j+1)
		ma, mb := average(a), average(b)
		at := func(w float64) float64 { return u[j] + w*(u[j+1]-u[j]) }
		if math.IsNaN(x) && (ma > 0) != (mb > 0) {
			x = at(ma / (ma - mb))
		}
		first, last, ok := undecidedWithin(a, b)
		if ok && math.IsNaN(lo) {
			lo = at(first)
		}
		if ok {
			hi = at(last)
		}
	}
	return x, lo, hi
}

// undecidedWithin is the first and the last share w of the way from a to b at
// which the mean of a + w(b-a) is not told from zero: between the roots of
// mean² − t²·variance/n, a quadratic in w.
func undecidedWithin(a, b []float64) (first, last float64, ok bool) {
	n := float64(len(a))
	t := stat.TQuantile((1+confidence)/2, n-1)
	step := make([]float64, len(a))
	for i := range a {
		step[i] = b[i] - a[i]
	}
	c := t * t / (n * (n - 1))
	m0, m1 := average(a), average(step)
	c0 := m0*m0 - c*products(a, a)
	c1 := 2 * (m0*m1 - c*products(a, step))
	c2 := m1*m1 - c*products(step, step)
	inside := func(w float64) bool { return w >= 0 && w <= 1 && c0+w*(c1+w*c2) <= 1e-12*(m0*m0+m1*m1) }
	first, last = math.Inf(1), math.Inf(-1)
	for _, w := range append(quadraticRoots(c2, c1, c0), 0, 1) {
		if inside(w) {
			first, last, ok = math.Min(first, w), math.Max(last, w), true
		}
	}
	return first, last, ok
}

// products is the sum of products of deviations from the means.
func products(a, b []float64) float64 {
	ma, mb, sum := average(a), average(b), 0.0
	for i := range a {
		sum += (a[i] - ma) * (b[i] - mb)
	}
	return sum
}

// quadraticRoots are the real roots of ax² + bx + c, computed without
// cancellation.
func quadraticRoots(a, b, c float64) []float64 {
	disc := b*b - 4*a*c
	if disc < 0 {
		return nil
	}
	q := -(b + math.Copysign(math.Sqrt(disc), b)) / 2
	var roots []float64
	if a != 0 {
		roots = append(roots, q/a)
	}
	if q != 0 {
		roots = append(roots, c/q)
	}
	return roots
}
