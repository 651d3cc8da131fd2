package runner

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"fieldbook/internal/machine"
	"golang.org/x/sys/unix"
)

// local executes on this machine. It belongs to one goroutine that is locked
// to its thread: children ask the kernel to be killed when the thread that
// made them ends, and processors are chosen by moving the thread to them for
// the moment of the start.
type local struct {
	family  *family
	null    int // /dev/null, to read
	stop    int // an eventfd that is readable once the run is cancelled
	all     unix.CPUSet
	streams []*stream // reused from attempt to attempt
	fds     []unix.PollFd
	tidying time.Duration // how often orphans that have ended are reaped during a trial
}

// newLocal makes the executor of the calling goroutine. When cancelled is
// closed, what runs is ended.
func newLocal(cancelled <-chan struct{}) (*local, error) {
	runtime.LockOSThread()
	f, err := newFamily()
	if err != nil {
		return nil, err
	}
	l := &local{family: f, tidying: 10 * time.Second}
	if err := unix.SchedGetaffinity(0, &l.all); err != nil {
		return nil, fmt.Errorf("reading which processors may be used: %w", err)
	}
	if l.null, err = unix.Open(os.DevNull, unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
		return nil, fmt.Errorf("opening %s: %w", os.DevNull, err)
	}
	if l.stop, err = unix.Eventfd(0, unix.EFD_CLOEXEC); err != nil {
		unix.Close(l.null)
		return nil, fmt.Errorf("making an event: %w", err)
	}
	l.listen(cancelled)
	return l, nil
}

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
		<-cancelled
		unix.Write(fd, []byte{1, 0, 0, 0, 0, 0, 0, 0})
		unix.Close(fd)
	}()
}

func (l *local) close() {
	unix.Close(l.null)
	unix.Close(l.stop)
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
	pid, err = syscall.ForkExec(c.path, c.argv, &syscall.ProcAttr{
		Dir: c.dir, Env: c.env, Files: []uintptr{uintptr(stdin), uintptr(stdout), uintptr(stderr)},
		Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL, PidFD: &pidfd},
	})
	if err != nil {
		return 0, 0, &cannotStart{c.argv[0], startProblem(c, err)}
	}
	if pidfd < 0 {
		unix.Kill(-pid, unix.SIGKILL)
		unix.Wait4(pid, nil, 0, nil)
		return 0, 0, errors.New("this kernel is too old to run experiments: Linux 5.4 or newer is needed")
	}
	return pid, pidfd, nil
}

// startProblem says why a program did not start, in words that help.
func startProblem(c *command, err error) string {
	if info, statErr := os.Stat(c.dir); statErr != nil || !info.IsDir() {
		return "its working folder " + c.dir + " is not there"
	}
	switch {
	case errors.Is(err, unix.ENOEXEC):
		return "it is no program that this machine can execute, and does not begin with #!"
	case errors.Is(err, unix.E2BIG):
		return "its arguments and environment are too long"
	case errors.Is(err, unix.ENOENT):
		return "not found (or the program in its #! line is not)"
	}
	return err.Error()
}

// pin moves the thread to some processors.
func (l *local) pin(cpus []int) error {
	if err := l.allows(cpus); err != nil {
		return err
	}
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("cpus: moving to processors %v: %w", cpus, err)
	}
	return nil
}

func (l *local) allows(cpus []int) error {
	for _, cpu := range cpus {
		if cpu < 0 || cpu >= len(l.all)*bits.UintSize || !l.all.IsSet(cpu) {
			return fmt.Errorf("cpus: processor %d may not be used here, only %s", cpu, processors(&l.all))
		}
	}
	return nil
}

// processors is a set of processors as text: "0-3, 6".
func processors(set *unix.CPUSet) string {
	var parts []string
	for cpu := 0; cpu < len(set)*bits.UintSize; cpu++ {
		if !set.IsSet(cpu) {
			continue
		}
		first := cpu
		for set.IsSet(cpu + 1) {
			cpu++
		}
		if first == cpu {
			parts = append(parts, fmt.Sprint(cpu))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", first, cpu))
		}
	}
	return strings.Join(parts, ", ")
}

