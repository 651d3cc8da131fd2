package main

import (
	"fmt"
	"math"

	"fieldbook/analysis"
	"fieldbook/internal/diag"
	"fieldbook/internal/session"
)

// preciseEnough asks, after a whole block of an adaptive experiment, whether
// the declared claim's interval is narrow enough. It sees the precision
// reached and nothing else, and each answer is recorded.
func (s *study) preciseEnough(w *session.Writer, block int) (bool, error) {
	until := s.x.Design.Until
	if until == nil || block < s.x.Design.Min || block >= s.x.Design.Max {
		return false, nil
	}
	one, err := session.Read(w.Dir())
	if err != nil {
		return false, err
	}
	in, err := s.input(&session.Dataset{Sessions: []*session.Session{one}, Started: 1})
	if err != nil {
		return false, err
	}
	width := halfWidth(analysis.Analyze(in), until.Claim)
	look := session.Look{Block: block, HalfWidth: width, Stop: width >= 0 && width <= until.HalfWidth}
	return look.Stop, w.Look(look)
}

// halfWidth is the widest half-width over a claim's parts, as a ratio minus
// 1, or -1 where one is not computable.
func halfWidth(r *analysis.Result, name string) float64 {
	widest := -1.0
	for _, c := range r.Claims {
		if c.Claim.Name != name {
			continue
		}
		for _, p := range c.Parts {
			w := p.Estimate.RelativeHalfWidth()
			if math.IsNaN(w) {
				return -1
			}
			widest = max(widest, w)
		}
	}
	return widest
}

// printStopping says of each session that a rule ended what the rule was, and
// what it saw and did.
func (a *app) printStopping(r *analysis.Result) {
	for _, s := range r.Data.Sessions {
		if st := s.Stopping; st != nil {
			fmt.Fprintf(a.stdout, "blocks of %s: from block %d on until %s is ±%s, at most %d; %s\n",
				s.Session, st.Min, diag.Printable(st.Claim), percent(st.HalfWidth), st.Max, analysis.StoppingHistory(s))
		}
	}
}
