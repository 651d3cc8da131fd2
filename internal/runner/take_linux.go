package runner

import (
	"errors"

	"fieldbook/internal/machine"
	"golang.org/x/sys/unix"
)

// take reads what is there, once from each pipe that has something.
func (w *watch) take(now int64) {
	for i := range w.procs {
		p := &w.procs[i]
		w.takeFrom(&p.stdout, w.out.stdout(i), w.l.fds[2+3*i].Revents, now)
		w.takeFrom(&p.stderr, w.out.stderr(i), w.l.fds[3+3*i].Revents, now)
		if w.waiting {
			w.out.stdout(i).flush(nil) // the line may be there
		}
	}
}

func (w *watch) takeFrom(fd *int, s *stream, revents int16, now int64) {
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
		s.flush(w.glance)
	}
}

// glance notes a process's end while a full spool is scanned, so that a flood
// of output does not lengthen the trial.
func (w *watch) glance() {
	for i := range w.procs {
		if p := &w.procs[i]; !p.ended && p.endSeen == 0 && hasEnded(p.pid) {
			p.endSeen = machine.Monotonic()
		}
	}
}

// drain takes what the pipes still hold. All who could write are gone, or are
// no children of ours: nobody is waited for.
func (w *watch) drain() {
	for i := range w.procs {
		p := &w.procs[i]
		w.drainFrom(&p.stdout, w.out.stdout(i))
		w.drainFrom(&p.stderr, w.out.stderr(i))
		if p.stdin >= 0 {
			unix.Close(p.stdin)
		}
	}
	for _, s := range w.out.streams {
		s.finish()
	}
}

func (w *watch) drainFrom(fd *int, s *stream) {
	for before := int64(-1); *fd >= 0 && before != s.bytes; {
		before = s.bytes
		w.takeFrom(fd, s, unix.POLLIN, machine.Monotonic())
	}
	if *fd >= 0 {
		unix.Close(*fd)
		*fd = -1
	}
}
