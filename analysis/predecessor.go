package analysis

import (
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// Predecessor is a treatment that always ran after the same other one.
type Predecessor struct {
	Treatment, After string  // as selections
	Trials           int     // measured trials of the treatment
	Place            float64 // their mean place in the order, from 1
}

// FixedPredecessors are a session's treatments with their predecessors, in
// the order of the cycle, where every treatment always followed the same other
// one; else there are none. In such an order whatever a trial leaves behind
// for the next is part of what the next treatment gives, and no carry-over can
// be told from the treatment.
func FixedPredecessors(s *session.Session) []Predecessor {
	after := map[int]int{}
	var order []int
	places, trials := map[int]int{}, map[int]int{}
	place := 0
	for i, p := range s.Plan {
		if p.Phase != measured {
			continue
		}
		place++
		if trials[p.Treatment] == 0 {
			order = append(order, p.Treatment)
		}
		trials[p.Treatment]++
		places[p.Treatment] += place
		if i == 0 {
			continue
		}
		before := s.Plan[i-1].Treatment
		if known, seen := after[p.Treatment]; before == p.Treatment || seen && known != before {
			return nil
		}
		after[p.Treatment] = before
	}
	var all []Predecessor
	for _, t := range order {
		before, seen := after[t]
		if !seen || trials[t] < 2 {
			return nil
		}
		all = append(all, Predecessor{treatmentText(s, t), treatmentText(s, before), trials[t], float64(places[t]) / float64(trials[t])})
	}
	return all
}

// treatmentText is one of a session's treatments as a selection.
func treatmentText(s *session.Session, number int) string {
	var sel expr.Selection
	for _, t := range s.Treatments {
		for i, l := range t.Levels {
			if t.Number == number && i < len(s.Factors) && l != "" {
				sel = append(sel, expr.Term{Factor: s.Factors[i].Name, Levels: []string{l}})
			}
		}
	}
	return sel.String()
}
