package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbook/analysis"
	"fieldbook/internal/session"
	"fieldbook/report/markup"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	ghtml "github.com/yuin/goldmark/renderer/html"
)

// named is a study of treatments with the given names, which cost 10, 11, …
func named(names ...string) study {
	s := coin()
	s.name = "names"
	s.factors = []session.Factor{{Name: "variant", Levels: names}}
	s.blocks, s.noise = 4, 0
	s.of = func(l []string) float64 { return float64(10 + slices.Index(names, l[0])) }
	s.claims = nil
	return s
}

// lines are the lines of a file of names, which has one more with a line
// break in it.
func lines(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

var (
	rowPattern  = regexp.MustCompile(`<tr[^>]*>`)
	cellPattern = regexp.MustCompile(`<t[hd](?: [^>]*)?>`)
	tagPattern  = regexp.MustCompile(`<[^>]*>`)
)

// rowsOf are the texts of the cells of all rows of a table, which end where the
// next begins.
func rowsOf(table string) [][]string {
	var rows [][]string
	for _, r := range rowPattern.Split(table, -1)[1:] {
		var cells []string
		for _, c := range cellPattern.Split(r, -1)[1:] {
			cells = append(cells, html.UnescapeString(strings.TrimSuffix(tagPattern.ReplaceAllString(c, ""), "\n")))
		}
		rows = append(rows, cells)
	}
	return rows
}

// tableAfter is the table whose caption a mark stands in.
func tableAfter(t *testing.T, page, mark string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, mark)
	if !ok {
		t.Fatalf("no %q in the page", mark)
	}
	table, _, _ := strings.Cut(rest, "</table>")
	return table
}

