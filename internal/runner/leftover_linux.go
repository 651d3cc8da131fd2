package runner

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// cleanUp does what the guardian of a killed run could not, as it was killed
// too, while this run's own one starts.
func (l *local) cleanUp(warn func(format string, args ...any)) {
	cleanUp(l.mark.orphaned, warn)
	if err := l.guard.await(); err != nil {
		warn("%v", err)
	}
}

// cleanUp ends and removes what runs that are gone have left on this machine,
// and says so: processes first, which may still write, then their groups and
// folders. What cannot be cleaned up is said too, and is no reason not to run:
// the state of the machine stands in every row.
func cleanUp(gone func(runMark) bool, warn func(format string, args ...any)) {
	names, err := endMarked(gone)
	if len(names) > 0 {
		warn("a killed run had left processes behind, which are ended now: %s", strings.Join(names, ", "))
	}
	if err != nil {
		warn("%v", err)
	}
	for _, dir := range goneGroups(gone) {
		removeGroup(dir)
	}
	n, err := removeWorkFolders(os.TempDir())
	if n > 0 {
		warn("temporary folders of killed runs are removed: %d", n)
	}
	if err != nil {
		warn("a killed run's temporary folder could not be removed: %v", err)
	}
}

// endMarked kills every process with a mark that is gone's, again and again
// until there is none, since they may be starting others. It returns their
// names, sorted.
func endMarked(gone func(runMark) bool) ([]string, error) {
	names := map[int]string{}
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		pids, err := carriers(gone)
		if err != nil || len(pids) == 0 {
			return slices.Sorted(maps.Values(names)), err
		}
		for _, pid := range pids {
			names[pid] = nameOf(pid)
		}
		for _, dir := range goneGroups(gone) {
			killGroup(dir)
		}
		for _, pid := range pids {
			err = errors.Join(err, killMarked(pid, gone))
		}
		if err != nil || time.Since(began) > patience {
			err = errors.Join(err, fmt.Errorf("process %d (%s), left behind by a killed run, does not end", pids[0], nameOf(pids[0])))
			return slices.Sorted(maps.Values(names)), err
		}
	}
}

// carriers are the processes with a mark that is gone's. This one and those
// that it descends from are never meant, whatever they carry.
func carriers(gone func(runMark) bool) ([]int, error) {
	all, err := processes()
	if err != nil {
		return nil, fmt.Errorf("looking for processes that killed runs left behind: %w", err)
	}
	spared := ancestors()
	var pids []int
	for _, pid := range all {
		if spared[pid] || !slices.ContainsFunc(marksOf(pid), gone) {
			continue
		}
		if p, there := statOf(pid); there && !p.ended {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// ancestors are this process, its parent and so on.
func ancestors() map[int]bool {
	all := map[int]bool{}
	for pid := os.Getpid(); pid > 0 && !all[pid]; {
		all[pid] = true
		p, _ := statOf(pid)
		pid = p.parent
	}
	return all
}

// marksOf are the marks that a process carries: in its environment, and in
// the names of the control groups in which it is. Nothing that may not be
// read carries any.
func marksOf(pid int) []runMark {
	var all []runMark
	folder := "/proc/" + strconv.Itoa(pid)
	env, _ := readSmall(folder + "/environ")
	for v := range bytes.SplitSeq(env, []byte{0}) {
		if text, found := bytes.CutPrefix(v, []byte(markVar)); found {
			if m, ok := parseMark(string(text)); ok {
				all = append(all, m)
			}
		}
	}
	groups, _ := readSmall(folder + "/cgroup")
	for part := range strings.SplitSeq(string(groups), "/") {
		if m, ok := groupMark(part); ok {
			all = append(all, m)
		}
	}
	return all
}

// killMarked kills a process if it is still the one that carries the mark:
// its number may have become another's since it was looked at.
func killMarked(pid int, gone func(runMark) bool) error {
	fd, err := unix.PidfdOpen(pid, 0)
	if errors.Is(err, unix.ESRCH) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking at process %d, left behind by a killed run: %w", pid, err)
	}
	defer unix.Close(fd)
	if !slices.ContainsFunc(marksOf(pid), gone) {
		return nil
	}
	if err := unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0); err != nil && !errors.Is(err, unix.ESRCH) {
		return fmt.Errorf("process %d (%s), left behind by a killed run, cannot be ended: %w", pid, nameOf(pid), err)
	}
	return nil
}
