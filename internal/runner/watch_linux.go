package runner

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"fieldbook/internal/machine"
	"golang.org/x/sys/unix"
)

// run executes the processes of one attempt.
func (l *local) run(todo *work) (outcome, error) {
	w := &watch{l: l, work: todo, out: outcome{exits: make([]exit, len(todo.commands)), early: -1}}
	w.prepare()
	if todo.memory {
		lowerPeak()
	}
	err := w.spawn()
	if err != nil {
		w.kill(unix.SIGKILL)
	}
	err = errors.Join(err, w.wait())
	if todo.memory {
		w.out.floor = ownPeak()
	}
	left, sweepErr := l.family.sweep()
	w.out.left = left
	w.drain()
	return w.out, errors.Join(err, sweepErr)
}

// watch is the execution of one work: what is watched while it runs.
type watch struct {
	l     *local
	work  *work
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
func (w *watch) prepare() {
	n := 2 * len(w.work.commands)
	for len(w.l.streams) < n {
		w.l.streams = append(w.l.streams, &stream{})
	}
	w.out.streams = w.l.streams[:n]
	for i := range w.work.commands {
		stdout, stderr := w.out.stdout(i), w.out.stderr(i)
		var out, err func([]byte, int64)
		if w.work.takers != nil {
			out, err = w.work.takers(i, stdout)
		}
		if w.work.barrier {
			out = w.untilReady(i, out)
		}
		stdout.reset(spoolRoom/n, w.work.barrier, out)
		stderr.reset(spoolRoom/n, false, err)
	}
}

// spawn starts all processes, each with pipes of its own.
func (w *watch) spawn() error {
	w.out.started = time.Now()
	w.out.startNS = machine.Monotonic()
	w.procs = make([]proc, 0, len(w.work.commands))
	for _, c := range w.work.commands {
		p, err := w.l.startPiped(c, w.work.barrier)
		if err != nil {
			return err
		}
		w.procs = append(w.procs, p)
		w.alive++
	}
	w.waiting = w.work.barrier
	w.limit(w.work.timeout, w.out.startNS)
	if w.waiting {
		w.limit(w.work.readyWithin, w.out.startNS)
	}
	return nil
}

// limit sets the deadline; 0 is none.
func (w *watch) limit(d time.Duration, from int64) {
	w.deadline = 0
	if d > 0 {
		w.deadline = from + int64(d)
	}
}

// wait waits until all processes have ended, takes their output, and keeps
// the limits. While nothing happens it is blocked in one system call.
func (w *watch) wait() error {
	tidy := w.out.startNS + int64(w.l.tidying)
	for w.alive > 0 {
		until := tidy
		if w.deadline != 0 {
			until = min(until, w.deadline)
		}
		w.poll(until)
		now := machine.Monotonic()
		if now >= tidy {
			w.tidy()
			tidy = now + int64(w.l.tidying)
		}
		w.reap(now)
		w.take(now)
		if w.alive == 0 {
			break
		}
		switch {
		case w.cancelled() && !w.stopping:
			w.out.interrupted = true
			w.end(now)
		case w.waiting:
			w.checkReady(now)
		case w.deadline != 0 && now >= w.deadline:
			if err := w.late(now); err != nil {
				return err
			}
		}
	}
	return nil
}

// tidy reaps the orphans that have ended.
func (w *watch) tidy() {
	pids, _ := w.l.family.lists.read() // what cannot be read now is swept up at the end
	for _, pid := range pids {
		_, known := w.l.family.known[pid]
		if !known && !slices.ContainsFunc(w.procs, func(p proc) bool { return p.pid == pid }) {
			unix.Wait4(pid, nil, unix.WNOHANG, nil)
		}
	}
}

// poll blocks until something happens or until a moment of the monotonic
// clock.
func (w *watch) poll(until int64) {
	fds := append(w.l.fds[:0], unix.PollFd{Fd: int32(w.l.stop), Events: unix.POLLIN})
	if w.stopping {
		fds[0].Fd = -1
	}
	for i := range w.procs {
		p := &w.procs[i]
		fds = append(fds, unix.PollFd{Fd: int32(p.pidfd), Events: unix.POLLIN},
			unix.PollFd{Fd: int32(p.stdout), Events: unix.POLLIN}, unix.PollFd{Fd: int32(p.stderr), Events: unix.POLLIN})
	}
	w.l.fds = fds
	limit := unix.NsecToTimespec(max(0, until-machine.Monotonic()))
	if _, err := unix.Ppoll(fds, &limit, nil); err != nil {
		for i := range fds {
			fds[i].Revents = 0 // interrupted: the caller looks again
		}
	}
}

func (w *watch) cancelled() bool { return w.l.fds[0].Revents != 0 }

// reap takes the end of each process that has ended. What is left in its
// group is killed first, while the process's number cannot be another's.
func (w *watch) reap(now int64) {
	for i := range w.procs {
		p := &w.procs[i]
		if p.ended || w.l.fds[1+3*i].Revents == 0 {
			continue
		}
		unix.Kill(-p.pid, unix.SIGKILL)
		w.out.exits[i] = waitFor(p.pid)
		w.out.exits[i].at = cmp.Or(p.endSeen, now)
		w.out.endNS = max(w.out.endNS, w.out.exits[i].at)
		unix.Close(p.pidfd)
		p.ended, p.pidfd = true, -1
		w.alive--
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
		_, err := unix.Wait4(pid, &status, 0, &used)
		if err == nil {
			break
		}
		if !errors.Is(err, unix.EINTR) {
			return exit{code: -1, signal: "an unknown cause"} // another part of this process has reaped it
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

// late handles a deadline: first the attempt's, then that of the processes
// that were told to end. A process that had ended by the time that it is
// looked at ended by itself: nobody has signalled it.
func (w *watch) late(now int64) error {
	switch {
	case !w.stopping:
		if slices.ContainsFunc(w.procs, func(p proc) bool { return !p.ended && !hasEnded(p.pid) }) {
			w.out.timedOut = true
			w.end(now)
			return nil
		}
		w.deadline = 0 // all have ended: the next look reaps them
	case !w.killed:
		w.kill(unix.SIGKILL)
		w.limit(patience, now)
	default:
		return errors.New("a killed process does not end")
	}
	return nil
}

// end tells all processes to end, and later kills them.
func (w *watch) end(now int64) {
	w.waiting = false
	w.kill(unix.SIGTERM)
	w.limit(grace, now)
}

// kill signals the groups of the processes that live.
func (w *watch) kill(sig unix.Signal) {
	w.stopping, w.killed = true, sig == unix.SIGKILL
	for i := range w.procs {
		if p := &w.procs[i]; !p.ended {
			unix.Kill(-p.pid, sig)
			unix.Kill(-p.pid, unix.SIGCONT) // one that is stopped would not notice
		}
	}
}
