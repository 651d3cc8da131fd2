// Package experiment reads an experiment file and knows what it says: the
// factors and their levels, the commands, the metrics, the claims. It refuses
// a file that is wrong in any way, with every problem placed. It runs nothing
// and reads nothing but the file it is given: what its text means is a pure
// function of that text.
package experiment

import (
	"time"

	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
)

// Experiment is what one experiment.yaml says, checked, with defaults filled
// in.
type Experiment struct {
	Name   string // of its folder
	File   string // path of experiment.yaml as messages show it
	Source []byte // the file as read

	Title, Question string
	Factors         []Factor
	Constants       []Constant
	Zip             [][]string // factors that move together
	Design          Design
	Inputs          []string // as written, relative to the folder; nil: the default
	Requires        []string
	Checkout        *Checkout // `source`
	Build           *Command
	Services        []Service
	Trial           Trial
	Metrics         []Metric
	Valid           []Formula
	Same            []Match  // `controls: same`: treatments that run twice, A/A
	Unaffected      []string // `controls: unaffected`: metrics that no factor should move
	DropSamples     bool     // `samples: {keep: none}`
	Published       *Published
	Claims          []Claim

	// Treatments are all combinations of levels after zip, exclude and
	// include, numbered from 1, the first factor slowest, those of include
	// last.
	Treatments []Treatment

	programs []programs // by treatment, where {by: ...} stands anywhere in them
}

// Factor is what is varied. Numeric says that every level is a decimal number.
type Factor struct {
	Name         string
	Levels       []Level
	Unit         string
	Log          bool // scale: log
	Numeric      bool
	HardToChange bool
	Pos          diag.Pos
}

// Level is one value of a factor: its text as written, its label (the text
// where none is declared), and its number where the factor is numeric.
type Level struct {
	Text, Label string
	Number      float64
	Pos         diag.Pos
}

// Constant is a named value for expressions, as written.
type Constant struct {
	Name, Text string
	Pos        diag.Pos
}

// Treatment is one combination of levels; Levels stands in the order of the
// experiment's factors.
type Treatment struct {
	Number int
	Levels []string
}

// Match selects treatments by some of their factors' levels: `exclude`,
// `include`, `same`.
type Match struct {
	Levels map[string]string
	Pos    diag.Pos
}

// Order is a scheme for the order of trials.
type Order string

const (
	RandomizedBlocks      Order = "randomized-blocks"
	CompleteRandomization Order = "complete-randomization"
	LatinSquare           Order = "latin-square"
	Williams              Order = "williams"
	Modulus               Order = "modulus"
	Sequential            Order = "sequential"
)

// Design is how trials are ordered and how many there are. Blocks is the
// number of runs per treatment where the order has no blocks. Until is nil
// for a fixed number; then Min and Max equal Blocks.
type Design struct {
	Order        Order
	Blocks       int
	Min, Max     int
	Until        *Until
	WarmupBlocks int
	Seed         *uint64 // a base, from which session k derives its own
	Pos          diag.Pos
}

// Until stops an adaptive experiment at whole blocks once the named claim's
// interval has at most this half-width, a ratio minus 1 (0.03 is 3 %).
type Until struct {
	Claim     string
	HalfWidth float64
}

// Text is a string that may hold `{…}`, with its place.
type Text struct {
	*expr.Template
	Pos diag.Pos
}

// Choice is a value that may differ by the level of one factor. The type
// parameter spares a copy of this struct for each kind of value that the
// format lets vary. Where By is empty, Plain holds for all treatments.
type Choice[T any] struct {
	By    string // a factor, or ""
	Plain T
	Each  map[string]T // level text -> value, complete for that factor
	Pos   diag.Pos
	Set   bool // false: not in the file
}

// Command is a program with its arguments, or, where Shell is true, one text
// for `sh -c`. Argv has then exactly one element.
type Command struct {
	Shell bool
	Argv  Choice[[]Text]
}

// Checkout is `source`: a checkout of a git repository per distinct revision.
type Checkout struct {
	Git      Text // a path, relative to the experiment's folder
	Revision Text
}

// Scope is how long an instance of a service lives.
type Scope string

