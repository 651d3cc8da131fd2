package figure

import (
	"math"
	"slices"
	"strconv"
)

// tick is a labelled place on an axis.
type tick struct {
	At    float64
	Label string
}

// ticks are those of one axis. From is what is to be added to the labels,
// "" for nothing: values that differ late are labelled by their distance
// from a round number. Equal says that all values shown are one.
type ticks struct {
	Ticks []tick
	From  string
	Equal bool
}

// room says whether ticks stand far enough from each other on a scale.
type room func([]tick) bool

// How many labelled ticks an axis has at most. Those of a log axis stand
// closer where they are of less weight.
const (
	most    = 7
	mostLog = 9
)

// chooseTicks picks the labels of an axis that shows data on a domain. At
// least two lie inside the data, unless all of it is one value; they are
// distinct and exact.
func chooseTicks(kind axisKind, data, domain span, fits room) ticks {
	switch {
	case data.empty():
		return ticks{}
	case data.equal():
		v := rounded(data.Hi, 12)
		return ticks{Ticks: []tick{{v.float(), v.String()}}, Equal: true}
	case kind == logarith:
		return logTicks(data, domain, fits)
	}
	return linearTicks(data, domain, fits)
}

// linearTicks takes the smallest step of 1, 2 or 5 times a power of ten whose
// labels have room. A step of at most half the data's range puts two ticks
// inside it, so that no larger step is tried.
func linearTicks(data, domain span, fits room) ticks {
	var best ticks
	for _, s := range stepSizes(data, domain) {
		marks := multiples(s, domain)
		if len(marks) < 2 || inside(marks, data) < 2 {
			break
		}
		best = label(marks)
		if len(marks) <= most && fits(best.Ticks) {
			break
		}
	}
	return best
}

// stepSizes are the possible distances between ticks, smallest first.
func stepSizes(data, domain span) []decimal {
	power := magnitude(domain.Hi/2-domain.Lo/2) - 1
	var all []decimal
	for p := power; p <= power+3; p++ {
		for _, m := range []int64{1, 2, 5} {
			s := decimal{m, p}
			f := s.float()
			if f > 0 && domain.width()/f <= 3*most && f <= data.width()/2 {
				all = append(all, s)
			}
		}
	}
	return all
}

// multiples are those of a step within a range. The range is at most some
// 1e12 steps away from zero, else it would count as one value.
func multiples(step decimal, within span) []decimal {
	f := step.float()
	first, last := math.Ceil(within.Lo/f-1e-9), math.Floor(within.Hi/f+1e-9)
	if last-first > 1000 || math.Abs(first) > 1e15 || math.Abs(last) > 1e15 {
		return nil
	}
	var all []decimal
	for k := int64(first); k <= int64(last); k++ {
		d := decimal{k * step.n, step.exp}
		if v := d.float(); v >= within.Lo && v <= within.Hi {
			all = append(all, d)
		}
	}
	return all
}

// inside counts what lies within the data.
func inside(marks []decimal, data span) int {
	n := 0
	for _, d := range marks {
		if v := d.float(); v >= data.Lo && v <= data.Hi {
			n++
		}
	}
	return n
}

// label writes ticks of one step alike: the same number of decimals, the same
// power of ten, or, where more than six digits would be needed, as distance
// from a round number.
func label(marks []decimal) ticks {
	exp := math.MaxInt
	var largest decimal
	for _, d := range marks {
		d = d.trim()
		if d.n == 0 {
			continue
		}
		exp = min(exp, d.exp)
		if largest.n == 0 || d.power() > largest.power() {
			largest = d
		}
	}
	digits := largest.power() - exp + 1
	if digits > 6 {
		return labelFrom(marks, exp)
	}
	write := func(d decimal) string { return d.plain(max(0, -exp)) }
	if p := largest.power(); p > 5 || p < -3 {
		write = func(d decimal) string { return d.scientific(p, digits-1) }
	}
	var t ticks
	for _, d := range marks {
		t.Ticks = append(t.Ticks, tick{d.float(), write(d)})
	}
	return t
}

