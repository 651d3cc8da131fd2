package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// pictureTypes are the endings of files that a writeup may show.
var pictureTypes = []string{".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp"}

// largestPicture is the size in bytes above which a picture is left out of a
// page that is one file.
const largestPicture = 4 << 20

// pictures are the pictures in the experiment's folder, by relative path: the
// report takes those that the writeup shows. Links are not followed: a page holds nothing
// from outside the folder.
func (s *study) pictures() (map[string][]byte, error) {
	found := map[string][]byte{}
	err := filepath.WalkDir(s.folder, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != s.folder && (strings.HasPrefix(e.Name(), ".") || e.Name() == "figures"):
			return filepath.SkipDir
		case !e.Type().IsRegular() || !slices.Contains(pictureTypes, strings.ToLower(filepath.Ext(path))):
			return nil
		}
		rel, err := filepath.Rel(s.folder, path)
		if err != nil {
			return err
		}
		if info, err := e.Info(); err != nil || info.Size() > largestPicture {
			return err
		}
		found[filepath.ToSlash(rel)], err = os.ReadFile(path)
		return err
	})
	return found, err
}
