package figure

// chart is a drawing before it has coordinates: what is shown, in the units
// of the data. The kinds of figure make it, one renderer draws it.
type chart struct {
	Name, Title, Desc string
	// Flat says that values run from left to right, and upwards else.
	Flat    bool
	Width   float64 // of the whole, in pixels
	Height  float64 // of a panel's plot, in pixels; rows of categories make their own
	Row     float64 // height of a row of a category axis that runs downwards
	Columns int     // of panels; 0: one
	Shared  bool    // all panels have one value axis
	Loose   bool    `json:",omitempty"` // each has its own where a shared one would leave all mostly empty
	Most    int     `json:",omitempty"` // trials drawn; 0: mostMarks
	Stacked bool    // all panels, in one column, have one axis to the right; the lowest labels it
	Titled  bool    `json:",omitempty"` // each panel says what its axis to the right is
	Heading string  // of the legend: what its labels are levels of
	Legend  []key
	Panels  []panel
	Out     leftOut
	Notes   []string
	Table   Table
}

// key is an entry of a legend.
type key struct {
	Sign  sign
	Look  look
	Label string
}

// look is what a mark stands for.
type look string

const (
	dot       look = "dot"       // a trial among many of its kind
	trial     look = "trial"     // a trial that stands alone
	mean      look = "mean"      // an estimate
	published look = "published" // a number that is not of this data
	hollow    look = "hollow"    // an estimate that the data does not bound on both sides
	stroke    look = "stroke"    // a trial as a short line across the direction of values
	gone      look = "gone"      // a trial without a value, at the edge
	beyond    look = "beyond"    // a trial that timed out, at its limit: it lies above
	marked    look = "marked"    // a trial that a test has found; always drawn
	joined    look = "joined"    // in a legend: a line with its markers
	unbroken  look = "unbroken"  // the same of a line without dashes
	fitted    look = "fitted"    // a point of a fitted line, which is no mark; in a legend: the line
	margin    look = "margin"    // in a legend: a zone
)

// panel is one plot: values over places. Places are categories, numbers, or
// the order of running.
type panel struct {
	Title  string
	Place  axis
	Value  axis
	Bands  []band   `json:",omitempty"`
	Zones  []zone   `json:",omitempty"`
	Rules  []rule   `json:",omitempty"`
	Rows   []string `json:",omitempty"` // text at the right of each row
	Lanes  int      // into how many lanes each category is divided; 0: one
	Series []series
}

// axis says what an axis shows. Of a value axis settle fills Shown, Domain
// and Equal.
type axis struct {
	Title  string
	Unit   string
	Suffix string `json:",omitempty"` // of each label
	Kind   axisKind
	Names  []string `json:",omitempty"` // of categories
	Ticks  []tick   `json:",omitempty"` // where given, all that there are
	// Shown is the range of the data, Domain that of the axis.
	Shown, Domain span
	Equal         bool // all data is one value
}

// band shades the places from From to To.
type band struct {
	From, To float64
	Tip      string
}

// zone shades the values from Lo to Hi, in one row or, where Row is -1, in
// all. An infinite bound reaches to the figure's edge.
type zone struct {
	Lo, Hi float64
	Row    int
	Tip    string
}

// rule is a line across the panel, at a value or at a place.
type rule struct {
	At      float64
	AtPlace bool
	Label   string
}

// series is what has one sign.
type series struct {
	Sign  sign
	Label string
	Lane  int
	Line  lineKind `json:",omitempty"`
	// Ribbon shades what lies between the intervals of neighbouring marks.
	Ribbon bool `json:",omitempty"`
	Marks  []mark
}

// lineKind is how the marks of a series are joined.
type lineKind string

const (
	straight lineKind = "straight"
	stairs   lineKind = "stairs" // level from each value to the next, then up; the marks are not drawn
	solid    lineKind = "solid"  // straight, and without the dashes that tell series apart
	dashed   lineKind = "dashed" // a fitted line; its marks are not drawn
	smooth   lineKind = "smooth" // a curve; of its marks the one at the highest place alone is drawn
)

// mark is one value at one place.
type mark struct {
	Place    float64
	Value    float64 // without meaning where Look is gone
	Look     look
	Interval *interval `json:",omitempty"`
	Tip      string    `json:",omitempty"`
	Stale    bool      `json:",omitempty"`
}

// interval is drawn with its mark. A cut end goes on beyond the figure.
type interval struct {
	Lo, Hi       float64
	CutLo, CutHi bool `json:",omitempty"`
}
