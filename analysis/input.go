// Package analysis turns recorded data into results: estimates, comparisons,
// effects, and the verdicts of claims. It is a pure function of its input;
// it reads no file and no clock and starts nothing. It never pools what is
// not exchangeable, never drops a value, and never says "no difference"
// because a test failed to find one.
package analysis

import (
	"iter"

	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// Input is all that a Result depends on. Metrics, formulas, validity rules
// and claims are those of the experiment file as it stands, where there is
// one, since formulas and rules are applied at reading; without a file they
// come from the sessions.
type Input struct {
	Experiment      string
	Title, Question string
	Factors         []session.Factor
	Constants       []session.Constant
	Metrics         []session.Metric      // measured and formula metrics, in the order of the file
	Formulas        map[string]*expr.Expr // metric name -> expression
	Valid           []*expr.Expr
	Unaffected      []string
	Claims          []Claim
	Data            *session.Dataset
	// Clients are what clients did, by session; nil, or no entry, where there
	// are none.
	Clients map[string]*ClientRows
	// CountSamples says how many samples the attempts of a session had. It is
	// asked where a percentile of samples is, since it may take reading all of
	// them, and answers the same each time; nil: nobody can count them.
	CountSamples func(session string) (*SampleCounts, error)
	// Samples are those of a session, in the order of its trials, read as they
	// are asked for; nil: there is nobody to read them.
	Samples   func(session string) iter.Seq2[session.Sample, error]
	Published *Published // nil: none
	// Identity is today's identity of each treatment, by its levels joined
	// by "\x1f". nil: there is no experiment file, nothing can be stale.
	Identity map[string]string
	// Changed says in what a treatment changed since a session: session,
	// then treatment as in Identity -> reason. It may be incomplete.
	Changed map[string]map[string]string
	// Wanted is how many blocks the file asks for; 0: unknown.
	Wanted int
	// Order is the order that the file asks for.
	Order string
}

// Claim is a sentence with a checkable statement; see package experiment for
// the meaning of the fields, which are the same.
type Claim struct {
	Name, Says, Metric, Stat string
	Compare, Against         *expr.Comparison
	AllPairs                 bool
	Slope, Fit, X            string
	Within                   float64
	Always                   *expr.Expr
	AllOf                    []string
	Untested                 string
	Where                    expr.Selection
	ForEach, Over            []string
	Expect                   *Expect
	Family                   string
	Machines                 []string
	Hash                     string // of its statement, not of its sentence
	Statement                string // one line, as a reader sees it: "ratio of elapsed, sessions=2 / sessions=1 where …, < 1"
	Pos                      diag.Pos
}

// Expect is what a claim says of its ratio, value or slope.
type Expect struct {
	Of     string // "ratio", "value", "slope"
	Op     string // "<", ">", "within", "both-sides"
	Bound  float64
	Lo, Hi float64
	Src    string // as written
}

// Published is an earlier study's numbers.
type Published struct {
	Source string
	Rows   []PublishedRow
}

// PublishedRow is one number of an earlier study. Levels are by factor; a
// factor that is not stated is absent.
type PublishedRow struct {
	Machine   string
	Levels    map[string]string
	Metric    string
	Value     float64
	Unit      string
	Aggregate string // "value", "mean" or "sum"
	N         int    // runs behind the number; 0: not stated
	Note      string
	Line      int // in the file
}
