package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fieldbook/internal/diag"
)

// cut is the tail of a file of details that belongs to no recorded attempt.
type cut struct {
	path string
	line int   // where the tail begins
	size int64 // what is kept; 0: nothing, not even the header
}

// findCut reads a file of details to its end and finds the tail to cut off;
// nil: none.
func (s *Session) findCut(name string, layout []column) (*cut, error) {
	path := filepath.Join(s.Dir, name)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	d, err := openDetails(s.Dir, name, layout, &s.Info)
	if err != nil {
		return nil, err
	}
	if d == nil {
		return &cut{path: path, line: 1}, nil
	}
	defer d.close()
	c, err := d.findCut(s.Rows, len(s.Plan))
	if err != nil {
		return nil, d.place(err)
	}
	return c, nil
}

// findCut expects rows of recorded attempts, in their order, and then rows of
// later attempts alone.
func (d *detailReader) findCut(rows []Row, trials int) (*cut, error) {
	var tail *cut
	last := lastMark(rows)
	at, kept := 0, int64(0)
	for {
		trial, attempt, err := d.next()
		if err == io.EOF {
			break
		}
		if err != nil && err != errTorn {
			return nil, err
		}
		if err == errTorn && trial > 0 && !last.before(trial, attempt, trials) {
			return nil, fmt.Errorf("the last row is torn, though trial %d is recorded in %s: the disk has lost rows", trial, trialsName)
		}
		if err == errTorn || last.before(trial, attempt, trials) {
			if tail == nil {
				tail = &cut{path: d.path, line: d.line, size: kept}
			}
			continue
		}
		at = advance(rows, at, trial, attempt)
		if tail != nil || at == len(rows) || rows[at].Trial != trial || rows[at].Attempt != attempt {
			return nil, notRecorded(trial, attempt)
		}
		if text := d.rest(); text != "" {
			return nil, errors.New(text)
		}
		kept = d.end
	}
	if tail == nil && kept == 0 {
		tail = &cut{path: d.path, line: 1}
	}
	return tail, nil
}

// rest checks the cells of a row that nobody reads.
func (d *detailReader) rest() string {
	for _, c := range d.layout[1:] {
		switch {
		case c.Name == "clock":
			d.word(knownClocks)
		case c.Type == "integer":
			d.int64()
		default:
			d.number()
		}
	}
	return d.bad
}

// do cuts the tail off. A file of which nothing is left goes away.
func (c *cut) do(notes *diag.List) error {
	if c == nil {
		return nil
	}
	if c.line > 1 {
		notes.Warnf(diag.Pos{File: c.path, Line: c.line}, "rows from here on were of an attempt that is not in %s; they were cut off", trialsName)
	}
	if c.size == 0 {
		return os.Remove(c.path)
	}
	return truncate(c.path, c.size)
}