// run executes the processes of one attempt.
func (l *local) run(w *work) (outcome, error) {
	a := &attempt{l: l, w: w, out: outcome{exits: make([]exit, len(w.commands)), early: -1}}
	a.prepare()
	err := a.spawn()
	if err == nil {
		err = a.watch()
	} else {
		a.kill(unix.SIGKILL)
		err = errors.Join(err, a.watch())
	}
	left, sweepErr := l.family.sweep()
	a.out.left = append(a.out.left, left...)
	a.drain()
	return a.out, errors.Join(err, sweepErr)
}

// attempt is the execution of one work.
type attempt struct {
	l     *local
	w     *work
	out   outcome
	procs []proc

	alive    int
	waiting  bool // for the clients to be ready
	stopping bool // told to end
	killed   bool
	deadline int64 // of the monotonic clock; 0: none
}

// proc is one direct child.
type proc struct {
	pid, pidfd     int
	stdin          int // where `go` is written; -1: nowhere
	stdout, stderr int // -1: at its end
	ended, ready   bool
	endSeen        int64 // when its end was first seen, where that was not by poll
}

// prepare readies the streams.
func (a *attempt) prepare() {
	n := 2 * len(a.w.commands)
	for len(a.l.streams) < n {
		a.l.streams = append(a.l.streams, &stream{})
	}
	a.out.streams = a.l.streams[:n]
	for i := range a.w.commands {
		stdout, stderr := a.out.stdout(i), a.out.stderr(i)
		var out, err func([]byte, int64)
		if a.w.takers != nil {
			out, err = a.w.takers(i, stdout)
		}
		if a.w.barrier {
			out = a.untilReady(i, out)
		}
		stdout.reset(spoolRoom/n, a.w.barrier, out)
		stderr.reset(spoolRoom/n, false, err)
	}
}

// untilReady looks for the line that says that a client is ready; lines after
// it go on to take.
func (a *attempt) untilReady(client int, take func([]byte, int64)) func([]byte, int64) {
	return func(line []byte, end int64) {
		switch {
		case !a.procs[client].ready:
			a.procs[client].ready = strings.TrimSpace(string(line)) == readyLine
		case take != nil:
			take(line, end)
		}
	}
}

const readyLine = "fieldbook: ready"

// spawn starts all processes, each with pipes of its own.
func (a *attempt) spawn() error {
	a.out.started = time.Now()
	a.out.startNS = machine.Monotonic()
	a.procs = make([]proc, 0, len(a.w.commands))
	for _, c := range a.w.commands {
		p, err := a.l.startPiped(c, a.w.barrier)
		if err != nil {
			return err
		}
		a.procs = append(a.procs, p)
		a.alive++
	}
	a.waiting = a.w.barrier
	a.limit(a.w.timeout, a.out.startNS)
	if a.waiting {
		a.limit(a.w.readyWithin, a.out.startNS)
	}
	return nil
}

// limit sets the deadline; 0 is none.
func (a *attempt) limit(d time.Duration, from int64) {
	a.deadline = 0
	if d > 0 {
		a.deadline = from + int64(d)
	}
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
		return proc{}, fmt.Errorf("making a pipe: %w", err)
	}
	if err := unix.Pipe2(errs[:], unix.O_CLOEXEC); err != nil {
		closeAll(out[:]...)
		return proc{}, fmt.Errorf("making a pipe: %w", err)
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
			return 0, 0, fmt.Errorf("making a pipe: %w", err)
		}
		return in[0], in[1], nil
	case c.stdin != "":
		fd, err := unix.Open(c.stdin, unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			return 0, 0, &noInput{c.stdin + ": " + err.Error()}
		}
		return fd, -1, nil
	}
	return l.null, -1, nil
}

// watch waits until all processes have ended, takes their output, and keeps
// the limits. While nothing happens it is blocked in one system call.
func (a *attempt) watch() error {
	tidy := a.out.startNS + int64(a.l.tidying)
	for a.alive > 0 {
		until := tidy
		if a.deadline != 0 {
			until = min(until, a.deadline)
		}
		a.poll(until)
		now := machine.Monotonic()
		if now >= tidy {
			a.tidy()
			tidy = now + int64(a.l.tidying)
		}
		a.reap(now)
		a.take(now)
		if a.alive == 0 {
			break
		}
		switch {
		case a.cancelled() && !a.stopping:
			a.out.interrupted = true
			a.end(now)
		case a.waiting:
			a.checkReady(now)
		case a.deadline != 0 && now >= a.deadline:
			if err := a.late(now); err != nil {
				return err
			}
		}
	}
	return nil
}

