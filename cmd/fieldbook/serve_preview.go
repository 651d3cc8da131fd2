package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"html"
	"html/template"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"fieldbook/internal/defect"
	"fieldbook/internal/diag"
	"fieldbook/internal/machine"
	"fieldbook/report"
	"fieldbook/report/theme"
)

// preview is the site as its files stand, in memory. Pages are made when they
// are first asked for, and those that were asked for are made anew when
// something that they depend on changes. What was analysed is kept for as
// long as the content that it comes from is the same, so that an edit of
// prose costs the evaluation of the writeup alone.
type preview struct {
	a *app
	n *notebook

	mu      sync.Mutex // held while a page is made: requests wait for it
	shelf   *shelf
	stamps  map[string]string // of what each result on the shelf comes from
	pages   map[string]*leaf  // by experiment
	index   []byte            // nil: to be made
	indexed int               // version of the index
	version int               // of the site; from 1, grows with each change
	renewed chan struct{}     // closed at the next change
}

// leaf is one page.
type leaf struct {
	version  int
	good     *report.Document // the last one without errors; nil: none yet
	html     []byte           // of good, else of the document with its errors
	uses     []string
	problems diag.List
	failure  string // why there is no document, where no place is known
}

// newPreview is a preview of which nothing is made yet. A watcher, where there
// is one, is told of the inputs of each experiment.
func newPreview(a *app, n *notebook, w *watcher) *preview {
	v := &preview{a: a, n: n, shelf: n.shelf(), stamps: map[string]string{}, pages: map[string]*leaf{},
		version: 1, indexed: 1, renewed: make(chan struct{})}
	v.shelf.loaded = func(k *kept) {
		if k.err != nil {
			return
		}
		v.stamps[k.study.name] = contentOf(k.study)
		if w != nil {
			w.addInputs(k.study)
		}
	}
	return v
}

// follow makes pages anew after each change, until ctx ends.
func (v *preview) follow(ctx context.Context, w *watcher) {
	defer defect.Catch()
	for {
		c, ok := w.next(ctx)
		if !ok {
			return
		}
		v.apply(c)
	}
}

// apply takes a change in: it forgets what is no longer so and makes the pages
// that somebody has looked at anew.
func (v *preview) apply(c change) {
	v.mu.Lock()
	defer v.mu.Unlock()
	touched := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(v.shelf.kept)) {
		if c.all || c.rest[name] {
			v.reload(name)
			touched[name] = true
		} else if c.writeups[name] {
			v.reread(name)
			touched[name] = true
		}
	}
	v.version++
	for _, name := range slices.Sorted(maps.Keys(v.pages)) {
		if c.all || touched[name] || slices.ContainsFunc(v.pages[name].uses, func(used string) bool { return c.rest[used] }) {
			v.render(name)
		}
	}
	if c.all || len(c.rest) > 0 {
		v.index, v.indexed = nil, v.version
	}
	close(v.renewed)
	v.renewed = make(chan struct{})
}

// reload reads an experiment anew. Its results stay where what they come from
// is the same.
func (v *preview) reload(name string) {
	old, before := v.shelf.kept[name], v.stamps[name]
	delete(v.shelf.kept, name)
	k := v.shelf.take(name)
	if old.err == nil && k.err == nil && before != "" && before == v.stamps[name] {
		k.results, k.memory = old.results, old.memory
	}
}

// reread reads only the writeup of an experiment anew.
func (v *preview) reread(name string) {
	k := v.shelf.kept[name]
	if k.err != nil {
		v.reload(name)
		return
	}
	s := *k.study
	file := filepath.Join(s.folder, "writeup.md")
	if v.n.within(file).Failed() { // a pipe, or a link that leads out of the notebook
		v.reload(name)
		return
	}
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		v.reload(name)
		return
	}
	s.writeup = text
	k.study = &s
}

// page is the page of an experiment, made where it is not yet; nil: there is
// no such experiment.
func (v *preview) page(name string) *leaf {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.pages[name] == nil {
		if names, err := v.n.names(); err != nil || !slices.Contains(names, name) {
			return nil
		}
		v.render(name)
	}
	page := *v.pages[name]
	return &page
}

// render makes a page. One that has errors leaves the last good one standing.
func (v *preview) render(name string) {
	old := v.pages[name]
	if old == nil {
		old = &leaf{}
	}
	page := &leaf{version: v.version, good: old.good, html: old.html}
	v.pages[name] = page
	if page.html == nil {
		page.html = bare(name)
	}
	if names, err := v.n.names(); err == nil && !slices.Contains(names, name) {
		page.failure = "there is no experiments/" + name + "/experiment.yaml any more; below stands the last page"
		return
	}
	k := v.shelf.take(name)
	if k.err != nil {
		page.fail(k.err)
		return
	}
	e, err := v.shelf.evaluate(k)
	page.uses, page.problems = e.uses, append(slices.Clone(k.study.warnings), e.problems...).Sorted()
	v.a.printProblems(page.problems)
	if err != nil {
		page.fail(err)
		return
	}
	if page.problems.Failed() && page.good != nil {
		return
	}
	page.html = e.doc.HTML()
	if !page.problems.Failed() {
		page.good = e.doc
	}
}

// bare is a page of an experiment that cannot be shown.
func bare(name string) []byte {
	title := diag.Printable(name)
	return theme.Render(theme.Page{Title: title, Over: "Experiment", Heading: template.HTML(html.EscapeString(title)),
		Home: &theme.Entry{Href: "../index.html", Text: "Fieldbook"}})
}

// fail notes why there is no document.
func (p *leaf) fail(err error) {
	var problems diag.List
	if errors.As(err, &problems) {
		p.problems = append(p.problems, problems...).Sorted()
		return
	}
	p.failure = err.Error()
}

// contentOf stands for the content of all that an experiment's results come from;
// "" where it cannot be read.
func contentOf(s *study) string {
	sum := sha256.New()
	files := []string{"experiment.yaml"}
	if s.x != nil && s.x.Published != nil {
		files = append(files, s.x.Published.File)
	}
	for _, file := range files {
		hash, _ := machine.HashFile(filepath.Join(s.folder, file))
		sum.Write([]byte(file + hash + "\n"))
	}
	data := "none"
	if isDir(s.data) {
		var err error
		if data, _, err = machine.HashInputs(s.data, []string{"."}); err != nil {
			return ""
		}
	}
	sum.Write([]byte(s.inputs + data))
	return hex.EncodeToString(sum.Sum(nil))
}

// front is the page that lists the experiments.
func (v *preview) front() ([]byte, int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.index == nil {
		names, err := v.n.names()
		if err != nil {
			return nil, 0, err
		}
		v.index = report.Index(v.n.title(), v.shelf.entries(names))
	}
	return v.index, v.indexed, nil
}

// wait gives the channel that is closed at the next change, and the version of
// a page as it is; 0: no page.
func (v *preview) wait(name string) (<-chan struct{}, int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if name == "" {
		return v.renewed, v.indexed
	}
	if page := v.pages[name]; page != nil {
		return v.renewed, page.version
	}
	return v.renewed, 0
}
