package session

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
)

// Writer appends to one session. It is for one goroutine; the lock that it
// holds until Close keeps other processes away.
type Writer struct {
	dir  string
	info *Info
	plan []Planned
	opts Options
	last mark
	part int

	trials, sums     *appender
	clients, samples *appender // nil until there are rows
	line             line
	sum              [sumLength]byte
	held             *lock
	sealed           bool
	broken           error // what is on disk is unknown: nothing more may be written
}

func openWriter(dir string, info *Info, plan []Planned, last mark, held *lock, opts Options) (*Writer, error) {
	trials, err := openAppender(filepath.Join(dir, trialsName))
	if err != nil {
		return nil, errors.Join(err, held.release())
	}
	w := &Writer{dir: dir, info: info, plan: plan, opts: opts, last: last, part: len(info.Parts), trials: trials, held: held}
	if w.sums, err = openAppender(sumsPath(dir)); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	if w.clients, err = openExisting(filepath.Join(dir, clientsName)); err == nil {
		w.samples, err = openExisting(filepath.Join(dir, samplesName))
	}
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// openExisting is nil where there is no such file.
func openExisting(path string) (*appender, error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return openAppender(path)
}

// Dir is the session's folder.
func (w *Writer) Dir() string { return w.dir }

// Info is session.json as it stands. The caller must not change what its
// maps and slices hold.
func (w *Writer) Info() Info { return *w.info }

// sync makes files durable, and their names where they are new. What is on
// disk after a failed sync nobody knows (the kernel may have dropped it), so
// that the writer then takes nothing more.
func (w *Writer) sync(list ...*appender) error {
	fresh := false
	for _, a := range list {
		if err := a.sync(); err != nil {
			w.broken = err
			return err
		}
		if a != nil && a.fresh {
			fresh, a.fresh = true, false
		}
	}
	if !fresh {
		return nil
	}
	return syncDir(w.dir)
}

// Look records an answer of the stopping rule. A half-width that is no number
// becomes -1.
func (w *Writer) Look(l Look) error {
	if math.IsNaN(l.HalfWidth) || math.IsInf(l.HalfWidth, 0) {
		l.HalfWidth = -1
	}
	return w.UpdateInfo(func(info *Info) {
		if info.Stopping == nil {
			info.Stopping = new(Stopping)
		}
		info.Stopping.Looks = append(slices.Clone(info.Stopping.Looks), l)
	})
}

// UpdateInfo changes session.json, as a whole and durably. Only what is
// learnt on the way may change: stopping, note, and the parts' facts.
func (w *Writer) UpdateInfo(change func(*Info)) error {
	if w.sealed {
		return fmt.Errorf("session %s: it is sealed", w.info.Session)
	}
	now := *w.info
	if now.Stopping != nil {
		stopping := *now.Stopping
		now.Stopping = &stopping
	}
	now.Parts = slices.Clone(now.Parts)
	change(&now)
	fixed := now
	fixed.Stopping, fixed.Note, fixed.Parts = w.info.Stopping, w.info.Note, w.info.Parts
	if !reflect.DeepEqual(&fixed, w.info) || len(now.Parts) != len(w.info.Parts) {
		return fmt.Errorf("session %s: only stopping, note and what parts say may change once it is recorded", w.info.Session)
	}
	if err := writeInfo(w.dir, &now); err != nil {
		return fmt.Errorf("session %s: %w", w.info.Session, err)
	}
	*w.info = now
	return nil
}

// AddFile puts a further file into the session: source.patch, or one of
// output/, such as what a service printed. It never replaces one; a file that
// is there already with the same content is left as it is.
func (w *Writer) AddFile(name string, content []byte) error {
	if w.sealed {
		return fmt.Errorf("session %s: it is sealed", w.info.Session)
	}
	dir, base := filepath.Split(filepath.FromSlash(name))
	if name != patchName && (filepath.Clean(dir) != outputName || !outputPattern.MatchString(base)) {
		return fmt.Errorf("session %s: %q is no place for a file, want %s or one in %s/", w.info.Session, name, patchName, outputName)
	}
	dir = filepath.Join(w.dir, dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(dir, base)
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err := writeNew(path, content, true); err != nil {
		return err
	}
	return errors.Join(syncDir(dir), syncDir(w.dir))
}

// Close ends the writing and gives up the lock. It seals nothing.
func (w *Writer) Close() error {
	err := w.sync(w.clients, w.samples, w.trials)
	err = errors.Join(err, w.clients.close(), w.samples.close(), w.trials.close(), w.sums.close(), w.held.release())
	w.held = nil
	if err != nil {
		return fmt.Errorf("closing session %s: %w", w.info.Session, err)
	}
	return nil
}
