package runner

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// resolve finds the program of a command: along PATH of the environment that
// it will have, or, where its name has a slash, from its working folder.
func (s *setting) resolve(c *command) error {
	path := lookup(c.env, "PATH")
	key := c.argv[0] + "\x00" + c.dir + "\x00" + path
	if found, ok := s.found[key]; ok {
		c.path = found
		return nil
	}
	found, reason := findProgram(c.argv[0], c.dir, path)
	if reason != "" {
		return &cannotStart{c.argv[0], reason, false}
	}
	c.path, s.found[key] = found, found
	return nil
}

func lookup(env []string, name string) string {
	for _, v := range env {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

func findProgram(name, dir, path string) (found, reason string) {
	if strings.Contains(name, "/") {
		at := name
		if !filepath.IsAbs(at) {
			at = filepath.Join(dir, at)
		}
		return at, notExecutable(at)
	}
	reason = "not found in PATH"
	for folder := range strings.SplitSeq(path, ":") {
		if !filepath.IsAbs(folder) {
			continue // a relative folder would find other programs from other folders
		}
		at := filepath.Join(folder, name)
		switch why := notExecutable(at); why {
		case "":
			return at, ""
		case "no such file":
		default:
			reason = at + ": " + why
		}
	}
	return "", reason
}

func notExecutable(path string) string {
	info, err := os.Stat(path)
	switch {
	case err != nil && os.IsNotExist(err):
		return "no such file"
	case err != nil:
		return err.Error()
	case info.IsDir():
		return "it is a folder"
	case unix.Access(path, unix.X_OK) != nil:
		return "it is not executable"
	}
	return ""
}
