package session

import "sort"

// rowsOf is the rows of one trial, in the order of its attempts.
func (s *Session) rowsOf(trial int) []Row {
	from := sort.Search(len(s.Rows), func(i int) bool { return s.Rows[i].Trial >= trial })
	to := from
	for to < len(s.Rows) && s.Rows[to].Trial == trial {
		to++
	}
	return s.Rows[from:to]
}

// Final is the attempt at a trial that counts: the last that was not
// interrupted. It is false where there is none yet.
func (s *Session) Final(trial int) (Row, bool) {
	rows := s.rowsOf(trial)
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].Status != Interrupted {
			return rows[i], true
		}
	}
	return Row{}, false
}

// Attempts is how many attempts at a trial are recorded, interrupted ones
// among them: the next one has this number plus 1.
func (s *Session) Attempts(trial int) int { return len(s.rowsOf(trial)) }

// Done says whether a trial needs no further attempt where failed and
// timed-out ones are tried again so many times. An interrupted attempt does
// not count. A trial before the last recorded one is always done, since
// trials never leave the order of the plan.
func (s *Session) Done(trial, retries int) bool {
	rows := s.rowsOf(trial)
	if len(rows) == 0 {
		return false
	}
	if s.Rows[len(s.Rows)-1].Trial != trial {
		return true
	}
	tries := 0
	for i := range rows {
		if rows[i].Status == Failed || rows[i].Status == Timeout {
			tries++
		}
	}
	switch rows[len(rows)-1].Status {
	case Interrupted:
		return false
	case Failed, Timeout:
		return tries > retries
	}
	return true
}

// CutBlocks is the measured blocks whose trials were run in more than one
// part, so that time passed within them that the order did not plan.
func (s *Session) CutBlocks() map[int]bool {
	cut := make(map[int]bool)
	part := make(map[int]int)
	for i := range s.Rows {
		r := &s.Rows[i]
		if r.Block == 0 || r.Phase != "measured" || r.Status == Interrupted {
			continue
		}
		if before, seen := part[r.Block]; seen && before != r.Part {
			cut[r.Block] = true
		}
		part[r.Block] = r.Part
	}
	return cut
}

// WholeBlocks is how many measured blocks have a final attempt at each of
// their trials. rest says that rows follow beyond the last of them: of a
// block that is not whole. Where the order has no blocks, the whole phase
// counts as one.
func (s *Session) WholeBlocks() (whole int, rest bool) {
	return wholeBlocks(s.Plan, len(s.Rows) > 0, lastMark(s.Rows))
}

func lastMark(rows []Row) mark {
	if len(rows) == 0 {
		return mark{}
	}
	return markOf(&rows[len(rows)-1])
}

// wholeBlocks counts from where a session has come to alone, since its trials
// are in the order of the plan.
func wholeBlocks(plan []Planned, begun bool, last mark) (whole int, rest bool) {
	done := last.trial
	if last.status == Interrupted {
		done--
	}
	end := 0 // trials up to the end of the last whole block
	for i := range plan {
		p := &plan[i]
		ends := i+1 == len(plan) || plan[i+1].Block != p.Block || plan[i+1].Phase != p.Phase
		if p.Phase == "measured" && ends && i < done {
			whole, end = whole+1, i+1
		}
	}
	return whole, begun && last.trial > end
}
