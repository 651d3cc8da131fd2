package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"fieldbook/internal/diag"
)

// within is a problem with the first of the notebook's paths that leads out of
// it over a link, or to something else than a file or a folder: a notebook of a
// stranger's must neither show nor overwrite a file of the person who reads it,
// nor make anybody wait for a pipe. A path that does not exist leads nowhere.
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
		case !isFile(real) && !isDir(real):
			problems.Errorf(at, "it is neither a file nor a folder")
		}
	}
	return problems
}

// files are problems with folders in the place of files.
func (n *notebook) files(paths ...string) (problems diag.List) {
	for _, path := range paths {
		if isDir(path) {
			problems.Errorf(diag.Pos{File: filepath.ToSlash(relative(n.root, path))}, "it is a folder, want a file")
		}
	}
	return problems
}

// withinSite is within for the folder that reports of an experiment go to.
func (n *notebook) withinSite(name string) diag.List {
	site := filepath.Join(n.root, "site")
	return n.within(site, filepath.Join(site, name), filepath.Join(site, name, "figures"))
}

// readOwn is the content of a file that the tool or git has put where it is;
// it is read neither over a link nor from a pipe.
func readOwn(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no plain file")
	}
	return os.ReadFile(path)
}
