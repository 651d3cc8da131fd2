package analysis

import (
	"math"
	"slices"
	"strings"

	"fieldbook/internal/expr"
)

// onPublished judges a claim on an earlier study's numbers, machine by
// machine: those that the claim names, else all. It holds where it holds on
// each machine that states enough.
func (r *Result) onPublished(c Claim) (Verdict, []PublishedPart) {
	if len(r.old) == 0 || c.Untested != "" {
		return NotStated, nil
	}
	var parts []PublishedPart
	for _, m := range r.machinesOf(c, nil) {
		here := []PublishedPart{}
		if bothSidesOfOne(c) {
			here = r.levelsOld(c, m)
		} else {
			here = append(here, r.onOldMachine(c, m, nil))
		}
		for _, p := range here {
			p.Machine = m
			parts = append(parts, p)
		}
	}
	if bothSidesOfOne(c) {
		return bothSidesOld(parts)
	}
	return overall(parts), parts
}

func bothSidesOfOne(c Claim) bool { return c.Expect != nil && c.Expect.Op == "both-sides" }

// machinesOf are the published machines that a claim means; for `all-of`
// those that any of its claims means.
func (r *Result) machinesOf(c Claim, above []string) []string {
	all := r.PublishedMachines()
	if len(c.Machines) > 0 {
		return slices.DeleteFunc(all, func(m string) bool { return !slices.Contains(c.Machines, m) })
	}
	if len(c.AllOf) == 0 || slices.Contains(above, c.Name) {
		return all
	}
	return slices.DeleteFunc(all, func(m string) bool {
		return !slices.ContainsFunc(r.claimsOf(c), func(sub Claim) bool {
			return slices.Contains(r.machinesOf(sub, append(slices.Clone(above), c.Name)), m)
		})
	})
}

// claimsOf are the claims that a claim consists of.
func (r *Result) claimsOf(c Claim) []Claim {
	var subs []Claim
	for _, name := range c.AllOf {
		if i := slices.IndexFunc(r.Input.Claims, func(o Claim) bool { return o.Name == name }); i >= 0 {
			subs = append(subs, r.Input.Claims[i])
		}
	}
	return subs
}

// overall is the verdict of parts that must all hold; those that state
// nothing are passed over.
func overall(parts []PublishedPart) Verdict {
	v := NotStated
	for _, p := range parts {
		if p.Verdict == Fails {
			return Fails
		}
		if p.Verdict == Holds {
			v = Holds
		}
	}
	return v
}

// bothSidesOld is the verdict of "ratio on both sides of 1" over machines and
// levels.
func bothSidesOld(parts []PublishedPart) (Verdict, []PublishedPart) {
	below, above, stated := 0, 0, 0
	for _, p := range parts {
		if math.IsNaN(p.Value) {
			continue
		}
		stated++
		if p.Value < 1 {
			below++
		}
		if p.Value > 1 {
			above++
		}
	}
	verdict := NotStated
	switch {
	case below > 0 && above > 0:
		verdict = Holds
	case stated > 1:
		verdict = Fails
	}
	for i := range parts {
		if !math.IsNaN(parts[i].Value) {
			parts[i].Verdict = verdict
		}
	}
	return verdict, parts
}

// onOldMachine judges a claim on one machine. above are the claims that it is
// a part of.
func (r *Result) onOldMachine(c Claim, machine string, above []string) PublishedPart {
	switch {
	case len(c.AllOf) > 0:
		return r.allOfOld(c, machine, above)
	case c.Always != nil:
		return r.alwaysOld(c, onMachine(c, machine))
	case c.Expect == nil || c.Fit != "":
		return notStatedPart("not stated")
	}
	return weakestOld(r.levelsOld(c, machine), c.Expect)
}

// onMachine is where a claim holds, on a published machine; machine= in the
// claim itself means one of today.
func onMachine(c Claim, machine string) expr.Selection {
	return append(factorTerms(c.Where), expr.Term{Factor: "machine", Levels: []string{machine}})
}

// levelsOld are the numbers of a claim on one machine, at every level that
// it spreads over.
func (r *Result) levelsOld(c Claim, machine string) []PublishedPart {
	metric, err := r.metricIndex(c.Metric)
	if err != nil {
		return []PublishedPart{notStatedPart(err.Error())}
	}
	where := onMachine(c, machine)
	var parts []PublishedPart
	for _, within := range r.oldForEach(c, where) {
		parts = append(parts, r.oldParts(c, metric, append(slices.Clone(where), within...))...)
	}
	return parts
}

func notStatedPart(why string) PublishedPart {
	return PublishedPart{Verdict: NotStated, Value: math.NaN(), Text: why}
}

// allOfOld is the verdict of several claims together on one machine; those
// that do not mean the machine are passed over.
func (r *Result) allOfOld(c Claim, machine string, above []string) PublishedPart {
	above = append(slices.Clone(above), c.Name)
	var parts []PublishedPart
	var texts []string
	for _, sub := range r.claimsOf(c) {
		if slices.Contains(above, sub.Name) || !slices.Contains(r.machinesOf(sub, above), machine) {
			continue
		}
		p := r.onOldMachine(sub, machine, above)
		parts = append(parts, p)
		texts = append(texts, sub.Name+" "+string(p.Verdict)+" ("+p.Text+")")
	}
	out := notStatedPart(strings.Join(texts, "; "))
	out.Verdict = overall(parts)
	if out.Verdict == Holds && slices.ContainsFunc(parts, func(p PublishedPart) bool { return p.Verdict == NotStated }) {
		out.Verdict = NotStated
	}
	return out
}

// alwaysOld evaluates an expression for every treatment of the study for which
// it can be evaluated.
func (r *Result) alwaysOld(c Claim, where expr.Selection) PublishedPart {
	out := notStatedPart("not stated")
	for _, o := range r.oldIn(where) {
		got, err := c.Always.Eval(r.oldEnv(o, nil))
		if err != nil || got.Kind != expr.KindBool {
			continue
		}
		if !got.Bool {
			return PublishedPart{Verdict: Fails, Value: math.NaN(), Text: "false for " + o.selection().String()}
		}
		out = PublishedPart{Verdict: Holds, Value: math.NaN(), Text: "true"}
	}
	return out
}
