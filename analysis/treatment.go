package analysis

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// levelSep joins the levels of a treatment to a key; see Input.Identity.
const levelSep = "\x1f"

func treatmentKey(levels []string) string { return strings.Join(levels, levelSep) }

// States of a treatment's data that are not simply fresh.
const (
	Stale    = "stale"    // what runs has changed since
	Accepted = "accepted" // changed, and taken as still good, on record
	Missing  = "missing"  // no data
	Orphaned = "orphaned" // data of no treatment of the experiment
)

// Standing is a treatment whose data is not simply fresh.
type Standing struct {
	Levels    []string // in the order of Input.Factors
	Treatment string   // as a selection
	State     string
	Reason    string
	Sessions  []string // that hold the data meant, oldest first
	LeftOut   bool     // stale and kept out: fresh sessions hold the treatment, or later ones of another program
}

// changed says in what a trial's treatment has changed since it ran:
// "trial.command changed".
func (in *Input) changed(t *trial) string {
	return firstOf(in.Changed[t.session.Session][t.key], "what runs has changed")
}

// judgeFreshness marks what no longer belongs to the experiment as it
// stands. Without identities of today nothing can be stale.
func judgeFreshness(in *Input, trials []*trial) {
	if in.Identity == nil {
		return
	}
	fresh := map[string]bool{}
	newest := map[string]string{} // of stale data the identity recorded last: two are two programs
	for _, t := range trials {
		today, known := in.Identity[t.key]
		t.orphan = !known
		if known && !stillGood(t, today) {
			t.stale = in.changed(t) + " since session " + t.session.Session
		}
		if !known || t.Phase != measured || !t.ran() {
			continue
		}
		if t.stale == "" {
			fresh[t.key] = true
		} else {
			newest[t.key] = identity(t)
		}
	}
	for _, t := range trials {
		t.replaced = t.stale != "" && (fresh[t.key] || identity(t) != newest[t.key])
	}
}

// stillGood says whether a trial ran what its treatment runs today, or counts
// as if it had, on record.
func stillGood(t *trial, today string) bool {
	was := identity(t)
	_, accepted := t.session.Accepts(session.Change{Was: was, Now: today})
	return was == today || accepted
}

// identity is the one recorded of a trial's treatment, empty where there is
// none.
func identity(t *trial) string {
	for _, was := range t.session.Treatments {
		if was.Number == t.Treatment {
			return was.Identity
		}
	}
	return ""
}

// declared are the levels of all treatments, the first factor slowest: those
// of the experiment file, without one those of the sessions.
func declared(in *Input, trials []*trial) [][]string {
	keys := map[string]bool{}
	for k := range in.Identity {
		keys[k] = true
	}
	if in.Identity == nil {
		for _, t := range trials {
			keys[t.key] = true
		}
	}
	var all [][]string
	for k := range maps.Keys(keys) {
		all = append(all, strings.Split(k, levelSep))
	}
	slices.SortFunc(all, in.compareLevels)
	return all
}

