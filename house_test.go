package fieldbook_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// house is which of our packages each package may import. A package that is
// not listed fails the test: a new room needs a line here and in
// docs/architecture.md.
var house = map[string][]string{
	"internal/diag":       {},
	"internal/machine":    {},
	"analysis/stat":       {},
	"internal/expr":       {"internal/diag"},
	"internal/session":    {"internal/diag"},
	"report/markup":       {"internal/diag"},
	"internal/experiment": {"internal/diag", "internal/expr"},
	"internal/design":     {"internal/experiment"},
	"internal/runner":     {"internal/design", "internal/experiment", "internal/expr", "internal/session", "internal/machine"},
	"analysis":            {"analysis/stat", "internal/expr", "internal/diag", "internal/session"},
	"analysis/figure":     {"analysis", "internal/expr"},
	"report":              {"analysis", "analysis/figure", "report/markup", "report/theme", "internal/expr", "internal/diag"},
	"report/theme":        {},
	"cmd/fieldbook":       nil, // all
}

const module = "fieldbook"

// list runs go list over this module, one line a package.
func list(t *testing.T, format string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", format, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func TestPackagesImportOnlyWhatTheHouseAllows(t *testing.T) {
	for _, line := range list(t, `{{.ImportPath}} {{join .Imports " "}}`) {
		fields := strings.Fields(line)
		pkg := strings.TrimPrefix(strings.TrimPrefix(fields[0], module), "/")
		if pkg == "" {
			continue // this test alone
		}
		allowed, known := house[pkg]
		if !known {
			t.Errorf("package %s is not in the table of the house", pkg)
			continue
		}
		for _, imported := range fields[1:] {
			ours, isOurs := strings.CutPrefix(imported, module+"/")
			if isOurs && allowed != nil && !slices.Contains(allowed, ours) {
				t.Errorf("package %s imports %s, may import %v of ours", pkg, ours, allowed)
			}
		}
	}
}

func TestEveryPackageHasOneComment(t *testing.T) {
	for _, line := range list(t, `{{.ImportPath}}{{"\t"}}{{.Name}}{{"\t"}}{{.Doc}}`) {
		fields := strings.Split(line, "\t")
		if fields[0] == module {
			continue
		}
		if len(fields) < 3 || fields[2] == "" {
			t.Errorf("package %s has no comment that says what it knows and what it refuses", fields[0])
		}
	}
}

func TestNoPackageOfTheToolLiesInContent(t *testing.T) {
	for _, pkg := range list(t, "{{.ImportPath}}") {
		if strings.HasPrefix(pkg, module+"/experiments/") || strings.HasPrefix(pkg, module+"/data/") {
			t.Errorf("package %s of the tool's module lies inside content", pkg)
		}
	}
}
