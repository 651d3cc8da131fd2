package runner

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

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
	all, err := processes()
	if err != nil {
		return nil, fmt.Errorf("looking for processes left behind: %w", err)
	}
	self, pids := os.Getpid(), []int(nil)
	for _, pid := range all {
		if p, there := statOf(pid); there && p.parent == self {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids, nil
}

// processes are the process ids of all that can be seen, in no order.
func processes() ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			pids = append(pids, pid)
		}
	}
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
