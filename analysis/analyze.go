package analysis

import (
	"slices"
	"time"

	"fieldbook/internal/expr"
)

// Result answers questions about one experiment's data. It is computed once
// and never changed; its methods are pure.
type Result struct {
	Input
	Claims []ClaimResult // in the order of the file

	trials     []*trial   // of all sessions, warm-up included, in the order in which they ran
	treatments [][]string // levels of each, the first factor slowest
	old        []*old     // what an earlier study states
}

// Observation is one planned trial's number for one metric: the last attempt
// of the trial.
type Observation struct {
	Session   string
	Machine   string
	Trial     int
	Phase     string
	Block     int
	Plot      int
	Position  int
	Treatment int
	Control   string
	Levels    []string // in the order of Input.Factors
	Status    string
	Reason    string
	Started   string  // RFC 3339, UTC
	Value     float64 // NaN where the attempt gave none
	Above     float64 // of one that timed out: what a time that it took lies above; else NaN
	Stale     bool
	CutBlock  bool // the block was completed by a later part of its session
}

// Analyze computes everything that needs no question: claims with verdicts.
func Analyze(in Input) *Result {
	r := &Result{Input: in, trials: readTrials(&in), old: readPublished(in.Published)}
	r.treatments = declared(&in, r.trials)
	r.setAsideReplaced()
	r.Claims = r.judgeClaims()
	return r
}

// Query asks for one number: a statistic of a metric over a selection.
type Query struct {
	Metric    string
	Stat      string // "median", "mean", "geomean", "p99", "min", "max", "sd", "cv", "n", …
	Selection expr.Selection
}

// Observations are all measured trials of a metric that a selection matches,
// in the order in which they ran, sessions oldest first. Those that are not
// ok are among them, those left out as stale or orphaned are not; both labels
// of an A/A control are. An unknown metric has none.
func (r *Result) Observations(metric string, s expr.Selection) []Observation {
	return r.observations(metric, s, func(t *trial) bool { return t.usable() })
}

// WarmupObservations are the same of the warm-up, which no statistic uses.
func (r *Result) WarmupObservations(metric string, s expr.Selection) []Observation {
	return r.observations(metric, s, func(t *trial) bool { return t.Phase != measured && !t.orphan })
}

func (r *Result) observations(metric string, s expr.Selection, take func(*trial) bool) []Observation {
	m, err := r.metricIndex(metric)
	if err != nil {
		return nil
	}
	var all []Observation
	for _, t := range r.trials {
		if t.ran() && take(t) && r.matches(t, s) {
			all = append(all, observation(t, m))
		}
	}
	return all
}

func observation(t *trial, metric int) Observation {
	return Observation{
		Session: t.session.Session, Machine: t.session.Machine, Trial: t.Trial, Phase: t.Phase, Block: t.Block,
		Plot: t.Plot, Position: t.Position, Treatment: t.Treatment, Control: t.Control, Levels: slices.Clone(t.levels),
		Status: t.status, Reason: t.reason, Started: t.started.UTC().Format(time.RFC3339Nano), Value: t.values[metric], Above: t.above(metric),
		Stale: t.stale != "", CutBlock: t.cut,
	}
}
