package runner

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// guardianName is the first argument of a guardian, by which this program
// knows that it is one. It has nothing of the tool's name, so that who kills
// the tool by name leaves it its guardian.
const guardianName = "notebook-guardian"

// guardian is a process that waits, in a session of its own and blocked in one
// system call, for the end of the process whose run it guards. When that ends
// without having ended the guardian first, by SIGKILL or a defect, it does at
// once what else the next run would do at its start.
type guardian struct {
	pid   int
	ready *os.File // a pipe that it writes to when it is about to wait
}

// init makes a guardian of a process that was started as one, before anything
// else of the program begins. It is here, and not called by main, so that each
// program in which runs can be started, such as a test, can guard them.
func init() {
	if len(os.Args) == 2 && os.Args[0] == guardianName {
		if m, ok := parseMark(os.Args[1]); ok {
			guard(m)
		}
		os.Exit(0)
	}
}

// guard waits for the end of the process of a mark and cleans up, after it has
// said, on its standard output, that it is about to wait. A second look finds
// who was between two programs at the first, when a process has no environment
// to be known by.
func guard(m runMark) {
	os.WriteFile("/proc/self/comm", []byte("guardian"), 0) // else it is called exe; no more than a help for people
	signal.Ignore(unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGPIPE)
	unix.Write(1, []byte("."))
	unix.Dup3(0, 1, 0) // so that it holds nothing of the run
	m.awaitEnd()
	nobody := func(string, ...any) {}
	cleanUp(m.orphaned, nobody)
	time.Sleep(youth)
	cleanUp(m.orphaned, nobody)
}

// awaitEnd blocks until the process of a mark has ended with all its threads,
// and so has given up its locks.
func (m runMark) awaitEnd() {
	fd, err := unix.PidfdOpen(int(m.pid), 0)
	if err != nil {
		return
	}
	defer unix.Close(fd)
	if p, there := statOf(int(m.pid)); !there || p.start != m.start {
		return // the number is another's by now
	}
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	for err = unix.EINTR; errors.Is(err, unix.EINTR); {
		_, err = unix.Ppoll(fds, nil, nil)
	}
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
	pid, err := syscall.ForkExec("/proc/self/exe", []string{guardianName, m.String()},
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
