// Package figure draws results: it turns an analysis.Result and a wish into
// SVG that serves light, dark and print alike, with a title and description
// made from the statistics, and the table of the data behind it. It computes
// no statistics of its own and reads no file.
package figure

import (
	"fieldbook/analysis"
	"fieldbook/internal/expr"
)

// Kinds of figure.
const (
	Order       = "order"
	Points      = "points"
	Forest      = "forest"
	Interaction = "interaction"
	ECDF        = "ecdf"
)

// Spec is a wish for a figure.
type Spec struct {
	Kind      string
	Name      string // unique in the document; ids in the SVG begin with it
	Metric    string
	Where     expr.Selection
	X, By     string // factors
	Facet     string
	Compare   []expr.Comparison // forest; none: every treatment against the first
	Over      string
	Stat      string
	Published bool
}

// Figure is a drawn figure. SVG is to be placed inline in a page that defines
// the theme's CSS variables; Standalone has the colours of one theme inside.
type Figure struct {
	Title string
	Desc  string
	SVG   []byte
	Wide  bool // scrolls on a phone rather than shrinks
	Table Table
	Notes []string // what could not be shown, thinned, …
}

// Table is the data behind a figure, as text, ready for CSV and HTML.
type Table struct {
	Head []string
	Rows [][]string
}

// Draw makes the figure. The error says what in the wish cannot be drawn.
func Draw(r *analysis.Result, s Spec) (*Figure, error) { panic("not written") }

// Standalone is the figure as an SVG file for "light" or "dark".
func (f *Figure) Standalone(theme string) []byte { panic("not written") }
