package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// packedAt is the time of every entry: the first that the format knows, since
// programs that unzip stumble over entries without a time.
var packedAt = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// zipSite packs the index of a rendered site and the reports of the named
// experiments. Reports of experiments that are gone stay out. The same files
// give the same bytes: entries are sorted and carry one time.
func zipSite(site, path string, names []string) error {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	err := filepath.WalkDir(site, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(site, file)
		top, _, below := strings.Cut(filepath.ToSlash(rel), "/")
		switch {
		case err != nil:
			return err
		case e.IsDir() && rel != "." && !slices.Contains(names, top):
			return fs.SkipDir
		case !e.Type().IsRegular() || !below && rel != "index.html":
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: "site/" + filepath.ToSlash(rel), Method: zip.Deflate, Modified: packedAt})
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return writeFile(path, b.Bytes())
}
