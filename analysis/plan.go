package analysis

import (
	"fmt"
	"math"

	"fieldbook/analysis/stat"
)

// minPilot is the least number of blocks whose spread a plan may rest on.
const minPilot = 5

// pilotConfidence is that of the upper limit of the pilot's standard
// deviation, which plans use in its place: a pilot of few blocks often shows
// too little noise by chance (Browne, Stat. Med. 14, 1995).
const pilotConfidence = 0.80

// PlanGoal is what the blocks of a plan are to reach: one of Precision and
// Power.
type PlanGoal struct {
	Precision float64 // half-width of the 95 % interval: of a ratio as ratio less 1, of a value relative to it
	Power     float64 // chance that a claim's part is decided as Effect says
	// Effect is how far the truth is supposed to lie from the bound of `<` and
	// `>`, from 1 where an equivalence or both sides of 1 are claimed, as
	// ratio less 1. 0: of a bound, that the truth is no difference; of an
	// equivalence, that it is 1, or amid a margin that leaves 1 out.
	Effect float64
}

// ClaimNeed is how many blocks a claim takes, part by part.
type ClaimNeed struct {
	Claim string
	Parts []Need
	Worst int // index of the part that takes most, or cannot be planned; -1: no part
}

// Need is how many blocks one part of a claim takes.
type Need struct {
	Part      string
	Unit      string  // what N and Blocks count: "block", or "session" of a value over sessions
	N         int     // recorded
	SD        float64 // of what one of them adds, on the scale of the test: logarithms, but of a mean its unit
	Upper     float64 // limit that SD is below at 80 % confidence; what is planned with
	HalfWidth float64 // reached, as in PlanGoal.Precision; NaN: no interval
	If        string  // the truth that a power is of: "if the ratio is 1"
	Blocks    int     // needed in all; 0 where Refused
	Refused   string
}

// Plan is how many blocks each claim takes, in the order of the file, by the
// spread of what is recorded. Every part is planned by itself: the chance
// that several parts are all decided is smaller.
func (r *Result) Plan(g PlanGoal) []ClaimNeed {
	var all []ClaimNeed
	for _, c := range r.Input.Claims {
		n := ClaimNeed{Claim: c.Name, Worst: -1}
		for i, f := range r.examine(c, nil).parts {
			p := f.need(g)
			if c.Always != nil {
				nan := math.NaN()
				p = Need{Part: f.Label, SD: nan, Upper: nan, HalfWidth: nan, Refused: "it is checked in every trial, and no number of them proves it"}
			}
			n.Parts = append(n.Parts, p)
			if n.Worst < 0 || p.worse(n.Parts[n.Worst]) {
				n.Worst = i
			}
		}
		all = append(all, n)
	}
	return all
}

// worse says whether a part takes more than another one: one that cannot be
// planned most of all.
func (n Need) worse(than Need) bool {
	if than.Refused != "" {
		return false
	}
	return n.Refused != "" || n.Blocks > than.Blocks
}

// need plans one part.
func (f *finding) need(g PlanGoal) Need {
	n := Need{Part: f.Label, SD: math.NaN(), Upper: math.NaN(), HalfWidth: f.Estimate.RelativeHalfWidth()}
	if n.Refused = f.unplanned(); n.Refused != "" {
		return n
	}
	perRound := math.Max(1, float64(f.perRound))
	n.Unit, n.N = f.rests.unit, int(math.Ceil(float64(f.rests.i95.N)/perRound))
	if n.Unit == "trial" {
		n.Unit = "block"
	}
	n.SD = f.rests.sd / math.Sqrt(perRound)
	switch {
	case n.N < minPilot:
		n.Refused = fmt.Sprintf("a plan takes a pilot of %s, and there are %d: the spread of fewer says next to nothing", plural(minPilot, n.Unit), n.N)
		return n
	case math.IsNaN(n.SD):
		n.Refused = "there is no spread to plan by"
		return n
	case n.SD == 0:
		n.Refused = "nothing varies from " + n.Unit + " to " + n.Unit + ": there is no noise to plan by; is the clock too coarse?"
		return n
	}
	n.Upper = stat.UpperSD(n.SD, n.N, pilotConfidence)
	if g.Precision > 0 {
		n.Blocks = stat.BlocksForHalfWidth(n.Upper, f.onScale(g.Precision), confidence)
	} else {
		n.Blocks, n.If, n.Refused = f.blocksForPower(g, n.Upper)
	}
	if n.Refused == "" && (n.Blocks == 0 || n.Blocks > withinReach) {
		n.Blocks, n.Refused = 0, fmt.Sprintf("more than %d %ss", withinReach, n.Unit)
	}
	return n
}

// unplanned says why a part has nothing to plan by, or nothing.
func (f *finding) unplanned() string {
	switch {
	case f.rests.p == nil:
		return firstOf(f.Why, "it is planned as a claim of its own")
	case f.rests.i95.Refused != "":
		return f.rests.i95.Refused
	case math.IsNaN(f.rests.sd) && f.rests.unit == "":
		return "a median or percentile has no spread per trial from which its interval could be foretold"
	}
	return ""
}

