package runner

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long a killed process may take to disappear.
const patience = 2 * time.Second

// youth is how long a process without an environment may be between two
// programs.
const youth = 50 * time.Millisecond

// family knows which children this process should have. As a subreaper it
// becomes the parent of every descendant whose own parent has ended, also of
// one that left its process group and session, so that nothing that a trial
// started can get away.
type family struct {
	known    map[int]int    // children that stay -> the service whose they are; 0: from before
	services map[string]int // mark of a service -> its process
}

// serviceMark stands in the environment of services and of what they start.
const serviceMark = "FIELDBOOK_SERVICE"

func newFamily() (*family, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("becoming the reaper of orphans: %w", err)
	}
	f := &family{known: map[int]int{}, services: map[string]int{}}
	return f, f.adopt(0)
}

// adopt makes all present children that nobody owns those of a service.
func (f *family) adopt(owner int) error {
	pids, err := children()
	for _, pid := range pids {
		if _, ok := f.known[pid]; !ok {
			f.known[pid] = owner
		}
	}
	return err
}

// disown leaves a service's children to the next sweep.
func (f *family) disown(owner int) {
	maps.DeleteFunc(f.known, func(_, of int) bool { return of == owner })
	maps.DeleteFunc(f.services, func(_ string, of int) bool { return of == owner })
}

// strangers are the children that no service owns. One that a service has
// left only now, by its group or its mark, becomes the service's. Young are
// those that cannot be told yet: a process has no environment at the moment
// when it executes another program.
func (f *family) strangers() (pids, young []int, err error) {
	all, err := children()
	for _, pid := range all {
		if _, ok := f.known[pid]; ok {
			continue
		}
		owner, told := f.ownerOf(pid)
		switch {
		case owner != 0:
			f.known[pid] = owner
		case !told:
			young = append(young, pid)
		default:
			pids = append(pids, pid)
		}
	}
	return pids, young, err
}

// ownerOf is the service that a child descends from, 0 for none; not told
// where that cannot be seen at the moment.
func (f *family) ownerOf(pid int) (owner int, told bool) {
	if len(f.services) == 0 || hasEnded(pid) {
		return 0, true
	}
	if group, err := unix.Getpgid(pid); err == nil && f.known[group] == group {
		return group, true
	}
	env, _ := readSmall("/proc/" + strconv.Itoa(pid) + "/environ") // not readable: not told
	for v := range bytes.SplitSeq(env, []byte{0}) {
		if name, found := bytes.CutPrefix(v, []byte(serviceMark+"=")); found {
			return f.services[string(name)], true
		}
	}
	return 0, len(env) > 0
}

// sweep kills every child that is not known, and the children that those
// leave, until there are none. It returns the names of those that had not
// ended by themselves. That no child at all is left, the rule where there are
// no services, takes one system call to see.
func (f *family) sweep() ([]string, error) {
	var names []string
	for began := time.Now(); anyChild(); {
		pids, young, err := f.strangers()
		if err != nil || len(pids)+len(young) == 0 {
			return names, err
		}
		if len(young) > 0 && time.Since(began) > youth {
			pids, young = append(pids, young...), nil
		}
		killed, alive := reapAll(pids)
		names = append(names, killed...)
		if alive && time.Since(began) > patience {
			return names, fmt.Errorf("process %d (%s) does not end, although it was killed", pids[0], nameOf(pids[0]))
		}
		if alive || len(young) > 0 {
			time.Sleep(time.Millisecond)
		}
	}
	return names, nil
}

// reapAll kills children and reaps those that have ended.
func reapAll(pids []int) (killed []string, alive bool) {
	for _, pid := range pids {
		name := nameOf(pid)
		if group, err := unix.Getpgid(pid); err == nil && group == pid {
			unix.Kill(-pid, unix.SIGKILL)
		}
		unix.Kill(pid, unix.SIGKILL)
		var status unix.WaitStatus
		got, err := unix.Wait4(pid, &status, unix.WNOHANG, nil)
		switch {
		case err == nil && got == 0:
			alive = true
		case err == nil && status.Signaled() && status.Signal() == unix.SIGKILL:
			killed = append(killed, name)
		}
	}
	return killed, alive
}

// anyChild says whether this process has a child, alive or not yet reaped.
func anyChild() bool {
	var info unix.Siginfo
	for {
		err := unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return !errors.Is(err, unix.ECHILD)
		}
	}
}

// hasEnded says whether a child has ended; it stays to be reaped.
func hasEnded(pid int) bool {
	var info unix.Siginfo
	for {
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return err == nil && info.Signo != 0
		}
	}
}

// children are the process ids of all children, in ascending order. The
// kernel keeps them by thread: processes belong to the thread that started
// them, orphans to the first thread.
func children() ([]int, error) {
	self := os.Getpid()
	first, ok := childrenOf(self)
	if !ok {
		return childrenByScan()
	}
	pids := first
	if tid := unix.Gettid(); tid != self {
		mine, _ := childrenOf(tid)
		pids = append(pids, mine...)
	}
	if len(pids) > 0 || !anyChild() {
		slices.Sort(pids)
		return pids, nil
	}
	return childrenByScan()
}

// childrenOf are the children of one of this process's threads; false where
// the kernel was built without the list.
func childrenOf(tid int) (pids []int, ok bool) {
	b, err := readSmall("/proc/self/task/" + strconv.Itoa(tid) + "/children")
	for field := range bytes.FieldsSeq(b) {
		if pid, err := strconv.Atoi(string(field)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids, err == nil
}

// readSmall reads a file of /proc with no more system calls than it takes:
// it is on the way of every trial beside which a service is up.
func readSmall(name string) ([]byte, error) {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	buf := make([]byte, 0, 4096)
	for {
		n, err := unix.Read(fd, buf[len(buf):cap(buf)])
		if n <= 0 {
			return buf, err
		}
		if buf = buf[:len(buf)+n]; len(buf) == cap(buf) {
			buf = slices.Grow(buf, cap(buf))
		}
	}
}

// childrenByScan looks at every process, for kernels that were built without
// lists of children, and for children of other threads.
func childrenByScan() ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("looking for processes left behind: %w", err)
	}
	self, pids := strconv.Itoa(os.Getpid()), []int(nil)
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := readSmall("/proc/" + e.Name() + "/stat")
		if end := bytes.LastIndex(stat, []byte(") ")); err == nil && end >= 0 {
			if fields := bytes.Fields(stat[end+2:]); len(fields) > 1 && string(fields[1]) == self {
				pids = append(pids, pid)
			}
		}
	}
	slices.Sort(pids)
	return pids, nil
}

// nameOf is a process's short name.
func nameOf(pid int) string {
	b, err := readSmall("/proc/" + strconv.Itoa(pid) + "/comm")
	if err != nil {
		return strconv.Itoa(pid)
	}
	return string(bytes.TrimSpace(b))
}
