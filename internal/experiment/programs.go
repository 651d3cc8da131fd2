package experiment

import (
	"regexp"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

// The defaults of programs.
const (
	defaultTimeout     = 10 * time.Minute
	defaultReadyWithin = 10 * time.Second
	defaultStopWithin  = 10 * time.Second
	defaultWait        = 10 * time.Second
)

// programs reads `build`, `services`, `trial` and the commands of the short
// form. Where something in them depends on a factor, they are read once more
// for each treatment, with every {by: ...} replaced by what it chooses.
func (r *reader) programs(x *Experiment, n *yaml.Node) {
	p := r.read(x, n, func(n *yaml.Node) *yaml.Node { return n })
	x.Build, x.Services, x.Trial = p.build, p.services, p.trial
	if !varies(lookup(n, "build")) && !varies(lookup(n, "services")) && !varies(lookup(n, "trial")) {
		return
	}
	same := map[string]programs{} // levels that choose -> what they choose
	for _, t := range x.Treatments {
		key := r.choosing(x, t)
		p, ok := same[key]
		if !ok {
			p = r.read(x, n, func(n *yaml.Node) *yaml.Node { return x.chosen(n, t) })
			same[key] = p
		}
		x.programs = append(x.programs, p)
	}
}

// choosing are the levels of a treatment by which anything is chosen.
func (r *reader) choosing(x *Experiment, t Treatment) string {
	chooses := r.chooses()
	var levels []string
	for _, f := range x.Factors {
		if chooses[f.Name] {
			level, _ := x.Level(t, f.Name)
			levels = append(levels, level)
		}
	}
	return strings.Join(levels, "\x1f")
}

// programs are what runs: of the file, or of one treatment.
type programs struct {
	build    *Command
	services []Service
	trial    Trial
}

// varies says whether a {by: ...} stands anywhere in a tree.
func varies(n *yaml.Node) bool {
	if n == nil {
		return false
	}
	if lookup(n, "by") != nil {
		return true
	}
	for _, c := range n.Content {
		if varies(c) {
			return true
		}
	}
	return false
}

// chosen is a tree with every {by: FACTOR, ...} replaced by the value for a
// treatment.
func (x *Experiment) chosen(n *yaml.Node, t Treatment) *yaml.Node {
	if n == nil {
		return nil
	}
	if by := lookup(n, "by"); by != nil {
		level, _ := x.Level(t, plainText(by))
		if v := lookup(n, level); v != nil && level != "by" {
			return x.chosen(v, t)
		}
		return x.chosen(first(n), t)
	}
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i := range n.Content {
		c.Content[i] = x.chosen(n.Content[i], t)
	}
	return &c
}

// read reads the programs of the file through a view of its tree.
func (r *reader) read(x *Experiment, n *yaml.Node, view func(*yaml.Node) *yaml.Node) programs {
	var p programs
	if b := view(lookup(n, "build")); b != nil {
		p.build = r.build(b)
	}
	for _, e := range entries(view(lookup(n, "services"))) {
		p.services = append(p.services, r.service(x, e))
	}
	p.trial = r.trial(view(lookup(n, "trial")))
	r.short(x, n, &p.trial)
	return p
}

// short reads the commands of the short form into the trial.
func (r *reader) short(x *Experiment, n *yaml.Node, t *Trial) {
	commands, trial := lookup(n, "commands"), lookup(n, "trial")
	if c := lookup(trial, "command"); c != nil {
		if commands != nil {
			r.Errorf(r.at(c), "the command is already given by commands")
		}
		return
	}
	if commands == nil {
		at := r.fileTop()
		if trial != nil {
			at = r.at(trial)
		}
		r.Errorf(at, "there is no command to run")
		r.Hint("write commands: {NAME: COMMAND}, or trial: {command: COMMAND}")
		return
	}
	t.Command.Shell = isTrue(lookup(trial, "shell"))
	t.Command.Argv = Choice[[]Text]{By: CommandFactor, Each: map[string][]Text{}, Pos: r.at(commands), Set: true}
	for _, e := range entries(commands) {
		r.named = e.key
		t.Command.Argv.Each[e.key] = r.argv(e.value, t.Command.Shell)
	}
	r.named = ""
}

func (r *reader) build(n *yaml.Node) *Command {
	shell := false
	if m := first(n); m.Kind == yaml.MappingNode {
		n, shell = lookup(m, "command"), isTrue(lookup(m, "shell"))
	}
	if n == nil {
		return nil
	}
	c := r.command(n, shell)
	return &c
}

func (r *reader) trial(n *yaml.Node) Trial {
	shell := isTrue(lookup(n, "shell"))
	t := Trial{
		Before:      r.optionalCommand(lookup(n, "before"), shell),
		After:       r.optionalCommand(lookup(n, "after"), shell),
		Clients:     r.textChoice(lookup(n, "clients")),
		ReadyWithin: r.durationOr(lookup(n, "ready-within"), defaultReadyWithin),
		Stdin:       r.textChoice(lookup(n, "stdin")),
		Env:         r.environment(lookup(n, "env")),
		Cwd:         r.textChoice(lookup(n, "cwd")),
		Timeout:     Choice[time.Duration]{Plain: defaultTimeout},
		CPUs:        choice(r, lookup(n, "cpus"), r.processors),
		Quiet:       r.quiet(lookup(n, "quiet")),
	}
	if c := lookup(n, "command"); c != nil {
		t.Command = r.command(c, shell)
	}
	if d := lookup(n, "timeout"); d != nil {
		t.Timeout = choice(r, d, r.duration)
	}
	if c := lookup(n, "retries"); c != nil {
		t.Retries = r.whole(first(c))
	}
	if t.Clients != nil && t.Stdin != nil {
		r.Errorf(t.Stdin.Pos, "clients have no stdin file: they read the line go from standard input")
	}
	return t
}

func (r *reader) durationOr(n *yaml.Node, otherwise time.Duration) time.Duration {
	if n == nil {
		return otherwise
	}
	return r.duration(first(n))
}

func (r *reader) quiet(n *yaml.Node) *Quiet {
	if n == nil {
		return nil
	}
	n = first(n)
	below := lookup(n, "cpu-below")
	if below == nil {
		return nil
	}
	return &Quiet{CPUBelow: r.share(first(below)), Wait: r.durationOr(lookup(n, "wait"), defaultWait)}
}

func (r *reader) service(x *Experiment, e entry) Service {
	n := e.value
	shell := isTrue(lookup(n, "shell"))
	s := Service{
		Name:       e.key,
		Scope:      ScopeSession,
		Ready:      r.ready(lookup(n, "ready")),
		Before:     r.optionalCommand(lookup(n, "before"), shell),
		After:      r.optionalCommand(lookup(n, "after"), shell),
		StopSignal: "TERM",
		StopWithin: defaultStopWithin,
		CPUs:       choice(r, lookup(n, "cpus"), r.processors),
		Env:        r.environment(lookup(n, "env")),
		Pos:        r.at(e.at),
	}
	if c := lookup(n, "command"); c != nil {
		s.Command = r.command(c, shell)
	}
	if scope := plainText(lookup(n, "scope")); scope != "" {
		s.Scope = Scope(scope)
	}
	r.unsure[s.Name] = r.unsure[s.Name] || lookup(lookup(n, "scope"), "by") != nil
	for _, c := range items(lookup(n, "each")) {
		if i := r.factorIndex(x, c); i >= 0 {
			s.Each = append(s.Each, x.Factors[i].Name)
		} else {
			r.unsure[s.Name] = true
		}
	}
	r.stop(&s, lookup(n, "stop"))
	return s
}

func (r *reader) stop(s *Service, n *yaml.Node) {
	if n == nil {
		return
	}
	n = first(n)
	if signal := lookup(n, "signal"); signal != nil {
		s.StopSignal = plainText(first(signal))
	}
	s.StopWithin = r.durationOr(lookup(n, "within"), defaultStopWithin)
}

func (r *reader) ready(n *yaml.Node) *Ready {
	if n == nil {
		return nil
	}
	n = first(n)
	y := &Ready{Within: r.durationOr(lookup(n, "within"), defaultReadyWithin), Command: r.optionalCommand(lookup(n, "command"), false)}
	if tcp := lookup(n, "tcp"); tcp != nil {
		t := r.template(first(tcp))
		y.TCP = &t
	}
	if http := lookup(n, "http"); http != nil {
		t := r.template(first(http))
		y.HTTP = &t
	}
	if line := lookup(n, "line"); line != nil {
		line = first(line)
		y.Line = plainText(line)
		if _, err := regexp.Compile(y.Line); err != nil {
			r.Errorf(r.at(line), "cannot read the regular expression: %s", regexpProblem(err))
		}
	}
	return y
}
