package main

import (
	"bytes"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

const oddNotebook = `fieldbook: 1
factors: {variant: ["a|b", "<b>", c, d, e, f, g, h, i, j, k, größe]}
design: {blocks: 5, warmup-blocks: 0}
trial: {command: [echo, "{{\"x\": 1.5, \"y\": 2e-7, \"z\": 30}}", "{variant}"]}
metrics:
  x: {from: json, key: x, unit: s, better: lower}
  y: {from: json, key: y, unit: s, better: lower}
  z: {from: json, key: z, unit: B}
`

const oddWriteup = "# Anywhere\n\n```{plot} order\n:name: größe\n:metric: x\n```\n\n```{plot} points\n:metric: y\n```\n\n" +
	"See {ref}`größe`.\n\n```{table} treatments\n:metric: z\n:stat: mean\n```\n\n```{table} comparisons\n:metric: x\n```\n"

var pictureOfMarkdown = regexp.MustCompile(`(?:src|srcset)="([^"]*)"`)

// A notebook whose folders have names with signs that addresses reserve is
// rendered twenty times, by processes of their own, from two folders, in two
// time zones and locales and with three numbers of processors: always the same
// bytes. Then it is moved, and every link and picture still arrives.
func TestSiteOfOddNamesIsTheSameAndWorksAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the tool and renders twenty times")
	}
	bin, root := buildTool(t), t.TempDir()
	notebook := filepath.Join(root, "out dir", "(new)?")
	name := "Größe (v2) a b#1%"
	folder := filepath.Join(notebook, "experiments", name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{"experiment.yaml": oddNotebook, "writeup.md": oddWriteup} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	call := func(dir string, env []string, args ...string) {
		t.Helper()
		cmd := exec.Command(bin, append([]string{"-C", notebook}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v %q: %v\n%s", env, args, err, out)
		}
	}
	call(root, nil, "run", "--machine", "m", name)
	var first map[string][]byte
	for i := range 20 {
		env := []string{"GOMAXPROCS=" + strconv.Itoa([]int{1, 2, 8}[i%3]), "TZ=" + []string{"UTC", "Asia/Kolkata"}[i%2], "LC_ALL=" + []string{"C", "de_DE.UTF-8"}[i/2%2]}
		call([]string{root, notebook}[i/4%2], env, "report", "--machine", "m")
		site := readTree(t, filepath.Join(notebook, "site"))
		if first == nil {
			first = site
		}
		if !maps.EqualFunc(site, first, bytes.Equal) {
			t.Fatalf("build %d with %v differs from the first", i+1, env)
		}
	}
	moved := filepath.Join(root, "elsewhere")
	if err := os.Rename(filepath.Join(root, "out dir"), moved); err != nil {
		t.Fatal(err)
	}
	site := filepath.Join(moved, "(new)?", "site")
	for _, problem := range siteProblems(site) {
		t.Error(problem)
	}
	pictures := pictureOfMarkdown.FindAllSubmatch(first[filepath.Join(name, "report.md")], -1)
	if len(pictures) != 4 {
		t.Errorf("the Markdown has %d addresses of pictures, want 4: two figures, light and dark", len(pictures))
	}
	for _, m := range pictures {
		path, err := url.PathUnescape(string(m[1]))
		if err != nil || filepath.IsAbs(path) || first[filepath.Join(name, path)] == nil {
			t.Errorf("the picture %s of the Markdown is not there", m[1])
		}
	}
	for path, data := range first {
		if bytes.Contains(data, []byte(root)) {
			t.Errorf("%s names the folder that it was made in", path)
		}
	}
}
