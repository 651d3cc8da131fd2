package runner

import (
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"fieldbook/internal/design"
	"fieldbook/internal/experiment"
	"fieldbook/internal/session"
)

// attempt is one try at a trial in the making.
type attempt struct {
	e        *execution
	t        design.Trial
	of       experiment.Treatment
	says     experiment.Trial // what the file says, for this treatment
	rec      session.Record
	given    names
	commands []*command
	files    map[string]fileMark
	harvests []*harvest
	out      outcome
	bytes    []int64 // of each stream
}

// attempt executes one attempt at a trial. The error is a failure of the
// runner; whatever the trial does is in the record.
func (e *execution) attempt(t design.Trial, of experiment.Treatment, number int) (*attempt, error) {
	a := &attempt{e: e, t: t, of: of, says: e.x.TrialFor(of), rec: e.blank(t, of, number)}
	if reason := e.cannot[of.Number]; reason != "" {
		a.end(session.Skipped, reason)
		return a, nil
	}
	err := a.execute()
	if missing, ok := errors.AsType[*cannotStart](err); ok {
		e.cannot[of.Number] = missing.Error()
		a.rec.Duration = math.NaN()
		a.end(session.Skipped, missing.Error())
		err = nil
	}
	if leaveErr := e.services.leave(); err == nil {
		err = leaveErr
	}
	a.removeScratch()
	return a, err
}

// blank is a record of an attempt that has not begun.
func (e *execution) blank(t design.Trial, of experiment.Treatment, number int) session.Record {
	nan := math.NaN()
	return session.Record{Row: session.Row{
		Planned: session.Planned{Trial: t.Number, Phase: t.Phase, Block: t.Block, Plot: t.Plot, Position: t.Position,
			Treatment: t.Treatment, Control: t.Control, Levels: of.Levels},
		Session: e.job.Session, Machine: e.job.Machine, Attempt: number, Part: e.job.Part,
		Started: time.Now().UTC(), Duration: nan, Exit: -1, Metrics: nans(len(e.x.Metrics)),
		State: session.State{Load1: nan, ForeignCPU: nan, MHz: nan, TempC: nan, Throttled: nan, QuietS: nan},
	}}
}

func (a *attempt) end(status, reason string) { a.rec.Status, a.rec.Reason = status, reason }

// execute goes through the steps of an attempt. Where a step ends the
// attempt, the record says so and the rest is left out.
func (a *attempt) execute() error {
	for _, step := range []func() error{a.serve, a.ready, a.before, a.settle, a.start, a.judge} {
		err := step()
		switch {
		case errors.Is(err, errInterrupted):
			a.end(session.Interrupted, "interrupted")
			return nil
		case err != nil:
			return err
		case a.rec.Status != "":
			if a.rec.Status != session.OK || a.e.trying {
				a.keepOutput()
			}
			return nil
		}
	}
	return nil
}

// serve brings the services up. That a service of the trial's own does not
// come up is a failed attempt; of any other, the end of the run.
func (a *attempt) serve() error {
	err := a.e.services.enter(a.t, a.rec.Attempt)
	if err == nil {
		a.given = a.e.services.given(a.of)
		return nil
	}
	if a.e.services.onlyTrialScope() && !errors.Is(err, errInterrupted) {
		a.end(session.Failed, oneLine(err.Error()))
		return nil
	}
	return err
}

// oneLine is the first and the last line of a message, for a cell of a table.
func oneLine(s string) string {
	first, rest, more := strings.Cut(s, "\n")
	if !more {
		return s
	}
	return first + ": " + rest[strings.LastIndexByte(rest, '\n')+1:]
}

// ready makes the processes ready to be started.
func (a *attempt) ready() (err error) {
	if a.given, err = a.e.withScratch(a.given); err != nil {
		return err
	}
	if a.commands, err = a.e.set.trialCommands(a.of, a.t.Number, a.t.Block, a.given); err != nil {
		return err
	}
	for _, c := range a.commands {
		c.pad(a.e.padTo)
		if strings.Contains(c.argv[0], "/") {
			continue // `before` may still make it
		}
		if err := a.e.set.resolve(c); err != nil {
			return err
		}
	}
	for _, side := range []*experiment.Command{a.says.Before, a.says.After} {
		if _, err := a.sideCommand(side); err != nil {
			return err
		}
	}
	return nil
}

// before runs the trial's `before`.
func (a *attempt) before() error {
	if err := a.side(a.says.Before, "before"); err != nil || a.rec.Status != "" {
		return err
	}
	a.files = map[string]fileMark{}
	for _, m := range a.e.x.Metrics {
		if m.From == experiment.FromFile {
			path, err := filePath(&m, a.e.set.env(a.of, a.given), a.e.job.Folder)
			if err != nil {
				return err
			}
			a.files[path] = markFile(path)
		}
	}
	return nil
}

// sideCommand is `before` or `after` ready to be started, in the trial's
// folder and environment; nil where there is none.
func (a *attempt) sideCommand(c *experiment.Command) (*command, error) {
	if c == nil {
		return nil, nil
	}
	cmd, err := a.e.set.command(c, a.of, a.given, nil)
	if err != nil {
		return nil, err
	}
	cmd.dir = a.commands[0].dir
	cmd.env = slices.DeleteFunc(slices.Clone(a.commands[0].env), func(v string) bool { return strings.HasPrefix(v, padVar) })
	return cmd, a.e.set.resolve(cmd)
}

// side runs `before` or `after`; where it fails, the attempt has failed.
func (a *attempt) side(c *experiment.Command, what string) error {
	cmd, err := a.sideCommand(c)
	if cmd == nil || err != nil {
		return err
	}
	err = a.e.set.runOnce(a.e.exec, cmd, once{what: what, timeout: a.says.Timeout.At(a.e.x, a.of)})
	if failed, ok := errors.AsType[*commandFailed](err); ok {
		a.fail(oneLine(failed.text))
		return nil
	}
	return err
}

// fail ends the attempt as failed; where it has already ended badly, the
// reason is added.
func (a *attempt) fail(reason string) {
	if a.rec.Status != "" {
		a.rec.Reason += "; " + reason
		return
	}
	a.end(session.Failed, reason)
}

// passing is why the processes were not started this time; empty where they
// were, or never can be.
func passing(err error) string {
	if missing, ok := errors.AsType[*noInput](err); ok {
		return missing.Error()
	}
	if missing, ok := errors.AsType[*cannotStart](err); ok && missing.passing {
		return missing.Error()
	}
	return ""
}

// start runs the trial's processes, and then `after`, which puts things back
// in order and so runs however the trial ended; only not when all is to stop.
func (a *attempt) start() error {
	w := &work{commands: a.commands, barrier: a.says.Clients != nil, readyWithin: a.says.ReadyWithin, timeout: a.says.Timeout.At(a.e.x, a.of),
		memory: a.e.maxrss}
	w.takers = func(client int, stdout *stream) (out, err func([]byte, int64)) {
		h := a.e.reader.newHarvest(stdout)
		a.harvests = append(a.harvests, h)
		return h.takers()
	}
	for _, c := range a.commands {
		if err := a.e.set.resolve(c); err != nil {
			return err
		}
	}
	out, err := a.e.exec.run(w)
	if reason := passing(err); reason != "" {
		a.fail(reason)
		return nil
	}
	if err != nil {
		return err
	}
	a.out = out
	a.fill()
	a.reportLeft()
	a.howEnded()
	if a.says.After == nil || a.rec.Status == session.Interrupted {
		return nil
	}
	a.keepOutput() // its output takes the same streams
	return a.side(a.says.After, "after")
}
