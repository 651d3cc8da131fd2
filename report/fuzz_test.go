package report

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var element = regexp.MustCompile(`<([a-zA-Z!?][^\s>/]*)`)

// elements are those that a page may hold.
var elements = strings.Fields(`!doctype html head meta title style script body a div nav button main header p h1 h2 h3 h4 h5 h6 ul ol li b br
	span code pre table caption thead tbody tr th td svg g path line rect circle text tspan title desc defs polygon polyline clippath
	use figure figcaption details summary footer blockquote em i strong del sup hr img section`)

func FuzzBuild(f *testing.F) {
	bad, _ := filepath.Glob("testdata/bad/*.md")
	for _, path := range append(bad, "testdata/golden/written.in.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("{value}`n elapsed experiment=order` {published}`sum elapsed machine=celeron communication=queue sessions=1`")
	f.Add("```{plot} forest\n:compare: communication=queue / other where sessions=1\n```\n```{table} treatments\n:published:\n```")
	f.Add("```{table} treatments\n:where: machine=x session=y control=B\n```\n{value}`p99.9 elapsed control=B`")
	f.Add("---\n---\n```{environment}\n:where: experiment=order\n```\n```{exclusions}\n```\n```{diagnostics}\n```")
	source := notebook()
	f.Fuzz(func(t *testing.T, text string) {
		s := source
		s.Writeup, s.File = []byte(text), "w.md"
		doc, problems := Build(s)
		for _, p := range problems {
			if p.Text == "" || p.Pos.File != "w.md" {
				t.Errorf("a problem without text or place: %+v", p)
			}
		}
		page := withoutOwn(string(doc.HTML()))
		for _, m := range element.FindAllStringSubmatch(page, -1) {
			if !slices.Contains(elements, strings.ToLower(m[1])) {
				t.Errorf("the element %q is in the page", m[1])
			}
		}
		if len(doc.Markdown()) == 0 {
			t.Error("no Markdown")
		}
		doc.Files()
	})
}
