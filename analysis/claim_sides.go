package analysis

import (
	"math"

	"fieldbook/analysis/stat"
)

// bothSides fills in what a part says of "ratio on both sides of 1": on which
// side of it the part lies, for certain.
func (f *finding) bothSides(ev evidence, t target) {
	nan := math.NaN()
	f.rests, f.aim, f.sides = ev, t, true
	f.pRefute, f.p0 = nan, ev.p(math.Copysign(t.clear, ev.mean))
	if math.Abs(ev.mean) <= t.clear {
		f.p0 = whole(f.p0)
	}
	f.low, f.high = ev.i95.Lo-t.clear, ev.i95.Hi+t.clear
	f.exactLow, f.exactHigh = f.low, f.high
	if ev.exact95.Refused == "" {
		f.exactLow, f.exactHigh = ev.exact95.Lo-t.clear, ev.exact95.Hi+t.clear
	}
	if t.floorWanted && !t.floorKnown {
		f.low, f.high, f.exactLow, f.exactHigh, f.p0 = nan, nan, nan, nan, nan
	}
	f.alone, f.Verdict, f.P, f.pSupport = Undecided, Undecided, f.p0, f.p0
	f.Blocks, f.Why = t.remedy(ev)
}

// bothSides is the verdict of "ratio on both sides of 1": supported when one
// part lies below and one above, with Holm over the parts; refuted when all
// lie on one side.
func bothSides(parts []finding) verdictCase {
	v := verdictCase{parts: parts, p: math.NaN()}
	ps := make([]float64, len(parts))
	for i, f := range parts {
		ps[i] = f.p0
	}
	adjusted := stat.Holm(ps)
	sides := make([]int, len(parts))
	for i, f := range parts {
		sides[i] = sideOfOne(f.low, f.high)
		if sides[i] != 0 && adjusted[i] >= alpha {
			v.adjusted = true
		}
	}
	below, above := smallest(adjusted, sides, -1), smallest(adjusted, sides, 1)
	v.verdict, v.p = splitVerdict(parts, sides, below, above), math.Max(below, above)
	if v.verdict == Refuted || math.IsNaN(v.p) {
		v.p = largest(ps)
	}
	exact := make([]int, len(parts))
	for i, f := range parts {
		exact[i] = sideOfOne(f.exactLow, f.exactHigh)
	}
	v.exact = splitVerdict(parts, exact, smallest(adjusted, exact, -1), smallest(adjusted, exact, 1))
	v.adjusted = v.adjusted && v.verdict == Undecided && splitVerdict(parts, sides, 0*below, 0*above) == Supported // NaN stays
	v.markSides(sides)
	return v
}

// splitVerdict is the verdict from the side of each part, and the smallest
// adjusted p-value on either side (NaN: no part there).
func splitVerdict(parts []finding, sides []int, below, above float64) Verdict {
	one := len(parts) > 1
	for i, f := range parts {
		if f.Verdict == NotJudged {
			return NotJudged
		}
		one = one && sides[i] != 0 && sides[i] == sides[0]
	}
	switch {
	case len(parts) == 0:
		return NotJudged
	case below < alpha && above < alpha:
		return Supported
	case one:
		return Refuted
	}
	return Undecided
}

// sideOfOne is -1 for an interval below 1, 1 for one above, 0 else, on the
// log scale.
func sideOfOne(low, high float64) int {
	switch {
	case high < 0:
		return -1
	case low > 0:
		return 1
	}
	return 0
}

// smallest is the smallest p-value of the parts on one side; NaN for none.
func smallest(ps []float64, sides []int, side int) float64 {
	least := math.NaN()
	for i, p := range ps {
		if sides[i] == side && !(least <= p) {
			least = p
		}
	}
	return least
}

func largest(ps []float64) float64 {
	most := math.NaN()
	for _, p := range ps {
		if !(most >= p) {
			most = p
		}
	}
	return most
}

// markSides says of each part on which side it lies.
func (v *verdictCase) markSides(sides []int) {
	for i := range v.parts {
		f := &v.parts[i]
		if f.Verdict == NotJudged {
			continue
		}
		switch sides[i] {
		case -1:
			f.Why, f.Blocks, f.Verdict = "below 1", 0, v.verdict
		case 1:
			f.Why, f.Blocks, f.Verdict = "above 1", 0, v.verdict
		}
	}
	if v.verdict == Supported {
		v.why = said("below 1 in one part and above 1 in another")
	}
	if v.verdict == Refuted {
		v.why = said("on one side of 1 in all " + plural(len(v.parts), "part"))
	}
}