// onScale is a relative size on the scale of the evidence.
func (f *finding) onScale(share float64) float64 {
	if f.Estimate.Stat == "mean" {
		return share * math.Abs(f.rests.mean)
	}
	return math.Log1p(share)
}

// isValue says whether a part is of a value, which has no "no difference".
func (f *finding) isValue() bool {
	return f.Estimate.Kind == Absolute && f.Estimate.Stat != "deviation"
}

// blocksForPower is how many blocks decide the part with the power wished
// for, if the truth is where the goal says.
func (f *finding) blocksForPower(g PlanGoal, sd float64) (blocks int, truth, refused string) {
	t := f.aim
	switch {
	case t.floorWanted && !t.floorKnown:
		return 0, "", "the A/A control has no interval yet"
	case t.floorOutside():
		return 0, "", "two labels of one treatment differ by more than the margin: this set-up cannot resolve it"
	case f.sides || !t.equivalence():
		return f.blocksToTell(g, sd)
	}
	return f.blocksForEquivalence(g, sd)
}

// blocksToTell is for a single bound: the t test must tell the truth from it,
// on the side where it lies.
func (f *finding) blocksToTell(g PlanGoal, sd float64) (blocks int, truth, refused string) {
	bound := f.aim.lo
	if math.IsInf(bound, 0) {
		bound = f.aim.hi
	}
	distance := math.Abs(bound)
	switch {
	case g.Effect > 0 && f.sides:
		distance, truth = f.onScale(g.Effect), "if the ratio is "+percent(g.Effect)+" off 1"
	case g.Effect > 0:
		distance, truth = f.onScale(g.Effect), "if it is "+percent(g.Effect)+" off its bound"
	case f.isValue():
		return 0, "", "a value has no natural distance from its bound: name one by --effect"
	case distance == 0:
		return 0, "", "its bound is no difference: name by --effect how large a difference is to be found"
	default:
		truth = "if there is no difference"
	}
	if distance -= f.aim.clear; distance <= 0 {
		return 0, truth, "no further from the bound than two labels of one treatment are apart"
	}
	n := stat.TPower{SD: sd, Alpha: alpha, Samples: 1, OneTail: true}.Size(distance, g.Power)
	if math.IsNaN(n) {
		return 0, truth, ""
	}
	return max(3, int(math.Ceil(n-1e-9))), truth, ""
}

// blocksForEquivalence is for a margin: both one-sided tests must prove that
// the truth lies inside.
func (f *finding) blocksForEquivalence(g PlanGoal, sd float64) (blocks int, truth, refused string) {
	middle := 0.0
	truth = "if there is no difference"
	if f.Estimate.Stat == "deviation" {
		truth = "if the level is on the line"
	}
	if f.isValue() || !(f.aim.lo < 0 && f.aim.hi > 0) {
		middle, truth = (f.aim.lo+f.aim.hi)/2, "if it is amid its margin"
	}
	thetas := []float64{middle}
	if g.Effect > 0 {
		off := f.onScale(g.Effect)
		thetas, truth = []float64{middle - off, middle + off}, "if it is "+percent(g.Effect)+" off that"
		if middle == 0 {
			truth = "if the difference is " + percent(g.Effect)
		}
	}
	for _, theta := range thetas {
		if theta <= f.aim.lo || theta >= f.aim.hi {
			return 0, truth, "an effect of " + percent(g.Effect) + " is no smaller than the margin"
		}
		n := stat.BlocksForEquivalence(theta, sd, f.aim.lo, f.aim.hi, alpha, g.Power)
		if n == 0 {
			return 0, truth, ""
		}
		blocks = max(blocks, n)
	}
	return blocks, truth, ""
}

// RelativeHalfWidth is half the width of an interval: of a ratio, a geometric
// mean, a slope or a deviation as ratio less 1, of another value relative to
// it; NaN where a side is open or there is none.
func (e Estimate) RelativeHalfWidth() float64 {
	width := e.Hi - e.Lo
	switch {
	case e.Refused != "" || math.IsInf(width, 0):
		return math.NaN()
	case e.Kind == Slope:
		return math.Expm1(width / 2)
	case e.Stat == "deviation":
		return math.Sqrt((1+e.Hi)/(1+e.Lo)) - 1
	case e.Kind == Ratio || e.Stat == "geomean":
		return math.Sqrt(e.Hi/e.Lo) - 1
	}
	return width / 2 / math.Abs(e.Value)
}

// SmallestMargin is the least m with the 90 % interval inside 1/m..m, of a
// ratio, a slope or a deviation: what could have been proven, and no margin
// that was declared. NaN where there is none.
func (p ClaimPart) SmallestMargin() float64 {
	lo, hi := p.I90.Lo, p.I90.Hi
	switch {
	case p.I90.Refused != "" || p.I90.N < minPilot:
		return math.NaN()
	case p.I90.Kind == Slope:
		return math.Exp(math.Max(math.Abs(lo), math.Abs(hi))) // a slope is a logarithm
	case p.I90.Stat == "deviation":
		lo, hi = 1+lo, 1+hi
	case p.I90.Kind != Ratio:
		return math.NaN()
	}
	return leastMargin(lo, hi)
}
