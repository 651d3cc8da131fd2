package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// workPrefix and workLock are the names of a run's temporary folder and of
// the file in it that its run holds locked. The kernel drops the lock with
// the process, so that one of the dead need not be told by guessing.
const (
	workPrefix = "fieldbook-"
	workLock   = "lock"
)

// WorkFolder makes a temporary folder for builds, checkouts and scratch. What
// a killed process leaves of it is removed by the guardian of its run, or by a
// later run. The caller calls remove.
func WorkFolder() (dir string, remove func() error, err error) {
	if dir, err = os.MkdirTemp("", workPrefix); err != nil {
		return "", nil, fmt.Errorf("making a temporary folder: %w", err)
	}
	lock, err := lockWork(dir)
	if err != nil {
		return "", nil, errors.Join(fmt.Errorf("locking a temporary folder: %w", err), os.RemoveAll(dir))
	}
	return dir, func() error { return errors.Join(removeTree(dir), lock.Close()) }, nil
}

// lockWork makes the lock file of a folder. It has its name only once it is
// locked: a folder with one that is not is nobody's.
func lockWork(dir string) (*os.File, error) {
	name := filepath.Join(dir, workLock)
	f, err := os.OpenFile(name+".new", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err := os.Rename(name+".new", name); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// removeWorkFolders removes the temporary folders of this user's runs that
// have ended without doing so.
func removeWorkFolders(temp string) (n int, err error) {
	entries, err := filepath.Glob(filepath.Join(temp, workPrefix+"*"))
	if err != nil {
		return 0, err
	}
	var errs []error
	for _, dir := range entries {
		var st unix.Stat_t
		if unix.Lstat(dir, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFDIR || int(st.Uid) != os.Geteuid() {
			continue // a link, or another's
		}
		if removed, err := removeAbandoned(dir); err != nil {
			errs = append(errs, err)
		} else if removed {
			n++
		}
	}
	return n, errors.Join(errs...)
}

// removeAbandoned removes a folder whose lock nobody holds. One without a
// lock is being made, or none of ours.
func removeAbandoned(dir string) (removed bool, err error) {
	fd, err := unix.Open(filepath.Join(dir, workLock), unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return false, nil
	}
	defer unix.Close(fd)
	if unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) != nil {
		return false, nil
	}
	return true, removeTree(dir)
}

// removeTree removes a folder, also one in which a build has made folders
// read-only.
func removeTree(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if e != nil && e.IsDir() && err == nil {
			os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