// compareLevels orders treatments by the places of their levels in the
// factors; levels that a factor does not declare come after, by text.
func (in *Input) compareLevels(a, b []string) int {
	for i := range min(len(a), len(b)) {
		if c := cmp.Or(cmp.Compare(in.place(i, a[i]), in.place(i, b[i])), expr.CompareLevels(a[i], b[i])); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

func (in *Input) place(factor int, level string) int {
	if factor >= len(in.Factors) {
		return 0
	}
	if i := slices.Index(in.Factors[factor].Levels, level); i >= 0 {
		return i
	}
	return len(in.Factors[factor].Levels)
}

// selectionOf is a treatment as a selection; factors of one level are
// named too.
func (in *Input) selectionOf(levels []string) expr.Selection {
	var s expr.Selection
	for i, f := range in.Factors {
		if i < len(levels) {
			s = append(s, expr.Term{Factor: f.Name, Levels: []string{levels[i]}})
		}
	}
	return s
}

// setAsideReplaced takes the sessions of which nothing is used, since others
// hold all of their treatments fresh, from those in use to those left out.
func (r *Result) setAsideReplaced() {
	if r.Data == nil {
		return // nothing was recorded
	}
	some, used := map[*session.Session]bool{}, map[*session.Session]bool{}
	for _, t := range r.trials {
		if t.Phase == measured && t.ran() {
			some[t.session] = true
			used[t.session] = used[t.session] || !t.replaced
		}
	}
	kept := *r.Data
	kept.Sessions, kept.LeftOut = nil, slices.Clone(r.Data.LeftOut)
	for _, s := range r.Data.Sessions {
		if some[s] && !used[s] {
			kept.LeftOut = append(kept.LeftOut, session.LeftOut{Session: s.Session, Reason: "stale: what ran has changed since, and later sessions hold it anew"})
			continue
		}
		kept.Sessions = append(kept.Sessions, s)
	}
	slices.SortFunc(kept.LeftOut, func(a, b session.LeftOut) int { return cmp.Compare(a.Session, b.Session) })
	r.Data = &kept
}

// Treatments are the levels of all treatments of the experiment, in the order
// of Input.Factors, the first factor slowest: those of the experiment file,
// without one those that sessions hold.
func (r *Result) Treatments() [][]string {
	all := make([][]string, len(r.treatments))
	for i, levels := range r.treatments {
		all[i] = slices.Clone(levels)
	}
	return all
}

// Standings are the treatments whose data is stale, accepted, missing or
// orphaned, in this order.
func (r *Result) Standings() []Standing {
	seen := map[string]*Standing{}
	have := map[string]bool{}
	for _, t := range r.trials {
		if t.Phase != measured || !t.ran() {
			continue
		}
		have[t.key] = true
		state, reason := r.standing(t)
		if state == "" {
			continue
		}
		key := state + strconv.FormatBool(t.replaced) + levelSep + t.key // a program before the last shown one is left out
		s := seen[key]
		if s == nil {
			s = &Standing{Levels: t.levels, Treatment: r.selectionOf(t.levels).String(), State: state, Reason: reason, LeftOut: t.replaced}
			seen[key] = s
		}
		if !slices.Contains(s.Sessions, t.session.Session) {
			s.Sessions = append(s.Sessions, t.session.Session)
		}
	}
	for _, levels := range r.treatments {
		if !have[treatmentKey(levels)] {
			seen[Missing+levelSep+treatmentKey(levels)] = &Standing{Levels: levels, Treatment: r.selectionOf(levels).String(), State: Missing, Reason: "no data"}
		}
	}
	return r.sortStandings(seen)
}

// standing is the state of a trial's treatment, empty where it is fresh.
func (r *Result) standing(t *trial) (state, reason string) {
	switch {
	case t.orphan:
		return Orphaned, "the experiment has no such treatment"
	case t.stale != "" && t.replaced: // by sessions that may each differ in something else
		return Stale, "what runs has changed since"
	case t.stale != "":
		return Stale, r.changed(t) + " since"
	case r.Identity != nil && identity(t) != r.Identity[t.key]:
		reason, _ = t.session.Accepts(session.Change{Was: identity(t), Now: r.Identity[t.key]})
		return Accepted, reason
	}
	return "", ""
}

func (r *Result) sortStandings(seen map[string]*Standing) []Standing {
	rank := []string{Stale, Accepted, Missing, Orphaned}
	all := make([]Standing, 0, len(seen))
	for _, k := range slices.Sorted(maps.Keys(seen)) {
		all = append(all, *seen[k])
	}
	slices.SortStableFunc(all, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(slices.Index(rank, a.State), slices.Index(rank, b.State)), r.compareLevels(a.Levels, b.Levels))
	})
	return all
}

// Machines are the labels of the machines that hold measured data, sorted.
func (r *Result) Machines() []string {
	seen := map[string]bool{}
	for _, t := range r.trials {
		if t.usable() && t.ran() {
			seen[t.session.Machine] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
