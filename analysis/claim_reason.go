package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// weakest is the part that decides, or is furthest from deciding. Of a claim
// that is supported it is the one nearest to its bound: p-values would rank parts
// by their noise, and many a part has the least that there is.
func (v *verdictCase) weakest() int {
	if at := v.closest(); v.verdict == Supported && at >= 0 {
		return at
	}
	at, worst := -1, math.Inf(-1)
	for i, f := range v.parts {
		if v.verdict != Supported && f.Verdict == Supported || v.verdict == Refuted && f.Verdict != Refuted {
			continue
		}
		size := f.pSupport
		switch {
		case v.verdict == Refuted:
			size = -f.pRefute
		case f.Verdict == NotJudged:
			size = 2
		}
		if math.IsNaN(size) {
			size = 0
		}
		if size > worst {
			at, worst = i, size
		}
	}
	return at
}

// closest is the part whose interval comes nearest to a bound; -1 where a part
// has no bound.
func (v *verdictCase) closest() int {
	at, least := -1, math.Inf(1)
	for i, f := range v.parts {
		gap := f.aim.gap(f.rests)
		if math.IsNaN(gap) || f.sides {
			return -1
		}
		if at < 0 || gap < least {
			at, least = i, gap
		}
	}
	return at
}

// gap is how far an interval stays from the bounds that it is to lie between, on
// the scale of the evidence: the 90 % interval of an equivalence, else the 95 %
// one; of a value without an interval the value. Below 0 it crosses one; NaN
// where there are no bounds or no value.
func (t target) gap(ev evidence) float64 {
	if t == (target{}) {
		return math.NaN()
	}
	i := ev.i95
	if t.equivalence() {
		i = ev.i90
	}
	lo, hi := i.Lo, i.Hi
	if math.IsNaN(lo) || math.IsNaN(hi) {
		lo, hi = ev.mean, ev.mean
	}
	switch {
	case math.IsInf(t.lo, 0):
		return t.hi - hi
	case math.IsInf(t.hi, 0):
		return lo - t.lo
	}
	return math.Min(lo-t.lo, t.hi-hi)
}

// A reason is a clause for a reader. shown: the verdict says it already, with
// the number of the weakest part beside it, so that a sentence leaves it out.
type reason struct {
	text  string
	shown bool
}

// reasons are all that is to be said of a verdict, for a table; told are those
// that a sentence needs.
func (v *verdictCase) reasons(out *ClaimResult) (all string, told []string) {
	var words []string
	for _, r := range v.mainReasons(out) {
		if r.text == "" {
			continue
		}
		words = append(words, r.text)
		if !r.shown {
			told = append(told, r.text)
		}
	}
	main := len(words)
	if out.Few {
		words = append(words, "rests on few "+v.unit()+"s")
	}
	if v.verdict != NotJudged {
		for _, f := range v.parts {
			for _, caveat := range f.caveats {
				if !slices.Contains(words, caveat) {
					words = append(words, caveat)
				}
			}
		}
	}
	return strings.Join(words, "; "), append(told, words[main:]...)
}

// unit is what the parts count, "block" where there are several kinds.
func (v *verdictCase) unit() string {
	unit := ""
	for _, f := range v.parts {
		if u := f.rests.unit; u != "" && unit != "" && u != unit {
			return "block"
		} else if u != "" {
			unit = u
		}
	}
	return firstOf(unit, "block")
}

func (v *verdictCase) mainReasons(out *ClaimResult) []reason {
	if len(v.why) > 0 {
		return v.why
	}
	if out.Weakest < 0 {
		return nil
	}
	f := v.parts[out.Weakest]
	several := len(v.parts) > 1
	switch {
	case v.verdict == Supported && several:
		return []reason{{holdsAt(out.Claim, len(v.parts)), true}}
	case v.verdict == Refuted && several:
		return said(fmt.Sprintf("refuted in %d of %s", v.count(Refuted), plural(len(v.parts), "part")))
	case v.verdict == Undecided && several:
		return said(v.slowest().Why)
	case v.verdict == NotJudged && several && f.Label != "":
		return said(f.Label + ": " + f.Why)
	}
	return said(f.Why)
}

// clauses joins reasons.
func clauses(list []reason) string {
	var texts []string
	for _, r := range list {
		texts = append(texts, r.text)
	}
	return strings.Join(texts, "; ")
}

// said is one reason that a sentence needs.
func said(text string) []reason { return []reason{{text: text}} }

// holdsAt says where a claim of several parts holds.
func holdsAt(c Claim, parts int) string {
	if c.Compare != nil && !c.AllPairs && !c.Compare.Other && len(c.ForEach) == 1 {
		return fmt.Sprintf("holds at each of %d levels of %s", parts, c.ForEach[0])
	}
	return "holds in all " + plural(parts, "part")
}

// firstOf is the first text that is not empty.
func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

func (v *verdictCase) count(of Verdict) int {
	n := 0
	for _, f := range v.parts {
		if f.Verdict == of {
			n++
		}
	}
	return n
}

// slowest is the undecided part that takes most blocks to decide, or that no
// number of them decides.
func (v *verdictCase) slowest() finding {
	var most finding
	for _, f := range v.parts {
		if f.Verdict == Undecided && (most.Verdict == "" || most.Blocks > 0 && (f.Blocks == 0 || f.Blocks > most.Blocks)) {
			most = f
		}
	}
	return most
}
