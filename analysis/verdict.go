package analysis

import (
	"fmt"
	"math"

	"fieldbook/analysis/stat"
)

// alpha is the level of every decision.
const alpha = 1 - confidence

// target is the region in which a claim places its ratio or value, on the
// scale of the evidence. One bound may be infinite; a region with two is an
// equivalence.
type target struct {
	lo, hi float64
	// clear is how far from a single bound the evidence must stay besides:
	// the far end of the A/A interval. 0 without a control.
	clear float64
	// floor is the A/A interval, which an equivalence must hold inside.
	floorLo, floorHi float64
	floorKnown       bool
	floorWanted      bool // there is a control, and its interval is needed
}

// newTarget is the region of an expectation; onto maps its bounds to the
// scale of the evidence.
func newTarget(e *Expect, onto func(float64) float64) target {
	switch e.Op {
	case "<":
		return target{lo: math.Inf(-1), hi: onto(e.Bound)}
	case ">":
		return target{lo: onto(e.Bound), hi: math.Inf(1)}
	}
	return target{lo: onto(e.Lo), hi: onto(e.Hi)}
}

func (t target) equivalence() bool { return !math.IsInf(t.lo, 0) && !math.IsInf(t.hi, 0) }

// withFloor takes the A/A interval into account; nil is no control.
func (t target) withFloor(floor *Comparison) target {
	if floor == nil {
		return t
	}
	t.floorWanted = true
	lo, hi := math.Log(floor.Ratio.Lo), math.Log(floor.Ratio.Hi)
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return t
	}
	t.floorLo, t.floorHi, t.floorKnown = lo, hi, true
	if !t.equivalence() {
		t.clear = math.Max(0, math.Max(hi, -lo))
	}
	return t
}

// judge is the verdict of a 95 % and a 90 % interval: a bound is supported by
// an interval on the right side of it and refuted by one on the wrong side; an
// equivalence is supported by the 90 % interval inside and refuted by the 95 %
// interval outside.
func (t target) judge(i95, i90 stat.Estimate) Verdict {
	if t.floorWanted && !t.floorKnown {
		return Undecided
	}
	switch {
	case t.equivalence() && i90.Lo > t.lo && i90.Hi < t.hi:
		if t.floorOutside() {
			return Undecided
		}
		return Supported
	case t.equivalence() && (i95.Lo > t.hi || i95.Hi < t.lo):
		return Refuted
	case t.equivalence():
		return Undecided
	case i95.Lo > t.lo+t.clear && i95.Hi < t.hi-t.clear:
		return Supported
	case i95.Hi < t.lo-t.clear || i95.Lo > t.hi+t.clear:
		return Refuted
	}
	return Undecided
}

// floorOutside says whether two labels of one treatment already differ by
// more than an equivalence allows.
func (t target) floorOutside() bool {
	return t.floorKnown && t.equivalence() && (t.floorLo <= t.lo || t.floorHi >= t.hi)
}

// decide fills in a finding: its verdict alone, the p-values of both
// decisions, whether the exact interval agrees, what would decide it.
func (t target) decide(f *finding, ev evidence) {
	f.rests, f.aim = ev, t
	f.alone = t.judge(ev.i95, ev.i90)
	if t.equivalence() && ev.equivalenceMin > f.Estimate.N && f.alone == Supported {
		f.alone = Undecided
	}
	f.exact = f.alone
	if ev.exact95.Refused == "" {
		f.exact = t.judge(ev.exact95, ev.exact90)
	}
	f.pSupport, f.pRefute = t.ps(ev)
	if f.alone == Undecided {
		f.Blocks, f.Why = t.remedy(ev)
	}
}

// ps are the p-values of supporting and of refuting: two-sided against a
// bound where the estimate lies on that side of it, else 1; of two one-sided
// tests for supporting an equivalence.
func (t target) ps(ev evidence) (support, refute float64) {
	if t.equivalence() {
		support = ev.pWithin(t.lo, t.hi)
		switch {
		case ev.mean > t.hi:
			return support, ev.p(t.hi)
		case ev.mean < t.lo:
			return support, ev.p(t.lo)
		}
		return support, whole(support)
	}
	good, bad := t.hi-t.clear, t.hi+t.clear
	right, wrong := ev.mean < good, ev.mean > bad
	if math.IsInf(t.hi, 1) {
		good, bad = t.lo+t.clear, t.lo-t.clear
		right, wrong = ev.mean > good, ev.mean < bad
	}
	support, refute = whole(ev.p(good)), whole(ev.p(bad))
	if right {
		support = ev.p(good)
	}
	if wrong {
		refute = ev.p(bad)
	}
	return support, refute
}

// whole is 1 for any p-value and NaN for none.
func whole(p float64) float64 {
	if math.IsNaN(p) {
		return p
	}
	return 1
}

// remedy says how many blocks would decide an undecided part.
func (t target) remedy(ev evidence) (blocks int, why string) {
	switch {
	case t.floorWanted && !t.floorKnown:
		return 0, "the A/A control has no interval yet"
	case t.floorOutside() && ev.i90.Lo > t.lo && ev.i90.Hi < t.hi:
		return 0, "two labels of one treatment differ by more than the margin: this set-up cannot resolve it"
	case math.IsNaN(ev.mean):
		return 0, ev.i95.Refused
	case math.IsNaN(ev.i95.Lo) && math.IsNaN(ev.i95.Hi):
		return 0, fmt.Sprintf("no interval from so little (n = %d)", ev.i95.N)
	case math.IsNaN(ev.sd):
		return 0, "more trials would decide it"
	}
	lo, hi := t.lo, t.hi
	if t.clear > 0 {
		bound := lo
		if math.IsInf(lo, 0) {
			bound = hi
		}
		if blocks := stat.BlocksToDecide(ev.mean, ev.sd, lo, hi, t.equivalence()); math.Abs(ev.mean-bound) <= t.clear && blocks > ev.i95.N {
			return blocks, fmt.Sprintf("about %s would decide it against the bound alone; the value is no further from it than two labels of one treatment are apart", plural(blocks, ev.unit))
		}
		if math.Abs(ev.mean-bound) <= t.clear {
			return 0, "it is no further from the bound than two labels of one treatment are apart"
		}
		lo, hi = beyond(lo, ev.mean, t.clear), beyond(hi, ev.mean, t.clear)
	}
	blocks = stat.BlocksToDecide(ev.mean, ev.sd, lo, hi, t.equivalence())
	if blocks == 0 || blocks > withinReach {
		return 0, fmt.Sprintf("no number of %ss within reach would decide it", ev.unit)
	}
	return blocks, fmt.Sprintf("about %s would decide it", plural(blocks, ev.unit))
}

// withinReach is the number of blocks or trials above which nobody plans: a value
// that lies almost on its bound would need millions.
const withinReach = 5000

// beyond moves a bound towards the value, by what must be cleared besides.
func beyond(bound, value, clear float64) float64 {
	if value < bound {
		return bound - clear
	}
	return bound + clear
}
