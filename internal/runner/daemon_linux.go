package runner

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"fieldbook/internal/defect"
	"fieldbook/internal/machine"
	"golang.org/x/sys/unix"
)

// localDaemon is a service's process on this machine. Its output is read by
// two goroutines, which are blocked while it writes nothing.
type localDaemon struct {
	l          *local
	pid, pidfd int
	gone       *exit // how it ended, once seen

	mu       sync.Mutex // guards the streams
	out, err stream
	pipes    [2]*os.File
	read     [2]chan struct{} // closed when all has been read
}

func (l *local) start(c *command) (daemon, error) {
	p, err := l.startPiped(c, false)
	if err != nil {
		return nil, err
	}
	d := &localDaemon{l: l, pid: p.pid, pidfd: p.pidfd}
	l.family.known[p.pid] = p.pid
	for _, v := range c.env {
		if name, ok := strings.CutPrefix(v, serviceMark+"="); ok {
			l.family.services[name] = p.pid
		}
	}
	var take func([]byte, int64)
	if c.line != nil {
		take = func(line []byte, _ int64) { c.line(line) }
	}
	d.follow(0, p.stdout, &d.out, take)
	d.follow(1, p.stderr, &d.err, take)
	return d, nil
}

// follow takes a stream's output until its end, in a goroutine of its own.
func (d *localDaemon) follow(i, fd int, s *stream, take func([]byte, int64)) {
	f := os.NewFile(uintptr(fd), "output of a service") // non-blocking: Close ends a read
	d.pipes[i] = f
	s.reset(0, false, take)
	d.read[i] = make(chan struct{})
	buf := make([]byte, chunk)
	go func() {
		defer defect.Catch()
		defer close(d.read[i])
		for {
			n, err := f.Read(buf)
			d.mu.Lock()
			copy(s.space(), buf[:n])
			s.took(n, 0)
			s.flush(nil)
			d.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
}

func (d *localDaemon) output() (stdout, stderr []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.out.kept.text(), d.err.kept.text()
}

func (d *localDaemon) ended() (exit, bool) {
	if d.gone == nil {
		if !hasEnded(d.pid) {
			return exit{}, false
		}
		d.reap()
	}
	return *d.gone, true
}

// reap takes the process's end; what is left in its group is told to end too.
func (d *localDaemon) reap() {
	at := machine.Monotonic()
	unix.Kill(-d.pid, unix.SIGKILL)
	e := waitFor(d.pid)
	e.at = at
	d.gone = &e
	d.drain()
}

// drain waits a moment for what the pipes still hold; not longer, since who
// has left the group may hold them open.
func (d *localDaemon) drain() {
	for i, f := range d.pipes {
		f.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		<-d.read[i]
	}
}

func (d *localDaemon) adopt() error { return d.l.family.adopt(d.pid) }

func (d *localDaemon) usage() time.Duration {
	if d.gone != nil {
		return 0
	}
	pids := []int{d.pid}
	for pid, owner := range d.l.family.known {
		if owner == d.pid && pid != d.pid {
			pids = append(pids, pid)
		}
	}
	return machine.TreeCPU("/", pids...)
}

// stop signals the process itself, which may need its children to end in
// order; then what is left of its group, which a shell may have started; and
// kills what is left of its tree then.
func (d *localDaemon) stop(signal string, within time.Duration) error {
	if _, gone := d.ended(); !gone {
		sig := cmp.Or(unix.SignalNum("SIG"+signal), unix.SIGTERM)
		unix.Kill(d.pid, sig)
		if d.await(within) {
			d.stopGroup(sig)
		} else {
			unix.Kill(-d.pid, unix.SIGKILL)
			if !d.await(patience) {
				return errors.New("a killed service does not end")
			}
		}
		d.reap()
	}
	unix.Close(d.pidfd)
	d.l.family.disown(d.pid)
	_, err := d.l.family.sweep()
	for _, f := range d.pipes {
		f.Close()
	}
	return err
}

// stopGroup signals what is left in the group of a service that has ended
// but is not yet reaped, and waits a little.
func (d *localDaemon) stopGroup(sig unix.Signal) {
	unix.Kill(-d.pid, sig)
	for until := time.Now().Add(grace); time.Now().Before(until) && d.groupLives(); {
		time.Sleep(2 * time.Millisecond)
	}
}

// groupLives says whether an orphan of the group is still there; those that
// have ended are reaped.
func (d *localDaemon) groupLives() bool {
	pids, err := d.l.family.lists.read()
	if err != nil {
		return false
	}
	return slices.ContainsFunc(pids, func(pid int) bool {
		group, err := unix.Getpgid(pid)
		if err != nil || group != d.pid || pid == d.pid {
			return false
		}
		got, err := unix.Wait4(pid, nil, unix.WNOHANG, nil)
		return err == nil && got == 0
	})
}

// await waits for the process's end.
func (d *localDaemon) await(within time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(d.pidfd), Events: unix.POLLIN}}
	for until := time.Now().Add(within); ; {
		limit := unix.NsecToTimespec(max(0, int64(time.Until(until))))
		n, err := unix.Ppoll(fds, &limit, nil)
		if n > 0 || err == nil {
			return n > 0
		}
	}
}
