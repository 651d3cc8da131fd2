package analysis

import (
	"fmt"
	"slices"
	"strings"

	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// Tally counts by status.
type Tally struct{ OK, Invalid, Failed, Timeout, Interrupted, Skipped int }

func (t *Tally) add(status string) {
	switch status {
	case session.OK:
		t.OK++
	case session.Invalid:
		t.Invalid++
	case session.Failed:
		t.Failed++
	case session.Timeout:
		t.Timeout++
	case session.Interrupted:
		t.Interrupted++
	case session.Skipped:
		t.Skipped++
	}
}

// All is the sum.
func (t Tally) All() int {
	return t.OK + t.Invalid + t.Failed + t.Timeout + t.Interrupted + t.Skipped
}

// TreatmentCount is what became of the measured trials of one treatment in
// the sessions shown. A trial counts by its last attempt; Planned less all
// Trials were never run.
type TreatmentCount struct {
	Treatment string   // as a selection
	Levels    []string // in the order of Input.Factors
	Planned   int      // up to where a stopping rule ended its session
	Trials    Tally
	Attempts  Tally
}

// Counts are the counts of all treatments, in their order. Rows that are left
// out as stale, or orphaned, are not in them.
func (r *Result) Counts() []TreatmentCount {
	counts := make([]TreatmentCount, len(r.treatments))
	at := map[string]int{}
	for i, levels := range r.treatments {
		counts[i] = TreatmentCount{Treatment: r.selectionOf(levels).String(), Levels: slices.Clone(levels)}
		at[treatmentKey(levels)] = i
	}
	for _, t := range r.trials {
		i, ok := at[t.key]
		if !ok || !t.usable() || !t.ran() && afterStop(t) {
			continue
		}
		counts[i].Planned++
		counts[i].Trials.add(t.status)
		for _, row := range t.attempts {
			status, _ := t.judgeAttempt(row)
			counts[i].Attempts.add(status)
		}
	}
	return counts
}

// afterStop says whether a stopping rule ended the session before the trial.
func afterStop(t *trial) bool {
	if t.session.Stopping == nil {
		return false
	}
	return slices.ContainsFunc(t.session.Stopping.Looks, func(l session.Look) bool { return l.Stop && t.Block > l.Block })
}

// Exclusion is an attempt that is not ok, and so is in no statistic.
type Exclusion struct {
	Session, Machine string
	Trial, Attempt   int
	Phase            string
	Block            int
	Treatment        string // as a selection
	Levels           []string
	Status, Reason   string
	TriedAgain       bool // a later attempt counts instead
}

// Exclusions are all attempts that are not ok, warm-up included, sessions
// oldest first, in the order in which they ran.
func (r *Result) Exclusions() []Exclusion {
	var all []Exclusion
	for _, t := range r.trials {
		if t.orphan || t.replaced {
			continue
		}
		for i, row := range t.attempts {
			status, reason := t.judgeAttempt(row)
			if status == session.OK {
				continue
			}
			all = append(all, Exclusion{
				Session: t.session.Session, Machine: t.session.Machine, Trial: t.Trial, Attempt: row.Attempt, Phase: t.Phase, Block: t.Block,
				Treatment: r.selectionOf(t.levels).String(), Levels: slices.Clone(t.levels), Status: status, Reason: reason,
				TriedAgain: i < len(t.attempts)-1,
			})
		}
	}
	return all
}

// judgeAttempt is the status of one attempt by the rules of today.
func (t *trial) judgeAttempt(row session.Row) (status, reason string) {
	return t.read.judge(row, t.Levels, t.read.values(row, t.Levels))
}

// SessionFact is one session that is shown.
type SessionFact struct {
	Session, Machine, Order, Seed, Started, Note string
	Blocks                                       int
	Sealed                                       bool
	Stopped                                      string // how a stopping rule ended it; empty: none
	Accepted                                     string // why its data counts as still good; empty: needs no reason
	CutBlocks                                    []int  // completed by a later part
	Parts                                        int
}

// SessionFacts are the sessions shown, oldest first.
func (r *Result) SessionFacts() []SessionFact {
	var all []SessionFact
	for _, t := range r.trials {
		s := t.session
		if !slices.Contains(r.Data.Sessions, s) {
			continue // others replace all that it holds
		}
		if len(all) == 0 || all[len(all)-1].Session != s.Session {
			f := SessionFact{Session: s.Session, Machine: s.Machine, Order: s.Order, Seed: s.Seed, Note: s.Note, Blocks: s.Blocks, Sealed: s.Sealed, Parts: len(s.Parts), Stopped: stopWords(s.Stopping)}
			if len(s.Parts) > 0 {
				f.Started = s.Parts[0].Started
			}
			for _, m := range s.Remarks {
				if m.Kind == session.NoteRemark {
					f.Note = strings.TrimPrefix(f.Note+"; "+m.Text, "; ")
				}
			}
			all = append(all, f)
		}
		f := &all[len(all)-1]
		if state, why := r.standing(t); state == Accepted {
			f.Accepted = why
		}
		if t.cut && t.Phase == measured && !slices.Contains(f.CutBlocks, t.Block) {
			f.CutBlocks = append(f.CutBlocks, t.Block)
		}
	}
	return all
}

func stopWords(s *session.Stopping) string {
	if s == nil {
		return ""
	}
	for _, l := range s.Looks {
		if l.Stop {
			return fmt.Sprintf("the interval of %s was narrow enough after block %d of at most %d (±%s %%)", s.Claim, l.Block, s.Max, significant(100*l.HalfWidth, 2, false))
		}
	}
	return fmt.Sprintf("the interval of %s did not become narrow enough in %s", s.Claim, plural(s.Max, "block"))
}

// Check says what a selection names that does not exist here: a factor, a
// level, a machine, a session.
func (r *Result) Check(s expr.Selection) error { return r.check(s) }
