package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Sync is how often rows are made durable against a loss of power. A crash
// of the program loses no row under any of them.
type Sync int

const (
	SyncTrial Sync = iota // with every attempt
	SyncBlock             // at the end of each block
	SyncNone              // at the seal
)

// Options are what the writing of a session takes beside its content. The
// zero value is the safe way.
type Options struct {
	Sync Sync
	Now  func() time.Time // nil: time.Now
	// Alone lets Create refuse, by an error that wraps ErrLocked, while a
	// session of the same machine is being recorded in the same data folder:
	// the trials of the two would disturb each other.
	Alone bool
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

// Create makes the folder of a new session and is ready to append to it. The
// plan, the info and the experiment file are on disk for good before it
// returns. The session's id is made here, from the time and info.Machine (one
// in info.Session is taken where it is free): where another session of the
// experiment has the same second, Create waits for the next. Writer.Info has
// the id. The first part's number, start and first trial are filled in where
// they are missing.
func Create(dataDir string, info Info, plan []Planned, experimentYAML []byte, opts Options) (*Writer, error) {
	if err := os.MkdirAll(dataDir, 0o755); err != nil {
		return nil, err
	}
	unlock, err := lockFolder(dataDir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := removeHalfMade(dataDir); err != nil {
		return nil, err
	}
	if opts.Alone {
		if err := noneRecorded(dataDir, info.Machine); err != nil {
			return nil, err
		}
	}
	started, err := freeSecond(dataDir, &info, opts)
	if err != nil {
		return nil, err
	}
	info.Format = Format
	info.Parts = []Part{firstPart(info.Parts, started)}
	if err := errors.Join(info.check(), checkPlan(&info, plan)); err != nil {
		return nil, fmt.Errorf("creating session %s: %w", info.Session, err)
	}
	dir := filepath.Join(dataDir, info.Session)
	held, err := takeLock(dir)
	if err != nil {
		return nil, err
	}
	if err := makeFolder(dir, &info, plan, experimentYAML); err != nil {
		return nil, errors.Join(err, held.release())
	}
	return openWriter(dir, &info, plan, mark{}, held, opts)
}

func firstPart(parts []Part, started time.Time) Part {
	var p Part
	if len(parts) > 0 {
		p = parts[0]
	}
	p.Part, p.FirstTrial = 1, 1
	if p.Started == "" {
		p.Started = started.UTC().Format(time.RFC3339)
	}
	return p
}

// freeSecond settles the session's id: the one asked for, or that of the
// first second from now in which no session of this experiment started.
func freeSecond(dataDir string, info *Info, opts Options) (time.Time, error) {
	now := opts.now()
	if info.Session == "" {
		info.Session = NewID(now, info.Machine)
	}
	for {
		if !ValidID(info.Session) {
			return now, fmt.Errorf("session is %q, want a name such as 20260301T093000Z-label", info.Session)
		}
		taken, err := secondTaken(dataDir, info.Session[:len(idTime)])
		if err != nil || !taken {
			return now, err
		}
		time.Sleep(now.Truncate(time.Second).Add(time.Second).Sub(now))
		now = opts.now()
		info.Session = NewID(now, info.Machine)
	}
}

func secondTaken(dataDir, second string) (bool, error) {
	entries, err := os.ReadDir(dataDir)
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), second) {
			return true, nil
		}
	}
	return false, nil
}

// halfMade is in the name of a folder that is to become a session.
const halfMade = ".new-"

// removeHalfMade clears away what a crash of an earlier Create left. Who
// holds the data folder's lock is the only one to create a session in it.
func removeHalfMade(dataDir string) error {
	entries, err := os.ReadDir(dataDir)
	for _, e := range entries {
		id, _, isNew := strings.Cut(strings.TrimPrefix(e.Name(), "."), halfMade)
		if isNew && ValidID(id) && strings.HasPrefix(e.Name(), ".") {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dataDir, e.Name())))
		}
	}
	return err
}

// makeFolder writes the session's first files into a folder of another name
// and renames it when all are durable, so that no session is ever half made.
func makeFolder(dir string, info *Info, plan []Planned, experimentYAML []byte) error {
	parent, name := filepath.Split(dir)
	tmp, err := os.MkdirTemp(parent, "."+name+halfMade)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp) // finds nothing after the renaming
	infoText, err := encodeJSON(info)
	if err != nil {
		return err
	}
	var header line
	header.header(trialLayout(info))
	for _, f := range []struct {
		name string
		text []byte
	}{
		{infoName, infoText}, {experimentName, experimentYAML},
		{planName, planText(info, plan)}, {trialsName, header.buf},
	} {
		if err := writeNew(filepath.Join(tmp, f.name), f.text, true); err != nil {
			return err
		}
	}
	if err := errors.Join(os.Chmod(tmp, 0o755), syncDir(tmp)); err != nil {
		return err
	}
	if err := os.Rename(tmp, dir); err != nil {
		return err
	}
	return syncDir(parent)
}

// writeNew makes a file, durable on demand; one of that name must not exist.
func writeNew(path string, text []byte, durable bool) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		return errors.Join(err, f.Close())
	}
	if durable {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// checkPlan wants trials numbered from 1, of known treatments, with their
// levels.
func checkPlan(info *Info, plan []Planned) error {
	if len(plan) == 0 {
		return errors.New("the plan is empty")
	}
	for i := range plan {
		if text := wrongPlanned(info, &plan[i], i+1); text != "" {
			return errors.New(text)
		}
	}
	return nil
}
