package runner

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"fieldbook/internal/defect"
	"golang.org/x/sys/unix"
)

// local executes on this machine. It belongs to one goroutine that is locked
// to its thread: children ask the kernel to be killed when the thread that
// made them ends, and processors are chosen by moving the thread to them for
// the moment of the start.
type local struct {
	mark    runMark
	guard   *guardian
	family  *family
	null    int // /dev/null, to read
	stop    int // an eventfd that is readable once the run is cancelled
	all     unix.CPUSet
	streams []*stream // reused from attempt to attempt
	fds     []unix.PollFd
	tidying time.Duration // how often orphans that have ended are reaped during a trial
	closed  chan struct{}
}

// newLocal makes the executor of the calling goroutine. When cancelled is
// closed, what runs is ended.
func newLocal(cancelled <-chan struct{}) (*local, error) {
	runtime.LockOSThread()
	l := &local{tidying: 10 * time.Second, closed: make(chan struct{})}
	if err := l.set(); err != nil {
		l.guard.end()
		runtime.UnlockOSThread()
		return nil, err
	}
	l.listen(cancelled)
	return l, nil
}

// set makes what an executor needs of the system.
func (l *local) set() (err error) {
	if l.mark, err = newMark(); err != nil {
		return err
	}
	if l.guard, err = newGuardian(l.mark); err != nil { // before the family, which knows it then
		return err
	}
	if l.family, err = newFamily(); err != nil {
		return err
	}
	if err := unix.SchedGetaffinity(0, &l.all); err != nil {
		return fmt.Errorf("reading which processors may be used: %w", err)
	}
	if l.null, err = unix.Open(os.DevNull, unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
		return fmt.Errorf("opening %s: %w", os.DevNull, err)
	}
	if l.stop, err = unix.Eventfd(0, unix.EFD_CLOEXEC); err != nil {
		unix.Close(l.null)
		return fmt.Errorf("making an event: %w", err)
	}
	l.family.groups = newGroups(l.mark)
	return nil
}

// marked is an environment with this run's mark.
func (l *local) marked(env []string) []string { return append(env, markVar+l.mark.String()) }

// listen makes a closed channel visible to poll.
func (l *local) listen(cancelled <-chan struct{}) {
	if cancelled == nil {
		return
	}
	fd, err := unix.Dup(l.stop) // the goroutine's own, so that close cannot take it away
	if err != nil {
		return
	}
	unix.CloseOnExec(fd)
	go func() { // the only way from a channel to a file descriptor
		defer defect.Catch()
		select {
		case <-cancelled:
			unix.Write(fd, []byte{1, 0, 0, 0, 0, 0, 0, 0})
		case <-l.closed:
		}
		unix.Close(fd)
	}()
}

func (l *local) close() {
	close(l.closed)
	unix.Close(l.null)
	unix.Close(l.stop)
	l.family.close()
	l.family.groups.close()
	l.guard.end()
	runtime.UnlockOSThread()
}

func (l *local) sweep() ([]string, error) { return l.family.sweep() }

// spawn starts one process in a group of its own. The process id and a
// descriptor that becomes readable at its end are returned.
func (l *local) spawn(c *command, stdin, stdout, stderr int) (pid, pidfd int, err error) {
	if c.cpus != nil {
		if err := l.pin(c.cpus); err != nil {
			return 0, 0, err
		}
		defer unix.SchedSetaffinity(0, &l.all)
	}
	pidfd = -1
	sys := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL, PidFD: &pidfd}
	if g := l.family.groups.of(c); g.ready() {
		sys.UseCgroupFD, sys.CgroupFD = true, g.fd
	}
	attr := &syscall.ProcAttr{Dir: c.dir, Env: c.env, Files: []uintptr{uintptr(stdin), uintptr(stdout), uintptr(stderr)}, Sys: sys}
	pid, err = syscall.ForkExec(c.path, c.argv, attr)
	if sys.UseCgroupFD && errors.Is(err, unix.ENODEV) { // somebody has removed the group
		sys.UseCgroupFD = false
		pid, err = syscall.ForkExec(c.path, c.argv, attr)
	}
	if err != nil {
		return 0, 0, startProblem(c, err)
	}
	if pidfd < 0 {
		unix.Kill(-pid, unix.SIGKILL)
		unix.Wait4(pid, nil, 0, nil)
		return 0, 0, errors.New("this kernel is too old to run experiments: Linux 5.4 or newer is needed")
	}
	return pid, pidfd, nil
}

