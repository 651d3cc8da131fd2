package runner

import (
	"fmt"
	"time"
)

// grace is how long a process that is told to end may take before it is
// killed.
const grace = time.Second

// executor starts processes somewhere and tells how they ended. The local
// machine is the one that there is; another one gets a file of its own.
type executor interface {
	// run executes the processes of one attempt together. It returns when
	// all of them have ended and nothing that they started is left.
	run(w *work) (outcome, error)
	// start starts a process that runs beside the attempts.
	start(c *command) (daemon, error)
	// allows says why processes may not be held to some processors.
	allows(cpus []int) error
	// sweep ends whatever attempts or services have left behind, and tells
	// the names.
	sweep() ([]string, error)
	close()
}

// daemon is a process that runs beside the attempts.
type daemon interface {
	// ended tells how it ended, where it has.
	ended() (exit, bool)
	// adopt says that what the process has started so far belongs to it.
	adopt() error
	// stop sends the signal, waits as long as is allowed, and ends the
	// whole tree.
	stop(signal string, within time.Duration) error
	// usage is the processor time used by it and its descendants.
	usage() time.Duration
	// output is what it wrote so far, head and tail.
	output() (stdout, stderr []byte)
}

// command is a program ready to be started.
type command struct {
	path  string   // what to execute
	argv  []string // argv[0] as it was written
	env   []string
	dir   string
	stdin string // a file; "" is nothing to read
	cpus  []int  // nil: all
	// line, of a daemon, takes each line of both streams; it is called from
	// other goroutines.
	line func(line []byte)
}

// work is what one attempt, or one command of the set-up, is to do.
type work struct {
	commands []*command // one a client
	// barrier holds the processes back until all have said that they are
	// ready, readyWithin at most.
	barrier     bool
	readyWithin time.Duration
	timeout     time.Duration // 0: none
	memory      bool          // the peak of memory is wanted
	// takers are the functions for the lines of both streams of a process,
	// nil where nothing is read; output is spooled until it has ended.
	takers func(client int, stdout *stream) (out, err func(line []byte, end int64))
}

// outcome is how the processes of an attempt ended.
type outcome struct {
	started     time.Time
	startNS     int64 // of the monotonic clock
	endNS       int64 // the last direct child's end
	exits       []exit
	timedOut    bool
	interrupted bool
	notReady    string   // why the barrier was never passed
	early       int      // the client that ended before; -1: none did
	left        []string // processes that had to be ended after the direct child
	streams     []*stream
	goNS        []int64 // when `go` was written to each client
	floor       int64   // bytes: a peak of memory up to it may be the runner's own
}

// stdout and stderr are the streams of a client, valid until the next run.
func (o *outcome) stdout(client int) *stream { return o.streams[2*client] }
func (o *outcome) stderr(client int) *stream { return o.streams[2*client+1] }

// exit is how one process ended.
type exit struct {
	code   int    // -1 where a signal ended it
	signal string // SIGSEGV, …
	at     int64  // of the monotonic clock
	rusage rusage
}

// rusage is what a process and those that it waited for used.
type rusage struct {
	user, system           time.Duration
	maxrss                 int64 // bytes
	minflt, majflt         int64
	voluntary, involuntary int64 // context switches
}

// signals of a shell's exit status, those that a program dies of by its own
// fault or by another's will.
var shellSignals = map[int]string{129: "SIGHUP", 130: "SIGINT", 131: "SIGQUIT", 132: "SIGILL", 133: "SIGTRAP", 134: "SIGABRT",
	135: "SIGBUS", 136: "SIGFPE", 137: "SIGKILL", 139: "SIGSEGV", 141: "SIGPIPE", 143: "SIGTERM"}

// String says how a process ended, for a reason.
func (e exit) String() string {
	if e.signal != "" {
		return "killed by " + e.signal
	}
	if s := shellSignals[e.code]; s != "" {
		return fmt.Sprintf("exit %d (as a shell says that %s killed a program)", e.code, s)
	}
	return fmt.Sprintf("exit %d", e.code)
}

func (e exit) ok() bool { return e.code == 0 && e.signal == "" }

// cannotStart is a program that could not be started. Passing says that the
// reason may be gone at the next try.
type cannotStart struct {
	program, reason string
	passing         bool
}

func (e *cannotStart) Error() string { return "cannot start: " + e.program + ": " + e.reason }

// noInput is a file for standard input that could not be opened.
type noInput struct{ reason string }

func (e *noInput) Error() string { return "stdin: " + e.reason }
