package report

import (
	"fmt"

	"fieldbook/analysis"
)

// Memory keeps what the last build of a report asked of its results, for the
// next build of the same report: an edit of prose then computes nothing and
// draws nothing anew. What a build does not ask for again is forgotten, so that
// a memory holds what one report needs and no more. It belongs to one report,
// and one build uses it at a time. The zero value remembers nothing yet.
type Memory struct {
	before, now map[asked]any
}

// asked is a question to a result. Results never change.
type asked struct {
	r    *analysis.Result
	text string // what is asked, with all that the answer depends on
}

// begin begins a build.
func (m *Memory) begin() { m.before, m.now = m.now, map[asked]any{} }

// end forgets what the build did not ask for.
func (m *Memory) end() { m.before = nil }

// remembered is the answer to a question: of the last build, where that one
// asked the same, or as ask gives it. The arguments are all that the answer
// depends on beside the result. Whoever gets an answer does not change it.
func remembered[T any](m *Memory, r *analysis.Result, what string, args []any, ask func() T) T {
	q := asked{r, fmt.Sprintf("%s %#v", what, args)}
	a, ok := m.now[q]
	if !ok {
		if a, ok = m.before[q]; !ok {
			a = ask()
		}
		m.now[q] = a
	}
	return a.(T)
}

// orError is an answer that may be an error.
type orError[T any] struct {
	answer T
	err    error
}

// rememberedOr is remembered for questions that can be refused.
func rememberedOr[T any](m *Memory, r *analysis.Result, what string, args []any, ask func() (T, error)) (T, error) {
	a := remembered(m, r, what, args, func() orError[T] {
		answer, err := ask()
		return orError[T]{answer, err}
	})
	return a.answer, a.err
}
