package main

import (
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	codeOfPage   = regexp.MustCompile(`(?s)<(script|style)\b.*?</(script|style)>`)
	targetOfPage = regexp.MustCompile(`\b(href|src)="([^"]*)"`)
	idOfPage     = regexp.MustCompile(`\bid="([^"]*)"`)
)

// leafOf is a page of a site: its addresses, and where its links lead.
type leafOf struct {
	ids     map[string]bool
	targets [][2]string // attribute and value
	twice   []string    // ids that stand twice
}

func readLeaf(path string) (leafOf, error) {
	src, err := os.ReadFile(path)
	p := leafOf{ids: map[string]bool{}}
	text := codeOfPage.ReplaceAllString(string(src), "")
	for _, m := range idOfPage.FindAllStringSubmatch(text, -1) {
		id := html.UnescapeString(m[1])
		if p.ids[id] {
			p.twice = append(p.twice, id)
		}
		p.ids[id] = true
	}
	for _, m := range targetOfPage.FindAllStringSubmatch(text, -1) {
		p.targets = append(p.targets, [2]string{m[1], html.UnescapeString(m[2])})
	}
	return p, err
}

// siteProblems follows every link of a rendered site, which has to work from
// any place: a file, a folder of a server, an unpacked site.zip.
func siteProblems(site string) (problems []string) {
	paths, _ := filepath.Glob(filepath.Join(globSafe(site), "*", "index.html"))
	pages := map[string]leafOf{}
	for _, path := range append(paths, filepath.Join(site, "index.html")) {
		p, err := readLeaf(path)
		if err != nil {
			problems = append(problems, err.Error())
		}
		pages[path] = p
	}
	for path, p := range pages {
		say := func(text string, args ...any) {
			problems = append(problems, relative(site, path)+": "+fmt.Sprintf(text, args...))
		}
		for _, id := range p.twice {
			say("the id %q stands twice", id)
		}
		for _, t := range p.targets {
			u, err := url.Parse(t[1])
			switch {
			case err != nil:
				say("the link %q: %v", t[1], err)
				continue
			case u.Scheme == "data" || (u.Scheme == "https" || u.Scheme == "http") && t[0] == "href":
				continue
			case u.Scheme != "" || u.Host != "" || strings.HasPrefix(u.Path, "/"):
				say("%s=%q does not lie in the site", t[0], t[1])
				continue
			}
			target := path
			if u.Path != "" {
				target = filepath.Join(filepath.Dir(path), filepath.FromSlash(u.Path))
			}
			other, isPage := pages[target]
			switch rel, _ := filepath.Rel(site, target); {
			case !filepath.IsLocal(rel):
				say("%q leads out of the site", t[1])
			case !isFile(target):
				say("%q leads to no file", t[1])
			case u.Fragment != "" && isPage && !other.ids[u.Fragment]:
				say("%q: there is no such address", t[1])
			}
		}
	}
	return problems
}

// TestLinksThatBreakAreFound tries the reader of a site.
func TestLinksThatBreakAreFound(t *testing.T) {
	for _, tt := range []struct{ name, add, want string }{
		{"good", `<a href="#x">x</a> <a href="../index.html#top">all</a> <a href="../b%23%20c/index.html#y">y</a> <img src="figures/f.svg"> <a href="https://example.org">e</a>`, ""},
		{"folder", `<a href="../b%23%20c/">a folder is shown as a list from a file</a>`, "leads to no file"},
		{"gone", `<a href="../gone/index.html">g</a>`, "leads to no file"},
		{"own address", `<a href="#z">z</a>`, "no such address"},
		{"other's address", `<a href="../b%23%20c/index.html#z">z</a>`, "no such address"},
		{"root", `<a href="/a/index.html">r</a>`, "does not lie in the site"},
		{"elsewhere", `<img src="https://example.org/x.png">`, "does not lie in the site"},
		{"outside", `<a href="../../secret.html">s</a>`, "leads out of the site"},
		{"twice", `<p id="x">again</p>`, "stands twice"},
	} {
		site := filepath.Join(t.TempDir(), "a site #1")
		for name, text := range map[string]string{"index.html": `<h1 id="top">N</h1>`, "a/index.html": `<p id="x">x</p>` + tt.add, "b# c/index.html": `<p id="y">y</p>`, "a/figures/f.svg": "<svg/>"} {
			path := filepath.Join(site, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got := strings.Join(siteProblems(site), "\n")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: found %q, want %q", tt.name, got, tt.want)
		}
	}
}
