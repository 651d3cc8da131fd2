package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// dataPackage is datapackage.json: a Frictionless Data Package, version 2
// (https://datapackage.org). Seal is the hash of the file itself with the
// value of Seal empty.
type dataPackage struct {
	Schema      string     `json:"$schema"`
	Name        string     `json:"name"`
	Title       string     `json:"title,omitempty"`
	Description string     `json:"description,omitempty"`
	Seal        string     `json:"seal"`
	Resources   []resource `json:"resources"`
}

// resource is one file of the package.
type resource struct {
	Name      string       `json:"name"`
	Path      string       `json:"path"`
	Type      string       `json:"type,omitempty"` // "table"
	Format    string       `json:"format,omitempty"`
	Mediatype string       `json:"mediatype,omitempty"`
	Encoding  string       `json:"encoding,omitempty"`
	Bytes     int64        `json:"bytes"`
	Hash      string       `json:"hash"`
	Schema    *tableSchema `json:"schema,omitempty"`
}

type tableSchema struct {
	Fields        []tableField `json:"fields"`
	MissingValues []string     `json:"missingValues"`
	PrimaryKey    []string     `json:"primaryKey,omitempty"`
}

type tableField struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Format      string `json:"format,omitempty"`
	Unit        string `json:"unit,omitempty"`
	Description string `json:"description,omitempty"`
}

const (
	profile    = "https://datapackage.org/profiles/2.0/datapackage.json"
	hashPrefix = "sha256:"
)

// packageText is datapackage.json for the files in the folder as they are.
func packageText(dir string, info *Info) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	p := dataPackage{
		Schema: profile,
		Name:   strings.ToLower(info.Session), Title: info.Title, Description: info.Question,
	}
	files, err := sealedFiles(root)
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		r, err := describe(root, name, info)
		if err != nil {
			return nil, err
		}
		p.Resources = append(p.Resources, r)
	}
	text, err := encodeJSON(&p)
	if err != nil {
		return nil, err
	}
	return setSeal(text), nil
}

// sealedFiles is every file of the folder but datapackage.json itself, with
// slashes, sorted. Anything but files and folders is refused.
func sealedFiles(root *os.Root) ([]string, error) {
	var files []string
	err := fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || e.IsDir():
			return err
		case !e.Type().IsRegular():
			return fmt.Errorf("%s is neither a file nor a folder", path.Join(root.Name(), name))
		case name == packageName:
			return nil
		}
		files = append(files, name)
		return nil
	})
	slices.Sort(files)
	return files, err
}

// describe is the resource of a file.
func describe(root *os.Root, name string, info *Info) (resource, error) {
	size, hash, err := hashFile(root, name)
	r := resource{Name: resourceName(name), Path: name, Bytes: size, Hash: hash}
	switch base := strings.TrimSuffix(name, ".gz"); base {
	case planName:
		r.table(planLayout(info), "trial")
	case trialsName:
		r.table(trialLayout(info), "session", "trial", "attempt")
	case clientsName:
		r.table(clientLayout(info), "session", "trial", "attempt", "client")
	case samplesName:
		r.table(sampleLayout(info), "session", "trial", "attempt", "client", "index")
	default:
		r.Format = strings.TrimPrefix(path.Ext(name), ".")
	}
	if strings.HasSuffix(name, ".csv.gz") {
		r.Mediatype = "application/gzip"
	}
	return r, err
}

func (r *resource) table(layout []column, key ...string) {
	r.Type, r.Format, r.Mediatype, r.Encoding = "table", "csv", "text/csv", "utf-8"
	r.Schema = &tableSchema{MissingValues: []string{""}, PrimaryKey: key}
	for _, c := range layout {
		f := tableField{Name: c.Name, Type: c.Type, Unit: c.Unit, Description: c.Says}
		if c.Type == "datetime" {
			f.Format = "default"
		}
		r.Schema.Fields = append(r.Schema.Fields, f)
	}
}

// resourceName is a name as the standard wants it, of the file's path.
func resourceName(file string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_', c == '.':
			return c
		case c >= 'A' && c <= 'Z':
			return c - 'A' + 'a'
		}
		return '-'
	}, file)
}

func hashFile(root *os.Root, name string) (size int64, hash string, err error) {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	sum := sha256.New()
	size, err = io.Copy(sum, f)
	return size, hashPrefix + hex.EncodeToString(sum.Sum(nil)), err
}

// The one line of datapackage.json that holds the seal.
const (
	sealBefore = "\n  \"seal\": \""
	sealAfter  = "\",\n"
)

// setSeal puts the hash of the text, whose seal is empty, into it.
func setSeal(text []byte) []byte {
	sum := sha256.Sum256(text)
	empty := []byte(sealBefore + sealAfter)
	full := []byte(sealBefore + hashPrefix + hex.EncodeToString(sum[:]) + sealAfter)
	return bytes.Replace(text, empty, full, 1)
}

// sealHolds says whether the text is what its seal is of.
func sealHolds(text []byte) bool {
	before, rest, ok := bytes.Cut(text, []byte(sealBefore))
	_, after, ok2 := bytes.Cut(rest, []byte(sealAfter))
	if !ok || !ok2 {
		return false
	}
	empty := slices.Concat(before, []byte(sealBefore+sealAfter), after)
	return bytes.Equal(setSeal(empty), text)
}
