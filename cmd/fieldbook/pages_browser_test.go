package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"fieldbook/internal/browsertest"
)

// TestEveryPageInABrowser looks at each page of this repository's site.
func TestEveryPageInABrowser(t *testing.T) {
	w := browsertest.New(t)
	w.RefuseNetwork(t)
	bin, dir := buildTool(t), clone(t)
	if out, err := exec.Command(bin, "-C", dir, "report", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "site", "*", "index.html"))
	if err != nil || len(pages) < 10 {
		t.Fatalf("the site has %d pages of experiments (%v)", len(pages), err)
	}
	for _, page := range append(pages, filepath.Join(dir, "site", "index.html")) {
		t.Run(filepath.Base(filepath.Dir(page)), func(t *testing.T) { w.Look(t, browsertest.FileAddress(page)) })
	}
}
