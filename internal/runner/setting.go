package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fieldbook/internal/experiment"
	"fieldbook/internal/expr"
	"golang.org/x/sys/unix"
)

// names are the values that only a run can give: build, source, scratch,
// client, and NAME.port and the like of services.
type names map[string]string

// with is a copy with more names.
func (n names) with(more names) names {
	all := make(names, len(n)+len(more))
	for _, m := range []names{n, more} {
		for k, v := range m {
			all[k] = v
		}
	}
	return all
}

// setting turns what an experiment says into programs ready to be started.
type setting struct {
	x      *experiment.Experiment
	folder string
	base   []string // the environment that all processes get
	found  map[string]string
	warn   func(format string, args ...any)
}

func newSetting(x *experiment.Experiment, folder string, warn func(string, ...any)) *setting {
	s := &setting{x: x, folder: folder, found: map[string]string{}, warn: warn}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "FIELDBOOK_") && !strings.HasPrefix(v, "PWD=") {
			s.base = append(s.base, v)
		}
	}
	return s
}

// env looks up names for a treatment.
func (s *setting) env(t experiment.Treatment, given names) expr.Env {
	declared := s.x.Env(t)
	return func(name string) (expr.Value, bool) {
		if v, ok := given[name]; ok {
			return expr.Level(v), true
		}
		return declared(name)
	}
}

// expand replaces the names of a text.
func expand(t experiment.Text, env expr.Env) (string, error) {
	s, err := t.Expand(env)
	if err != nil {
		return "", fmt.Errorf("%s: %w", t.Pos, err)
	}
	return s, nil
}

// argv is a command after substitution; a shell's text as its argument.
func (s *setting) argv(c *experiment.Command, t experiment.Treatment, env expr.Env) ([]string, error) {
	var argv []string
	if c.Shell {
		argv = []string{"sh", "-c"}
	}
	for _, text := range c.Argv.At(s.x, t) {
		word, err := expand(text, env)
		if err != nil {
			return nil, err
		}
		argv = append(argv, word)
	}
	if len(argv) == 0 || argv[0] == "" {
		return nil, fmt.Errorf("%s: the command is empty", c.Argv.Pos)
	}
	return argv, nil
}

// command is a command ready to be started, with an environment of its own.
func (s *setting) command(c *experiment.Command, t experiment.Treatment, given names, vars []string) (*command, error) {
	argv, err := s.argv(c, t, s.env(t, given))
	if err != nil {
		return nil, err
	}
	env := slices.Concat(s.base, []string{"PWD=" + s.folder})
	for _, v := range vars {
		env = setVar(env, v)
	}
	return &command{argv: argv, env: env, dir: s.folder}, nil
}

// setVar replaces or adds a variable, written NAME=VALUE.
func setVar(env []string, v string) []string {
	name, _, _ := strings.Cut(v, "=")
	for i, old := range env {
		if strings.HasPrefix(old, name+"=") {
			env[i] = v
			return env
		}
	}
	return append(env, v)
}

// vars are declared variables after substitution.
func (s *setting) vars(declared []experiment.EnvVar, t experiment.Treatment, env expr.Env) ([]string, error) {
	var vars []string
	for _, d := range declared {
		value, err := expand(d.Value.At(s.x, t), env)
		if err != nil {
			return nil, err
		}
		vars = append(vars, d.Name+"="+value)
	}
	return vars, nil
}

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

// factorVars tell a workload its treatment.
func (s *setting) factorVars(t experiment.Treatment) []string {
	var vars []string
	for i, f := range s.x.Factors {
		vars = append(vars, "FIELDBOOK_FACTOR_"+strings.ToUpper(f.Name)+"="+t.Levels[i])
	}
	return vars
}

// trialCommands are the processes of a trial, one a client, without the pad.
func (s *setting) trialCommands(t experiment.Treatment, trial, block int, given names) ([]*command, error) {
	n, err := s.clients(t, given)
	if err != nil {
		return nil, err
	}
	var all []*command
	for client := range max(n, 1) {
		mine := given
		if n > 0 {
			mine = given.with(names{"client": strconv.Itoa(client)})
		}
		c, err := s.trialCommand(t, mine)
		if err != nil {
			return nil, err
		}
		vars := append(s.factorVars(t), "FIELDBOOK_TRIAL="+strconv.Itoa(trial), "FIELDBOOK_BLOCK="+strconv.Itoa(block))
		if n > 0 {
			vars = append(vars, "FIELDBOOK_CLIENT="+strconv.Itoa(client), "FIELDBOOK_CLIENTS="+strconv.Itoa(n))
		}
		for _, v := range vars {
			c.env = setVar(c.env, v)
		}
		all = append(all, c)
	}
	return all, nil
}

func (s *setting) trialCommand(t experiment.Treatment, given names) (*command, error) {
	env, trial := s.env(t, given), s.x.TrialFor(t)
	vars, err := s.vars(trial.Env, t, env)
	if err != nil {
		return nil, err
	}
	c, err := s.command(&trial.Command, t, given, vars)
	if err != nil {
		return nil, err
	}
	if c.dir, err = s.path(trial.Cwd, t, env, s.folder); err != nil {
		return nil, err
	}
	c.env = setVar(c.env, "PWD="+c.dir)
	if c.stdin, err = s.path(trial.Stdin, t, env, ""); err != nil {
		return nil, err
	}
	c.cpus = trial.CPUs.At(s.x, t)
	return c, nil
}

// path is a declared path from the experiment's folder, or otherwise.
func (s *setting) path(p *experiment.Choice[experiment.Text], t experiment.Treatment, env expr.Env, otherwise string) (string, error) {
	if p == nil {
		return otherwise, nil
	}
	path, err := expand(p.At(s.x, t), env)
	if err != nil || filepath.IsAbs(path) {
		return path, err
	}
	return filepath.Join(s.folder, path), nil
}

// clients is the number of a treatment's clients; 0 where trials have none.
func (s *setting) clients(t experiment.Treatment, given names) (int, error) {
	clients := s.x.TrialFor(t).Clients
	if clients == nil {
		return 0, nil
	}
	text := clients.At(s.x, t)
	word, err := expand(text, s.env(t, given))
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > 1024 {
		return 0, fmt.Errorf("%s: clients is %q, want a whole number from 1 to 1024", text.Pos, word)
	}
	return n, nil
}

// size is what a program's arguments and environment take on its stack.
func (c *command) size() int {
	n := 0
	for _, list := range [][]string{c.argv, c.env} {
		for _, s := range list {
			n += len(s) + 1
		}
	}
	return n
}

const padVar = "FIELDBOOK_PAD="

// pad brings arguments and environment to one size: where a program's stack
// begins depends on it, and with that, on some machines, its speed.
func (c *command) pad(size int) {
	c.env = append(c.env, padVar+strings.Repeat("x", max(0, size-c.size()-len(padVar)-1)))
}
