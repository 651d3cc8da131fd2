package runner

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fieldbook/internal/design"
	"fieldbook/internal/experiment"
	"fieldbook/internal/session"
)

// try is one attempt in the making.
type try struct {
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
func (e *execution) attempt(t design.Trial, of experiment.Treatment, number int) (*try, error) {
	a := &try{e: e, t: t, of: of, says: e.x.TrialFor(of), rec: e.blank(t, of, number)}
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

func (a *try) end(status, reason string) { a.rec.Status, a.rec.Reason = status, reason }

// execute goes through the steps of an attempt. Where a step ends the
// attempt, the record says so and the rest is left out.
func (a *try) execute() error {
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
func (a *try) serve() error {
	err := a.e.services.enter(a.t, a.rec.Attempt)
	if err == nil {
		a.given = a.e.services.given(a.of)
		return nil
	}
	if a.e.services.onlyTrialScope() && !errors.Is(err, errInterrupted) {
		a.end(session.Failed, err.Error())
		return nil
	}
	return err
}

// ready makes the processes ready to be started.
func (a *try) ready() (err error) {
	if a.given, err = a.e.withScratch(a.given); err != nil {
		return err
	}
	if a.commands, err = a.e.set.trialCommands(a.of, a.t.Number, a.t.Block, a.given); err != nil {
		return err
	}
	for _, c := range a.commands {
		if err := a.e.set.resolve(c); err != nil {
			return err
		}
		c.pad(a.e.padTo)
	}
	for _, side := range []*experiment.Command{a.says.Before, a.says.After} {
		if _, err := a.sideCommand(side); err != nil {
			return err
		}
	}
	return nil
}

// withScratch adds a fresh folder to the names, where one is mentioned.
func (e *execution) withScratch(given names) (names, error) {
	if !e.scratch {
		return given, nil
	}
	dir := e.scratchDir()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the trial's folder: %w", err)
	}
	return given.with(names{"scratch": dir}), nil
}

// scratchDir has one name for all trials, so that the length of arguments
// stays the same.
func (e *execution) scratchDir() string { return filepath.Join(e.job.Work, "scratch") }

func (a *try) removeScratch() {
	if !a.e.scratch {
		return
	}
	if err := os.RemoveAll(a.e.scratchDir()); err != nil {
		a.e.warn("the folder of trial %d could not be removed: %v", a.t.Number, err)
	}
}

// before runs the trial's `before`.
func (a *try) before() error {
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
func (a *try) sideCommand(c *experiment.Command) (*command, error) {
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
func (a *try) side(c *experiment.Command, what string) error {
	cmd, err := a.sideCommand(c)
	if cmd == nil || err != nil {
		return err
	}
	err = a.e.set.runOnce(a.e.exec, cmd, once{what: what, timeout: a.says.Timeout.At(a.e.x, a.of)})
	if failed, ok := errors.AsType[*commandFailed](err); ok {
		a.fail(failed.text)
		return nil
	}
	return err
}

// fail ends the attempt as failed; where it has already ended badly, the
// reason is added.
func (a *try) fail(reason string) {
	if a.rec.Status != "" {
		a.rec.Reason += "; " + reason
		return
	}
	a.end(session.Failed, reason)
}

// start runs the trial's processes, and then `after`, which puts things back
// in order and so runs however the trial ended; only not when all is to stop.
func (a *try) start() error {
	w := &work{commands: a.commands, barrier: a.says.Clients != nil, readyWithin: a.says.ReadyWithin, timeout: a.says.Timeout.At(a.e.x, a.of)}
	w.takers = func(client int, stdout *stream) (out, err func([]byte, int64)) {
		h := a.e.reader.newHarvest(stdout)
		a.harvests = append(a.harvests, h)
		return h.takers()
	}
	if a.e.maxrss {
		resetPeak()
	}
	var err error
	if a.out, err = a.e.exec.run(w); err != nil {
		if missing, ok := errors.AsType[*noInput](err); ok {
			a.out = outcome{}
			a.fail(missing.Error())
			return nil
		}
		return err
	}
	a.fill()
	a.reportLeft()
	a.howEnded()
	if a.says.After == nil || a.rec.Status == session.Interrupted {
		return nil
	}
	a.keepOutput() // its output takes the same streams
	return a.side(a.says.After, "after")
}

// fill writes down when and how the processes ended.
func (a *try) fill() {
	a.rec.Started = a.out.started.UTC()
	a.rec.Duration = seconds(a.out.endNS - a.out.startNS)
	for i := range a.commands {
		out, err := a.out.stdout(i).bytes, a.out.stderr(i).bytes
		a.bytes = append(a.bytes, out, err)
		a.rec.StdoutBytes += out
		a.rec.StderrBytes += err
	}
	a.rec.Exit, a.rec.Signal = a.out.worst()
}

// worst is the exit that stands for the attempt: the first that is not 0.
func (o *outcome) worst() (code int, signal string) {
	for _, e := range o.exits {
		if !e.ok() {
			return e.code, e.signal
		}
	}
	return 0, ""
}

// reportLeft tells of processes that outlived the trial and were ended.
func (a *try) reportLeft() {
	if len(a.out.left) > 0 {
		slices.Sort(a.out.left)
		a.e.warn("treatment %d leaves processes behind, which are ended after each trial: %s", a.of.Number, strings.Join(slices.Compact(a.out.left), ", "))
	}
}

// howEnded gives the attempt a status where it is not for the metrics to say.
func (a *try) howEnded() {
	switch died := a.e.services.died(); {
	case a.out.interrupted:
		a.end(session.Interrupted, "interrupted")
	case a.out.notReady != "":
		a.end(session.Failed, a.out.notReady+a.saidLast(a.out.early))
	case a.out.timedOut:
		a.end(session.Timeout, fmt.Sprintf("no end within %s", a.says.Timeout.At(a.e.x, a.of)))
	case died != "":
		a.end(session.Failed, died)
	default:
		a.checkExits()
	}
}

// checkExits fails the attempt for the first process that did not exit with 0.
func (a *try) checkExits() {
	for i, e := range a.out.exits {
		if e.ok() {
			continue
		}
		reason := e.String()
		if len(a.out.exits) > 1 {
			reason = fmt.Sprintf("client %d: %s", i, reason)
		}
		a.end(session.Failed, reason+a.saidLast(i))
		return
	}
}

// saidLast is the last line that a client wrote on standard error, as the end
// of a reason.
func (a *try) saidLast(client int) string {
	if client < 0 {
		return ""
	}
	if said := a.out.stderr(client).kept.lastLine(); said != "" {
		return ": " + said
	}
	return ""
}

// judge reads the metrics and the conditions.
func (a *try) judge() error {
	m := &taken{r: a.e.reader, env: a.e.set.env(a.of, a.given), folder: a.e.job.Folder, wall: a.out.endNS - a.out.startNS,
		exits: a.out.exits, harvests: a.harvests, files: a.files}
	if a.e.maxrss {
		m.floor = ownPeak()
	}
	if a.says.Clients != nil {
		a.rec.Clients = clientRows(a.rec.Row, &a.out, a.harvests)
		m.clients = a.rec.Clients
	}
	values, problems, invalid := m.measure()
	a.rec.Metrics = values
	if !a.e.x.DropSamples {
		a.rec.Samples = sampleRows(a.rec.Row, a.harvests)
	}
	switch {
	case len(problems) > 0:
		a.end(session.Failed, strings.Join(problems, "; "))
	case invalid != "":
		a.end(session.Invalid, invalid)
	default:
		a.end(session.OK, "")
		if !a.e.trying {
			a.rec.Outputs = nil
		}
	}
	return nil
}

// sampleRows are the rows of all samples of an attempt.
func sampleRows(row session.Row, harvests []*harvest) []session.Sample {
	var rows []session.Sample
	for client, h := range harvests {
		s := &h.samples
		all := make([]float64, s.n*len(s.columns))
		for i := range s.n {
			values := all[i*len(s.columns) : (i+1)*len(s.columns)]
			for c, column := range s.columns {
				values[c] = column[i]
			}
			rows = append(rows, session.Sample{Trial: row.Trial, Attempt: row.Attempt, Client: client, Index: i + 1, Values: values})
		}
	}
	return rows
}

// keepOutput keeps the heads and tails of all streams, once.
func (a *try) keepOutput() {
	if a.rec.Outputs != nil || a.out.streams == nil {
		return
	}
	a.rec.Outputs = map[string][]byte{}
	for i := range a.commands {
		prefix := a.clientPrefix(i)
		a.rec.Outputs[prefix+"stdout"] = a.out.stdout(i).kept.text()
		a.rec.Outputs[prefix+"stderr"] = a.out.stderr(i).kept.text()
	}
	a.e.services.outputs(a.rec.Outputs)
}

// clientPrefix tells the streams of several clients apart.
func (a *try) clientPrefix(client int) string {
	if a.says.Clients == nil {
		return ""
	}
	return fmt.Sprintf("client-%d-", client)
}
