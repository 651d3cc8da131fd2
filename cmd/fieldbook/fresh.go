package main

import (
	"fmt"

	"fieldbook/internal/experiment"
	"fieldbook/internal/session"
)

// coverage is what sealed sessions hold of an experiment as it stands.
type coverage struct {
	sealed  int    // sealed sessions that measured and are in use
	fresh   int    // those of them in which every treatment is fresh
	blocks  int    // complete blocks in these
	reason  string // why a whole further session is needed; "": none is
	missing bool   // the reason is a treatment without data, not a stale one
}

// coverage counts the fresh blocks. A session counts when it holds every
// treatment of today under today's identity, since a contrast needs both
// sides in one block.
func (s *study) coverage(data *session.Dataset) coverage {
	ids := s.identities()
	c := coverage{sealed: len(data.Sessions)}
	for _, one := range data.Sessions {
		if why, missing := s.staleness(one, ids); why != "" {
			c.reason, c.missing = why, missing
			continue
		}
		c.fresh++
		c.blocks += recordedBlocks(one)
	}
	if c.blocks > 0 {
		c.reason = ""
	}
	return c
}

// staleness says why a session does not belong to the experiment as it
// stands: the first treatment that is stale, or missing; "" where it belongs.
func (s *study) staleness(one *session.Session, ids map[string]string) (why string, missing bool) {
	recorded := recordedIdentities(one)
	if !sameFactors(s.x, one) {
		return "its factors are no longer those of the experiment", false
	}
	for _, t := range s.x.Treatments {
		id, ok := recorded[treatmentKey(t.Levels)]
		switch {
		case !ok && why == "":
			why, missing = fmt.Sprintf("treatment %s is missing", s.label(t)), true
		case ok && !stillGood(one, id, ids[treatmentKey(t.Levels)]):
			return fmt.Sprintf("treatment %s is stale: %s", s.label(t), s.changed(one, t)), false
		}
	}
	return why, missing
}

// recordedIdentities are those under which a session recorded its treatments, by
// treatmentKey.
func recordedIdentities(one *session.Session) map[string]string {
	ids := map[string]string{}
	for _, t := range one.Treatments {
		ids[treatmentKey(t.Levels)] = t.Identity
	}
	return ids
}

// stillGood says whether what a session recorded under one identity is data of
// a treatment that has another today: it is the same, or was accepted.
func stillGood(one *session.Session, was, now string) bool {
	if was == now {
		return true
	}
	_, accepted := one.Accepts(session.Change{Was: was, Now: now})
	return accepted
}

// changedTreatment is a treatment of which a session in use holds data that
// was recorded when it ran something else.
type changedTreatment struct {
	one       *session.Session
	treatment experiment.Treatment
	session.Change
	accepted bool // on record as still good
	replaced bool // another session in use holds it as it is today
}

// changedTreatments are those of the sessions in use, oldest session first.
func (s *study) changedTreatments(data *session.Dataset) []changedTreatment {
	ids := s.identities()
	good := map[string]bool{}
	var all []changedTreatment
	for _, one := range data.Sessions {
		recorded := recordedIdentities(one)
		for _, t := range s.x.Treatments {
			key := treatmentKey(t.Levels)
			was, ok := recorded[key]
			if !ok {
				continue
			}
			c := changedTreatment{one: one, treatment: t, Change: session.Change{Was: was, Now: ids[key]}, accepted: stillGood(one, was, ids[key])}
			good[key] = good[key] || c.accepted
			if was != c.Now {
				all = append(all, c)
			}
		}
	}
	for i := range all {
		all[i].replaced = !all[i].accepted && good[treatmentKey(all[i].treatment.Levels)]
	}
	return all
}

// lateClaim is a claim whose statement some sessions in use did not know when
// they started.
type lateClaim struct {
	name     string
	sessions []string
}

// lateClaims are the claims that are younger than data they are judged on.
// Sessions whose data is no longer that of the experiment do not count.
func (s *study) lateClaims(data *session.Dataset) []lateClaim {
	ids := s.identities()
	var fresh []*session.Session
	for _, d := range data.Sessions {
		if why, _ := s.staleness(d, ids); why == "" {
			fresh = append(fresh, d)
		}
	}
	var late []lateClaim
	for _, c := range s.x.Claims {
		one := lateClaim{name: c.Name}
		for _, d := range fresh {
			if c.Untested == "" && !knew(d, experiment.ClaimHash(c)) {
				one.sessions = append(one.sessions, d.Info.Session)
			}
		}
		if len(one.sessions) > 0 {
			late = append(late, one)
		}
	}
	return late
}

// knew says whether a session's start recorded a statement, under any name.
func knew(one *session.Session, hash string) bool {
	for _, h := range one.Claims {
		if h == hash {
			return true
		}
	}
	return false
}

func sameFactors(x *experiment.Experiment, one *session.Session) bool {
	if len(x.Factors) != len(one.Factors) {
		return false
	}
	for i, f := range x.Factors {
		if one.Factors[i].Name != f.Name {
			return false
		}
	}
	return true
}

// recordedBlocks is how many whole blocks a session measured, or, where its
// order has none, how often each treatment was run.
func recordedBlocks(one *session.Session) int {
	whole, _ := one.WholeBlocks()
	if !session.Blocked(one.Order) {
		return whole * one.Blocks
	}
	return whole
}

// label names a treatment by its levels.
func (s *study) label(t experiment.Treatment) string {
	text := ""
	for i, f := range s.x.Factors {
		if i > 0 {
			text += " "
		}
		text += f.Name + "=" + t.Levels[i]
	}
	return text
}
