package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// PackageFile is the file of a session that seals it.
const PackageFile = packageName

// Difference is one way in which a session is not what was sealed. File is
// relative to the session's folder.
type Difference struct {
	File, Text string
}

func (d Difference) String() string { return d.File + ": " + d.Text }

// Verify compares a session with its seal: every file's size and hash, files
// that are missing or were not there, and the seal of datapackage.json
// itself. The differences are sorted by file. An error says that the folder
// could not be compared, not that it differs.
func Verify(dir string) ([]Difference, error) {
	root, err := os.OpenRoot(filepath.Clean(dir))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	there, err := sealedFiles(root)
	if err != nil {
		return nil, err
	}
	text, err := root.ReadFile(packageName)
	if errors.Is(err, os.ErrNotExist) {
		return []Difference{{packageName, "missing: the session is not sealed"}}, nil
	}
	if err != nil {
		return nil, err
	}
	var differences []Difference
	if !sealHolds(text) {
		differences = append(differences, Difference{packageName, "changed: it does not match its own seal"})
	}
	var sealed dataPackage
	if err := json.Unmarshal(text, &sealed); err != nil {
		return append(differences, Difference{packageName, "cannot be read: " + err.Error()}), nil
	}
	named := make(map[string]bool)
	for _, r := range sealed.Resources {
		named[r.Path] = true
		text, err := compare(root, r, slices.Contains(there, r.Path))
		if err != nil {
			return nil, err
		}
		if text != "" {
			differences = append(differences, Difference{r.Path, text})
		}
	}
	for _, name := range there {
		if !named[name] {
			differences = append(differences, Difference{name, "not part of the sealed session"})
		}
	}
	slices.SortStableFunc(differences, func(a, b Difference) int { return strings.Compare(a.File, b.File) })
	return differences, nil
}

// compare says in what a file differs from its resource, or nothing.
func compare(root *os.Root, r resource, there bool) (string, error) {
	if !there {
		return "missing", nil
	}
	size, hash, err := hashFile(root, r.Path)
	switch {
	case err != nil:
		return "", err
	case size != r.Bytes:
		return fmt.Sprintf("changed: it has %d bytes, %d when sealed", size, r.Bytes), nil
	case hash != r.Hash:
		return "changed: its hash is another than when sealed", nil
	}
	return "", nil
}
