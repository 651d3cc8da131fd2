// Package expr knows the three small languages of an experiment: arithmetic
// over named values, templates with `{…}` in strings, and selections of
// treatments with the comparisons made of them. It knows no experiment: names
// are looked up in what the caller hands in. Every error carries the byte
// offset in the text that was parsed, so that the caller can place it.
package expr

// Error is what is wrong in a text, and where. All errors of this package
// are of this type.
type Error struct {
	Off  int    // byte offset in the parsed text
	Msg  string // what was found, what is allowed
	Hint string // may be empty
}

func (e *Error) Error() string { return e.Msg }

// Kind tells what a Value holds.
type Kind int

const (
	KindText   Kind = iota // text that is no decimal number
	KindNumber             // a decimal number
	KindBool
)

// Value is a number, a text or a truth value. A level that reads as a
// decimal number is a number in arithmetic and keeps its text as written
// everywhere else: `{version}` of the level 1.10 is "1.10".
type Value struct {
	Kind Kind
	Num  float64
	Text string // as written; for computed numbers the shortest decimal
	Bool bool
}

// Env looks up a name; false means that there is none.
type Env func(name string) (Value, bool)

// Name is a name used in an expression or a template, and where it stands.
type Name struct {
	Name string
	Off  int
}
