package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
)

// zipSite packs a rendered site. The same files give the same bytes: entries
// are sorted and carry no time.
func zipSite(site, path string) error {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	err := filepath.WalkDir(site, func(file string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(site, file)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: "site/" + filepath.ToSlash(rel), Method: zip.Deflate})
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
