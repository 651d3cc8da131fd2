// Package runner executes a plan, trial by trial, and hands each record on.
// It is the room that touches the world: it starts processes, releases
// clients together, takes times, and leaves nothing behind. It draws no
// random numbers but the mark of a run, computes no statistics and writes no session file itself.
package runner

import (
	"context"
	"errors"
	"time"

	"fieldbook/internal/design"
	"fieldbook/internal/experiment"
	"fieldbook/internal/session"
)

// Job is what to run. Folder is the experiment's folder, absolute.
type Job struct {
	Experiment *experiment.Experiment
	Plan       *design.Plan
	Folder     string
	Machine    string
	Session    string // id, for rows
	Part       int
	// Work is a folder for builds, checkouts and scratch; the caller makes
	// and removes it.
	Work string
	// Done says which trials need no further attempt; Attempts how many
	// attempts a trial has had. nil: a new session.
	Done     func(trial int) bool
	Attempts func(trial int) int
	// Sink takes each record as soon as it is complete. An error ends the run.
	Sink func(session.Record) error
	// AfterBlock is asked after each measured block whether to stop there;
	// nil: never.
	AfterBlock func(block int) (stop bool, err error)
	// Built is told what was built (name -> sha256) after the builds and
	// before the first service or trial starts; an error ends the run. nil: nobody asks.
	Built func(built map[string]string) error
	// Progress is told what happens, between trials and never during one; nil: nobody.
	Progress func(Event)
	// Finish, when closed, lets the running trial end and then stops the
	// run; cancelling the context stops it at once.
	Finish <-chan struct{}
}

// Event is one thing that a person who watches may want to know. Kind is
// "build", "checkout", "service", "trial", "warning".
type Event struct {
	Kind   string
	Text   string
	Took   time.Duration
	Record *session.Record // of a trial
	Done   int             // trials that need no further attempt
	Total  int
}

// Outcome is how a run ended.
type Outcome struct {
	Complete bool              // every planned trial is done, or the stopping rule was met
	Stopped  bool              // by AfterBlock
	NotOK    int               // planned trials of this run that ended without ok
	Built    map[string]string // what was built -> sha256 of its output
}

// Run builds, starts services and executes every trial of the plan that is
// not done, in the plan's order. An error is a failure of the runner or of
// the set-up (a build, a checkout, a service that does not get ready, Sink),
// never of a trial; nor is it one that the run was told to stop.
//
// Only one Run or Try at a time works in a process, a second one waits; and
// while one works nothing else in the process may start processes, which it
// would take for something that a trial has left behind.
func Run(ctx context.Context, job Job) (out Outcome, err error) {
	e, err := open(ctx, job)
	if err != nil {
		return Outcome{}, err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	return e.run()
}
