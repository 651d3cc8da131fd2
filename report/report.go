// Package report turns a writeup and results into a document, and renders it
// as Markdown and as HTML. It reads no file, no clock and no environment: the
// same input gives the same bytes. Numbers reach the document only through
// roles and generated parts.
package report

import (
	"fieldbook/analysis"
	"fieldbook/internal/diag"
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
	// RunTime says how long a whole session takes, from recorded durations, in seconds; 0: unknown.
	RunTime float64
	Version string // of the tool
}

// Document is a report, ready for rendering.
type Document struct{}

// Build checks and evaluates the writeup. Where the list holds errors, the
// document is still there, with the errors in place of what they concern.
func Build(s Source) (*Document, diag.List) { panic("not written") }

// HTML is the page, whole: one file that asks nothing of the network.
func (d *Document) HTML() []byte { panic("not written") }

// Markdown is the same for a code host; its images are Files.
func (d *Document) Markdown() []byte { panic("not written") }

// Files are the figures by path relative to the page ("figures/order-light.svg").
func (d *Document) Files() map[string][]byte { panic("not written") }

// FrontMatter is the head of a writeup that decides which data it is shown.
type FrontMatter struct {
	Title    string
	Uses     []string
	Sessions []string
}

// ReadFrontMatter reads only the head.
func ReadFrontMatter(file string, writeup []byte) (FrontMatter, diag.List) { panic("not written") }

// Entry is one experiment on the index page.
type Entry struct {
	Name   string
	Result *analysis.Result
	State  string // "fresh", "stale", …, as the status verb says it
}

// Index is the page that lists the experiments of a notebook.
func Index(title string, entries []Entry) []byte { panic("not written") }
