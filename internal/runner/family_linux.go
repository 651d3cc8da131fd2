package runner

import (
	"bytes"
	"fmt"
	"maps"
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
	lists    childLists
	known    map[int]int    // children that stay -> the service whose they are; 0: from before
	services map[string]int // mark of a service -> its process
	groups   groups         // in which those that trials and services have started are ended together
}

func newFamily() (*family, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("becoming the reaper of orphans: %w", err)
	}
	f := &family{lists: openChildLists(), known: map[int]int{}, services: map[string]int{}}
	return f, f.adopt(0)
}

// close lets orphans go to the first process again.
func (f *family) close() {
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
	f.lists.close()
}

// adopt makes all present children that nobody owns those of a service.
func (f *family) adopt(owner int) error {
	pids, err := f.lists.read()
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
	all, err := f.lists.read()
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
// ended by themselves. That there is none, the rule, takes two system calls to
// see.
func (f *family) sweep() ([]string, error) {
	var names []string
	for began := time.Now(); ; {
		pids, young, err := f.strangers()
		if err != nil || len(pids)+len(young) == 0 {
			return names, err
		}
		if len(young) > 0 && time.Since(began) > youth {
			pids, young = append(pids, young...), nil
		}
		if len(pids) > 0 {
			f.killGroups()
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
}

// killGroups ends at one moment what trials have left behind, and what
// services have where there are no more.
func (f *family) killGroups() {
	f.groups.trial.kill()
	if len(f.services) == 0 {
		f.groups.service.kill()
	}
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