// tidy reaps the orphans that have ended.
func (a *attempt) tidy() {
	pids, _ := children() // what cannot be read now is swept up at the end
	for _, pid := range pids {
		_, known := a.l.family.known[pid]
		if !known && !slices.ContainsFunc(a.procs, func(p proc) bool { return p.pid == pid }) {
			unix.Wait4(pid, nil, unix.WNOHANG, nil)
		}
	}
}

// poll blocks until something happens or until a moment of the monotonic
// clock.
func (a *attempt) poll(until int64) {
	fds := append(a.l.fds[:0], unix.PollFd{Fd: int32(a.l.stop), Events: unix.POLLIN})
	if a.w.deaf || a.stopping {
		fds[0].Fd = -1
	}
	for i := range a.procs {
		p := &a.procs[i]
		fds = append(fds, unix.PollFd{Fd: int32(p.pidfd), Events: unix.POLLIN},
			unix.PollFd{Fd: int32(p.stdout), Events: unix.POLLIN}, unix.PollFd{Fd: int32(p.stderr), Events: unix.POLLIN})
	}
	a.l.fds = fds
	limit := unix.NsecToTimespec(max(0, until-machine.Monotonic()))
	if _, err := unix.Ppoll(fds, &limit, nil); err != nil {
		for i := range fds {
			fds[i].Revents = 0 // interrupted: the caller looks again
		}
	}
}

func (a *attempt) cancelled() bool { return a.l.fds[0].Revents != 0 }

// reap takes the end of each process that has ended. What is left in its
// group is killed first, while the process's number cannot be another's.
func (a *attempt) reap(now int64) {
	for i := range a.procs {
		p := &a.procs[i]
		if p.ended || a.l.fds[1+3*i].Revents == 0 {
			continue
		}
		unix.Kill(-p.pid, unix.SIGKILL)
		a.out.exits[i] = waitFor(p.pid)
		a.out.exits[i].at = cmp.Or(p.endSeen, now)
		a.out.endNS = max(a.out.endNS, a.out.exits[i].at)
		unix.Close(p.pidfd)
		p.ended, p.pidfd = true, -1
		a.alive--
		if p.stdin >= 0 {
			unix.Close(p.stdin)
			p.stdin = -1
		}
	}
}

// waitFor reaps a child that has ended.
func waitFor(pid int) exit {
	var status unix.WaitStatus
	var used unix.Rusage
	for {
		if _, err := unix.Wait4(pid, &status, 0, &used); !errors.Is(err, unix.EINTR) {
			break
		}
	}
	e := exit{code: -1, rusage: rusage{
		user: time.Duration(used.Utime.Nano()), system: time.Duration(used.Stime.Nano()), maxrss: used.Maxrss << 10,
		minflt: used.Minflt, majflt: used.Majflt, voluntary: used.Nvcsw, involuntary: used.Nivcsw,
	}}
	if status.Signaled() {
		e.signal = unix.SignalName(status.Signal())
	} else {
		e.code = status.ExitStatus()
	}
	return e
}

// take reads what is there, once from each pipe that has something.
func (a *attempt) take(now int64) {
	for i := range a.procs {
		p := &a.procs[i]
		a.takeFrom(&p.stdout, a.out.stdout(i), a.l.fds[2+3*i].Revents, now)
		a.takeFrom(&p.stderr, a.out.stderr(i), a.l.fds[3+3*i].Revents, now)
		if a.waiting {
			a.out.stdout(i).flush(nil) // the line may be there
		}
	}
}

func (a *attempt) takeFrom(fd *int, s *stream, revents int16, now int64) {
	if *fd < 0 || revents == 0 {
		return
	}
	n, err := unix.Read(*fd, s.space())
	switch {
	case n > 0:
		s.took(n, now)
	case err == nil || !errors.Is(err, unix.EAGAIN) && !errors.Is(err, unix.EINTR):
		unix.Close(*fd)
		*fd = -1
	}
	if s.full() {
		s.flush(a.glance)
	}
}

