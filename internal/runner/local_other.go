//go:build !linux

package runner

import "errors"

// local would execute on this machine.
type local struct{ executor }

// newLocal says that this system is not one on which experiments can run;
// their data can be analysed and reported anywhere.
func newLocal(<-chan struct{}) (*local, error) {
	return nil, errors.New("experiments run on Linux only; plans, analysis and reports work here")
}
