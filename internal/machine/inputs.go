package machine

import (
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

// notInputs are what an experiment's folder holds that does not determine
// its runs. Of experiment.yaml, what matters is in the identity of each
// treatment.
var notInputs = []string{"experiment.yaml", "writeup.md", "README.md", "published.csv", "figures"}

// byproduct says whether a file or folder is made by tools on the way: it
// comes and goes without a change of what it was made from.
func byproduct(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", "__pycache__", ".DS_Store":
		return true
	}
	return strings.HasSuffix(name, ".pyc") || strings.HasSuffix(name, "~") || strings.HasSuffix(name, ".swp")
}

// HashInputs is a hash over files and folders, given by their paths from
// folder: of each file its path, whether it is executable, and its content;
// of a symbolic link in a folder where it points to. Other things (pipes,
// devices) are passed over, as are version control's folders and byproducts.
// Inputs that are nil mean the whole folder. Of the folder itself, ".", what
// does not determine runs is left out: experiment.yaml, writeup.md, README.md,
// published.csv, figures. It returns the paths too, sorted. An input that is
// not there is an error.
func HashInputs(folder string, inputs []string) (hash string, files []string, err error) {
	if inputs == nil {
		inputs = []string{"."}
	}
	found := map[string]string{}
	for _, in := range inputs {
		if err := collect(folder, path.Clean(filepath.ToSlash(in)), found); err != nil {
			return "", nil, err
		}
	}
	sum := sha256.New()
	for name := range found {
		files = append(files, name)
	}
	slices.Sort(files)
	for _, name := range files {
		fmt.Fprintf(sum, "%d:%s %s\n", len(name), name, found[name])
	}
	return hex.EncodeToString(sum.Sum(nil)), files, nil
}

// collect hashes one input into found, by path.
func collect(folder, input string, found map[string]string) error {
	at := filepath.Join(folder, filepath.FromSlash(input))
	if path.IsAbs(input) {
		at = filepath.FromSlash(input)
	}
	info, err := os.Stat(at) // an input that is a link itself stands for what it points to
	if err != nil {
		return fmt.Errorf("input %q: %w", input, withoutPath(err))
	}
	if !info.IsDir() {
		return note(at, input, info, found)
	}
	return filepath.WalkDir(at, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("input %q: %w", input, err)
		}
		rel, err := filepath.Rel(at, p)
		if err != nil || rel == "." {
			return err
		}
		if byproduct(d.Name()) || input == "." && slices.Contains(notInputs, filepath.ToSlash(rel)) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		if err != nil || d.IsDir() {
			return err
		}
		return note(p, path.Join(input, filepath.ToSlash(rel)), info, found)
	})
}

// note hashes one file or link into found.
func note(at, name string, info fs.FileInfo, found map[string]string) error {
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(at)
		if err != nil {
			return err
		}
		found[name] = fmt.Sprintf("link %d:%s", len(target), filepath.ToSlash(target))
		return nil
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	hash, err := HashFile(at)
	if err != nil {
		return err
	}
	kind := "file"
	if info.Mode()&0o100 != 0 {
		kind = "program"
	}
	found[name] = kind + " " + hash
	return nil
}

// HashFile is the SHA-256 of a file's content, in hexadecimal digits.
func HashFile(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// withoutPath is the reason of an error about a file, without the file's
// absolute path, which may tell a person's name.
func withoutPath(err error) error {
	if e, ok := err.(*fs.PathError); ok {
		return e.Err
	}
	return err
}
