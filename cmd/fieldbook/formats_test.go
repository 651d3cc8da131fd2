package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fieldbook/internal/experiment"
)

const formatsPath = "../../docs/formats.md"

// snippet is a fenced block of a document with the line at which its text
// begins.
type snippet struct {
	line int
	text string
}

// snippets are the fenced blocks of one language, in order.
func snippets(doc, lang string) []snippet {
	var all []snippet
	open := false
	for i, line := range strings.SplitAfter(doc, "\n") {
		switch fence := strings.HasPrefix(line, "```"); {
		case fence && strings.TrimSpace(line) == "```"+lang:
			all, open = append(all, snippet{line: i + 2}), true
		case fence:
			open = false
		case open:
			all[len(all)-1].text += line
		}
	}
	return all
}

func readFormats(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile(formatsPath)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// wholeFiles are the snippets that are whole experiment files, read; an error
// in one fails the test.
func wholeFiles(t *testing.T) []*experiment.Experiment {
	t.Helper()
	var all []*experiment.Experiment
	for _, s := range snippets(readFormats(t), "yaml") {
		if !strings.HasPrefix(s.text, "fieldbook: 1\n") {
			continue
		}
		x, problems := experiment.Read("example", "example.yaml", []byte(s.text))
		for _, p := range problems {
			if !p.Warning {
				t.Errorf("%s:%d: %s", formatsPath, s.line+p.Pos.Line-1, p)
			}
		}
		all = append(all, x)
	}
	return all
}

// TestFormatsShowsFilesThatCanBeRead reads every whole experiment file that
// docs/formats.md shows.
func TestFormatsShowsFilesThatCanBeRead(t *testing.T) {
	if n := len(wholeFiles(t)); n < 5 {
		t.Errorf("%s shows %d whole experiment files, want 5 or more", formatsPath, n)
	}
}

// TestFormatsShowsPublishedNumbersThatCanBeRead reads the published numbers
// that docs/formats.md shows, beside the one experiment there that has some.
func TestFormatsShowsPublishedNumbersThatCanBeRead(t *testing.T) {
	tables := snippets(readFormats(t), "csv")
	if len(tables) != 1 {
		t.Fatalf("%s shows %d tables of published numbers, want 1", formatsPath, len(tables))
	}
	for _, x := range wholeFiles(t) {
		if x.Published == nil {
			continue
		}
		rows, problems := experiment.ReadPublished("published.csv", []byte(tables[0].text), x)
		if want := strings.Count(tables[0].text, "\n") - 1; len(rows) != want || len(problems) > 0 {
			t.Errorf("%d rows are read of %d: %v", len(rows), want, problems)
		}
		return
	}
	t.Error("no experiment there has published numbers")
}

// TestFormatsNamesEveryKey wants each key of the experiment file, and each of
// the words that a key allows, to stand in docs/formats.md.
func TestFormatsNamesEveryKey(t *testing.T) {
	doc := readFormats(t)
	for _, word := range schemaWords(t) {
		if !mentions(doc, word) {
			t.Errorf("%s does not mention %s", formatsPath, word)
		}
	}
}

// schemaWords are the property names and enumerated words of the schema.
func schemaWords(t *testing.T) []string {
	t.Helper()
	var root any
	if err := json.Unmarshal(experiment.Schema(), &root); err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	collectWords(root, words)
	return slices.Sorted(maps.Keys(words))
}

func collectWords(node any, words map[string]bool) {
	switch n := node.(type) {
	case []any:
		for _, v := range n {
			collectWords(v, words)
		}
	case map[string]any:
		if properties, ok := n["properties"].(map[string]any); ok {
			for name := range properties {
				words[name] = true
			}
		}
		if allowed, ok := n["enum"].([]any); ok {
			for _, v := range allowed {
				if word, ok := v.(string); ok {
					words[word] = true
				}
			}
		}
		for _, v := range n {
			collectWords(v, words)
		}
	}
}

// mentions says whether a word stands in a text, not as a part of another.
func mentions(text, word string) bool {
	return regexp.MustCompile(`(^|[^A-Za-z0-9_-])` + regexp.QuoteMeta(word) + `($|[^A-Za-z0-9_-])`).MatchString(text)
}

// TestMethodsNamesEveryWarning wants each code of a warning that the analysis
// declares to stand in docs/methods.md.
func TestMethodsNamesEveryWarning(t *testing.T) {
	doc, err := os.ReadFile("../../docs/methods.md")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile(`"(W_[A-Z_]+)"`)
	found := 0
	for _, dir := range []string{"../../analysis", "../../analysis/stat"} {
		files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range code.FindAllSubmatch(src, -1) {
				found++
				if !mentions(string(doc), string(m[1])) {
					t.Errorf("docs/methods.md does not mention %s of %s", m[1], file)
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("%d codes found, want 10 or more: are they declared elsewhere now?", found)
	}
}
