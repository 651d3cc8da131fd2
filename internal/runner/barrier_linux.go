package runner

import (
	"fmt"
	"strings"

	"fieldbook/internal/machine"
	"golang.org/x/sys/unix"
)

// untilReady looks for the line that says that a client is ready; lines after
// it go on to take.
func (w *watch) untilReady(client int, take func([]byte, int64)) func([]byte, int64) {
	return func(line []byte, end int64) {
		switch {
		case !w.procs[client].ready:
			w.procs[client].ready = strings.TrimSpace(string(line)) == readyLine
		case take != nil:
			take(line, end)
		}
	}
}

const readyLine = "fieldbook: ready"

// checkReady releases the clients once all are ready, and gives up where one
// has ended before or is late.
func (w *watch) checkReady(now int64) {
	missing := 0
	for i := range w.procs {
		p := &w.procs[i]
		if p.ended {
			w.out.early = i
			w.out.notReady = fmt.Sprintf("client %d ended before it was ready: %s", i, w.out.exits[i])
			w.end(now)
			return
		}
		if !p.ready {
			missing++
		}
	}
	switch {
	case missing == 0:
		w.release()
	case w.deadline != 0 && now >= w.deadline:
		w.out.notReady = fmt.Sprintf("%s not ready within %s; a client prints %q, and its language may hold that back until a buffer is full: flush it", w.unready(), w.work.readyWithin, readyLine)
		w.end(now)
	}
}

// unready names the clients that are not ready.
func (w *watch) unready() string {
	var late []string
	for i := range w.procs {
		if !w.procs[i].ready {
			late = append(late, fmt.Sprint(i))
		}
	}
	if len(late) == 1 {
		return "client " + late[0] + " was"
	}
	return "clients " + strings.Join(late, ", ") + " were"
}

// release lets all clients go at once.
func (w *watch) release() {
	w.waiting = false
	w.out.goNS = make([]int64, len(w.procs))
	line := []byte("go\n")
	calm := undisturbed()
	for i := range w.procs {
		w.out.goNS[i] = machine.Monotonic()
		unix.Write(w.procs[i].stdin, line) // one that has just died is seen by its end
	}
	calm()
	for i := range w.procs {
		unix.Close(w.procs[i].stdin)
		w.procs[i].stdin = -1
	}
	w.limit(w.work.timeout, machine.Monotonic())
}

// undisturbed lets nothing else take this thread's processor, where we may
// ask for that, until the function returned is called. Else the first client
// to wake up may run in our place, while the others wait to be let go.
func undisturbed() (calm func()) {
	realtime := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1}
	before, err := unix.SchedGetAttr(0, 0)
	if err != nil || unix.SchedSetAttr(0, &realtime, 0) != nil {
		return func() {}
	}
	return func() { unix.SchedSetAttr(0, before, 0) }
}
