package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"fieldbook/internal/diag"
)

// Read is the session in the folder, with its plan and rows. It changes
// nothing on disk. The last row of a session that is still being written, or
// was cut off, may be torn; it is then left out. Any other damage is an error
// that names file and line.
func Read(dir string) (*Session, error) {
	s, err := readHead(dir)
	if err != nil {
		return nil, err
	}
	if err := s.readRows(); err != nil {
		return nil, err
	}
	return s, nil
}

// readHead is a session without its plan and rows.
func readHead(dir string) (*Session, error) {
	dir = filepath.Clean(dir)
	s := &Session{Dir: dir}
	info, err := readInfo(dir)
	if err != nil {
		return nil, err
	}
	s.Info = *info
	s.Sealed, err = isSealed(dir)
	return s, errors.Join(err, s.readRemarks())
}

func isSealed(dir string) (bool, error) {
	_, err := os.Stat(filepath.Join(dir, packageName))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (s *Session) readRows() error {
	plan, err := readPlan(s.Dir, &s.Info)
	if err != nil {
		return s.withRemedy(err)
	}
	file, err := readRows(s.Dir, &s.Info, plan, s.Sealed)
	if err != nil {
		return s.withRemedy(err)
	}
	if s.Sealed && file.torn != nil {
		return problem(filepath.Join(s.Dir, trialsName), file.tornLine, "the last row has no line end, though the session is sealed")
	}
	s.Plan, s.Rows = plan, file.rows
	return nil
}

// withRemedy adds to the damage of a session that is not sealed what a person
// can do: no other copy of it need exist.
func (s *Session) withRemedy(err error) error {
	var places diag.List
	if s.Sealed || !errors.As(err, &places) {
		return err
	}
	places = slices.Clone(places)
	for i := range places {
		places[i].Hint = fmt.Sprintf("restore the file, or set the session aside: fieldbook discard %s --because TEXT", s.Session)
	}
	return places
}

// IDs are the sessions in a data folder, oldest first. A folder that does
// not exist holds none.
func IDs(dataDir string) ([]string, error) {
	entries, err := os.ReadDir(dataDir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, e := range entries { // sorted by name, which is by time
		if e.IsDir() && ValidID(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	return ids, nil
}

// Unfinished is the folder of the newest session of this machine that is
// neither sealed nor discarded nor abandoned. Pilots do not count: nobody
// waits for the rest of one.
func Unfinished(dataDir, machine string) (dir string, ok bool, err error) {
	ids, err := IDs(dataDir)
	if err != nil {
		return "", false, err
	}
	for _, id := range slices.Backward(ids) {
		dir := filepath.Join(dataDir, id)
		if id[len(idTime)+1:] != machine {
			continue
		}
		if reason, err := setAside(dir); err != nil {
			return "", false, err
		} else if reason != "" {
			continue
		}
		s, err := readHead(dir)
		if err != nil {
			return "", false, err
		}
		if !s.Sealed && s.Purpose != "pilot" {
			return dir, true, nil
		}
	}
	return "", false, nil
}