// onHost renders Markdown as a code host does that lets raw HTML through.
func onHost(t *testing.T, markdown []byte) string {
	t.Helper()
	var b bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithRendererOptions(ghtml.WithUnsafe()),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	if err := md.Convert(markdown, &b, parser.WithContext(parser.NewContext(parser.WithIDs(hostIDs{})))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hostIDs makes anchors of headings as code hosts do.
type hostIDs struct{}

func (hostIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	return []byte(markup.Slug(string(value)))
}
func (hostIDs) Put([]byte) {}

func TestNamesInTablesAreShownExactly(t *testing.T) {
	for _, file := range []string{"markup/testdata/metacharacters.txt", "markup/testdata/hostile.txt"} {
		names := lines(t, file)
		names = append(names, "two\nlines")
		doc := build(t, Source{Name: "names", Result: named(names...).result(), Version: "0.1"})
		for kind, page := range map[string]string{"HTML": string(doc.HTML()), "Markdown": onHost(t, doc.Markdown())} {
			rows := rowsOf(tableAfter(t, page, "Ranked by"))[1:]
			for i := range rows {
				rows[i] = rows[i][1:] // the rank
			}
			if len(rows) != len(names) {
				t.Fatalf("%s of %s: %d rows for %d names", kind, file, len(rows), len(names))
			}
			for i, r := range rows {
				want := strings.ReplaceAll(names[i], "\n", " ")
				if strings.TrimSpace(r[0]) != strings.TrimSpace(want) {
					t.Errorf("%s shows %q as %q", kind, want, r[0])
				}
				if !strings.HasPrefix(r[2], itoa(10+i)) && !strings.HasPrefix(r[2], "9") {
					t.Errorf("%s: beside %q stands %q", kind, want, r[2])
				}
			}
		}
	}
}

// everywhere is a study that says one text wherever a person or a workload
// can say anything.
func everywhere(evil string) Source {
	s := named(evil, "plain")
	s.title, s.question = evil, evil
	s.factors[0].Labels, s.factors[0].Unit = []string{evil, "p"}, evil
	s.metrics[0].Unit = evil
	s.metrics[0].Key = evil
	s.claims = []analysis.Claim{{Name: evil, Says: evil, Untested: evil, Statement: evil}}
	s.machines = []string{"m"}
	s.edit = func(r *session.Row) {
		if r.Block == 2 {
			r.Status, r.Reason = session.Failed, evil
		}
	}
	in := s.input()
	in.Data.Sessions[0].Note = evil
	in.Data.Sessions[0].Parts[0].Environment[evil] = evil
	in.Data.LeftOut = []session.LeftOut{{Session: evil, Reason: evil}}
	return Source{Name: evil, Result: analysis.Analyze(in), Listing: []byte(evil), Version: evil}
}

func TestHostileTextIsOnlyText(t *testing.T) {
	evil := lines(t, "markup/testdata/hostile.txt")
	evil = append(evil, lines(t, "markup/testdata/metacharacters.txt")...)
	evil = append(evil, "\u202egnp.exe\u202c", "zero\u200bwidth", "a\x00b\x1b[31mc", "</script><script>alert(1)</script>", "</style><style>*{}", "--><b>x</b>", "'><b x='")
	for _, text := range evil {
		doc, _ := Build(everywhere(text))
		harmless(t, text, string(doc.HTML()))
		harmless(t, text, onHost(t, doc.Markdown()))
		for name, file := range doc.Files() {
			if err := wellFormed(bytes.NewReader(file), true); err != nil {
				t.Errorf("%s for %q: %v", name, text, err)
			}
			harmless(t, text, string(file))
		}
		index := Index(text, []Entry{{Name: text, Result: everywhere(text).Result, State: text}})
		harmless(t, text, string(index))
		if shown := html.EscapeString(strings.Trim(show(text), " ")); !strings.Contains(normal(string(doc.HTML())), normal(shown)) {
			t.Errorf("%q is not shown: no %q in the page", text, shown)
		}
	}
}

// normal gives the entities of a quote one form.
func normal(s string) string {
	return strings.NewReplacer("&quot;", "&#34;", "&#43;", "+").Replace(s)
}

var (
	eventPattern  = regexp.MustCompile(`(?i)<[a-z][^>]*\son[a-z]+\s*=`)
	targetPattern = regexp.MustCompile(`(?i)(?:href|src|srcset|action|xlink:href)\s*=\s*"([^"]*)"`)
	scriptPattern = regexp.MustCompile(`(?s)<script>.*?</script>|<style>.*?</style>`)
	stringPattern = regexp.MustCompile(`"[^"]*"`)
)

// iconLink is the page's own icon, the only link element that there is.
var iconLink = regexp.MustCompile(`<link rel="icon" href="data:image/svg[^">]*">`)

// withoutOwn is a page without its own scripts, style and icon.
func withoutOwn(page string) string {
	page = scriptPattern.ReplaceAllString(page, "")
	return strings.Replace(page, iconLink.FindString(page), "", 1)
}

// harmless says whether a page runs, loads or links to anything of a
// stranger's.
func harmless(t *testing.T, text, page string) {
	t.Helper()
	if n := strings.Count(page, "<script"); n > 2 {
		t.Errorf("%q: %d scripts", text, n)
	}
	rest := withoutOwn(page)
	if strings.Contains(rest, "<script") || strings.Contains(rest, "<style") || strings.Contains(rest, "<b x=") {
		t.Errorf("%q became an element", text)
	}
	if m := eventPattern.FindString(stringPattern.ReplaceAllString(rest, `""`)); m != "" {
		t.Errorf("%q became an event handler: %s", text, m)
	}
	for _, m := range targetPattern.FindAllStringSubmatch(rest, -1) {
		target := html.UnescapeString(m[1])
		if u, err := url.Parse(target); err != nil || u.Scheme != "" && u.Scheme != "mailto" || u.Host != "" {
			t.Errorf("%q became the target %q", text, target)
		}
	}
	if strings.ContainsAny(rest, "\u202e\u202c\u200b\x00\x1b") {
		t.Errorf("%q: hidden characters in the page", text)
	}
}

// wellFormed reads XML, or HTML without its scripts and styles.
func wellFormed(r io.Reader, strict bool) error {
	d := xml.NewDecoder(r)
	if !strict {
		d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	}
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestPagesAreWellFormed(t *testing.T) {
	text, err := os.ReadFile("testdata/golden/written.in.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, writeup := range [][]byte{nil, text} {
		doc, _ := Build(Source{Name: "coin", Result: coin().result(), Writeup: writeup, File: "w.md"})
		page := scriptPattern.ReplaceAllString(string(doc.HTML()), "")
		if err := wellFormed(strings.NewReader(page), false); err != nil {
			t.Errorf("the page is not well formed: %v", err)
		}
		ids := map[string]bool{}
		for _, m := range regexp.MustCompile(`\sid="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if ids[m[1]] {
				t.Errorf("the id %q stands twice", m[1])
			}
			ids[m[1]] = true
		}
	}
}

// colourPattern is a coloured part of a listing.
var colourPattern = regexp.MustCompile(`<span class="h[cknst]">([^<]*)</span>`)

func TestListingWithFencesStaysOneBlock(t *testing.T) {
	data, err := os.ReadFile("markup/testdata/fences.txt")
	if err != nil {
		t.Fatal(err)
	}
	doc := build(t, Source{Name: "coin", Result: coin().result(), Listing: data})
	for kind, page := range map[string]string{"HTML": string(doc.HTML()), "Markdown": onHost(t, doc.Markdown())} {
		want := normal(html.EscapeString(string(data)))
		page = colourPattern.ReplaceAllString(page, "$1")
		if !strings.Contains(normal(page), want+"</code></pre>") {
			t.Errorf("%s does not show the listing as it is", kind)
		}
		if strings.Contains(page, "<h1>boo") || strings.Contains(page, `href="http://example.org"`) {
			t.Errorf("%s takes the listing for markup", kind)
		}
	}
}

func TestEveryLinkArrivesWhereverTheFolderLies(t *testing.T) {
	name := "Größe (v2) a b#1%"
	s := coin()
	s.name = name
	text := []byte("See {ref}`größe`, {ref}`Ä-b`, [there](#ein-ort), {claim}`faster`.\n\n## Ein Ort\n\n```{plot} order\n:name: größe\n```\n\n```{plot} points\n:name: Ä-b\n```\n\n```{claims}\n```\n\n![setup](pictures/my%20setup.png)\n")
	doc := build(t, Source{Name: name, Result: s.result(), Writeup: text, File: "w.md", Pictures: map[string][]byte{"pictures/my setup.png": {1}}})
	site := filepath.Join(t.TempDir(), "out dir", "(new)?")
	folder := filepath.Join(site, name)
	files := map[string][]byte{"index.html": doc.HTML(), "report.md": doc.Markdown(), "host.html": []byte(onHost(t, doc.Markdown()))}
	for path, data := range doc.Files() {
		files[path] = data
	}
	for path, data := range files {
		write(t, filepath.Join(folder, filepath.FromSlash(path)), data)
	}
	write(t, filepath.Join(site, "index.html"), Index("Notebook", []Entry{{name, s.result(), "fresh"}}))
	moved := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(site, moved); err != nil {
		t.Fatal(err)
	}
	checkTargets(t, filepath.Join(moved, "index.html"))
	checkTargets(t, filepath.Join(moved, name, "index.html"))
	checkTargets(t, filepath.Join(moved, name, "host.html"))
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkTargets follows every relative link and picture of a page.
func checkTargets(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := scriptPattern.ReplaceAllString(string(data), "")
	n := 0
	for _, m := range targetPattern.FindAllStringSubmatch(page, -1) {
		target := html.UnescapeString(m[1])
		if strings.HasPrefix(target, "data:") {
			continue
		}
		n++
		file, fragment, inside := strings.Cut(target, "#")
		name, err := url.PathUnescape(file)
		if err != nil || filepath.IsAbs(name) || strings.Contains(name, ":") {
			t.Errorf("%s: the target %q is not relative", path, target)
			continue
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.FromSlash(name))); err != nil {
			t.Errorf("%s: the target %q is not there", path, target)
		}
		id, _ := url.PathUnescape(fragment)
		if inside && file == "" && !strings.Contains(page, `id="`+id+`"`) {
			t.Errorf("%s: nothing has the id %q", path, id)
		}
	}
	if n == 0 {
		t.Errorf("%s has no target at all", path)
	}
}

func TestUnitsAreReadable(t *testing.T) {
	means := map[string]float64{"lookup old": 0.0011639, "lookup new": 1.46e-6, "load old": 75, "load new": 0.9997, "poll old": 4e-10, "poll new": 3.8e-10}
	s := coin()
	s.factors = []session.Factor{{Name: "case", Levels: []string{"lookup", "load", "poll"}}, {Name: "variant", Levels: []string{"old", "new"}}}
	s.metrics[0].Unit = "s"
	s.noise, s.claims = 0, nil
	s.of = func(l []string) float64 { return means[l[0]+" "+l[1]] }
	in := s.input()
	for _, row := range in.Data.Sessions[0].Rows { // the study rounds to thousandths
		row.Metrics[0] = means[row.Levels[0]+" "+row.Levels[1]] * (1 + 0.0005*float64(row.Block%3-1))
	}
	text := []byte("```{table} treatments\n```\n\n```{table} comparisons\n:compare: variant=new / variant=old where case=lookup\n:compare: variant=new / variant=old where case=load\n:compare: variant=new / variant=old where case=poll\n```\n{value}`geomean elapsed case=load variant=new`\n")
	doc := build(t, Source{Name: "units", Result: analysis.Analyze(in), Writeup: text, File: "w.md"})
	md := string(doc.Markdown())
	tables, _, _ := strings.Cut(md, "## For the record")
	for _, want := range []string{"1.46", "µs", "0.9997", "0.00125", "0.0133", "0.950", " ns"} {
		if !strings.Contains(tables, want) {
			t.Errorf("no %q in\n%s", want, tables)
		}
	}
	for _, bad := range []string{" 0.00 ", " 0.0 ", "| 0 ", "1000 ms", "NaN", "Inf"} {
		if strings.Contains(tables, bad) {
			t.Errorf("%q in\n%s", bad, tables)
		}
	}
}

// TestTenMegabytesOfText: what is endless is cut, with how much is missing,
// and takes no endless time.
func TestTenMegabytesOfText(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	long := strings.Repeat("<b>`|*_[a](b) ", 10<<20/14)
	start := time.Now()
	src := everywhere(long)
	doc, _ := Build(src)
	outputs := map[string][]byte{"page": doc.HTML(), "Markdown": doc.Markdown(), "index": Index(long, []Entry{{Name: "x", Result: src.Result, State: long}})}
	if took := time.Since(start); took > 2*time.Minute {
		t.Errorf("ten megabytes in every field take %v", took)
	}
	for kind, out := range outputs {
		if !strings.Contains(string(out), "more bytes)") || len(out) > 64<<20 {
			t.Errorf("the %s has %d MB and does not say that something is cut", kind, len(out)>>20)
		}
	}
	for path := range doc.Files() {
		if len(path) > 1100 {
			t.Errorf("a file's name has %d bytes", len(path))
		}
	}
}
