package analysis

import (
	"fmt"
	"math"

	"fieldbook/analysis/stat"
)

// Equivalence is a claim that a ratio lies within a margin, level by level.
// "At all levels" is an intersection-union test: the largest p, without any
// adjustment (Berger, Technometrics 24, 1982). "At which levels" looks at
// many and is adjusted by Holm.
type Equivalence struct {
	Claim  Claim
	Levels []EquivalenceLevel // the parts of the claim, in their order
	// All is the largest p over the levels; NaN where one has none.
	All float64
	// AtAll says that every level is within the margin, by the claim's own
	// rules.
	AtAll bool
	// Smallest is the least m such that 1/m..m would have been met at every
	// level; NaN where a level says nothing, or the margin leaves 1 out.
	Smallest float64
}

// EquivalenceLevel is one level of an Equivalence.
type EquivalenceLevel struct {
	Label   string   // "clients=4", or "" where the claim has one part
	Ratio   Estimate // I95
	Ratio90 Estimate // I90
	P       float64  // of two one-sided tests (Schuirmann 1987); NaN: none
	Holm    float64  // P adjusted for the number of levels
	Within  bool     // P alone proves it: the claim's part is supported
	// Smallest is the least m with I90 inside 1/m..m: a description, and no
	// margin that was declared.
	Smallest float64
	Words    string // what the level shows, in a clause
}

// Equivalence is the claim of a name, level by level. The error is for a
// claim that there is not, or that expects something else than a ratio within
// a margin.
func (r *Result) Equivalence(claim string) (Equivalence, error) {
	var names []string
	for _, c := range r.Input.Claims {
		if c.Name == claim {
			return r.equivalence(c)
		}
		names = append(names, c.Name)
	}
	return Equivalence{}, unknown("claim", claim, names)
}

// IsEquivalence says whether a claim expects a ratio within a margin.
func (c Claim) IsEquivalence() bool {
	return c.Compare != nil && c.Expect != nil && c.Expect.Of == "ratio" && c.Expect.Op == "within"
}

func (r *Result) equivalence(c Claim) (Equivalence, error) {
	if !c.IsEquivalence() {
		return Equivalence{}, fmt.Errorf("the claim %s is no equivalence; it takes `expect: ratio within LOW..HIGH`", c.Name)
	}
	e := Equivalence{Claim: c, AtAll: true}
	var ps []float64
	for _, f := range r.findings(c) {
		l := equivalenceLevel(f, *c.Expect)
		e.Levels = append(e.Levels, l)
		ps = append(ps, l.P)
		e.AtAll = e.AtAll && l.Within
		e.All, e.Smallest = math.Max(e.All, l.P), math.Max(e.Smallest, l.Smallest) // NaN where one is
	}
	for i, p := range stat.Holm(ps) {
		e.Levels[i].Holm = p
	}
	return e, nil
}

// equivalenceLevel is one part of a claim, as two one-sided tests see it.
func equivalenceLevel(f finding, e Expect) EquivalenceLevel {
	l := EquivalenceLevel{Label: f.Label, Ratio: f.Estimate, Ratio90: f.I90, P: f.pSupport, Holm: math.NaN(), Within: f.alone == Supported, Smallest: math.NaN()}
	if f.Estimate.Refused == "" && f.Estimate.N < minTOST {
		l.P = math.NaN()
	}
	if e.Lo < 1 && e.Hi > 1 {
		l.Smallest = leastMargin(f.I90.Lo, f.I90.Hi)
	}
	l.Words = l.words(f, e)
	return l
}

// minTOST is how many blocks an equivalence takes.
const minTOST = 5

// words tell whether the ratio lies within the margin, and whether it differs
// from 1: what is practically the same may still be seen to differ, and what
// is not seen to differ need not be the same.
func (l EquivalenceLevel) words(f finding, e Expect) string {
	i95 := l.Ratio
	differs, outside := i95.Hi < 1 || i95.Lo > 1, i95.Hi < e.Lo || i95.Lo > e.Hi
	around := e.Lo < 1 && e.Hi > 1
	var text string
	switch {
	case f.alone == NotJudged:
		return f.Why
	case i95.Refused != "" || math.IsNaN(i95.Lo):
		return "nothing can be said: " + firstOf(i95.Refused, i95.NoInterval())
	case i95.N < minTOST:
		return fmt.Sprintf("inconclusive: an equivalence takes %d blocks", minTOST)
	case l.Within && !around:
		text = "within the margin"
	case l.Within && !differs:
		text = "practically equivalent (within the margin)"
	case l.Within:
		text = "different, but by less than the margin: terribly small"
	case outside && !around:
		text = "outside the margin"
	case outside:
		text = "different by more than the margin"
	case differs && around:
		text = "different; size relative to the margin undecided"
	default:
		text = "inconclusive"
	}
	if !l.Within && !outside && f.Why != "" {
		text += "; " + f.Why
	}
	return text + i95.caution()
}
