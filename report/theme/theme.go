// Package theme holds the look of the pages: templates, style and script. It
// knows no experiment and computes nothing; it puts together pages that ask
// nothing of the network, and says so in each page's content security policy.
package theme

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"regexp"
	"strings"
)

//go:embed style.css
var style string

//go:embed script.js
var script string

// What pages hold of them.
var leanStyle, leanScript = property.ReplaceAllString(strings.NewReplacer(" { ", "{", " {\n", "{\n", "{ ", "{", " }", "}", "; ", ";", ", ", ",").Replace(lean(style)), "$1:"), lean(script)

// property is the name of a property in a style, with the blank behind it.
var property = regexp.MustCompile(`([{;\n][-a-z]+): `)

//go:embed early.js
var early string

//go:embed page.gohtml
var page string

var pageTemplate = template.Must(template.New("page").Parse(page))

// Page is what stands in a page. HTML is put in as it is, all else escaped.
type Page struct {
	Title    string // of the window
	Over     string // small, above the heading
	Heading  template.HTML
	Lede     string
	Facts    []template.HTML
	Banners  []template.HTML
	Contents []Entry
	Claims   *Claims // nil: none
	Home     *Entry  // where the notebook's name leads; nil: nowhere
	Body     template.HTML
	Foot     string
	Style    string // added to the theme's own
}

// Entry is a link.
type Entry struct {
	Href, Text string
}

// Claims are links to claims, folded under a summary: "5 supported, 1 refuted".
type Claims struct {
	Summary string
	All     []Claim
}

// Claim is a link to a claim; Class is that of its verdict's sign.
type Claim struct {
	Entry
	Verdict, Class string
}

// lean is a style or a script without indentation, blank lines and lines that are comments.
func lean(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "//") && !(strings.HasPrefix(line, "/*") && strings.HasSuffix(line, "*/")) {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// Render puts a page together.
func Render(p Page) []byte {
	css := leanStyle + p.Style
	data := struct {
		Page
		Policy        string
		CSS           template.CSS
		Early, Script template.JS
	}{p, policy(css), template.CSS(css), template.JS(early), template.JS(leanScript)}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, data); err != nil {
		panic("page template: " + err.Error()) // a fault of the template itself: writing to a buffer cannot fail
	}
	return b.Bytes()
}

// policy allows a page its own style and scripts, by their hashes, pictures
// that are in the page or that its script makes, and nothing else.
func policy(css string) string {
	return "default-src 'none'; style-src " + hash(css) + "; script-src " + hash(early) + " " + hash(leanScript) +
		"; img-src data: blob:; base-uri 'none'; form-action 'none'"
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
