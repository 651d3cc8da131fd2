package runner

import (
	"fmt"
	"strconv"
	"strings"

	"fieldbook/internal/experiment"
)

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
