package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// lock is an exclusive hold on a file beside a session's folder. The kernel
// drops it with the process that holds it, however that ends, so that a lock
// of the dead needs no breaking. The text in the file says who holds it and
// is only for people.
type lock struct {
	file *os.File
	path string
}

// ErrLocked is what an error of Continue or Create wraps where another
// process writes the same session.
var ErrLocked = errors.New("another process writes this session")

// takeLock takes the lock for the session folder, or fails at once.
func takeLock(dir string) (*lock, error) {
	path := dir + ".lock"
	for {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o644)
		if err != nil {
			return nil, err
		}
		if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			defer file.Close()
			return nil, lockFailed(file, path, err)
		}
		if isCurrent(file, path) {
			l := &lock{file, path}
			return l, l.sign()
		}
		// The holder before removed the file between our opening and locking it.
		file.Close()
	}
}

func lockFailed(file *os.File, path string, err error) error {
	if !errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("locking %s: %w", path, err)
	}
	who, _ := io.ReadAll(io.LimitReader(file, 200))
	return fmt.Errorf("%w: %s holds %s", ErrLocked, strings.TrimSpace(string(who)), path)
}

// isCurrent says whether the file is still the one at the path.
func isCurrent(file *os.File, path string) bool {
	a, err1 := file.Stat()
	b, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}

// sign writes who holds the lock.
func (l *lock) sign() error {
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err := l.file.WriteAt(fmt.Appendf(nil, "process %d\n", os.Getpid()), 0)
	return err
}

// release removes the file while the lock is still held, then lets it go.
func (l *lock) release() error {
	if l == nil {
		return nil
	}
	err := os.Remove(l.path)
	return errors.Join(err, l.file.Close())
}

// lockFolder waits for an exclusive hold on a data folder itself and is the
// function that ends it. It leaves no file behind.
func lockFolder(dir string) (func(), error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(d.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		d.Close()
		return nil, fmt.Errorf("locking %s: %w", dir, err)
	}
	return func() { d.Close() }, nil
}

// noneRecorded is an error that wraps ErrLocked where a session of the machine
// is being recorded at this moment. A lock file of the dead does not count.
func noneRecorded(dataDir, machine string) error {
	ids, err := IDs(dataDir)
	if err != nil {
		return err
	}
	for _, id := range ids {
		dir := filepath.Join(dataDir, id)
		if id[len(idTime)+1:] != machine || !isThere(dir+".lock") || isThere(filepath.Join(dir, packageName)) {
			continue
		}
		if err := InUse(dir); err != nil {
			return fmt.Errorf("session %s of the same experiment is being recorded, and two at once disturb each other: %w", id, err)
		}
	}
	return nil
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// InUse is an error that wraps ErrLocked where another process writes the
// session at this moment, and nil where none does.
func InUse(dir string) error {
	l, err := takeLock(dir)
	if err != nil {
		return err
	}
	return l.release()
}
