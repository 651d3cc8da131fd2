package report

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldbook/analysis"
	"fieldbook/internal/diag"
	"fieldbook/internal/session"
	"fieldbook/report/markup"
)

// notebook is a source with all that the bad files speak of.
func notebook() Source {
	s := pipelining()
	s.published = oldNumbers()
	in := s.input()
	in.Data.LeftOut = []session.LeftOut{{Session: "20261130T235959Z-epyc-2cpu", Reason: "not among the sessions asked for"}}
	other := pipelining()
	other.published = nil
	other.name = "order"
	return Source{Name: s.name, Result: analysis.Analyze(in), Uses: map[string]*analysis.Result{"order": other.result()}, Version: "0.1",
		Experiments: []string{"order", "pipelining"}, Pictures: map[string][]byte{"setup.txt": []byte("x")}}
}

func oldNumbers() *analysis.Published {
	p := &analysis.Published{Source: "an old study"}
	for i, v := range []float64{42423, 34220, 53765, 47722} {
		p.Rows = append(p.Rows, analysis.PublishedRow{Machine: "celeron", Metric: "elapsed", Unit: "ms", Aggregate: "sum", N: 10, Value: v, Line: i + 2,
			Levels: map[string]string{"communication": []string{"queue", "threaded"}[i/2], "sessions": strconv.Itoa(i%2 + 1)}})
	}
	return p
}

var expected = regexp.MustCompile(`(?m)^<!-- (warning )?(?:(\d+(?::\d+)?): )?(.*) -->$`)

var wrongForm = regexp.MustCompile("the link goes to|picture|no closing `|cannot stand in a page|^an option of|^nothing refers to|no text in backticks|is not written|written twice|no closing|alert|opens nothing|opens no |the address of the heading|turns the direction|within raw HTML|UTF-8")

// problems builds a bad file and gives what it reports and what it says that
// it expects.
func problems(t *testing.T, path string) (got diag.List, want []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := notebook()
	written := text
	switch filepath.Base(path) {
	case "machines.md":
		s = twoMachines()
	case "large.md":
		written = slices.Concat(text, bytes.Repeat([]byte("<b> "), 2_000_000))
	}
	s.Writeup, s.File = written, "w.md"
	doc, got := Build(s)
	got = append(got, HandTyped(s, doc)...)
	for _, m := range expected.FindAllStringSubmatch(string(text), -1) {
		line := "w.md:"
		if m[2] != "" {
			line += m[2] + ":"
		}
		if m[1] != "" {
			line += " warning:"
		}
		want = append(want, line+" "+m[3])
	}
	page := string(doc.HTML())
	for _, p := range got {
		// What is wrong in its form stands there as it was written.
		form := wrongForm.MatchString(p.Text)
		if !p.Warning && !form && !strings.Contains(page, markup.EscapeHTML(p.Text)) {
			t.Errorf("%s: %q does not stand in the page", path, p)
		}
	}
	return got, want
}

func TestBadWriteups(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no bad files: %v", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".md"), func(t *testing.T) {
			list, want := problems(t, path)
			var got []string
			for _, p := range list {
				got = append(got, p.String())
			}
			slices.Sort(want)
			sorted := slices.Sorted(slices.Values(got))
			if !slices.Equal(sorted, want) {
				t.Errorf("it reports\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

func TestTenMistakesGiveTenMessages(t *testing.T) {
	list, _ := problems(t, "testdata/bad/ten_mistakes.md")
	if list.Errors() != 10 {
		t.Errorf("%d errors, want 10:\n%v", list.Errors(), list)
	}
}

// TestEveryMessageHasABadFile finds the formats of all errors in the source
// and looks for each among what the bad files report.
func TestEveryMessageHasABadFile(t *testing.T) {
	var all strings.Builder
	files, _ := filepath.Glob("testdata/bad/*.md")
	for _, path := range files {
		list, _ := problems(t, path)
		for _, p := range list {
			all.WriteString(p.Text + "\n" + p.Hint + "\n")
		}
	}
	for _, format := range formats(t) {
		pattern := regexp.MustCompile(`%[a-z]`).ReplaceAllString(regexp.QuoteMeta(format), `.*`)
		if !regexp.MustCompile("(?m)^" + pattern + "$").MatchString(all.String()) {
			t.Errorf("no bad file gives %q", format)
		}
	}
	for _, text := range markupTexts(t) {
		if !regexp.MustCompile(text).MatchString(all.String()) {
			t.Errorf("no bad file gives what package markup says: %s", text)
		}
	}
}

// markupTexts are patterns of all that package markup says is wrong: the texts
// of its flaws, joined of pieces, and why it refuses links.
func markupTexts(t *testing.T) []string {
	t.Helper()
	var list []string
	files, _ := filepath.Glob("markup/*.go")
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				if name, ok := n.Type.(*ast.Ident); ok && name.Name == "flaw" && len(n.Elts) == 3 {
					list = append(list, joined(n.Elts[1]))
				}
			case *ast.AssignStmt:
				if to, ok := n.Lhs[0].(*ast.SelectorExpr); ok && to.Sel.Name == "Refused" {
					list = append(list, joined(n.Rhs[0]))
				}
			}
			return true
		})
	}
	if len(list) < 6 {
		t.Fatalf("found only %d texts in package markup", len(list))
	}
	return list
}

// joined is the pattern of an expression that joins texts: what is no literal
// may be anything.
func joined(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil {
			return regexp.QuoteMeta(text)
		}
	case *ast.BinaryExpr:
		return joined(e.X) + joined(e.Y)
	}
	return ".*"
}

// formats are the format strings of all calls that report an error.
func formats(t *testing.T) []string {
	t.Helper()
	var list []string
	files, _ := filepath.Glob("*.go")
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			at := map[string]int{"wrong": 2, "Errorf": 1, "Warnf": 1}[called(call)]
			if sel, method := call.Fun.(*ast.SelectorExpr); method && called(call) == "Errorf" {
				if x, plain := sel.X.(*ast.Ident); plain && x.Name == "fmt" {
					return true
				}
			}
			if at == 0 || at >= len(call.Args) {
				return true
			}
			if lit, ok := call.Args[at].(*ast.BasicLit); ok {
				if format, err := strconv.Unquote(lit.Value); err == nil && strings.Trim(format, "%sv") != "" {
					list = append(list, format)
				}
			}
			return true
		})
	}
	if len(list) < 30 {
		t.Fatalf("found only %d formats", len(list))
	}
	return list
}

func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}
