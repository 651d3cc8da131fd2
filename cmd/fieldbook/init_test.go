package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// workflow is what the test reads of a workflow of a code host.
type workflow struct {
	On          map[string]any
	Permissions map[string]string
	Jobs        map[string]struct {
		Needs       string
		Permissions map[string]string
		Steps       []workflowStep
	}
}

type workflowStep struct {
	Uses, Run string
	With      map[string]string
}

// TestPagesWorkflowFitsTheNotebook reads the workflow that init writes, and
// wants it to name what init and report make, to run nothing of an experiment,
// and to ask for no right that it does not need.
func TestPagesWorkflowFitsTheNotebook(t *testing.T) {
	dir := t.TempDir()
	a := &app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, dir: dir, color: "never"}
	if err := a.initNotebook(append(scaffold, example...)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, ".github", "workflows", "pages.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	if err := yaml.Unmarshal(text, &w); err != nil {
		t.Fatalf("the workflow is no YAML: %v", err)
	}
	if len(w.Permissions) != 1 || w.Permissions["contents"] != "read" {
		t.Errorf("the workflow asks for %v, want to read contents alone", w.Permissions)
	}
	deploy := w.Jobs["deploy"]
	if len(w.Jobs) != 2 || deploy.Needs != "render" || len(deploy.Permissions) != 2 || deploy.Permissions["pages"] != "write" || deploy.Permissions["id-token"] != "write" {
		t.Errorf("the jobs are %+v, want render, and deploy with the rights to write pages and a token", w.Jobs)
	}
	if w.Jobs["render"].Permissions != nil {
		t.Error("the job that builds has rights of its own")
	}
	pinned := regexp.MustCompile(`^actions/[a-z-]+@v[0-9]+$`)
	uploads := ""
	for _, job := range w.Jobs {
		for _, s := range job.Steps {
			if s.Uses != "" && !pinned.MatchString(s.Uses) {
				t.Errorf("%q is not pinned to a version", s.Uses)
			}
			if s.With["repository"] != "" && s.With["token"] != "${{ secrets.FIELDBOOK_TOKEN || github.token }}" {
				t.Errorf("the source is fetched with the token %q, want one that the owner may set where it is private", s.With["token"])
			}
			if strings.HasPrefix(s.Uses, "actions/upload-pages-artifact@") {
				uploads = s.With["path"]
			}
			if target, ok := strings.CutPrefix(s.Run, "make "); ok {
				runsNothing(t, dir, strings.TrimSpace(target))
			}
		}
	}
	if err := a.report(nil, reportFlags{}); err != nil {
		t.Fatal(err)
	}
	if uploads == "" || !isFile(filepath.Join(dir, uploads, "index.html")) {
		t.Errorf("the workflow uploads %q, and report writes no index.html there", uploads)
	}
}

// runsNothing wants a target of the notebook's Makefile that only renders.
func runsNothing(t *testing.T, dir, target string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(target) + `:.*\n((?:\t.*\n)+)`).FindSubmatch(text)
	if m == nil {
		t.Fatalf("the workflow calls make %s, and the Makefile has no such target", target)
	}
	if recipe := strings.TrimSpace(string(m[1])); recipe != "$(FIELDBOOK) report" {
		t.Errorf("make %s does %q, want it to render and nothing else", target, recipe)
	}
}
