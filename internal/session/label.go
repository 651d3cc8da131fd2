package session

import (
	"regexp"
	"strings"
	"time"
)

// idTime is the layout of a session's start in its id.
const idTime = "20060102T150405Z"

var (
	idPattern    = regexp.MustCompile(`^[0-9]{8}T[0-9]{6}Z-[a-z0-9-]{1,40}$`)
	labelPattern = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)
	notLabel     = regexp.MustCompile(`[^a-z0-9]+`)
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

// CleanLabel makes a machine's label of any text: lower case, other
// characters than letters and digits of ASCII become one dash, at most 40
// characters. A text with nothing in it becomes "machine".
func CleanLabel(text string) string {
	label := strings.Trim(notLabel.ReplaceAllString(strings.ToLower(text), "-"), "-")
	if len(label) > 40 {
		label = strings.TrimRight(label[:40], "-")
	}
	if label == "" {
		return "machine"
	}
	return label
}
