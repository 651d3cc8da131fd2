package session

import (
	"errors"
	"os"
	"syscall"
)

// file is what an appender needs of an *os.File. Tests put a disk that is
// full in its place.
type file interface {
	Write([]byte) (int, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}

// appender adds rows to one file of a session. What fails half-way is cut
// back, so that the file ends with a whole row.
type appender struct {
	file  file
	path  string
	size  int64 // up to here the file holds whole rows
	dirty bool  // written since the last sync
	fresh bool  // made since the last sync: its name is not durable yet
}

// openAppender opens the file for appending, making it where it is missing.
func openAppender(path string) (*appender, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|syscall.O_NOFOLLOW, 0o644)
	if err != nil {
		return nil, err
	}
	stat, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &appender{file: f, path: path, size: stat.Size(), fresh: stat.Size() == 0}, nil
}

// write adds bytes. On failure the file is cut back to what it was before.
func (a *appender) write(b []byte) error {
	n, err := a.file.Write(b)
	if err != nil {
		return errors.Join(err, a.cutTo(a.size))
	}
	a.size += int64(n)
	a.dirty = true
	return nil
}

// cutTo takes the file back to an earlier size.
func (a *appender) cutTo(size int64) error {
	if a == nil {
		return nil
	}
	a.size = size
	return a.file.Truncate(size)
}

// sync makes durable what was written.
func (a *appender) sync() error {
	if a == nil || !a.dirty {
		return nil
	}
	if err := a.file.Sync(); err != nil {
		return err
	}
	a.dirty = false
	return nil
}

func (a *appender) close() error {
	if a == nil {
		return nil
	}
	return a.file.Close()
}
