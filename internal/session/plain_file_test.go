package session

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A session of a stranger's may have pipes and links in the place of its
// files: nothing waits for a pipe, and nothing outside of the folder is read.
func TestPipesAndLinksInThePlaceOfFilesAreRefused(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	writeText(t, outside, "secret\n")
	kinds := map[string]func(path string) error{
		"a pipe":   func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"a link":   func(path string) error { return os.Symlink(outside, path) },
		"a folder": func(path string) error { return os.Mkdir(path, 0o755) },
	}
	for _, sealed := range []bool{true, false} {
		for _, name := range []string{infoName, planName, trialsName, packageName, clientsName, samplesName, ".remarks.csv", ".sums"} {
			for kind, put := range kinds {
				if sealed && name == ".sums" || !sealed && name == packageName {
					continue // nobody reads it there
				}
				dir := memoryDir(t)
				id := filepath.Join(dir, "20260301T093000Z-box")
				if sealed {
					sealedSession(t, dir, at(0))
				} else {
					w := create(t, dir, at(0))
					appendAll(t, w, story()[:3])
					closed(t, w)
				}
				path := filepath.Join(id, name)
				if name[0] == '.' {
					path = id + name
				}
				if err := os.RemoveAll(path); err != nil {
					t.Fatal(err)
				}
				if err := put(path); err != nil {
					t.Fatal(err)
				}
				done := make(chan error, 1)
				go func() { done <- readAll(dir, id) }()
				select {
				case err := <-done:
					if err == nil || strings.Contains(err.Error(), "secret") {
						t.Errorf("sealed %v: with %s in the place of %s: %v, want it refused", sealed, kind, name, err)
					}
				case <-time.After(10 * time.Second):
					t.Fatalf("sealed %v: with %s in the place of %s nothing ever comes back", sealed, kind, name)
				}
			}
		}
	}
}

// readAll reads all that a session has, in each way there is.
func readAll(dataDir, dir string) error {
	data, err := ReadDataset(dataDir, Choose{IDs: []string{filepath.Base(dir)}})
	if err != nil {
		return err
	}
	for _, s := range data.Sessions {
		for _, err := range s.Clients() {
			if err != nil {
				return err
			}
		}
		for _, err := range s.Samples() {
			if err != nil {
				return err
			}
		}
	}
	return nil
}