const (
	ScopeSession Scope = "session"
	ScopePlot    Scope = "plot"
	ScopeBlock   Scope = "block"
	ScopeTrial   Scope = "trial"
)

// Service is a program that runs beside the trials.
type Service struct {
	Name       string
	Command    Command
	Scope      Scope
	Each       []string // factors: one instance per combination of their levels, side by side
	Ready      *Ready
	Before     *Command
	After      *Command // once ready
	StopSignal string   // without SIG: TERM, INT, …
	StopWithin time.Duration
	CPUs       Choice[[]int]
	Env        []EnvVar
	Pos        diag.Pos
}

// Ready says how a service shows that it is ready. Exactly one of TCP, Line,
// HTTP and Command is set. Line is a regular expression for a line of its
// standard output or standard error.
type Ready struct {
	TCP, HTTP *Text
	Line      string
	Command   *Command
	Within    time.Duration
}

// EnvVar is a variable of a process's environment.
type EnvVar struct {
	Name  string
	Value Choice[Text]
}

// Trial is what runs once per trial. Clients is nil for a trial of one
// process that no barrier holds back.
type Trial struct {
	Command     Command
	Before      *Command
	After       *Command
	Clients     *Choice[Text] // evaluates to a whole number >= 1
	ReadyWithin time.Duration
	Stdin       *Choice[Text] // a path, relative to Cwd's default folder
	Env         []EnvVar
	Cwd         *Choice[Text]
	Timeout     Choice[time.Duration]
	Retries     int
	CPUs        Choice[[]int]
	Quiet       *Quiet
}

// Quiet waits before a trial until the processors are busy with others'
// work for less than CPUBelow (a share, 0.25) over a short look, but no
// longer than Wait.
type Quiet struct {
	CPUBelow float64
	Wait     time.Duration
}

// From is where a metric's value comes from.
type From string

const (
	FromWall    From = "wall"
	FromRusage  From = "rusage"
	FromJSON    From = "json"
	FromRegex   From = "regex"
	FromFile    From = "file"
	FromSamples From = "samples"
	FromClients From = "clients"
	FromFormula From = "formula"
)

// Metric is a measured quantity. One entry of the file with several reducers
// becomes several metrics here, named entry.reducer (latency.p99), each with
// exactly one Reduce; all share Entry.
type Metric struct {
	Name, Entry string
	From        From
	Unit        string // "1" for a pure number
	Better      string // "lower", "higher" or ""
	Key         string // json, file, samples, clients; for rusage the field
	Pattern     string // regex, file
	Stream      string // regex: "stdout" or "stderr"
	MatchOnly   bool   // regex: exactly one match; else the last counts
	Path        *Text  // file
	Per         string // clients with jain
	Reduce      string // samples: p50, p99, mean, …; clients: span, start-skew, sum, …
	Formula     *Formula
	Pos         diag.Pos
}

// Formula is an expression with its place.
type Formula struct {
	*expr.Expr
	Pos diag.Pos
}

// Published names an earlier study's numbers. The file itself is read by
// ReadPublished.
type Published struct {
	File   string // relative to the experiment's folder
	Source string
	Pos    diag.Pos
}

// Claim is one entry of `claims`. Exactly one form is set: a comparison (with
// or without Against), a value (none of Compare, Slope, Fit, Always, AllOf,
// Untested), Slope, Fit, Always, AllOf or Untested.
type Claim struct {
	Name, Says string
	Metric     string
	Stat       string // of a value: "" is the geometric mean
	Compare    *expr.Comparison
	CompareSrc string
	AllPairs   bool // pairs: all
	Against    *expr.Comparison
	AgainstSrc string
	Slope      string // a factor
	Fit        string // "linear"
	X          string // fit: the factor
	Within     float64
	Always     *Formula
	AllOf      []string
	Untested   string
	Where      expr.Selection
	ForEach    []string
	Over       []string
	Expect     *Expect
	Family     string
	Machines   []string // published machines that the claim means
	Pos        diag.Pos
}

// Expect is what a claim says of its ratio, value or slope.
type Expect struct {
	Of     string // "ratio", "value", "slope"
	Op     string // "<", ">", "within", "both-sides" (of 1)
	Bound  float64
	Lo, Hi float64
	Src    string // as written
}
