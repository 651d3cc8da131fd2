package expr

// Selection is a conjunction of terms, `FACTOR=LEVEL …`. The zero value
// selects everything.
type Selection []Term

// Term says which levels of one factor are selected: any of Levels, which is
// never empty. `machine`, `session` and `experiment` stand as Factor like the
// others.
type Term struct {
	Factor string
	Levels []string
	Off    int // byte offset of the factor's name in the parsed text
}

// Comparison sets two selections side by side, left over right. Where holds
// for both sides. Other means that the right side is each other treatment
// within Where, one at a time.
type Comparison struct {
	Left, Right Selection
	Other       bool
	Where       Selection
}
