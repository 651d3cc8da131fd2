package session

import "fmt"

// mark is where a session has come to: its last row. The zero value stands
// before the first.
type mark struct {
	trial, attempt int
	status         string
}

func markOf(r *Row) mark { return mark{r.Trial, r.Attempt, r.Status} }

// follow says what is wrong with a row for this trial and attempt coming
// next, or nothing. Trials come in the order of the plan, each until it needs
// no further attempt: an interrupted one is run again, one that is ok or
// invalid never.
func (m mark) follow(trial, attempt int) string {
	switch {
	case trial == m.trial && attempt == m.attempt+1:
		if m.status == OK || m.status == Invalid {
			return fmt.Sprintf("trial %d is %s already", trial, m.status)
		}
		return ""
	case trial == m.trial+1 && attempt == 1:
		if m.status == Interrupted {
			return fmt.Sprintf("trial %d comes before trial %d, which was interrupted, has been run again", trial, m.trial)
		}
		return ""
	}
	if m.trial == 0 {
		return fmt.Sprintf("trial %d, attempt %d comes first: not the order of the plan", trial, attempt)
	}
	return fmt.Sprintf("trial %d, attempt %d comes after trial %d, attempt %d: not the order of the plan", trial, attempt, m.trial, m.attempt)
}

// before says whether an attempt, at one of so many trials, is later than the
// mark.
func (m mark) before(trial, attempt, trials int) bool {
	return attempt > 0 && trial > 0 && trial <= trials && (trial > m.trial || trial == m.trial && attempt > m.attempt)
}
