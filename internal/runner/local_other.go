//go:build !linux

package runner

import (
	"errors"
	"os"

	"fieldbook/internal/experiment"
)

// local would execute on this machine.
type local struct{ executor }

// newLocal says that this system is not one on which experiments can run;
// their data can be analysed and reported anywhere.
func newLocal(<-chan struct{}) (*local, error) {
	return nil, errors.New("experiments run on Linux only; plans, analysis and reports work here")
}

func (l *local) marked(env []string) []string { return env }

func (l *local) cleanUp(func(format string, args ...any)) {}

// CheckCPUs has nothing to say where nothing runs.
func CheckCPUs(*experiment.Experiment) error { return nil }

// WorkFolder makes a temporary folder for builds, checkouts and scratch. The
// caller calls remove.
func WorkFolder() (dir string, remove func() error, err error) {
	dir, err = os.MkdirTemp("", "fieldbook-")
	return dir, func() error { return os.RemoveAll(dir) }, err
}
