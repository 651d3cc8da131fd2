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
// sealed or not, is not touched. A discard or an abandonment needs a text.
func AddRemark(dir, kind, text string, now time.Time) error {
	if !slices.Contains(knownKinds, kind) {
		return fmt.Errorf("remark on %s: kind is %q, want one of %q", filepath.Base(dir), kind, knownKinds)
	}
	if text == "" && kind != NoteRemark {
		return fmt.Errorf("remark on %s: %s needs a reason", filepath.Base(dir), kind)
	}
	unlock, err := lockFolder(filepath.Dir(filepath.Clean(dir)))
	if err != nil {
		return err
	}
	defer unlock()
	old, err := readRemarks(dir)
	if err != nil {
		return err
	}
	return replaceFile(remarksPath(dir), remarksText(append(old, Remark{At: now.UTC().Format(time.RFC3339), Kind: kind, Text: text})))
}

func remarksText(list []Remark) []byte {
	var l line
	l.header(remarkColumns)
	for _, r := range list {
		l.text(r.At)
		l.text(r.Kind)
		l.text(r.Text)
		l.end()
	}
	return l.buf
}

// readRemarks is the remarks on a session, oldest first.
func readRemarks(dir string) ([]Remark, error) {
	path := remarksPath(dir)
	text, err := os.ReadFile(path)
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
		r := Remark{At: f.text(), Kind: f.word(knownKinds), Text: f.text()}
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
