package runner

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"fieldbook/internal/experiment"
)

// CommandLines are what stands behind one trial of a treatment as a person
// would type it, whole, in its order: build, services, what runs before the
// trial, the trial, what runs after it. Processors, environment, standard
// input and working folder are written as shell words; what a shell has no
// words for is a comment at the end of its line. Names that only a run can
// give, such as {build}, stay as they are.
func CommandLines(x *experiment.Experiment, t experiment.Treatment) []string {
	y := typing{x: x, t: t}
	if b := x.BuildFor(t); b != nil {
		y.line(y.command(b), "build")
	}
	for _, s := range x.ServicesFor(t) {
		y.service(s)
	}
	trial := x.TrialFor(t)
	y.side(trial, trial.Before, "before the trial")
	y.line(y.trial(trial), y.remarks(trial))
	y.side(trial, trial.After, "after the trial")
	return y.lines
}

// typing writes the lines of one treatment.
type typing struct {
	x     *experiment.Experiment
	t     experiment.Treatment
	lines []string
}

func (y *typing) line(command, remark string) {
	if remark != "" {
		command += "  # " + remark
	}
	y.lines = append(y.lines, command)
}

// side is what runs before or after a trial, in its folder and environment.
func (y *typing) side(trial experiment.Trial, c *experiment.Command, remark string) {
	if c != nil {
		y.line(y.in(trial, y.under(trial.Env, nil)+y.command(c)), remark)
	}
}

// beside is what runs before or after a service starts, in its environment.
func (y *typing) beside(s experiment.Service, c *experiment.Command, remark string) {
	if c != nil {
		y.line(y.under(s.Env, nil)+y.command(c), remark)
	}
}

func (y *typing) service(s experiment.Service) {
	y.beside(s, s.Before, "before service "+s.Name)
	remark := fmt.Sprintf("service %s, for each %s", s.Name, s.Scope)
	if len(s.Each) > 0 {
		remark += ", an instance for each " + strings.Join(s.Each, " and ")
	}
	if r := s.Ready; r != nil {
		remark += "; ready " + y.ready(r) + ", within " + secondsText(r.Within)
	}
	y.line(y.under(s.Env, s.CPUs.At(y.x, y.t))+y.command(&s.Command)+" &", remark)
	y.beside(s, s.After, "when service "+s.Name+" is ready")
}

// ready is what makes a service ready.
func (y *typing) ready(r *experiment.Ready) string {
	switch {
	case r.TCP != nil:
		return "when " + y.text(*r.TCP) + " takes a connection"
	case r.HTTP != nil:
		return "when " + y.text(*r.HTTP) + " answers"
	case r.Line != "":
		return "with a line that matches " + shellWord(single.Replace(r.Line))
	case r.Command != nil:
		return "when " + y.command(r.Command) + " exits with 0"
	}
	return "at once"
}

func secondsText(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'g', -1, 64) + " s"
}

func (y *typing) trial(trial experiment.Trial) string {
	line := y.in(trial, y.under(trial.Env, trial.CPUs.At(y.x, y.t))+y.command(&trial.Command))
	if trial.Stdin != nil {
		line += " < " + shellWord(y.text(trial.Stdin.At(y.x, y.t)))
	}
	return line
}

// in is a line in a trial's folder, in a shell of its own: the lines after it
// and standard input's file are from the experiment's folder.
func (y *typing) in(trial experiment.Trial, line string) string {
	if trial.Cwd == nil {
		return line
	}
	return "(cd " + shellWord(y.text(trial.Cwd.At(y.x, y.t))) + " && " + line + ")"
}

// remarks are what a trial has that no shell line says.
func (y *typing) remarks(trial experiment.Trial) string {
	var words []string
	if trial.Clients != nil {
		words = append(words, "clients that begin together: "+y.text(trial.Clients.At(y.x, y.t)))
	}
	if d := trial.Timeout.At(y.x, y.t); d > 0 {
		words = append(words, "time-out "+secondsText(d))
	}
	switch n := trial.Retries; {
	case n == 1:
		words = append(words, "tried once more where it fails or times out")
	case n > 1:
		words = append(words, fmt.Sprintf("tried up to %d times more where it fails or times out", n))
	}
	if q := trial.Quiet; q != nil {
		words = append(words, fmt.Sprintf("waits up to %s until others' work keeps less than %.3g %% of the processors busy", secondsText(q.Wait), 100*q.CPUBelow))
	}
	return strings.Join(words, "; ")
}

// under is what stands before a command for its environment and processors.
func (y *typing) under(env []experiment.EnvVar, cpus []int) string {
	var words []string
	if len(env) > 0 {
		words = append(words, "env")
	}
	for _, e := range env {
		words = append(words, e.Name+"="+shellWord(y.text(e.Value.At(y.x, y.t))))
	}
	if len(cpus) > 0 {
		var list []string
		for _, p := range cpus {
			list = append(list, strconv.Itoa(p))
		}
		words = append(words, "taskset", "-c", strings.Join(list, ","))
	}
	return strings.Join(append(words, ""), " ")
}

// command is a command with its arguments quoted where a shell needs it.
func (y *typing) command(c *experiment.Command) string {
	var argv []string
	if c.Shell {
		argv = []string{"sh", "-c"}
	}
	for _, text := range c.Argv.At(y.x, y.t) {
		argv = append(argv, y.text(text))
	}
	return ShellWords(argv)
}

// text is a text with all filled in that is known before a run.
func (y *typing) text(text experiment.Text) string {
	word, err := text.Partial(y.x.Env(y.t), func(name string) bool { return experiment.Late(y.x, name) })
	if err != nil {
		return text.String() // check has reported it
	}
	return single.Replace(word)
}
