// Package figure draws results: it turns an analysis.Result and a wish into
// SVG that serves light, dark and print alike, with a title and description
// made from the statistics, and the table of the data behind it. It computes
// no statistics of its own and reads no file.
//
// Each kind of figure makes a chart, which says what is shown in the units of
// the data; one renderer gives it coordinates and writes it. Nothing is drawn
// at random and nothing depends on fonts of this machine, so that the same
// result gives the same bytes.
package figure

import (
	"fmt"
	"maps"
	"slices"
	"strings"

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
	Curves      = "curve"
	Clients     = "clients"
	Spread      = "spread"
	Percentiles = "percentiles"
	Residuals   = "residuals"
	Density     = "density"
	Outliers    = "outliers"
	Modes       = "modes"
	CarryOver   = "carry-over"
)

// Spec is a wish for a figure.
type Spec struct {
	Kind      string
	Name      string // unique in the document; ids in the SVG begin with it
	Metric    string
	Where     expr.Selection
	X, By     string            // factors
	Facet     string            // a factor, machine or session
	Compare   []expr.Comparison // forest; none: every treatment against the first
	Over      string            // forest: factors, by blanks, to average comparisons over
	Stat      string            // of points, interaction and curve; default geomean
	Against   string            // residuals: order, fitted or time; none: a panel for each
	Published bool              // earlier numbers beside today's, as open marks
}

// Figure is a drawn figure. SVG has a tooltip at each mark; Inline is the same
// in short, to be placed in a page that holds Style, and Tips are the tooltips
// of its marks; Standalone has the colours of one theme inside.
type Figure struct {
	Title  string
	Desc   string
	SVG    []byte
	Inline []byte
	// Tips are, by turns, texts with # for each number and the numbers of the
	// marks that have that text: those of one mark with blanks between, the
	// marks with semicolons. The marks are the parts, each beginning with an
	// M, of the paths in groups of the class t, in order.
	Tips  []string
	Wide  bool // scrolls on a phone rather than shrinks
	Table Table
	Notes []string // what could not be shown, thinned, …

	afterHead int // where in SVG the drawing begins, after title and description
}

// Table is the data behind a figure, as text, ready for CSV and HTML.
type Table struct {
	Head []string
	Rows [][]string
	// Quiet is how many of the last rows a page need not list, since nothing
	// is the matter with them; the figure's notes say so.
	Quiet int `json:",omitempty"`
}

// Listed are the rows that a page lists.
func (t Table) Listed() [][]string { return t.Rows[:max(0, len(t.Rows)-t.Quiet)] }

// kinds are the functions that make the chart of each kind.
var kinds = map[string]func(*wish) (*chart, error){
	Order: orderChart, Points: pointsChart, Forest: forestChart, Interaction: interactionChart, ECDF: ecdfChart, Curves: curveChart,
	Clients: clientsChart, Spread: spreadChart, Percentiles: percentilesChart, Residuals: residualsChart, Density: densityChart,
	Outliers: outliersChart, Modes: modesChart, CarryOver: carryOverChart,
}

// Draw makes the figure. The error says what in the wish cannot be drawn.
func Draw(r *analysis.Result, s Spec) (*Figure, error) {
	chartFor, ok := kinds[s.Kind]
	if !ok {
		return nil, fmt.Errorf("unknown kind of figure %q; there are %s", s.Kind, strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
	}
	w, err := read(r, s)
	if err != nil {
		return nil, err
	}
	c, err := chartFor(w)
	if err != nil {
		return nil, err
	}
	return c.draw(), nil
}

// Standalone is the figure as an SVG file for "light" or "dark". It asks for
// nothing outside itself and its background is transparent.
func (f *Figure) Standalone(theme string) []byte {
	style := "<style>" + resolved(theme) + "</style>"
	out := make([]byte, 0, len(f.SVG)+len(style))
	out = append(out, f.SVG[:f.afterHead]...)
	out = append(out, style...)
	return append(out, f.SVG[f.afterHead:]...)
}
