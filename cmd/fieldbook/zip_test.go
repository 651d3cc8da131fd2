package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestSiteIsPackedAlike wants of the same files the same bytes, whenever and
// in whatever folder they were written, entries with a time that exists, and
// nothing of an experiment that is gone.
func TestSiteIsPackedAlike(t *testing.T) {
	files := map[string]string{"index.html": "all", "b c#1/index.html": "one", "b c#1/figures/x-light.svg": "<svg/>", "a/index.html": "two",
		"gone/index.html": "of long ago", "stray.txt": "a person's own"}
	var first []byte
	for _, folder := range []string{"site", "an other #2"} {
		site := filepath.Join(t.TempDir(), folder)
		for name, text := range files {
			path := filepath.Join(site, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			when := time.Unix(int64(len(folder))*1e8, 0)
			if err := os.Chtimes(path, when, when); err != nil {
				t.Fatal(err)
			}
		}
		packed := filepath.Join(t.TempDir(), "site.zip")
		if err := zipSite(site, packed, []string{"a", "b c#1", "never rendered"}); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(packed)
		if err != nil {
			t.Fatal(err)
		}
		if first != nil && !bytes.Equal(first, data) {
			t.Error("the same files give other bytes")
		}
		first = data
	}
	z, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		if f.Modified.Year() != 1980 || f.Modified.Month() != time.January || f.Modified.Day() != 1 {
			t.Errorf("%s is of %v, want the first day that a zip file knows", f.Name, f.Modified)
		}
	}
	want := []string{"site/a/index.html", "site/b c#1/figures/x-light.svg", "site/b c#1/index.html", "site/index.html"}
	if !slices.Equal(names, want) {
		t.Errorf("packed are %q, want %q", names, want)
	}
}
