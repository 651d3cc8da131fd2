package session

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Gone are the sessions of which a data folder still holds remarks, but no
// longer the folder; sorted.
func Gone(dataDir string) ([]string, error) {
	entries, err := os.ReadDir(dataDir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	there, err := IDs(dataDir)
	if err != nil {
		return nil, err
	}
	var gone []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".remarks.csv"); ok && ValidID(id) && !slices.Contains(there, id) {
			gone = append(gone, id)
		}
	}
	return gone, nil
}

// Unread are what a data folder holds that looks like a session and that
// nothing reads, since it is a link or a file, or has another name than a
// session can have; sorted by name.
func Unread(dataDir string) ([]Difference, error) {
	entries, err := os.ReadDir(dataDir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var list []Difference
	for _, e := range entries {
		name := e.Name()
		switch {
		case strings.HasPrefix(name, "."): // half made, or some other program's
		case ValidID(name) && !e.IsDir():
			list = append(list, Difference{name, "it has a session's name and is no folder, but a link or a file: it is not read"})
		case !ValidID(name) && holdsSession(filepath.Join(dataDir, name)):
			list = append(list, Difference{name, "it holds a session and has no session's name, such as 20260301T093000Z-label: it is not read"})
		}
	}
	return list, err
}

// holdsSession says whether a folder has one of the files that tell of a
// session.
func holdsSession(dir string) bool {
	for _, name := range []string{infoName, packageName} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}
