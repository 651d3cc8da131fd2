package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"fieldbook/internal/diag"
)

const (
	// settle is how long files must be quiet before a page is made anew: an
	// editor writes a file in several steps.
	settle = 15 * time.Millisecond
	// longest is how long a page waits for files that are never quiet.
	longest = 500 * time.Millisecond
)

// watcher tells which parts of a notebook changed.
type watcher struct {
	*fsnotify.Watcher
	n    *notebook
	add  func(folder string) error
	full bool // the system watches no more folders: some changes will not be seen
}

// change is what happened to a notebook's files since it was looked at last.
type change struct {
	writeups map[string]bool // experiments of which the writeup alone changed
	rest     map[string]bool // experiments of which something else changed
	all      bool            // whatever there is may have changed
}

// watch watches the folders of a notebook. Folders are watched and not files,
// since many editors put a new file in the place of the old one.
func watch(n *notebook) (*watcher, error) {
	fw, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &watcher{Watcher: fw, n: n, add: fw.Add}
	if err := w.add(n.root); err != nil {
		return nil, errors.Join(err, fw.Close())
	}
	w.addNotebook()
	return w, nil
}

// addNotebook watches experiments and data.
func (w *watcher) addNotebook() {
	for _, dir := range []string{"experiments", "data"} {
		w.full = !w.addTree(filepath.Join(w.n.root, dir)) || w.full
	}
}

// problems is a warning where not all folders could be watched.
func (w *watcher) problems() (problems diag.List) {
	if w.full {
		problems.Warnf(diag.Pos{}, "not every folder is watched, since the system watches no more; a change that is not seen shows with the next that is")
		problems.Hint("as root, `sysctl fs.inotify.max_user_watches=524288` lets it watch more")
	}
	return problems
}

// addTree watches a folder and all below it. What vanishes meanwhile, or may
// not be read, is passed over. false: the system watches no more.
func (w *watcher) addTree(dir string) bool {
	watched := true
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case !e.IsDir():
			return nil
		case path != dir && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		}
		if errors.Is(w.add(path), syscall.ENOSPC) {
			watched = false
			return fs.SkipAll
		}
		return nil
	})
	return watched
}

// addInputs watches the folders of inputs that lie outside of an experiment's
// own.
func (w *watcher) addInputs(s *study) {
	for _, file := range s.files {
		if !filepath.IsLocal(filepath.FromSlash(file)) {
			_ = w.add(filepath.Dir(filepath.Join(s.folder, filepath.FromSlash(file))))
		}
	}
}

// next waits for a change, until files are quiet again. false: ctx has ended.
func (w *watcher) next(ctx context.Context) (change, bool) {
	seen := map[string]fsnotify.Op{} // what happened to each path
	lost := false
	var quiet, latest <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return change{}, false
		case e, ok := <-w.Events:
			if !ok {
				return change{}, false
			}
			if e.Has(fsnotify.Create) && isDir(e.Name) && w.inside(e.Name) {
				w.addTree(e.Name)
			}
			if !w.concerns(e) {
				continue
			}
			seen[e.Name] |= e.Op
		case _, ok := <-w.Errors:
			if !ok {
				return change{}, false
			}
			lost = true
		case <-quiet:
			return w.change(seen, lost), true
		case <-latest:
			return w.change(seen, lost), true
		}
		if latest == nil {
			latest = time.After(longest)
		}
		quiet = time.After(settle)
	}
}

// parts is where in the notebook a path lies; nil: outside.
func (w *watcher) parts(path string) []string {
	rel, err := filepath.Rel(w.n.root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return nil
	}
	return strings.Split(filepath.ToSlash(rel), "/")
}

// concerns says whether an event can change a page.
func (w *watcher) concerns(e fsnotify.Event) bool {
	parts := w.parts(e.Name)
	switch name := filepath.Base(e.Name); {
	case e.Op == fsnotify.Chmod || strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~"):
		return false
	case len(parts) == 1:
		return name == "README.md" || name == "data" || name == "experiments"
	case len(parts) > 1 && parts[0] == "data":
		return settled(e, parts)
	case len(parts) > 2 && parts[0] == "experiments":
		return parts[2] != "README.md" && parts[2] != "figures" // what publishing writes
	}
	return true // an experiment, or an input that lies elsewhere
}

// change sums up what happened. A file that was made and is gone again was an
// editor's own.
func (w *watcher) change(seen map[string]fsnotify.Op, lost bool) change {
	c := change{writeups: map[string]bool{}, rest: map[string]bool{}, all: lost}
	for path, op := range seen {
		if _, err := os.Lstat(path); err != nil && op.Has(fsnotify.Create) {
			continue
		}
		switch parts := w.parts(path); {
		case len(parts) == 3 && parts[0] == "experiments" && parts[2] == "writeup.md":
			c.writeups[parts[1]] = true
		case len(parts) > 2 && (parts[0] == "experiments" || parts[0] == "data") && isFile(filepath.Join(w.n.root, "experiments", parts[1], "experiment.yaml")):
			c.rest[parts[1]] = true
		default:
			c.all = true
		}
	}
	return c
}

// inside says whether a folder belongs to what is watched with all below it.
func (w *watcher) inside(path string) bool {
	parts := w.parts(path)
	return len(parts) > 0 && (parts[0] == "experiments" || parts[0] == "data")
}

// settled says whether an event in data/ can change a report: not while a
// session is being recorded. Then pages are left as they are, so that serve
// takes no time from the trials.
func settled(e fsnotify.Event, parts []string) bool {
	name := parts[len(parts)-1]
	switch gone := e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename); {
	case strings.HasSuffix(name, ".remarks.csv") || name == "datapackage.json":
		return true
	case len(parts) <= 3 && gone:
		return filepath.Ext(name) == ""
	case len(parts) == 2: // all sessions of an experiment, moved here
		sealed, _ := filepath.Glob(filepath.Join(globSafe(e.Name), "*", "datapackage.json")) // the pattern is well formed
		return len(sealed) > 0
	case len(parts) == 3: // a session, moved here
		return isFile(filepath.Join(e.Name, "datapackage.json"))
	}
	return isFile(filepath.Join(filepath.Dir(e.Name), "datapackage.json"))
}
