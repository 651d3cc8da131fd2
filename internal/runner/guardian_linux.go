package runner

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	guard "fieldbook/internal/guardian"
	"golang.org/x/sys/unix"
)

// guardian is a process that waits, in a session of its own and blocked in one
// system call, for the end of the process whose run it guards. When that ends
// without having ended the guardian first, by SIGKILL or a defect, it does at
// once what else the next run would do at its start.
type guardian struct {
	pid   int
	ready *os.File // a pipe that it writes to when it is about to wait
}

// init cleans up where this process is a guardian, whose wait is over by now.
// A second look finds who was between two programs at the first, when a process
// has no environment to be known by.
func init() {
	if len(os.Args) != 3 || os.Args[0] != guard.Name {
		return
	}
	if m, ok := parseMark(os.Args[1]); ok {
		nobody := func(string, ...any) {}
		cleanUp(m.orphaned, nobody)
		time.Sleep(youth)
		cleanUp(m.orphaned, nobody)
	}
	os.Exit(0)
}

// newGuardian starts the guardian of a run: this program again, with none of
// its files and out of reach of what is sent to its terminal or its group. On
// one processor, since Go looks now and then whether there are more of them.
func newGuardian(m runMark) (*guardian, error) {
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", os.DevNull, ranOut(err))
	}
	defer unix.Close(null)
	ready, theirs, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe for the guardian of the run: %w", ranOut(err))
	}
	defer theirs.Close()
	n := uintptr(null)
	pid, err := syscall.ForkExec("/proc/self/exe", []string{guard.Name, m.String(), strconv.Itoa(os.Getpid())},
		&syscall.ProcAttr{Env: append(os.Environ(), "GOMAXPROCS=1"), Files: []uintptr{n, theirs.Fd(), n}, Sys: &syscall.SysProcAttr{Setsid: true}})
	if err != nil {
		ready.Close()
		return nil, fmt.Errorf("starting the guardian of the run: %w", ranOut(err))
	}
	return &guardian{pid, ready}, nil
}

// await waits until the guardian has started, so that it neither misses the
// first trial nor disturbs it.
func (g *guardian) await() error {
	g.ready.SetReadDeadline(time.Now().Add(patience))
	if n, err := g.ready.Read(make([]byte, 1)); n != 1 {
		return fmt.Errorf("the guardian of this run does not start (%w): what trials start will outlive a tool that is killed by force", err)
	}
	return nil
}

// end ends the guardian of a run that has left nothing.
func (g *guardian) end() {
	if g != nil {
		unix.Kill(g.pid, unix.SIGKILL)
		waitFor(g.pid)
		g.ready.Close()
	}
}
