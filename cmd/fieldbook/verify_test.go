package main

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// flips FOLDER N flips N bytes, one after the other, in each file below a
// session's folder; each time verify must exit with 4 and name the file.
func flips(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 || len(args[1]) != 1 {
		ts.Fatalf("usage: flips FOLDER N")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	err := filepath.WalkDir(ts.MkAbs(args[0]), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		whole, err := os.ReadFile(path)
		if err != nil || len(whole) == 0 {
			return err
		}
		for range int(args[1][0] - '0') {
			at := rng.IntN(len(whole))
			changed := []byte(string(whole))
			changed[at] ^= 1 << rng.IntN(8)
			ts.Check(os.WriteFile(path, changed, 0o644))
			exits(ts, false, []string{"4", "fieldbook", "verify"})
			if out := ts.ReadFile("stdout"); !strings.Contains(out, "differs") || !strings.Contains(out, filepath.Base(path)+": ") {
				ts.Fatalf("byte %d of %s flipped: verify does not name the file\n%s", at, path, out)
			}
		}
		return os.WriteFile(path, whole, 0o644)
	})
	ts.Check(err)
	ts.Check(ts.Exec("fieldbook", "verify"))
}
