package main

import (
	"errors"
	"io/fs"
	"path/filepath"

	"fieldbook/internal/diag"
)

// within is a problem with the first of the notebook's paths that leads out of
// it over a link: a notebook of a stranger's must neither show nor overwrite a
// file of the person who reads it. A path that does not exist leads nowhere.
func (n *notebook) within(paths ...string) (problems diag.List) {
	root, err := filepath.EvalSymlinks(n.root)
	if err != nil {
		return nil // whatever is wrong with the root has been said where it was opened
	}
	for _, path := range paths {
		if problems.Failed() {
			break
		}
		real, err := filepath.EvalSymlinks(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		at := diag.Pos{File: filepath.ToSlash(relative(n.root, path))}
		rel, relErr := filepath.Rel(root, real)
		switch {
		case err != nil:
			problems.Errorf(at, "following the links to it: %v", err)
		case relErr != nil || !filepath.IsLocal(rel):
			problems.Errorf(at, "it is reached over a link that leads out of the notebook")
			problems.Hint("put the files themselves into the notebook, or mount their folder there")
		}
	}
	return problems
}

// withinSite is within for the folder that reports of an experiment go to.
func (n *notebook) withinSite(name string) diag.List {
	site := filepath.Join(n.root, "site")
	return n.within(site, filepath.Join(site, name), filepath.Join(site, name, "figures"))
}
