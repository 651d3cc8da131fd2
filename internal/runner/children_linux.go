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

// childLists are the kernel's lists of this process's children, held open, as
// they are read after every trial. The kernel keeps them by thread: processes
// belong to the thread that started them, orphans to the first thread. A child
// leaves its list only when this process reaps it, so that none is missed. A
// kernel that was built without them has none.
type childLists struct {
	fds  []int
	text []byte // reused
}

// openChildLists opens those of the first thread and of the calling one.
func openChildLists() (l childLists) {
	for _, tid := range slices.Compact([]int{os.Getpid(), unix.Gettid()}) {
		fd, err := unix.Open("/proc/self/task/"+strconv.Itoa(tid)+"/children", unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			l.close()
			return childLists{}
		}
		l.fds = append(l.fds, fd)
	}
	return l
}

func (l *childLists) close() {
	for _, fd := range l.fds {
		unix.Close(fd)
	}
}

// read are the process ids of all children, in ascending order.
func (l *childLists) read() (pids []int, err error) {
	if l.fds == nil {
		return childrenByScan()
	}
	for _, fd := range l.fds {
		if pids, err = l.append(pids, fd); err != nil {
			return nil, fmt.Errorf("looking for processes left behind: %w", err)
		}
	}
	slices.Sort(pids)
	return pids, nil
}

// append appends the numbers of a list. The kernel gives it page by page, of
// 4096 bytes or more; a piece that leaves room in one is the last.
func (l *childLists) append(all []int, fd int) ([]int, error) {
	const (
		page    = 4096
		longest = 20 // bytes of a number and its blank
	)
	l.text = l.text[:0]
	for n := page; n > page-longest; {
		var err error
		l.text = slices.Grow(l.text, page)
		if n, err = unix.Pread(fd, l.text[len(l.text):cap(l.text)], int64(len(l.text))); err != nil {
			return nil, err
		}
		l.text = l.text[:len(l.text)+n]
	}
	for field := range bytes.FieldsSeq(l.text) {
		if pid, err := strconv.Atoi(string(field)); err == nil {
			all = append(all, pid)
		}
	}
	return all, nil
}

// readSmall reads a file of /proc with no more system calls than it takes:
// it is on the way of what is left behind beside a service.
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
