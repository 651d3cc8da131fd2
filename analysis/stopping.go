package analysis

import (
	"fmt"
	"strings"

	"fieldbook/internal/session"
)

// mostLooks is how many looks a sentence has; of more it has the first and the
// last ones.
const mostLooks = 6

// StoppingHistory says what a session's stopping rule saw and did: "after block
// 10 ±5.1 %, went on; after block 11 ±2.9 %, stopped"; nothing where there is
// no rule.
func StoppingHistory(s *session.Session) string {
	if s.Stopping == nil {
		return ""
	}
	var words []string
	for i, l := range s.Stopping.Looks {
		if n := len(s.Stopping.Looks); n > mostLooks && i >= mostLooks/2 && i < n-mostLooks/2 {
			if i == mostLooks/2 {
				words = append(words, fmt.Sprintf("%d more looks, and went on", n-mostLooks))
			}
			continue
		}
		words = append(words, lookText(l))
	}
	whole, _ := s.WholeBlocks()
	switch {
	case len(words) == 0:
		words = append(words, "it was never looked at")
	case s.Stopping.Looks[len(s.Stopping.Looks)-1].Stop:
		return strings.Join(words, "; ")
	}
	if whole >= s.Stopping.Max {
		return strings.Join(append(words, fmt.Sprintf("ended with block %d, the last one allowed", whole)), "; ")
	}
	return strings.Join(append(words, fmt.Sprintf("ended after block %d for another reason", whole)), "; ")
}

func lookText(l session.Look) string {
	width, did := "no interval", "went on"
	if l.HalfWidth >= 0 {
		width = "±" + percent(l.HalfWidth)
	}
	if l.Stop {
		did = "stopped"
	}
	return fmt.Sprintf("after block %d %s, %s", l.Block, width, did)
}
