package machine

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"fieldbook/internal/defect"
)

// Find is the path of a program along PATH, or "".
func Find(program string) string {
	path, err := exec.LookPath(program)
	if err != nil {
		return ""
	}
	return path
}

// toolchains are the programs whose versions are read where they exist and
// one of the programs of by is in use.
var toolchains = []struct {
	name string
	argv []string
	by   []string
}{
	{"cargo", []string{"cargo", "--version"}, []string{"cargo"}},
	{"clang", []string{"clang", "--version"}, []string{"clang", "clang++", "cc", "c++", "make", "cmake", "ninja"}},
	{"gcc", []string{"gcc", "--version"}, []string{"gcc", "g++", "cc", "c++", "make", "cmake", "ninja"}},
	{"go", []string{"go", "env", "GOVERSION"}, []string{"go", "make"}},
	{"java", []string{"java", "--version"}, []string{"java", "javac", "mvn", "gradle", "ant"}},
	{"node", []string{"node", "--version"}, []string{"node", "npm", "npx"}},
	{"python3", []string{"python3", "--version"}, []string{"python", "python3", "pip", "pytest"}},
	{"rustc", []string{"rustc", "--version"}, []string{"rustc", "cargo"}},
}

// versions are the first lines that the toolchains behind some programs
// print, run in a folder, since that may choose one. They are asked side by
// side; one that no program needs is not asked, since some take half a second
// to answer.
func versions(folder string, programs []string) map[string]string {
	type answer struct{ name, version string }
	answers := make(chan answer)
	asked := 0
	for _, t := range toolchains {
		used := slices.ContainsFunc(t.by, func(p string) bool { return slices.Contains(programs, p) })
		if !used || Find(t.argv[0]) == "" {
			continue
		}
		asked++
		go func() {
			defer defect.Catch()
			answers <- answer{t.name, version(folder, t.argv)}
		}()
	}
	facts := map[string]string{}
	for range asked {
		a := <-answers
		facts["toolchain_"+a.name] = known(a.version)
	}
	return facts
}

func version(folder string, argv []string) string {
	out, err := run(folder, argv...)
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return first
}

// otherOwner is the one variable of git's own that is handed on: with it git
// takes a repository for another user's.
const otherOwner = "GIT_TEST_ASSUME_DIFFERENT_OWNER="

// run runs a short helper program and returns what it printed.
func run(folder string, argv ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = folder
	cmd.WaitDelay = time.Second // a grandchild that holds the pipe is not waited for
	for _, v := range os.Environ() {
		if (!strings.HasPrefix(v, "GIT_") || strings.HasPrefix(v, otherOwner)) && !strings.HasPrefix(v, "LC_") && !strings.HasPrefix(v, "LANGUAGE=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	return cmd.Output()
}
