// Package report turns a writeup and results into a document, and renders it
// as Markdown and as HTML. It reads no file, no clock and no environment: the
// same input gives the same bytes. Numbers reach the document only through
// roles and generated parts.
package report

import (
	"maps"
	"slices"

	"fieldbook/analysis"
	"fieldbook/internal/diag"
	"fieldbook/report/markup"
)

// Source is what one experiment's report is made of.
type Source struct {
	Name    string
	Writeup []byte // nil: the default report
	File    string // path of the writeup as messages show it
	Result  *analysis.Result
	// Uses are the results of the experiments that front matter names.
	Uses map[string]*analysis.Result
	// Listing is experiment.yaml as it stands.
	Listing []byte
	// Trials are the commands of all treatments as a person would type them,
	// each under its levels; "" where there is no experiment file.
	Trials string
	// Pictures are the files beside the writeup that it shows, by the
	// relative path that it writes.
	Pictures map[string][]byte
	// RunTime says how long a whole session takes, from recorded durations, in seconds; 0: unknown.
	RunTime float64
	Version string // of the tool
	// Notebook is the title of the notebook that the experiment is in; "": unknown.
	Notebook string
	// Experiments are the names of all in the notebook, to which `../NAME/` can
	// lead; nil: unknown.
	Experiments []string
	// Memory is of the last build of this report; nil: there was none that counts.
	Memory *Memory
}

// Document is a report, ready for rendering.
type Document struct {
	name     string
	title    phrase
	question string
	facts    []phrase
	banners  []phrase
	body     []block
	figures  []*figureBlock
	contents []entry
	writeup  *evaluated // nil: the default report
	pictures map[string][]byte
	version  string
	claims   []analysis.ClaimResult
	claimed  []claimEntry   // the claims that have a row in the page
	regions  map[string]int // how often a part that scrolls has a name, while HTML is written
}

// entry is a line of the table of contents.
type entry struct {
	ID, Text string
}

// Build checks and evaluates the writeup. Where the list holds errors, the
// document is still there, with the errors in place of what they concern.
func Build(s Source) (*Document, diag.List) {
	if s.Memory == nil {
		s.Memory = &Memory{}
	}
	s.Memory.begin()
	defer s.Memory.end()
	b := &builder{Source: s, r: s.Result, labels: map[string]*target{}, used: map[string]bool{}, placed: map[string]bool{}}
	b.doc = &Document{name: s.Name, version: s.Version, pictures: map[string][]byte{}, claims: s.Result.Claims}
	for _, id := range []string{"main", "contents", "top"} {
		b.ids.Reserve(id)
	}
	if s.Writeup == nil {
		b.defaultReport()
	} else {
		b.writeupReport()
	}
	b.head()
	return b.doc, b.problems.Sorted()
}

// Files are the figures and pictures by path relative to the page
// ("figures/order-light.svg").
func (d *Document) Files() map[string][]byte {
	files := maps.Clone(d.pictures)
	for _, f := range d.figures {
		if f.Figure != nil {
			files[f.path("light")] = f.Figure.Standalone("light")
			files[f.path("dark")] = f.Figure.Standalone("dark")
		}
	}
	return files
}

// builder makes one document.
type builder struct {
	Source
	r        *analysis.Result
	doc      *Document
	ids      markup.IDs
	labels   map[string]*target
	problems diag.List
	figures  int // numbers given so far
	tables   int
	listings int
	front    FrontMatter
	assumed  []*analysis.Result // those of which numbers name no machine where there are several
	used     map[string]bool    // other experiments that the writeup speaks of
	slots    map[*markup.Directive]slot
	placed   map[string]bool // parts of this experiment's report that stand in the document
	// claimsShown: a table of this experiment's claims stands in the document.
	claimsShown bool
	// cut: of a writeup that is beyond a limit only the front matter was read.
	cut bool
}

// target is what a {ref} can point to.
type target struct {
	ID   string
	Text string // "Figure 2", "Table 1", "Listing 1", a heading's text, "claim D3"
	At   int    // byte offset of the label in the writeup
	// heading: it is one, and also are the byte offsets of further ones of the same text.
	heading bool
	also    []int
}

// mostMeant is among how many labels one is looked for that a wrong one may
// have meant: the work grows with their product.
const mostMeant = 300

// knownLabels are what a {ref} can name, sorted; none where they are too many
// to look through for each that is wrong.
func (b *builder) knownLabels() []string {
	if len(b.labels) > mostMeant {
		return nil
	}
	return slices.Sorted(maps.Keys(b.labels))
}