// labelFrom labels by the distance from the round number below the first.
func labelFrom(marks []decimal, exp int) ticks {
	same := make([]decimal, len(marks)) // all with one exponent
	for i, d := range marks {
		for same[i] = d; same[i].exp > exp; same[i].exp-- {
			same[i].n *= 10
		}
		for ; same[i].exp < exp; same[i].exp++ {
			same[i].n /= 10
		}
	}
	round := int64(1)
	for round <= same[len(same)-1].n-same[0].n {
		round *= 10
	}
	base := floorDiv(same[0].n, round) * round
	rest := make([]decimal, len(marks))
	for i, d := range same {
		rest[i] = decimal{d.n - base, exp}
	}
	t := label(rest)
	for i := range t.Ticks {
		t.Ticks[i].At = marks[i].float()
	}
	from := decimal{base, exp}.trim()
	t.From = from.plain(max(0, -from.exp))
	if from.power() > 15 || from.power() < -6 {
		t.From = from.scientific(from.power(), from.digits()-1)
	}
	return t
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// logSets are the mantissas labelled in each decade, fewest first.
var logSets = [][]int64{{1}, {1, 3}, {1, 2, 5}, {1, 2, 3, 5, 7}}

// logTicks takes the densest set of mantissas that has room; of decades alone
// every second, third, … if need be. Where no set has three labels inside the
// data, as within a part of one decade, it labels as a linear axis does.
func logTicks(data, domain span, fits room) ticks {
	for _, set := range slices.Backward(logSets) {
		marks := mantissas(set, 1, domain)
		t := labelLog(marks)
		if inside(marks, data) >= 3 && len(marks) <= mostLog && fits(t.Ticks) {
			return t
		}
	}
	if marks := mantissas(halfDecade, 1, domain); inside(marks, data) >= 3 && fits(labelLog(marks).Ticks) {
		return labelLog(marks)
	}
	for stride := 2; stride <= 128; stride++ {
		marks := mantissas(logSets[0], stride, domain)
		t := labelLog(marks)
		if inside(marks, data) >= 3 && len(marks) <= mostLog && fits(t.Ticks) {
			return t
		}
	}
	return sparseLog(data, domain, fits)
}

// sparseLog labels a log axis on which no usual set of three has room or
// place.
func sparseLog(data, domain span, fits room) ticks {
	if t := linearTicks(data, domain, fits); len(t.Ticks) > 0 && data.Hi/data.Lo < 20 && fits(t.Ticks) {
		return t
	}
	for _, set := range logSets {
		for stride := 128; stride > 0; stride-- {
			marks := mantissas(set, stride, domain)
			if inside(marks, data) >= 2 {
				return labelLog(marks)
			}
		}
	}
	return linearTicks(data, domain, fits)
}

// halfDecade are tenths of the mantissas for about half a decade, of which the
// usual ones leave an end bare.
var halfDecade = []int64{10, 15, 20, 30, 40, 50, 70}

// mantissas are the set's numbers in every stride-th decade of a range.
func mantissas(set []int64, stride int, within span) []decimal {
	var all []decimal
	for p := magnitude(within.Lo) - 1; p <= magnitude(within.Hi); p++ {
		if p%stride != 0 {
			continue
		}
		for _, m := range set {
			d := decimal{m, p}.trim()
			if v := d.float(); v >= within.Lo && v <= within.Hi {
				all = append(all, d)
			}
		}
	}
	return all
}

// labelLog writes each tick with its own digits. Where the axis leaves the
// numbers that are easy to read, all but the middle ones are powers of ten.
func labelLog(marks []decimal) ticks {
	far := false
	for _, d := range marks {
		far = far || d.power() > 5 || d.power() < -3
	}
	var t ticks
	for _, d := range marks {
		text := d.plain(max(0, -d.exp))
		if p := d.power(); far && (p > 2 || p < -1) {
			text = d.scientific(p, d.digits()-1)
		}
		t.Ticks = append(t.Ticks, tick{d.float(), text})
	}
	return t
}

// counting are ticks at whole numbers.
func counting(first, last int) []tick {
	var all []tick
	for k := first; k <= last; k++ {
		all = append(all, tick{float64(k), strconv.Itoa(k)})
	}
	return all
}

// some are the ticks at multiples of 1, 2, 5, 10, 20, …, by label, of the
// least number for which they fit.
func some(ts []tick, fits room) []tick {
	for power := 1; power <= len(ts); power *= 10 {
		for _, m := range []int{1, 2, 5} {
			var kept []tick
			for _, t := range ts {
				if n, err := strconv.Atoi(t.Label); err == nil && n%(m*power) == 0 {
					kept = append(kept, t)
				}
			}
			if len(kept) > 0 && fits(kept) {
				return kept
			}
		}
	}
	return ts[:min(1, len(ts))]
}
