package main

import (
	"fmt"

	"fieldbook/internal/experiment"
	"fieldbook/internal/session"
)

// coverage is what sealed sessions hold of an experiment as it stands.
type coverage struct {
	sealed  int    // sealed sessions that measured and are in use
	blocks  int    // complete blocks in sessions where every treatment is fresh
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
	recorded := map[string]string{}
	for _, t := range one.Treatments {
		recorded[treatmentKey(t.Levels)] = t.Identity
	}
	if !sameFactors(s.x, one) {
		return "its factors are no longer those of the experiment", false
	}
	for _, t := range s.x.Treatments {
		id, ok := recorded[treatmentKey(t.Levels)]
		switch {
		case !ok && why == "":
			why, missing = fmt.Sprintf("treatment %s is missing", s.label(t)), true
		case ok && id != ids[treatmentKey(t.Levels)] && !one.Accepted():
			return fmt.Sprintf("treatment %s is stale: %s", s.label(t), s.changed(one, t)), false
		}
	}
	return why, missing
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
