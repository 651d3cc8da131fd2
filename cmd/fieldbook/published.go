package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"fieldbook/report"
)

// published says whether a report was ever published into an experiment's
// folder: its README.md says so at its end, or figures stand beside it. A
// README.md of a person's own is none.
func published(folder string) bool {
	text, err := readOwn(filepath.Join(folder, "README.md"))
	return err == nil && madeReport(text) || len(renderedFigures(folder)) > 0
}

// madeReport says whether a README.md is a published report.
func madeReport(readme []byte) bool { return bytes.Contains(readme, []byte("\nMade by fieldbook ")) }

// publishedDifferences says in which files, and from which line on, what is
// published is not what the data gives. Figures that differ in the same way
// are told as the first of them and how many more.
func publishedDifferences(folder string, doc *report.Document) []string {
	var all []string
	if have, err := readOwn(filepath.Join(folder, "README.md")); err != nil {
		all = append(all, "README.md: "+reasonOf(err))
	} else if want := doc.Markdown(); !bytes.Equal(have, want) {
		all = append(all, fmt.Sprintf("README.md:%d: not what the data gives%s", firstDifference(have, want), otherVersion(have)))
	}
	byReason := map[string][]string{}
	files := doc.Files()
	for name, want := range files {
		have, err := readOwn(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			byReason[reasonOf(err)] = append(byReason[reasonOf(err)], name)
		} else if !bytes.Equal(have, want) {
			byReason["not what the data gives"] = append(byReason["not what the data gives"], name)
		}
	}
	for _, p := range renderedFigures(folder) {
		if name := "figures/" + filepath.Base(p); files[name] == nil {
			const gone = "the report has no such figure any more"
			byReason[gone] = append(byReason[gone], name)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(byReason)) {
		names := slices.Sorted(slices.Values(byReason[reason]))
		text := names[0]
		if n := len(names) - 1; n > 0 {
			text += fmt.Sprintf(" and %d more", n)
		}
		all = append(all, text+": "+reason)
	}
	return all
}

func reasonOf(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "missing"
	}
	return err.Error()
}

// otherVersion says that another version of the tool published a report.
func otherVersion(readme []byte) string {
	_, foot, _ := bytes.Cut(readme, []byte("\nMade by fieldbook "))
	if made, _, ok := bytes.Cut(foot, []byte(" ")); ok && string(made) != version {
		return fmt.Sprintf(" (it was published by fieldbook %s; this is %s)", made, version)
	}
	return ""
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
