package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"fieldbook/report"
)

// published says whether a report was ever published into an experiment's
// folder: its README.md says so at its end, or figures stand beside it. A
// README.md of a person's own is none.
func published(folder string) bool {
	text, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err == nil && bytes.Contains(text, []byte("\nMade by fieldbook ")) {
		return true
	}
	figures, _ := filepath.Glob(filepath.Join(folder, "figures", "*-light.svg")) // the pattern is well formed
	return len(figures) > 0
}

// publishedDifferences says in which files, and from which line on, what is
// published is not what the data gives.
func publishedDifferences(folder string, doc *report.Document) []string {
	files := maps.Clone(doc.Files())
	if files == nil {
		files = map[string][]byte{}
	}
	files["README.md"] = doc.Markdown()
	var all []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		have, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			all = append(all, name+": missing")
		case err != nil:
			all = append(all, name+": "+err.Error())
		case !bytes.Equal(have, files[name]):
			all = append(all, fmt.Sprintf("%s:%d: not what the data gives", name, firstDifference(have, files[name])))
		}
	}
	for _, theme := range []string{"light", "dark"} {
		paths, _ := filepath.Glob(filepath.Join(folder, "figures", "*-"+theme+".svg"))
		for _, p := range paths {
			if name := "figures/" + filepath.Base(p); files[name] == nil {
				all = append(all, name+": the report has no such figure any more")
			}
		}
	}
	return all
}

// firstDifference is the first line, from 1, in which two texts differ.
func firstDifference(a, b []byte) int {
	line := 1
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return line
		}
		if a[i] == '\n' {
			line++
		}
	}
	return line
}