// startProblem says why a program did not start, in words that help.
func startProblem(c *command, err error) error {
	if info, statErr := os.Stat(c.dir); statErr != nil || !info.IsDir() {
		return &cannotStart{c.argv[0], "its working folder " + c.dir + " is not there", true}
	}
	switch {
	case errors.Is(err, unix.ENOEXEC):
		return &cannotStart{c.argv[0], "it is no program that this machine can execute, and does not begin with #!", false}
	case errors.Is(err, unix.E2BIG):
		return &cannotStart{c.argv[0], "its arguments and environment are too long", false}
	case errors.Is(err, unix.ENOENT):
		return &cannotStart{c.argv[0], "not found (or the program in its #! line is not)", false}
	case errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE), errors.Is(err, unix.ENOMEM):
		return fmt.Errorf("starting %s: %w", c.argv[0], ranOut(err))
	case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.ETXTBSY):
		return &cannotStart{c.argv[0], err.Error(), true}
	}
	return &cannotStart{c.argv[0], err.Error(), false}
}

// ranOut adds, to an error that says that something has run out, whose it is
// and what helps.
func ranOut(err error) error {
	var limit unix.Rlimit
	switch {
	case errors.Is(err, unix.EMFILE) && unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) == nil:
		return fmt.Errorf("this process may have no more than %d files open (ulimit -n raises that): %w", limit.Cur, err)
	case errors.Is(err, unix.ENFILE):
		return fmt.Errorf("this machine has no more files to open (sysctl fs.file-max): %w", err)
	case errors.Is(err, unix.ENOMEM):
		return fmt.Errorf("this machine has no memory left: %w", err)
	}
	return err
}

// startPiped starts a process whose output comes back through pipes.
func (l *local) startPiped(c *command, barrier bool) (proc, error) {
	var in, out, errs [2]int
	closeAll := func(fds ...int) {
		for _, fd := range fds {
			unix.Close(fd)
		}
	}
	if err := unix.Pipe2(out[:], unix.O_CLOEXEC); err != nil {
		return proc{}, fmt.Errorf("making a pipe for %s: %w", c.argv[0], ranOut(err))
	}
	if err := unix.Pipe2(errs[:], unix.O_CLOEXEC); err != nil {
		closeAll(out[:]...)
		return proc{}, fmt.Errorf("making a pipe for %s: %w", c.argv[0], ranOut(err))
	}
	stdin, ours, err := l.stdin(c, barrier, &in)
	if err != nil {
		closeAll(out[0], out[1], errs[0], errs[1])
		return proc{}, err
	}
	unix.SetNonblock(out[0], true)
	unix.SetNonblock(errs[0], true)
	pid, pidfd, err := l.spawn(c, stdin, out[1], errs[1])
	closeAll(out[1], errs[1])
	if stdin != l.null {
		unix.Close(stdin)
	}
	if err != nil {
		closeAll(out[0], errs[0])
		if ours >= 0 {
			unix.Close(ours)
		}
		return proc{}, err
	}
	return proc{pid: pid, pidfd: pidfd, stdin: ours, stdout: out[0], stderr: errs[0]}, nil
}

// stdin is what a process reads: nothing, a file opened anew, or a pipe whose
// other end is ours.
func (l *local) stdin(c *command, barrier bool, in *[2]int) (theirs, ours int, err error) {
	switch {
	case barrier:
		if err := unix.Pipe2(in[:], unix.O_CLOEXEC); err != nil {
			return 0, 0, fmt.Errorf("making a pipe for %s: %w", c.argv[0], ranOut(err))
		}
		return in[0], in[1], nil
	case c.stdin != "":
		fd, err := unix.Open(c.stdin, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0) // a named pipe must not hold us up
		if errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) {
			return 0, 0, fmt.Errorf("opening %s: %w", c.stdin, ranOut(err))
		}
		if err != nil {
			return 0, 0, &noInput{c.stdin + ": " + err.Error()}
		}
		unix.SetNonblock(fd, false)
		return fd, -1, nil
	}
	return l.null, -1, nil
}
