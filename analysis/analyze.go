package analysis

import "fieldbook/internal/expr"

// Result answers questions about one experiment's data. It is computed once
// and never changed; its methods are pure.
type Result struct {
	Input
	Claims []ClaimResult // in the order of the file
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
	Stale     bool
	CutBlock  bool // the block was completed by a later part of its session
}

// Analyze computes everything that needs no question: claims with verdicts.
func Analyze(in Input) *Result { panic("not written") }

// Query asks for one number: a statistic of a metric over a selection.
type Query struct {
	Metric    string
	Stat      string // "median", "mean", "geomean", "p99", "min", "max", "sd", "cv", "n", …
	Selection expr.Selection
}

// Value answers a query with an interval. The error is for a question that
// makes no sense (unknown metric, a factor left open that makes the answer
// ambiguous is no error but a refusal in the estimate).
func (r *Result) Value(q Query) (Estimate, error) { panic("not written") }

// Compare sets two selections side by side. Other is not allowed here.
func (r *Result) Compare(metric string, c expr.Comparison) (Comparison, error) { panic("not written") }

// PublishedValue answers a query on the published numbers; no interval is
// ever made up for them. Selections may name machine=.
func (r *Result) PublishedValue(q Query) (Estimate, error) { panic("not written") }

// PublishedRatio is the ratio of two published numbers, without an interval.
func (r *Result) PublishedRatio(metric string, c expr.Comparison) (Estimate, error) {
	panic("not written")
}

// Observations are all measured trials of a metric that a selection matches,
// in the order in which they ran, sessions oldest first.
func (r *Result) Observations(metric string, s expr.Selection) []Observation { panic("not written") }
