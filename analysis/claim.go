package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis/stat"
)

// judgeClaims judges every claim, in the order of the file: first its parts,
// then all of them together, then the claims of a family.
func (r *Result) judgeClaims() []ClaimResult {
	results := make([]ClaimResult, len(r.Input.Claims))
	cases := make([]verdictCase, len(results))
	for i, c := range r.Input.Claims {
		cases[i] = r.examine(c, nil)
		results[i] = r.resultOf(c, &cases[i])
	}
	r.judgeFamilies(results, cases)
	return results
}

// verdictCase is a claim's parts, examined, and what follows from all of
// them.
type verdictCase struct {
	parts    []finding
	verdict  Verdict
	exact    Verdict // by the exact intervals
	adjusted bool    // Holm over the parts changed a decision
	p        float64 // of the decision, or of the nearest one; NaN: no test
	why      []reason
}

// examine judges a claim by its form. above are the claims that it is a part
// of.
func (r *Result) examine(c Claim, above []string) verdictCase {
	switch {
	case c.Untested != "":
		return together([]finding{notJudged("", c.Untested)})
	case len(c.AllOf) > 0:
		return r.examineAllOf(c, above)
	case c.Always != nil:
		return together(r.alwaysFindings(c))
	case c.Slope != "":
		return together(r.curveFindings(c))
	case c.Fit != "":
		v := together(r.curveFindings(c))
		v.why = v.fitReasons()
		return v
	case c.Expect == nil:
		return together([]finding{notJudged("", "the claim expects nothing")})
	case c.Expect.Op == "both-sides":
		return bothSides(r.findings(c))
	}
	return together(r.findings(c))
}

// examineAllOf takes the parts of all claims named, and Holm over all of
// them.
func (r *Result) examineAllOf(c Claim, above []string) verdictCase {
	above = append(slices.Clone(above), c.Name)
	var parts []finding
	for _, name := range c.AllOf {
		i := slices.IndexFunc(r.Input.Claims, func(o Claim) bool { return o.Name == name })
		if i < 0 || slices.Contains(above, name) {
			parts = append(parts, notJudged(name, "there is no such claim to stand on"))
			continue
		}
		sub := r.Input.Claims[i]
		v := r.examine(sub, above)
		if sub.Expect != nil && sub.Expect.Op == "both-sides" {
			parts = append(parts, v.whole(name))
			continue
		}
		for _, f := range v.parts {
			f.Label = joinLabel(name, f.Label)
			f.Label = strings.TrimSuffix(f.Label, ": ")
			parts = append(parts, f)
		}
	}
	return together(parts)
}

// whole is a claim of several parts as one part of another.
func (v verdictCase) whole(label string) finding {
	why := clauses(v.why)
	f := notJudged(label, why)
	if len(v.parts) > 0 {
		f = v.parts[0]
		f.Label, f.Why = label, why
	}
	f.alone, f.exact, f.Verdict = v.verdict, v.exact, v.verdict
	f.P, f.pSupport, f.pRefute = v.p, v.p, v.p
	if v.verdict == Supported {
		f.pRefute = whole(v.p)
	}
	return f
}

// together is the verdict of parts that must all hold: supported when every
// part is (an intersection-union test needs no adjustment), refuted when one
// is, with Holm over the parts, else undecided. Where a part cannot be judged
// and none is refuted, neither can the claim.
func together(parts []finding) verdictCase {
	v := verdictCase{parts: parts, p: math.NaN()}
	v.holm()
	v.verdict = combine(parts, func(f finding) Verdict { return f.Verdict })
	v.exact = combine(parts, func(f finding) Verdict { return f.exact })
	v.p = v.nearest()
	return v
}

func combine(parts []finding, of func(finding) Verdict) Verdict {
	count := map[Verdict]int{}
	for _, f := range parts {
		count[of(f)]++
	}
	switch {
	case count[Refuted] > 0:
		return Refuted
	case count[NotJudged] > 0 || len(parts) == 0:
		return NotJudged
	case count[Supported] == len(parts):
		return Supported
	}
	return Undecided
}

// holm takes back what is refuted alone and not together with the other
// parts.
func (v *verdictCase) holm() {
	ps := make([]float64, len(v.parts))
	for i, f := range v.parts {
		ps[i] = f.pRefute
	}
	adjusted := stat.Holm(ps)
	for i := range v.parts {
		f := &v.parts[i]
		if f.Verdict == Refuted && adjusted[i] >= alpha {
			v.adjusted = true
			f.Verdict = Undecided
			f.Why = fmt.Sprintf("refuted alone (%s), but not after Holm over %s", PText(f.pRefute), plural(len(v.parts), "part"))
		}
	}
}

// nearest is the p-value of the decision that was made, or of the one that is
// nearest: of supporting all parts the largest, of refuting one the smallest
// after Holm.
func (v *verdictCase) nearest() float64 {
	support, refute := math.NaN(), math.NaN()
	ps := make([]float64, len(v.parts))
	for i, f := range v.parts {
		ps[i] = f.pRefute
		if !(support >= f.pSupport) && !math.IsNaN(f.pSupport) {
			support = f.pSupport
		}
	}
	for _, p := range stat.Holm(ps) {
		if !(refute <= p) && !math.IsNaN(p) {
			refute = p
		}
	}
	switch {
	case v.verdict == Supported || math.IsNaN(refute):
		return support
	case v.verdict == Refuted || math.IsNaN(support):
		return refute
	}
	return math.Min(support, refute)
}

// resultOf is the result of one claim by itself.
func (r *Result) resultOf(c Claim, v *verdictCase) ClaimResult {
	out := ClaimResult{Claim: c, Verdict: v.verdict, Adjusted: v.adjusted, PublishedVerdict: NotStated}
	for _, f := range v.parts {
		out.Parts = append(out.Parts, f.ClaimPart)
	}
	out.Few = v.exact != v.verdict && !v.adjusted && v.verdict != NotJudged
	out.Weakest = v.weakest()
	out.PostHoc = r.postHoc(c, v.parts, nil)
	out.Why, out.told = v.reasons(&out)
	out.PublishedVerdict, out.PublishedParts = r.onPublished(c)
	return out
}

// judgeFamilies takes back decisions of claims that were made together and
// do not stand together.
func (r *Result) judgeFamilies(results []ClaimResult, cases []verdictCase) {
	families := map[string][]int{}
	var names []string
	for i, c := range r.Input.Claims {
		if c.Family == "" {
			continue
		}
		if families[c.Family] == nil {
			names = append(names, c.Family)
		}
		families[c.Family] = append(families[c.Family], i)
	}
	for _, name := range names {
		members := families[name]
		ps := make([]float64, len(members))
		for k, i := range members {
			ps[k] = cases[i].p
		}
		for k, p := range stat.Holm(ps) {
			out := &results[members[k]]
			if p >= alpha && (out.Verdict == Supported || out.Verdict == Refuted) {
				out.Why = fmt.Sprintf("%s alone (%s), but not after Holm over the family %s of %s",
					out.Verdict, PText(ps[k]), name, plural(len(members), "claim"))
				out.told = []string{out.Why}
				out.Verdict, out.Adjusted, out.Few = Undecided, true, false
			}
		}
	}
}

// Tested is how many claims were judged on data.
func (r *Result) Tested() int {
	n := 0
	for _, c := range r.Claims {
		if c.Verdict != NotJudged {
			n++
		}
	}
	return n
}
