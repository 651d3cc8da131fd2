// Package diag knows places in files and what is wrong there. It reads no
// file and prints nothing by itself: packages that read a person's files add
// problems to a List, and the command line prints the whole list at once.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Pos is a place in a file. Line and Col count from 1, Col in characters
// (not bytes); 0 means that the place is no finer than the file, or the line.
type Pos struct {
	File string
	Line int
	Col  int
}

// String is "file:line:col", shorter where Line or Col is 0.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Shift is the place n characters further on the same line.
func (p Pos) Shift(n int) Pos {
	if p.Col > 0 {
		p.Col += n
	}
	return p
}

// Problem is one thing that is wrong at one place. Text says what was found
// and what is allowed; Hint, which may be empty, says what to do about it.
// A Warning never changes an exit code.
type Problem struct {
	Pos     Pos
	Warning bool
	Text    string
	Hint    string
}

// String is one line: "file:line:col: text; hint", with "warning: " before
// the text of a warning. Control characters are shown as escapes, since
// parts of a message come from files of strangers.
func (p Problem) String() string {
	var b strings.Builder
	if at := p.Pos.String(); at != "" {
		b.WriteString(at + ": ")
	}
	if p.Warning {
		b.WriteString("warning: ")
	}
	b.WriteString(p.Text)
	if p.Hint != "" {
		b.WriteString("; " + p.Hint)
	}
	return Printable(b.String())
}

// List gathers problems. The zero value is ready for use.
type List []Problem

// Errorf adds an error without a hint.
func (l *List) Errorf(at Pos, format string, args ...any) {
	*l = append(*l, Problem{Pos: at, Text: fmt.Sprintf(format, args...)})
}

// Warnf adds a warning without a hint.
func (l *List) Warnf(at Pos, format string, args ...any) {
	*l = append(*l, Problem{Pos: at, Warning: true, Text: fmt.Sprintf(format, args...)})
}

// Hint gives the last problem added a hint.
func (l *List) Hint(format string, args ...any) {
	if n := len(*l); n > 0 {
		(*l)[n-1].Hint = fmt.Sprintf(format, args...)
	}
}

// Add appends the problems of another list.
func (l *List) Add(more ...Problem) { *l = append(*l, more...) }

// Failed says whether the list holds an error, not only warnings.
func (l List) Failed() bool {
	return slices.ContainsFunc(l, func(p Problem) bool { return !p.Warning })
}

// Errors counts what is not a warning.
func (l List) Errors() int {
	n := 0
	for _, p := range l {
		if !p.Warning {
			n++
		}
	}
	return n
}

// Sorted is a copy in the order of file, line and column, without repeats.
func (l List) Sorted() List {
	s := slices.Clone(l)
	slices.SortStableFunc(s, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return slices.CompactFunc(s, func(a, b Problem) bool { return a == b })
}

// Error makes a list that holds errors usable as an error: one line each.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, p := range l {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Err is the list as an error, or nil where it holds no error.
func (l List) Err() error {
	if !l.Failed() {
		return nil
	}
	return l
}
