package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"fieldbook": main})
}

// TestScripts runs each verb as a person would call it: one file in
// testdata/script a behaviour.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, ".config"))
			env.Setenv("TZ", "UTC")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"waitrows": waitRows,
			"rows":     rows,
			"exits":    exits,
			"glob":     glob,
			"flips":    flips,
		},
		Condition: condition,
	})
}

// condition knows [program:NAME].
func condition(cond string) (bool, error) {
	name, ok := strings.CutPrefix(cond, "program:")
	if !ok {
		return false, fmt.Errorf("unknown condition %q", cond)
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if isFile(filepath.Join(dir, name)) {
			return true, nil
		}
	}
	return false, nil
}

// glob PATTERN NAME sets NAME to the only path that matches.
func glob(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: glob PATTERN NAME")
	}
	paths, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(paths) != 1 {
		ts.Fatalf("%s matches %d paths, want 1: %v", args[0], len(paths), paths)
	}
	ts.Setenv(args[1], paths[0])
}

// waitRows EXPERIMENT N waits until the newest session holds N attempts.
func waitRows(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: waitrows EXPERIMENT N")
	}
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if len(statuses(ts, args[0])) >= want {
			return
		}
	}
	ts.Fatalf("%s never held %d rows", args[0], want)
}

// rows EXPERIMENT STATUS N says that the sessions of an experiment hold N
// attempts of this status, each of another trial.
func rows(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: rows EXPERIMENT STATUS N")
	}
	n := 0
	for _, status := range statuses(ts, args[0]) {
		if status == args[1] {
			n++
		}
	}
	if strconv.Itoa(n) != args[2] {
		ts.Fatalf("%s holds %d rows with status %s, want %s", args[0], n, args[1], args[2])
	}
}

// statuses are the statuses of all attempts, in the order of the files.
func statuses(ts *testscript.TestScript, experiment string) []string {
	paths, err := filepath.Glob(filepath.Join(ts.MkAbs("data"), experiment, "[0-9]*", "trials.csv"))
	ts.Check(err)
	var all []string
	for _, path := range paths {
		f, err := os.Open(path)
		ts.Check(err)
		column := -1
		for lines := bufio.NewScanner(f); lines.Scan(); {
			cells := strings.Split(lines.Text(), ",")
			if column < 0 {
				for i, name := range cells {
					if name == "status" {
						column = i
					}
				}
			} else if column < len(cells) {
				all = append(all, cells[column])
			}
		}
		ts.Check(f.Close())
	}
	return all
}

// exits CODE COMMAND... runs a command and wants this exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if e, ok := err.(interface{ ExitCode() int }); ok {
		code = e.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("%s exited %d, want %s", strings.Join(args[1:], " "), code, args[0])
	}
}
