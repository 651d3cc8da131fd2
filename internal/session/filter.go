package session

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"fieldbook/internal/diag"
)

// Filter chooses sessions by what they say of themselves. Values of one key
// are alternatives; keys that are given must all hold.
type Filter struct {
	Machines, Purposes []string
	Commits            []string // beginnings of the commit under which a part ran
	Days               []Days   // on which they started, in UTC
}

// Days is a span of days as YYYY-MM-DD, both ends in it; "" is open.
type Days struct{ From, To string }

// ChoiceError says that a choice of sessions cannot be had: it names what is
// not there, chooses nothing, or puts together what does not agree.
type ChoiceError struct{ text string }

func (e *ChoiceError) Error() string { return e.text }

func wrongChoice(format string, args ...any) error {
	return &ChoiceError{fmt.Sprintf(format, args...)}
}

var (
	filterKeys    = []string{"commit", "date", "machine", "purpose", "session"}
	knownPurposes = []string{"measure", "pilot"}
	commitPattern = regexp.MustCompile(`^[0-9a-f]{4,64}$`)
)

// ParseChoose reads words that choose sessions: an id, or KEY=VALUE with the
// keys machine, date (2026-11-30, or a span 2026-11-01..2026-11-30 that may
// be open), commit, purpose and session. No words choose as the zero value
// does. Sessions that are named and keys exclude each other.
func ParseChoose(words []string) (Choose, error) {
	var c Choose
	for _, word := range words {
		key, value, isTerm := strings.Cut(strings.TrimSpace(word), "=")
		if !isTerm {
			key, value = "session", key
		}
		if err := c.add(key, value); err != nil {
			return Choose{}, err
		}
	}
	if c.IDs != nil && c.Only != nil {
		return Choose{}, wrongChoice("sessions are chosen by their names or by keys such as machine=, not by both")
	}
	return c, nil
}

func (c *Choose) add(key, value string) error {
	if key == "session" {
		c.IDs = append(c.IDs, value)
		return nil
	}
	if c.Only == nil {
		c.Only = &Filter{}
	}
	f := c.Only
	switch key {
	case "machine":
		if !ValidLabel(value) {
			return wrongChoice("machine=%s: want a machine's label, of a-z, 0-9 and -", value)
		}
		f.Machines = append(f.Machines, value)
	case "purpose":
		if !slices.Contains(knownPurposes, value) {
			return wrongChoice("purpose=%s: want measure or pilot", value)
		}
		f.Purposes = append(f.Purposes, value)
	case "commit":
		if !commitPattern.MatchString(value) {
			return wrongChoice("commit=%s: want the beginning of a commit, at least 4 of 0-9 and a-f", value)
		}
		f.Commits = append(f.Commits, value)
	case "date":
		days, err := parseDays(value)
		if err != nil {
			return err
		}
		f.Days = append(f.Days, days)
	default:
		return wrongChoice("sessions cannot be chosen by %q; %s", key, diag.Meant(key, filterKeys))
	}
	return nil
}

func parseDays(text string) (Days, error) {
	from, to, span := strings.Cut(text, "..")
	if !span {
		to = from
	}
	for _, day := range []string{from, to} {
		if _, err := time.Parse(time.DateOnly, day); err != nil && (day != "" || !span) {
			return Days{}, wrongChoice("date=%s: want a day such as 2026-11-30, or a span 2026-11-01..2026-11-30", text)
		}
	}
	if from != "" && to != "" && to < from {
		return Days{}, wrongChoice("date=%s: the span ends before it begins", text)
	}
	return Days{From: from, To: to}, nil
}

// rejects is why the filter does not choose a session, or nothing.
func (f *Filter) rejects(s *Info) string {
	if len(f.Machines) > 0 && !slices.Contains(f.Machines, s.Machine) {
		return "recorded on " + s.Machine
	}
	if len(f.Purposes) > 0 && !slices.Contains(f.Purposes, s.Purpose) {
		return "its purpose is " + s.Purpose
	}
	if day := dayOf(s.Session); len(f.Days) > 0 && !slices.ContainsFunc(f.Days, func(d Days) bool { return d.holds(day) }) {
		return "recorded on " + day
	}
	if len(f.Commits) > 0 && !slices.ContainsFunc(f.Commits, s.ranUnder) {
		return "recorded under another commit"
	}
	return ""
}

// dayOf is the day in an id, as YYYY-MM-DD.
func dayOf(id string) string { return id[:4] + "-" + id[4:6] + "-" + id[6:8] }

func (d Days) holds(day string) bool { return day >= d.From && (d.To == "" || day <= d.To) }

// ranUnder says whether every part of the session ran under a commit that
// begins so.
func (s *Info) ranUnder(commit string) bool {
	for _, p := range s.Parts {
		if !strings.HasPrefix(p.Environment["git_commit"], commit) {
			return false
		}
	}
	return len(s.Parts) > 0
}
