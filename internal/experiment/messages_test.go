package experiment

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestEveryMessageIsShown looks up all messages in the source of this package
// and wants each of them in a bad file, or in a table of a test.
func TestEveryMessageIsShown(t *testing.T) {
	shown := allExpected(t)
	for format, where := range formats(t) {
		pattern := messagePattern(format)
		if !slices.ContainsFunc(shown, pattern.MatchString) {
			t.Errorf("%s: no test shows the message %q", where, format)
		}
	}
}

// allExpected are the messages that tests want, without their places.
func allExpected(t *testing.T) []string {
	var all []string
	add := func(line string) {
		_, text, _ := strings.Cut(line, ": ")
		all = append(all, strings.TrimPrefix(text, "warning: "))
	}
	for name, src := range files(t, "bad") {
		for _, line := range expectations(name, src) {
			add(line)
		}
	}
	for _, tt := range unreadable {
		for line := range strings.SplitSeq(tt.want, "\n") {
			add(line)
		}
	}
	for _, tt := range badPublished {
		for line := range strings.SplitSeq(tt.want, "\n") {
			add(line)
		}
	}
	return all
}

// formats are the format texts of all calls of Errorf and Warnf, and those
// of errors about templates and commands, with their places.
func formats(t *testing.T) map[string]string {
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	note := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil && len(s) > 6 {
				found[s] = fset.Position(lit.Pos()).String()
			}
		}
	}
	visit := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && (sel.Sel.Name == "Errorf" || sel.Sel.Name == "Warnf") && len(n.Args) > 1 {
				note(n.Args[1])
			}
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok && id.Name == "Msg" {
				note(n.Value)
			}
		}
		return true
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, visit)
	}
	if len(found) < 80 {
		t.Fatalf("%d messages found in the source, want at least 80", len(found))
	}
	return found
}

// messagePattern matches the texts that a format can give.
func messagePattern(format string) *regexp.Regexp {
	verbs := regexp.MustCompile(`%(?:\[\d\])?[0-9]*[a-zA-Z]`)
	var b strings.Builder
	b.WriteString("^")
	at := 0
	for _, m := range verbs.FindAllStringIndex(format, -1) {
		b.WriteString(regexp.QuoteMeta(strings.ReplaceAll(format[at:m[0]], "%%", "%")) + ".+")
		at = m[1]
	}
	b.WriteString(regexp.QuoteMeta(strings.ReplaceAll(format[at:], "%%", "%")))
	return regexp.MustCompile(b.String())
}
