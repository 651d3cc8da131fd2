package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldbook/internal/session"
)

// changesDuring are what was another at the end of a session's part than at
// its beginning and may have moved its numbers, a sentence each.
func changesDuring(sessions []*session.Session) []phrase {
	var all []phrase
	for _, s := range sessions {
		for _, p := range s.Parts {
			where := s.Session
			if len(s.Parts) > 1 {
				where += fmt.Sprintf(", part %d", p.Part)
			}
			for _, name := range slices.Sorted(maps.Keys(p.AtEnd)) {
				if text := changed(&p, name); text != "" {
					all = append(all, phrase{strong(name), plain(" in " + where + ": " + text)})
				}
			}
		}
	}
	return all
}

// changed says how one fact changed in a part; nothing where that is of no
// account: load, temperature and frequency never stay what they were.
func changed(p *session.Part, name string) string {
	was, is := p.Environment[name], p.AtEnd[name]
	switch name {
	case "load", "temperature", "frequency":
		return ""
	case "throttled":
		return grown(was, is, 1, func(by float64) string {
			return "the processor throttled itself " + plural(int(by), "time")
		})
	case "swap_used":
		return grown(was, is, 1, func(by float64) string {
			return fmt.Sprintf("%.0f MiB of memory were moved to the swap space", by)
		})
	case "steal":
		return grown(was, is, 0, func(by float64) string { return stolen(p, by) })
	case "inputs":
		return "the inputs were changed, so that it is not certain what later trials ran"
	}
	return was + ", then " + is
}

// grown words by how much a fact that begins with a number grew, where that
// is at least so much.
func grown(was, is string, least float64, words func(by float64) string) string {
	a, okA := leading(was)
	b, okB := leading(is)
	if !okA || !okB || b-a < least {
		return ""
	}
	return words(b - a)
}

func leading(fact string) (float64, bool) {
	text, _, _ := strings.Cut(fact, " ")
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}

// muchStolen is the share of the processors' time from which on it is said
// that the host of a virtual machine gave it to others.
const muchStolen = 0.005

func stolen(p *session.Part, seconds float64) string {
	began, err1 := time.Parse(time.RFC3339, p.Started)
	ended, err2 := time.Parse(time.RFC3339, p.Ended)
	cpus, ok := leading(p.Environment["cpus"])
	share := seconds / (ended.Sub(began).Seconds() * cpus)
	if err1 != nil || err2 != nil || !ok || !(share >= muchStolen) {
		return ""
	}
	return fmt.Sprintf("the host gave %.1f %% of the processors' time to other machines", 100*share)
}
