// Package guardian lets a process wait for the end of the one that has started
// it, before the rest of its program begins. Being a leaf, it is initialized
// before the packages that take their time to be ready, so that a guardian is
// at its post after a few milliseconds. It knows nothing of runs, and cleans
// nothing up: that is for who comes after it in the same process.
package guardian

import (
	"errors"
	"os"
	"os/signal"
	"strconv"

	"golang.org/x/sys/unix"
)

// Name is the first argument of a guardian, by which the program knows that it
// is one; the last is the number of the process that has started it. It has
// nothing of the tool's name, so that who kills the tool by name leaves it its
// guardian.
const Name = "notebook-guardian"

// init waits where the process is a guardian. It is here, and not called by
// main, so that every program in which runs can be started, such as a test,
// can guard them.
func init() {
	if len(os.Args) < 2 || os.Args[0] != Name {
		return
	}
	os.WriteFile("/proc/self/comm", []byte("guardian"), 0) // else it is called exe; no more than a help for people
	signal.Ignore(unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGPIPE)
	unix.Write(1, []byte("."))
	unix.Dup3(0, 1, 0) // so that it holds nothing of who has started it
	if pid, err := strconv.Atoi(os.Args[len(os.Args)-1]); err == nil {
		awaitEnd(pid)
	}
}

// awaitEnd blocks until the parent has ended with all its threads, and so has
// given up its locks.
func awaitEnd(parent int) {
	fd, err := unix.PidfdOpen(parent, 0)
	if err != nil {
		return
	}
	defer unix.Close(fd)
	if os.Getppid() != parent {
		return // it has ended already, and the number is another's by now
	}
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	for err = unix.EINTR; errors.Is(err, unix.EINTR); {
		_, err = unix.Ppoll(fds, nil, nil)
	}
}
