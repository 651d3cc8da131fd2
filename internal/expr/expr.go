// Package expr knows the three small languages of an experiment: arithmetic
// over named values, templates with `{…}` in strings, and selections of
// treatments with the comparisons made of them. It knows no experiment: names
// are looked up in what the caller hands in. Every error carries the byte
// offset in the text that was parsed, so that the caller can place it.
package expr

import "fmt"

// Error is what is wrong in a text, and where. All errors of this package
// are of this type.
type Error struct {
	Off  int    // byte offset in the parsed text
	Msg  string // what was found, what is allowed
	Hint string // may be empty
}

func (e *Error) Error() string { return e.Msg }

func errorAt(off int, format string, args ...any) *Error {
	return &Error{Off: off, Msg: fmt.Sprintf(format, args...)}
}

// hint is the same error with a hint.
func (e *Error) hint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// Env looks up a name; false means that there is none.
type Env func(name string) (Value, bool)

// Name is a name used in an expression or a template, and where it stands.
type Name struct {
	Name string
	Off  int
}
