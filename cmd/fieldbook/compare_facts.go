package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fieldbook/internal/session"
)

// factPair is a fact about how two sides were recorded that is not the same.
type factPair struct{ name, a, b string }

// momentary are facts that are another at each look: they make no difference
// between two machines.
var momentary = []string{"frequency", "git_untracked", "load", "steal", "swap_used", "temperature", "throttled"}

// factPairs are the facts that differ: of the machine and the plan, of what
// was run, then of the environment by name. Each side is told by its newest
// session; the seed, which always differs, is passed over.
func factPairs(a, b compared) []factPair {
	x, y := a.newest(), b.newest()
	var all []factPair
	add := func(name, u, v string) {
		if u != v {
			all = append(all, factPair{name, u, v})
		}
	}
	add("experiment", x.Experiment, y.Experiment)
	add("machine", x.Machine, y.Machine)
	add("purpose", x.Purpose, y.Purpose)
	add("state", stateText(x), stateText(y))
	add("order", x.Order, y.Order)
	add("blocks", fmt.Sprint(x.Blocks), fmt.Sprint(y.Blocks))
	add("warm-up blocks", fmt.Sprint(x.WarmupBlocks), fmt.Sprint(y.WarmupBlocks))
	add("tool", x.Parts[0].Tool, y.Parts[0].Tool)
	all = append(all, workPairs(x, y)...)
	for _, name := range unionKeys(x.Parts[0].Built, y.Parts[0].Built) {
		add("built: "+name, short(x.Parts[0].Built[name]), short(y.Parts[0].Built[name]))
	}
	for _, name := range unionKeys(x.Parts[0].Environment, y.Parts[0].Environment) {
		if !slices.Contains(momentary, name) && name != "tool" {
			add(name, orAbsent(x.Parts[0].Environment, name), orAbsent(y.Parts[0].Environment, name))
		}
	}
	return all
}

func (c compared) newest() *session.Session {
	return c.result.Data.Sessions[len(c.result.Data.Sessions)-1]
}

func stateText(s *session.Session) string {
	switch aside := s.Aside(); {
	case aside != "":
		return aside
	case !s.Sealed:
		return "not complete"
	}
	return "sealed"
}

func unionKeys(a, b map[string]string) []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(names)
	return slices.Compact(names)
}

func orAbsent(facts map[string]string, name string) string {
	if v, ok := facts[name]; ok {
		return v
	}
	return "–"
}

// short is the beginning of a hash.
func short(hash string) string {
	if len(hash) > 12 {
		return hash[:12]
	}
	return hash
}

// workPairs says for each treatment of both sessions in what it ran something
// else. Treatments that changed alike are told once.
func workPairs(x, y *session.Session) []factPair {
	other := map[string]string{}
	for _, t := range y.Treatments {
		other[namedLevels(y, t.Levels)] = t.Identity
	}
	changed := map[string][]string{}
	for _, t := range x.Treatments {
		name := namedLevels(x, t.Levels)
		if id, ok := other[name]; ok && id != t.Identity {
			why := workDifference(x, y, t.Levels)
			changed[why] = append(changed[why], name)
		}
	}
	var all []factPair
	for _, why := range slices.Sorted(maps.Keys(changed)) {
		names := changed[why]
		what := names[0]
		if len(names) > 1 {
			what = count(len(names), "treatment")
		}
		all = append(all, factPair{"what ran: " + what, "", why})
	}
	return all
}

// namedLevels is a treatment as NAME=LEVEL words, sorted by factor.
func namedLevels(s *session.Session, levels []string) string {
	var words []string
	for i, f := range s.Factors {
		words = append(words, f.Name+"="+levels[i])
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// workDifference names the fields of a treatment's identity that differ, by
// the experiment files that both sessions keep.
func workDifference(x, y *session.Session, levels []string) string {
	old, okX := keptFile(x)
	now, okY := keptFile(y)
	if !okX || !okY {
		return "something else"
	}
	return changedFields(fieldsOf(old, levels), fieldsOf(now, levels))
}
