package main

import (
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// hosted is a Markdown file as a code host takes it: what it shows of raw
// HTML, where its links lead, and what one can link to.
type hosted struct {
	links   []string        // of links, images and the sources of pictures, as written
	anchors map[string]bool // of headings and of elements with an id
	wrong   []string        // what a host would strip, change or show otherwise than meant
}

// hostKeeps are the elements and attributes of raw HTML that code hosts leave.
var hostKeeps = map[string][]string{
	"a": {"id", "href"}, "br": nil, "details": {"open"}, "summary": nil, "sub": nil, "sup": nil, "kbd": nil,
	"picture": nil, "source": {"media", "srcset"}, "img": {"alt", "src", "width"},
}

var (
	hostedTag       = regexp.MustCompile(`<(/?)([A-Za-z][A-Za-z0-9]*)((?:\s+[^<>"]*(?:"[^"]*"[^<>"]*)*)?)>`)
	hostedComment   = regexp.MustCompile(`(?s)<!--.*?-->`)
	hostedAttribute = regexp.MustCompile(`([A-Za-z-]+)="([^"]*)"`)
	hostedFold      = regexp.MustCompile(`(?m)</summary>\n[^\n]|[^\n]\n</details>`)
)

// readHosted reads a Markdown file by the rules of a code host.
func readHosted(path string) (hosted, error) {
	src, err := os.ReadFile(path)
	h := hosted{anchors: map[string]bool{}}
	if err != nil {
		return h, err
	}
	for i, line := range strings.Split(string(src), "\n") {
		if len(line) > 2000 {
			h.wrong = append(h.wrong, fmt.Sprintf("line %d has %d bytes", i+1, len(line)))
		}
	}
	for _, m := range hostedFold.FindAll(src, -1) {
		h.wrong = append(h.wrong, fmt.Sprintf("%q: without an empty line, what is folded is no Markdown", m))
	}
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote)).Parser().Parse(text.NewReader(src))
	err = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.Kind() == ast.KindCodeSpan {
			return ast.WalkSkipChildren, nil
		}
		if entering {
			h.take(n, src)
		}
		return ast.WalkContinue, nil
	})
	return h, err
}

// take takes of one node what matters.
func (h *hosted) take(n ast.Node, src []byte) {
	switch n := n.(type) {
	case *ast.Heading:
		h.anchor(hostSlug(plainText(n, src)))
	case *ast.Link:
		h.links = append(h.links, string(n.Destination))
	case *ast.Image:
		h.links = append(h.links, string(n.Destination))
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			s := n.Segments.At(i)
			h.raw(string(s.Value(src)))
		}
	case *ast.HTMLBlock:
		h.raw(string(n.Lines().Value(src)))
	case *ast.Text:
		// Between two of them a host reads a formula.
		if strings.Contains(string(n.Value(src)), "$") && !strings.Contains(string(n.Value(src)), `\$`) {
			h.wrong = append(h.wrong, fmt.Sprintf("a bare $ in %q", n.Value(src)))
		}
	}
}

// raw takes raw HTML apart.
func (h *hosted) raw(s string) {
	rest := hostedTag.ReplaceAllString(hostedComment.ReplaceAllString(s, ""), "")
	if strings.ContainsAny(rest, "<>") {
		h.wrong = append(h.wrong, fmt.Sprintf("raw HTML that is no plain tag: %q", rest))
	}
	for _, m := range hostedTag.FindAllStringSubmatch(s, -1) {
		attributes, known := hostKeeps[m[2]]
		if !known {
			h.wrong = append(h.wrong, "a host strips "+m[0])
		}
		for _, a := range hostedAttribute.FindAllStringSubmatch(m[3], -1) {
			value := html.UnescapeString(a[2])
			switch {
			case !slices.Contains(attributes, a[1]):
				h.wrong = append(h.wrong, fmt.Sprintf("a host strips %s of %s", a[1], m[0]))
			case a[1] == "id":
				h.anchor(value)
			case a[1] == "href", a[1] == "src", a[1] == "srcset":
				h.links = append(h.links, value)
			}
		}
		if m[2] == "img" && !strings.Contains(m[3], ` alt="`) {
			h.wrong = append(h.wrong, m[0]+" has no alt")
		}
	}
}

// anchor takes an address; hosts number those that are there already.
func (h *hosted) anchor(id string) {
	base := id
	for n := 1; h.anchors[id]; n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	h.anchors[id] = true
}

// hostSlug is the address that hosts make of a heading: lower case, hyphens
// for blanks, without punctuation.
func hostSlug(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(s))
}

