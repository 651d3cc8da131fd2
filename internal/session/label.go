package session

import (
	"regexp"
	"time"
)

// idTime is the layout of a session's start in its id.
const idTime = "20060102T150405Z"

var (
	idPattern    = regexp.MustCompile(`^[0-9]{8}T[0-9]{6}Z-[a-z0-9-]{1,40}$`)
	labelPattern = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)
)

// NewID names the session that the machine starts at now, to the second, in
// UTC. Ids sort by time.
func NewID(now time.Time, machine string) string {
	return now.UTC().Format(idTime) + "-" + machine
}

// ValidID says whether a folder of this name is a session.
func ValidID(name string) bool { return idPattern.MatchString(name) }

// ValidLabel says whether text may label a machine: [a-z0-9-]{1,40}.
func ValidLabel(text string) bool { return labelPattern.MatchString(text) }
