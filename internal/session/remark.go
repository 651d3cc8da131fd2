package session

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Kinds of remark.
const (
	NoteRemark    = "note"
	DiscardRemark = "discard"
	AbandonRemark = "abandon"
	AcceptRemark  = "accept"
)

var knownKinds = []string{NoteRemark, DiscardRemark, AbandonRemark, AcceptRemark}

func remarksPath(dir string) string { return filepath.Clean(dir) + ".remarks.csv" }

// AddRemark puts a remark beside the session, durably. The session itself,
// sealed or not, is not touched. A discard or an abandonment needs a text. An
// acceptance is of something: see Accept.
func AddRemark(dir, kind, text string, now time.Time) error {
	switch {
	case !slices.Contains(knownKinds, kind):
		return fmt.Errorf("remark on %s: kind is %q, want one of %q", filepath.Base(dir), kind, knownKinds)
	case kind == AcceptRemark:
		return fmt.Errorf("remark on %s: what is accepted must be named", filepath.Base(dir))
	case text == "" && kind != NoteRemark:
		return fmt.Errorf("remark on %s: %s needs a reason", filepath.Base(dir), kind)
	}
	return addRemarks(dir, []Remark{{At: now.UTC().Format(time.RFC3339), Kind: kind, Text: text}})
}

// Change is the identity under which a session recorded a treatment, and the
// one that the same treatment has had since.
type Change struct{ Was, Now string }

// Accept puts on record that data counts as still good although what the
// treatments run has changed. It holds for exactly these changes: where a
// treatment changes again, its data is stale again.
func Accept(dir, text string, changes []Change, now time.Time) error {
	if text == "" || len(changes) == 0 {
		return fmt.Errorf("remark on %s: an acceptance needs a reason and a change that is accepted", filepath.Base(dir))
	}
	list := make([]Remark, len(changes))
	for i, c := range changes {
		list[i] = Remark{At: now.UTC().Format(time.RFC3339), Kind: AcceptRemark, Text: text, Change: c}
	}
	return addRemarks(dir, list)
}

// Accepts says why data recorded under one identity counts as still good
// under another; the last acceptance holds.
func (s *Session) Accepts(c Change) (why string, ok bool) {
	for _, r := range slices.Backward(s.Remarks) {
		if r.Kind == AcceptRemark && r.Change == c {
			return r.Text, true
		}
	}
	return "", false
}

func addRemarks(dir string, list []Remark) error {
	unlock, err := lockFolder(filepath.Dir(filepath.Clean(dir)))
	if err != nil {
		return err
	}
	defer unlock()
	old, err := readRemarks(dir)
	if err != nil {
		return err
	}
	return replaceFile(remarksPath(dir), remarksText(append(old, list...)))
}

func remarksText(list []Remark) []byte {
	var l line
	l.header(remarkColumns)
	for _, r := range list {
		l.text(r.At)
		l.text(r.Kind)
		l.free(r.Text)
		l.text(r.Was)
		l.text(r.Now)
		l.end()
	}
	return l.buf
}

// readRemarks is the remarks on a session, oldest first.
func readRemarks(dir string) ([]Remark, error) {
	path := remarksPath(dir)
	text, err := readPlain(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := newScanner(text)
	f := fields{layout: remarkColumns}
	if err := readHeader(path, s, f.layout); err != nil {
		return nil, err
	}
	var list []Remark
	for {
		at := s.line
		more, fault := s.next()
		if fault != nil {
			return nil, problem(path, at, fault.text)
		}
		if !more {
			return list, nil
		}
		f.start(s.cells)
		r := Remark{At: f.text(), Kind: f.word(knownKinds), Text: f.free(), Change: Change{Was: f.text(), Now: f.text()}}
		if f.bad != "" {
			return nil, problem(path, at, f.bad)
		}
		list = append(list, r)
	}
}

// readRemarks reads the session's remarks; the last word of a kind holds.
func (s *Session) readRemarks() (err error) {
	s.Remarks, err = readRemarks(s.Dir)
	for _, r := range s.Remarks {
		switch r.Kind {
		case DiscardRemark:
			s.Discarded = cmp.Or(r.Text, "no reason given")
		case AbandonRemark:
			s.Abandoned = cmp.Or(r.Text, "no reason given")
		}
	}
	return err
}
