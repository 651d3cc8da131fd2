package analysis

import (
	"cmp"
	"fmt"
	"math"

	"fieldbook/analysis/stat"
	"fieldbook/internal/expr"
)

// Spread is whether the noise of a metric differs between the levels of a
// numeric factor, on one machine.
type Spread struct {
	Metric, Factor, Machine string
	Levels                  []SpreadLevel // ascending
	F, P                    float64       // of Brown and Forsythe
	Refused                 string
}

// SpreadLevel is the noise at one level.
type SpreadLevel struct {
	Level     string
	Distances []Distance // in the order in which the trials ran
	Mean      Estimate   // of the distances, with t interval
}

// Distance is how far the residual of a trial lies from the median of its
// level's residuals: on the log scale, so that 0.01 is one percent.
type Distance struct {
	Session string
	Trial   int
	Value   float64
}

// Spread compares the residuals of block and treatment, on the log scale,
// over the levels of a numeric factor within where, machine by machine, by
// the test of Brown and Forsythe (JASA 69, 1974). Residuals of one block sum
// to zero, so that much noise of one level leaves a little with its
// neighbours: what is found is smaller than what is there. The error is for a
// question that makes no sense.
func (r *Result) Spread(metric, factor string, where expr.Selection) ([]Spread, error) {
	if _, err := r.metricIndex(metric); err != nil {
		return nil, err
	}
	at, err := r.factorIndex(factor)
	if err != nil {
		return nil, err
	}
	if err := r.check(where); err != nil {
		return nil, err
	}
	var all []Spread
	for _, machine := range r.machinesIn(where) {
		within := both(where, r.scopeOf(machine))
		residuals, err := r.Residuals(metric, within)
		if err != nil {
			return nil, err
		}
		levels, _, err := numbersOf(factor, distinct(r.treatmentsIn(where), at))
		if err != nil {
			return nil, err
		}
		s := Spread{Metric: metric, Factor: factor, Machine: machine, F: math.NaN(), P: math.NaN()}
		s.compute(residuals, levels, at)
		all = append(all, s)
	}
	return all, nil
}

// compute groups the residuals by level and compares them.
func (s *Spread) compute(residuals []Residual, levels []string, at int) {
	var groups [][]float64
	for _, level := range levels {
		l := SpreadLevel{Level: level}
		var xs []float64
		for _, res := range residuals {
			if at < len(res.Levels) && res.Levels[at] == level {
				if !res.Log {
					s.Refused = "n/a (a value is not above 0: there is no log scale)"
					return
				}
				xs = append(xs, res.Residual)
				l.Distances = append(l.Distances, Distance{Session: res.Session, Trial: res.Trial})
			}
		}
		if len(xs) == 0 {
			continue
		}
		middle := stat.Quantile(xs, 0.5)
		ds := mapped(xs, func(x float64) float64 { return math.Abs(x - middle) })
		for i, d := range ds {
			l.Distances[i].Value = d
		}
		l.Mean = Estimate{Estimate: stat.Mean(ds, confidence), Metric: s.Metric, Stat: "mean distance", Unit: "1", Selection: s.Factor + "=" + level}
		s.Levels, groups = append(s.Levels, l), append(groups, xs)
	}
	if len(groups) < 2 {
		s.Refused = "there is one level only"
		return
	}
	test := stat.Variances(groups)
	if s.Refused = test.Refused; s.Refused == "" && math.IsNaN(test.BrownForsytheP) {
		s.Refused = "there is no noise to compare"
	}
	s.F, s.P = test.BrownForsythe, test.BrownForsytheP
}

// Words say what the test found: "the noise is not seen to differ over
// clients (p = 0.4)".
func (s Spread) Words() string {
	if s.Refused != "" {
		return "noise over " + s.Factor + " not looked at: " + s.Refused
	}
	if s.P >= flagAlpha {
		return fmt.Sprintf("the noise is not seen to differ over %s (%s)", s.Factor, PText(s.P))
	}
	first, last := s.Levels[0], s.Levels[len(s.Levels)-1]
	how := "differs over"
	switch course := s.course(); {
	case course >= 0.5:
		how = "grows with"
	case course <= -0.5:
		how = "shrinks with"
	}
	return fmt.Sprintf("the noise %s %s: residuals lie %s from the middle at %s and %s at %s, in the mean (%s)", how, s.Factor,
		percent(first.Mean.Value), first.Level, percent(last.Mean.Value), last.Level, PText(s.P))
}

// course is Kendall's tau of the mean distances over the levels: 1 where each
// is larger than those before, -1 where each is smaller.
func (s Spread) course() float64 {
	sum, pairs := 0.0, 0.0
	for j := range s.Levels {
		for i := range j {
			sum += float64(cmp.Compare(s.Levels[j].Mean.Value, s.Levels[i].Mean.Value))
			pairs++
		}
	}
	return sum / pairs
}

func percent(x float64) string { return significant(100*x, 2, false) + " %" }

// spreadChecks look whether a metric's noise differs over each numeric factor
// that varies. A metric that never changes has no noise to look at.
func (r *Result) spreadChecks(metric int) []Diagnostic {
	name := r.Metrics[metric].Name
	if stat.Constant(okValues(r.countingTrials(nil), metric)) {
		return nil
	}
	var all []Diagnostic
	for i, f := range r.Factors {
		if !f.Numeric || len(distinct(r.treatments, i)) < 2 {
			continue
		}
		spreads, err := r.Spread(name, f.Name, nil)
		if err != nil {
			continue
		}
		for _, s := range spreads {
			d := Diagnostic{Metric: name, Machine: s.Machine, Check: "spread", Value: s.F, P: s.P, Flag: s.P < flagAlpha, Text: s.Words()}
			if s.Refused == "" && !d.Flag {
				d.Text = "quiet: " + d.Text
			}
			all = append(all, d)
		}
	}
	return all
}
