package runner

import (
	"fmt"
	"os"
	"path/filepath"
)

// withScratch adds a fresh folder to the names, where one is mentioned.
func (e *execution) withScratch(given names) (names, error) {
	if !e.scratch {
		return given, nil
	}
	dir := e.scratchDir()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the trial's folder: %w", err)
	}
	return given.with(names{"scratch": dir}), nil
}

// scratchDir has one name for all trials, so that the length of arguments
// stays the same.
func (e *execution) scratchDir() string { return filepath.Join(e.job.Work, "scratch") }

func (a *attempt) removeScratch() {
	if !a.e.scratch {
		return
	}
	if err := os.RemoveAll(a.e.scratchDir()); err != nil {
		a.e.warn("the folder of trial %d could not be removed: %v", a.t.Number, err)
	}
}