// plainText is the text of a heading without its markup.
func plainText(n ast.Node, src []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.WriteString(strings.ReplaceAll(string(t.Value(src)), `\`, ""))
		} else {
			b.WriteString(plainText(c, src))
		}
	}
	return b.String()
}

// hostedProblems follows every link of Markdown files below a folder.
func hostedProblems(root string, paths []string) (problems []string) {
	all := map[string]hosted{}
	read := func(path string) hosted {
		if h, ok := all[path]; ok {
			return h
		}
		h, err := readHosted(path)
		if err != nil {
			h.wrong = append(h.wrong, err.Error())
		}
		all[path] = h
		return h
	}
	for _, path := range paths {
		h := read(path)
		say := func(text string) { problems = append(problems, relative(root, path)+": "+text) }
		for _, w := range h.wrong {
			say(w)
		}
		for _, link := range h.links {
			u, err := url.Parse(link)
			if err != nil {
				say(fmt.Sprintf("the link %q: %v", link, err))
				continue
			}
			if u.Scheme == "https" || u.Scheme == "http" || u.Scheme == "mailto" {
				continue
			}
			target := path
			if u.Path != "" {
				target = filepath.Join(filepath.Dir(path), filepath.FromSlash(u.Path))
			}
			rel, err := filepath.Rel(root, target)
			_, statErr := os.Stat(target)
			switch {
			case u.Scheme != "" || u.Host != "" || filepath.IsAbs(u.Path) || err != nil || !filepath.IsLocal(rel):
				say(fmt.Sprintf("the link %q leads out of the repository", link))
			case statErr != nil:
				say(fmt.Sprintf("the link %q leads to nothing", link))
			case u.Fragment != "" && filepath.Ext(target) == ".md" && !read(target).anchors[u.Fragment]:
				say(fmt.Sprintf("%q: %s has no such address", link, relative(root, target)))
			}
		}
	}
	return problems
}

// TestCommittedMarkdownWorksOnACodeHost follows, in a clone, every link of the
// documents and published reports, and wants nothing in them that hosts strip.
func TestCommittedMarkdownWorksOnACodeHost(t *testing.T) {
	dir := clone(t)
	var paths []string
	for _, pattern := range []string{"*.md", "docs/*.md", "experiments/*/README.md"} {
		found, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if len(found) == 0 {
			t.Errorf("no file is %s", pattern)
		}
		paths = append(paths, found...)
	}
	links := 0
	for _, path := range paths {
		h, err := readHosted(path)
		if err != nil {
			t.Fatal(err)
		}
		links += len(h.links)
	}
	if links < 250 {
		t.Errorf("%d files have only %d links: are they read?", len(paths), links)
	}
	for _, p := range hostedProblems(dir, paths) {
		t.Error(p)
	}
}

// TestWhatACodeHostWouldNotShowIsFound tries the reader of the test above.
func TestWhatACodeHostWouldNotShowIsFound(t *testing.T) {
	const good = "# A b\n\n<a id=\"x\"></a>\n\n[own](#a-b) [id](#x) [file](other.md#deep-c) ![p](p.svg) <https://example.org>\n\n<details>\n<summary>S</summary>\n\nfolded\n\n</details>\n"
	for _, tt := range []struct{ name, add, want string }{
		{"good", "", ""},
		{"file", "[x](gone.md)", `"gone.md" leads to nothing`},
		{"picture", "<img alt=\"p\" src=\"gone.svg\">", `"gone.svg" leads to nothing`},
		{"own address", "[x](#a-c)", "no such address"},
		{"address elsewhere", "[x](other.md#deep)", "no such address"},
		{"outside", "[x](../../secret.md)", "leads out of the repository"},
		{"script", "<script>x</script>", "a host strips <script>"},
		{"style", "<a id=\"y\" style=\"color: red\"></a>", "a host strips style"},
		{"no alt", "<img src=\"p.svg\">", "has no alt"},
		{"fold", "<details>\n<summary>S</summary>\nfolded\n</details>", "no Markdown"},
		{"long line", strings.Repeat("word ", 500), "bytes"},
		{"formula", "from $1 to $2", "a bare $"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "a.md")
		for name, text := range map[string]string{"a.md": good + "\n" + tt.add + "\n", "other.md": "## Deep `c`\n", "p.svg": "<svg/>"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got := strings.Join(hostedProblems(dir, []string{path}), "\n")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: found %q, want %q", tt.name, got, tt.want)
		}
	}
}