// glance notes a process's end while a full spool is scanned, so that a flood
// of output does not lengthen the trial.
func (a *attempt) glance() {
	for i := range a.procs {
		if p := &a.procs[i]; !p.ended && p.endSeen == 0 && hasEnded(p.pid) {
			p.endSeen = machine.Monotonic()
		}
	}
}

// checkReady releases the clients once all are ready, and gives up where one
// has ended before or is late.
func (a *attempt) checkReady(now int64) {
	missing := 0
	for i := range a.procs {
		p := &a.procs[i]
		if p.ended {
			a.out.early = i
			a.out.notReady = fmt.Sprintf("client %d ended before it was ready: %s", i, a.out.exits[i])
			a.waiting = false
			a.end(now)
			return
		}
		if !p.ready {
			missing++
		}
	}
	switch {
	case missing == 0:
		a.release()
	case a.deadline != 0 && now >= a.deadline:
		a.out.notReady = fmt.Sprintf("%s not ready within %s; a client prints %q, and its language may hold that back until a buffer is full: flush it", a.unready(), a.w.readyWithin, readyLine)
		a.waiting = false
		a.end(now)
	}
}

// unready names the clients that are not ready.
func (a *attempt) unready() string {
	var late []string
	for i := range a.procs {
		if !a.procs[i].ready {
			late = append(late, fmt.Sprint(i))
		}
	}
	if len(late) == 1 {
		return "client " + late[0] + " was"
	}
	return "clients " + strings.Join(late, ", ") + " were"
}

// release lets all clients go at once.
func (a *attempt) release() {
	a.waiting = false
	a.out.goNS = make([]int64, len(a.procs))
	line := []byte("go\n")
	for i := range a.procs {
		a.out.goNS[i] = machine.Monotonic()
		unix.Write(a.procs[i].stdin, line) // one that has just died is seen by its end
	}
	for i := range a.procs {
		unix.Close(a.procs[i].stdin)
		a.procs[i].stdin = -1
	}
	a.limit(a.w.timeout, machine.Monotonic())
}

// late handles a deadline: first the attempt's, then that of the processes
// that were told to end. A process that had ended by the time that it is
// looked at ended by itself: nobody has signalled it.
func (a *attempt) late(now int64) error {
	switch {
	case !a.stopping:
		if slices.ContainsFunc(a.procs, func(p proc) bool { return !p.ended && !hasEnded(p.pid) }) {
			a.out.timedOut = true
			a.end(now)
			return nil
		}
		a.deadline = 0 // all have ended: the next look reaps them
	case !a.killed:
		a.kill(unix.SIGKILL)
		a.limit(patience, now)
	default:
		return errors.New("a killed process does not end")
	}
	return nil
}

// end tells all processes to end, and later kills them.
func (a *attempt) end(now int64) {
	a.kill(unix.SIGTERM)
	a.stopping = true
	a.limit(grace, now)
}

// kill signals the groups of the processes that live.
func (a *attempt) kill(sig unix.Signal) {
	a.stopping, a.killed = true, sig == unix.SIGKILL
	for i := range a.procs {
		if p := &a.procs[i]; !p.ended {
			unix.Kill(-p.pid, sig)
			unix.Kill(-p.pid, unix.SIGCONT) // one that is stopped would not notice
		}
	}
}

// drain takes what the pipes still hold. All who could write are gone, or are
// no children of ours: nobody is waited for.
func (a *attempt) drain() {
	for i := range a.procs {
		p := &a.procs[i]
		a.drainFrom(&p.stdout, a.out.stdout(i))
		a.drainFrom(&p.stderr, a.out.stderr(i))
		if p.stdin >= 0 {
			unix.Close(p.stdin)
		}
	}
	for _, s := range a.out.streams {
		s.finish()
	}
}

func (a *attempt) drainFrom(fd *int, s *stream) {
	for before := int64(-1); *fd >= 0 && before != s.bytes; {
		before = s.bytes
		a.takeFrom(fd, s, unix.POLLIN, machine.Monotonic())
	}
	if *fd >= 0 {
		unix.Close(*fd)
		*fd = -1
	}
}
