package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"fieldbook/report"
)

// removeGone takes the reports of experiments that the notebook no longer has
// out of its site: neither a folder of experiments/ nor one of data/ has their
// name, so that nothing could render them anew. A folder is a report's where
// its report.json names it; of that, files that say themselves that they were
// rendered are removed, and folders that are empty then. What a person put
// there stays, as does a page that may be a copy of one, which is told.
func (a *app) removeGone(n *notebook, site string) error {
	entries, err := os.ReadDir(site)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsDir() || !validName(e.Name()) || n.knows(e.Name()) {
			continue
		}
		if err := a.removeReport(filepath.Join(site, e.Name()), e.Name()); err != nil {
			return err
		}
	}
	return nil
}

// knows says whether anything of the notebook has an experiment's name.
func (n *notebook) knows(name string) bool {
	for _, room := range []string{"experiments", "data"} {
		if _, err := os.Lstat(filepath.Join(n.root, room, name)); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// removeReport removes what was rendered into a folder of the site for an
// experiment of its name.
func (a *app) removeReport(folder, name string) error {
	files := renderedFiles(folder)
	switch {
	case len(files) == 0:
		return nil
	case !isReportOf(folder, name):
		a.note("%-12s site/%s holds a page of fieldbook's, and there is no such experiment; it was left, and is not in the index", "warning", name)
		return nil
	}
	for _, path := range append(files, filepath.Join(folder, "report.json")) {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	_ = os.Remove(filepath.Join(folder, "figures")) // fails where it holds something else
	what := "what else is there was left"
	if os.Remove(folder) == nil {
		what = "nothing else was there"
	}
	a.note("%-12s the report site/%s, since there is no such experiment any more; %s", "removed", name, what)
	return nil
}

// isReportOf says whether a folder's report.json is that of an experiment.
func isReportOf(folder, name string) bool {
	text, err := readOwn(filepath.Join(folder, "report.json"))
	if err != nil {
		return false
	}
	answers, err := report.ReadAnswers(text)
	return err == nil && answers.Experiment == name && answers.Fieldbook != ""
}

// renderedFiles are the page, the Markdown and the figures in a folder that
// say themselves that they were rendered; none where the first two do not.
// Links are not followed.
func renderedFiles(folder string) (files []string) {
	for file, made := range map[string]func([]byte) bool{
		"index.html": func(text []byte) bool { return bytes.Contains(text, []byte("<footer>Made by fieldbook ")) },
		"report.md":  madeReport,
	} {
		path := filepath.Join(folder, file)
		if text, err := readOwn(path); err == nil && made(text) {
			files = append(files, path)
		}
	}
	if info, err := os.Lstat(filepath.Join(folder, "figures")); err == nil && info.IsDir() && len(files) > 0 {
		files = append(files, renderedFigures(folder)...)
	}
	return files
}
