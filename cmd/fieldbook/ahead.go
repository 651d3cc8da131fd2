package main

import (
	"runtime"

	"fieldbook/internal/defect"
)

// evaluation is a writeup that is being evaluated while others are.
type evaluation struct {
	evaluated
	err   error
	panic defect.Carrier
	over  chan struct{} // closed at its end
}

// begin evaluates the writeups of experiments side by side, as many at once as
// there are processors, and comes back at once. evaluate waits for each; so
// what a command writes and prints has the order in which it asks.
func (sh *shelf) begin(names []string) {
	sh.ahead = map[string]*evaluation{}
	next := make(chan string, len(names))
	for _, name := range names {
		if sh.ahead[name] == nil {
			sh.ahead[name] = &evaluation{over: make(chan struct{})}
			next <- name
		}
	}
	close(next)
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for name := range next {
				sh.ahead[name].run(sh, name)
			}
		}()
	}
}

func (e *evaluation) run(sh *shelf, name string) {
	defer close(e.over)
	defer e.panic.Catch()
	if k := sh.take(name); k.err == nil {
		e.evaluated, e.err = sh.evaluateNow(k)
	}
}

// wait waits for the end; a panic is that of who waits.
func (e *evaluation) wait() (evaluated, error) {
	<-e.over
	e.panic.Raise()
	return e.evaluated, e.err
}
