package report

import (
	"fmt"
	"slices"
	"strings"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// mostHistories is how many sessions' stopping is told one by one.
const mostHistories = 8

// stoppingSentence says how the number of blocks came about: by a rule, with
// what it saw and did in each session, or fixed before the session began; and
// which sessions have fewer blocks than that.
func stoppingSentence(sessions []*session.Session) string {
	var sentences, rules, short []string
	fixed := 0
	for _, s := range sessions {
		if st := s.Stopping; st != nil {
			rule := fmt.Sprintf("The number of blocks was not fixed: from block %d on, recording stopped once the interval of claim %s was at most ±%.3g %% wide, at the latest after block %d. The rule saw the width and nothing else.",
				st.Min, st.Claim, 100*st.HalfWidth, st.Max)
			if !slices.Contains(rules, rule) {
				rules = append(rules, rule)
			}
			continue
		}
		fixed++
		if whole, _ := s.WholeBlocks(); session.Blocked(s.Order) && whole < s.Blocks {
			short = append(short, fmt.Sprintf("%s ended after %d of %s", s.Session, whole, plural(s.Blocks, "planned block")))
		}
	}
	size := "blocks"
	if !slices.ContainsFunc(sessions, func(s *session.Session) bool { return session.Blocked(s.Order) }) {
		size = "trials"
	}
	sentences = append(rules, histories(sessions)...)
	switch {
	case fixed == len(sessions) && fixed == 1:
		sentences = append(sentences, "The number of "+size+" was fixed before the session began.")
	case fixed == len(sessions):
		sentences = append(sentences, "The number of "+size+" of each session was fixed before it began.")
	case fixed > 0:
		sentences = append(sentences, "In "+plural(fixed, "other session")+" it was fixed beforehand.")
	}
	if len(short) > 0 {
		sentences = append(sentences, sentence("Session "+strings.Join(short, ", session ")))
	}
	return strings.Join(sentences, " ")
}

// histories are what the stopping rule saw and did, session by session.
func histories(sessions []*session.Session) []string {
	var out []string
	for _, s := range sessions {
		if s.Stopping == nil {
			continue
		}
		text := analysis.StoppingHistory(s)
		if len(sessions) > 1 {
			text = "session " + s.Session + ": " + text
		}
		out = append(out, sentence(sentenceCase(text)))
	}
	if n := len(out); n > mostHistories {
		out = append(out[:mostHistories], itoa(n-mostHistories)+" more sessions were stopped by the same rule.")
	}
	return out
}
