package machine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Git is the state of the repository that a folder lies in. Unavailable says
// why nothing is known ("no git program", "no repository", "no commit yet");
// the other fields are then empty.
type Git struct {
	Commit      string // of HEAD, in full
	Changed     int    // tracked files that differ from HEAD, the data folder apart
	Untracked   int    // files that git neither tracks nor ignores, the data folder apart
	Diff        string // SHA-256 of how the tracked files differ from HEAD, in hexadecimal digits; empty where they do not
	Unavailable string
}

// ReadGit reads the state of a folder's repository. Changes below data are
// not counted: a session that is being recorded does not make its source
// dirty.
func ReadGit(folder, data string) Git {
	if Find("git") == "" {
		return Git{Unavailable: "no git program"}
	}
	top, err := git(folder, "rev-parse", "--show-toplevel")
	if err != nil {
		return Git{Unavailable: gitProblem(err)}
	}
	commit, err := git(folder, "rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil {
		return Git{Unavailable: "no commit yet"}
	}
	status, err := git(folder, append([]string{"status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--", ":(top)"}, without(text(top), data)...)...)
	if err != nil {
		return Git{Unavailable: gitProblem(err)}
	}
	g := Git{Commit: text(commit)}
	for entry := range strings.SplitSeq(strings.TrimRight(string(status), "\x00"), "\x00") {
		switch {
		case entry == "":
		case strings.HasPrefix(entry, "??"):
			g.Untracked++
		default:
			g.Changed++
		}
	}
	if g.Changed > 0 {
		g.Diff = diffHash(folder, without(text(top), data))
	}
	return g
}

// diffHash tells two states of a dirty tree apart; Unknown where git fails.
func diffHash(folder string, without []string) string {
	diff, err := git(folder, slices.Concat([]string{"diff", "--binary", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "HEAD", "--", ":(top)"}, without)...)
	if err != nil {
		return Unknown
	}
	sum := sha256.Sum256(diff)
	return hex.EncodeToString(sum[:])
}

// without is a pathspec that leaves out a folder, where it lies in the
// repository.
func without(top, data string) []string {
	if data == "" {
		return nil
	}
	if real, err := filepath.EvalSymlinks(data); err == nil {
		data = real
	}
	rel, err := filepath.Rel(top, data)
	if err != nil || !filepath.IsLocal(rel) {
		return nil
	}
	return []string{":(top,exclude,literal)" + filepath.ToSlash(rel)}
}

// maxPatch bounds a patch: a session is no place for a whole source tree.
const maxPatch = 4 << 20

// Patch is how some inputs of a folder differ from HEAD, as a patch for
// `git apply` at the repository's top, files that git does not know included; empty where they do
// not differ. Inputs that are nil mean the folder. Where there is no patch to
// be had, unavailable says why.
func Patch(folder string, inputs []string) (patch []byte, unavailable string) {
	if Find("git") == "" {
		return nil, "no git program"
	}
	top, err := git(folder, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, gitProblem(err)
	}
	paths := []string{"--", "."}
	if inputs == nil {
		for _, name := range notInputs {
			paths = append(paths, ":(exclude,literal)"+name)
		}
	} else {
		paths = append([]string{"--"}, inputs...)
	}
	patch, err = git(folder, append([]string{"diff", "--binary", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "HEAD"}, paths...)...)
	if err != nil {
		return nil, gitProblem(err)
	}
	more, err := unknownFiles(folder, text(top), paths)
	if err != nil {
		return nil, gitProblem(err)
	}
	if patch = append(patch, more...); len(patch) > maxPatch {
		return nil, fmt.Sprintf("it would have %d bytes, more than %d", len(patch), maxPatch)
	}
	return patch, ""
}

// unknownFiles is a patch that adds the files that git neither tracks nor
// ignores; top is the repository's own folder.
func unknownFiles(folder, top string, paths []string) ([]byte, error) {
	list, err := git(folder, append([]string{"ls-files", "--others", "--exclude-standard", "--full-name", "-z"}, paths...)...)
	if err != nil {
		return nil, err
	}
	names := strings.Split(strings.TrimRight(string(list), "\x00"), "\x00")
	slices.Sort(names)
	var patch []byte
	for _, name := range names {
		if name == "" || len(patch) > maxPatch {
			continue
		}
		diff, err := git(top, "diff", "--binary", "--no-color", "--no-ext-diff", "--no-textconv", "--no-index", "--", os.DevNull, name)
		if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && !(ok && exit.ExitCode() == 1) { // 1: there is a difference
			return nil, err
		}
		patch = append(patch, diff...)
	}
	return patch, nil
}

// git runs git so that it changes nothing and starts no program of the
// repository's own.
func git(folder string, args ...string) ([]byte, error) {
	return run(folder, append([]string{"git", "-c", "core.fsmonitor=false", "-c", "core.quotepath=true"}, args...)...)
}

// gitProblem is why git refused, in a few words.
func gitProblem(err error) string {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return withoutPath(err).Error()
	}
	switch said := exit.Stderr; {
	case bytes.Contains(said, []byte("not a git repository")):
		return "no repository"
	case bytes.Contains(said, []byte("dubious ownership")):
		return "the repository belongs to another user"
	case bytes.Contains(said, []byte("bad revision 'HEAD'")), bytes.Contains(said, []byte("unknown revision")):
		return "no commit yet"
	}
	return fmt.Sprintf("git exits with %d", exit.ExitCode())
}

func text(b []byte) string { return strings.TrimSpace(string(b)) }
