package session

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"syscall"
)

// openPlain opens a file to read it. It refuses what is none: a link would
// show what lies outside of the notebook, and a pipe would be waited for.
func openPlain(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) {
		return nil, notPlain(path)
	}
	if err != nil {
		return nil, err
	}
	stat, err := f.Stat()
	if err == nil && !stat.Mode().IsRegular() {
		err = notPlain(path)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func notPlain(path string) error {
	return fmt.Errorf("%s is no plain file, but a link, a folder or a pipe: it is not read", path)
}

// readPlain is the content of a file that openPlain opens.
func readPlain(path string) ([]byte, error) {
	f, err := openPlain(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	if stat, err := f.Stat(); err == nil {
		b.Grow(int(stat.Size()) + bytes.MinRead)
	}
	_, err = b.ReadFrom(f)
	return b.Bytes(), err
}
