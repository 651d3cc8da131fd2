package fieldbook_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// house is which of our packages each package may import. A package that is
// not listed fails the test: a new room needs a line here and in
// docs/architecture.md.
var house = map[string][]string{
	"internal/browsertest": {},
	"internal/defect":      {},
	"internal/diag":        {},
	"internal/guardian":    {},
	"internal/machine":     {"internal/defect"},
	"analysis/stat":        {"internal/defect"},
	"internal/expr":        {"internal/diag"},
	"internal/session":     {"internal/diag"},
	"report/markup":        {"internal/diag"},
	"internal/experiment":  {"internal/diag", "internal/expr"},
	"internal/design":      {"internal/experiment"},
	"internal/runner":      {"internal/defect", "internal/guardian", "internal/design", "internal/experiment", "internal/expr", "internal/session", "internal/machine"},
	"analysis":             {"analysis/stat", "internal/expr", "internal/diag", "internal/session"},
	"analysis/figure":      {"analysis", "internal/expr"},
	"report":               {"analysis", "analysis/figure", "report/markup", "report/theme", "internal/expr", "internal/diag", "internal/session"},
	"report/theme":         {},
	"cmd/fieldbook":        nil, // all
}

const module = "fieldbook"

// room is a package as its source files say it.
type room struct {
	imports  []string // ours
	comments int      // files with a package comment
}

// rooms parses every source file of the tool's module that is no test.
func rooms(t *testing.T) map[string]*room {
	t.Helper()
	found := map[string]*room{}
	for _, top := range []string{"analysis", "cmd", "internal", "report"} {
		err := filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.Name() == "testdata" && e.IsDir() {
				return firstError(err, filepath.SkipDir)
			}
			if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				addFile(t, found, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

func firstError(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

func addFile(t *testing.T, found map[string]*room, path string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.ToSlash(filepath.Dir(path))
	r := found[name]
	if r == nil {
		r = &room{}
		found[name] = r
	}
	r.add(file)
}

func (r *room) add(file *ast.File) {
	if file.Doc != nil {
		r.comments++
	}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		if ours, ok := strings.CutPrefix(path, module+"/"); ok && !slices.Contains(r.imports, ours) {
			r.imports = append(r.imports, ours)
		}
	}
}

func TestPackagesImportOnlyWhatTheHouseAllows(t *testing.T) {
	for name, r := range rooms(t) {
		allowed, known := house[name]
		if !known {
			t.Errorf("package %s is not in the table of the house", name)
			continue
		}
		for _, imported := range r.imports {
			if allowed != nil && !slices.Contains(allowed, imported) {
				t.Errorf("package %s imports %s, may import %v of ours", name, imported, allowed)
			}
		}
	}
}

func TestEveryPackageHasOneComment(t *testing.T) {
	for name, r := range rooms(t) {
		if r.comments != 1 {
			t.Errorf("package %s has %d package comments, want the one that says what it knows and what it refuses", name, r.comments)
		}
	}
}

// TestNoPackageOfTheToolLiesInContent holds that the workloads are a module
// of their own and import nothing of the tool.
func TestNoPackageOfTheToolLiesInContent(t *testing.T) {
	for _, top := range []string{"experiments", "data"} {
		err := filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") {
				return err
			}
			if top == "data" {
				t.Errorf("%s: a Go file lies in data", path)
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			var r room
			r.add(file)
			if len(r.imports) > 0 {
				t.Errorf("%s imports %v of the tool, may import nothing of it", path, r.imports)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
