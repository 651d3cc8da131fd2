// Package session knows how a session lies on disk: it appends what happened
// durably, trial by trial, seals what is complete, continues what is not, and
// reads sessions back as one Dataset. It runs nothing and judges nothing, and
// it never changes or deletes what has been recorded.
package session

import "time"

// Statuses of an attempt.
const (
	OK          = "ok"
	Invalid     = "invalid"
	Failed      = "failed"
	Timeout     = "timeout"
	Interrupted = "interrupted"
	Skipped     = "skipped"
)

// Planned is one row of plan.csv; the meaning of its fields is that of
// design.Trial. Levels stands in the order of Info.Factors.
type Planned struct {
	Trial     int
	Phase     string
	Block     int
	Plot      int
	Position  int
	Treatment int
	Control   string
	Levels    []string
}

// Row is one row of trials.csv: one attempt at one planned trial.
type Row struct {
	Planned
	Session, Machine string
	Attempt          int // from 1
	Part             int // from 1: which continuation of the session
	Started          time.Time
	Duration         float64 // seconds from start to exit of the direct child, monotonic; NaN where it never started
	Status           string
	Reason           string // empty for ok
	Exit             int    // exit code; -1 where it did not exit by itself
	Signal           string // SIGSEGV, …; empty where no signal ended it
	StdoutBytes      int64
	StderrBytes      int64
	Metrics          []float64 // in the order of Info.Metrics; NaN: missing
	State            State
}

// State is the machine's state just before an attempt. NaN is "unknown".
type State struct {
	Load1      float64
	ForeignCPU float64 // share of all processors busy with others' work, 0..1
	MHz        float64
	TempC      float64
	Throttled  float64 // throttle events since the session's start
	QuietS     float64 // seconds waited for quiet
}

// Client is one row of clients.csv: what one client of one attempt did.
type Client struct {
	Trial, Attempt, Client int
	Clock                  string    // "workload": the client's own times; "runner": the runner's
	StartNS, FinishNS      int64     // of the machine's monotonic clock
	Values                 []float64 // in the order of Info.ClientColumns; NaN: missing
}

// Sample is one row of samples.csv: one observation inside an attempt. Index
// counts from 1 within the attempt and client.
type Sample struct {
	Trial, Attempt, Client, Index int
	Values                        []float64 // in the order of Info.SampleColumns; NaN: missing
}

// Record is all that one attempt leaves behind.
type Record struct {
	Row
	Clients []Client
	Samples []Sample
	// Outputs are the kept heads and tails, by name ("stdout", "stderr",
	// "client-2-stdout"), of an attempt that is not ok.
	Outputs map[string][]byte
}
