// Package defect is the last net: where the tool itself is wrong and panics,
// it says so in one line, instead of the stacks that Go would print, and puts
// those into a file for whoever mends it. It mends nothing and hides nothing:
// what panicked has failed.
package defect

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
)

// doing and at are what the tool was asked for, and what it is at, in a
// person's words. They are the whole process's, since a panic may come up in
// any goroutine of it.
var doing, at atomic.Pointer[string]

// Doing tells what the tool was asked for, for the case that it panics. It is
// at nothing of it yet.
func Doing(what string) {
	doing.Store(&what)
	at.Store(nil)
}

// At tells what it is at from now on, such as an experiment.
func At(what string) { at.Store(&what) }

// activity is what the tool was asked for, quoted, and what it is at.
func activity() string {
	var text string
	if p := doing.Load(); p != nil {
		text = strconv.Quote(*p)
	}
	if p := at.Load(); p != nil {
		text += " at " + printable(*p)
	}
	return text
}

// Catch, deferred, ends the process with exit code 1 where its goroutine
// panics. It is for goroutines that nobody waits for, whose panic would end
// the process too, but with a trace. Nothing is put in order, as when the tool
// is killed by force: rows are durable, and what trials have started is ended
// by the guardian of their run.
func Catch() {
	if v := recover(); v != nil {
		Say(os.Stderr, v)
		os.Exit(1)
	}
}

// Say tells of a panic in one line. It is called where the panic was
// recovered, with the value, and writes the stack to a new file in the folder
// for temporary ones.
func Say(w io.Writer, v any) {
	stack := debug.Stack()
	if c, ok := v.(carried); ok {
		v, stack = c.value, c.stack
	}
	what := activity()
	first, _, _ := strings.Cut(fmt.Sprint(v), "\n")
	fmt.Fprintf(w, "fieldbook: a defect of the tool itself has stopped %s: %s; what is recorded is safe; %s\n",
		what, printable(first), details(what, v, stack))
}

// details writes the file, and says where it is.
func details(what string, v any, stack []byte) string {
	f, err := os.CreateTemp("", "fieldbook-defect-*.txt")
	if err == nil {
		_, err = fmt.Fprintf(f, "doing: %s\npanic: %v\n\n%s", what, v, stack)
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
	}
	if err != nil {
		return "its details could not be written (" + printable(err.Error()) + ")"
	}
	return "please report it with " + printable(f.Name())
}

// printable is a text without control characters.
func printable(s string) string {
	q := strconv.Quote(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

// Carrier carries the panic of one of several goroutines to who waits for
// them. The zero value is ready.
type Carrier struct{ held atomic.Pointer[carried] }

// carried is a panic of another goroutine, with that one's stack.
type carried struct {
	value any
	stack []byte
}

// Catch, deferred in a goroutine, keeps its panic; the first one counts.
func (c *Carrier) Catch() {
	if v := recover(); v != nil {
		c.held.CompareAndSwap(nil, &carried{v, debug.Stack()})
	}
}

// Raise panics where a goroutine has. Who waits calls it after all have ended.
func (c *Carrier) Raise() {
	if p := c.held.Load(); p != nil {
		panic(*p)
	}
}
