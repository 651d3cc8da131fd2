package main

import (
	"fieldbook/analysis"
	"fieldbook/internal/experiment"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// result analyses what is recorded of an experiment. The sessions are those
// chosen by name or key, or all that are sealed and in use.
func (s *study) result(sessions []string) (*analysis.Result, error) {
	data, err := s.chosen(sessions)
	if err != nil {
		return nil, err
	}
	return s.analyze(data)
}

// chosen is the data of the sessions that result is of.
func (s *study) chosen(sessions []string) (*session.Dataset, error) {
	choose, err := session.ParseChoose(sessions)
	if err != nil {
		return nil, err
	}
	choose.SameWork = s.x == nil
	return session.ReadDataset(s.data, choose)
}

func (s *study) analyze(data *session.Dataset) (*analysis.Result, error) {
	in, err := s.input(data)
	if err != nil {
		return nil, err
	}
	if in.Clients, err = clientRows(data); err != nil {
		return nil, err
	}
	in.CountSamples, in.Samples = sampleCounter(data), sampleReader(data)
	return analysis.Analyze(in), nil
}

// input joins the experiment as its file stands with the data. Without a file
// what the newest session says of itself serves.
func (s *study) input(data *session.Dataset) (analysis.Input, error) {
	if s.x == nil {
		return inputFromData(s.name, data)
	}
	x := s.x
	in := analysis.Input{
		Experiment: s.name, Title: x.Title, Question: x.Question,
		Factors: factors(x), Constants: constants(x), Formulas: map[string]*expr.Expr{},
		Unaffected: x.Unaffected, Data: data, Identity: s.identities(), Changed: s.changes(data),
		Wanted: x.Design.Min, Order: string(x.Design.Order),
	}
	for _, m := range x.Metrics {
		in.Metrics = append(in.Metrics, metric(m))
		if m.From == experiment.FromFormula {
			in.Formulas[m.Name] = m.Formula.Expr
		}
	}
	for _, v := range x.Valid {
		in.Valid = append(in.Valid, v.Expr)
	}
	for _, c := range x.Claims {
		in.Claims = append(in.Claims, claim(c))
	}
	if x.Published != nil {
		in.Published = &analysis.Published{Source: x.Published.Source}
		for _, r := range s.published {
			in.Published.Rows = append(in.Published.Rows, analysis.PublishedRow(r))
		}
	}
	return in, nil
}

func inputFromData(name string, data *session.Dataset) (analysis.Input, error) {
	in := analysis.Input{Experiment: name, Data: data, Formulas: map[string]*expr.Expr{}}
	if len(data.Sessions) == 0 {
		return in, nil
	}
	last := data.Sessions[len(data.Sessions)-1]
	in.Title, in.Question, in.Factors, in.Constants = last.Title, last.Question, last.Factors, last.Constants
	in.Metrics, in.Unaffected, in.Order = last.Metrics, last.Unaffected, last.Order
	for _, m := range last.Metrics {
		if m.Formula == "" || m.From != string(experiment.FromFormula) {
			continue
		}
		f, err := expr.Parse(m.Formula)
		if err != nil {
			return in, failed("data/%s: formula of %s: %v", name, m.Name, err)
		}
		in.Formulas[m.Name] = f
	}
	return in, nil
}

func metric(m experiment.Metric) session.Metric {
	out := session.Metric{Name: m.Name, Unit: m.Unit, Better: m.Better, From: string(m.From), Reduce: m.Reduce, Key: m.Key, Per: m.Per}
	if m.Formula != nil {
		out.Formula = m.Formula.String()
	}
	return out
}

func claim(c experiment.Claim) analysis.Claim {
	out := analysis.Claim{
		Name: c.Name, Says: c.Says, Metric: c.Metric, Stat: c.Stat, Compare: c.Compare, Against: c.Against,
		AllPairs: c.AllPairs, Slope: c.Slope, Fit: c.Fit, X: c.X, Within: c.Within, AllOf: c.AllOf,
		Untested: c.Untested, Where: c.Where, ForEach: c.ForEach, Over: c.Over, Family: c.Family,
		Machines: c.Machines, Hash: experiment.ClaimHash(c), Statement: experiment.ClaimStatement(c), Pos: c.Pos,
	}
	if c.Always != nil {
		out.Always = c.Always.Expr
	}
	if e := c.Expect; e != nil {
		out.Expect = &analysis.Expect{Of: e.Of, Op: e.Op, Bound: e.Bound, Lo: e.Lo, Hi: e.Hi, Src: e.Src}
	}
	return out
}
