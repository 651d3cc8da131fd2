package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fieldbook/internal/experiment"
	"fieldbook/internal/expr"
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
