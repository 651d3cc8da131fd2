package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"fieldbook/internal/defect"
	"fieldbook/internal/design"
	"fieldbook/internal/machine"
	"fieldbook/internal/runner"
	"fieldbook/internal/session"
)

// execute runs what is left of a plan, appends each record, and seals the
// session when the plan is complete.
func (a *app) execute(n *notebook, s *study, p *design.Plan, w *session.Writer, state *session.Session, f runFlags) (err error) {
	defer func() { err = errors.Join(err, w.Close()) }()
	work, remove, err := runner.WorkFolder()
	if err != nil {
		return err
	}
	defer remove()
	ctx, finish, stopSignals := a.interrupts()
	defer stopSignals()
	lines := a.newProgress(s, p, f)
	defer lines.end() // also where the run panics
	info := w.Info()
	job := runner.Job{
		Experiment: s.x, Plan: p, Folder: s.folder, Work: work,
		Machine: info.Machine, Session: info.Session, Part: len(info.Parts),
		Sink: n.withoutPlaces(work, w.Append), Progress: lines.event, Finish: finish,
		Built:      func(built map[string]string) error { return s.compareBuilt(w, built) },
		AfterBlock: s.stopping(w, f),
	}
	if state != nil {
		job.Done = func(trial int) bool { return state.Done(trial, retries(s.x, p.Trials[trial-1].Treatment)) }
		job.Attempts = state.Attempts
	}
	out, err := runner.Run(ctx, job)
	lines.end()
	where := relative(n.root, w.Dir())
	if endErr := s.noteEnd(w); err == nil {
		err = endErr
	}
	switch {
	case err != nil:
		return fmt.Errorf("%w\n%d trials are safe in %s", err, lines.done, where)
	case !out.Complete:
		a.note("%-12s %d trials are safe in %s; `fieldbook run %s` goes on from there", "interrupted", lines.done, where, s.name)
		return exit{code: exitInterrupted}
	}
	if err := w.Seal(); err != nil {
		return fmt.Errorf("sealing %s: %w", where, err)
	}
	a.note("%-12s %s", "recorded", where)
	a.warnChanged(s)
	if err := a.analyzeStudy(n, s, "text"); err != nil {
		return err
	}
	if out.NotOK > 0 {
		return failed("%s: %s ended without ok; see trials.csv and output/ in %s; `fieldbook discard %s --because TEXT` takes the session out of all numbers",
			s.name, count(out.NotOK, "planned trial"), where, info.Session)
	}
	return nil
}

// withoutPlaces is a sink before which the folders that only this person and
// this run have are taken out of a record's texts: a path in the notebook
// becomes relative to it, the run's temporary folder {work}, the home folder ~.
func (n *notebook) withoutPlaces(work string, sink func(session.Record) error) func(session.Record) error {
	places := []string{n.root + "/", "", work, "{work}"}
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 {
		places = append(places, home, "~")
	}
	plain := strings.NewReplacer(places...)
	return func(r session.Record) error {
		r.Reason = plain.Replace(r.Reason)
		outputs := make(map[string][]byte, len(r.Outputs))
		for name, text := range r.Outputs {
			outputs[name] = []byte(plain.Replace(string(text)))
		}
		r.Outputs = outputs
		return sink(r)
	}
}

// warnChanged says that the inputs are no longer what they were when the
// session began, which makes its data stale as soon as it is recorded.
func (a *app) warnChanged(s *study) {
	now, files, err := machine.HashInputs(s.folder, s.x.Inputs)
	if err != nil || now == s.inputs {
		return
	}
	what := "their content"
	for _, f := range files {
		if !slices.Contains(s.files, f) {
			what = "new: " + f
			break
		}
	}
	a.note("%-12s inputs of %s changed while the session ran (%s), so that its data is stale; "+
		"let the workload write to {scratch}, or list what determines it under `inputs`", "warning", s.name, what)
}

// interrupts turns the first SIGINT, SIGTERM, SIGHUP (a closed terminal) or
// SIGQUIT into a wish to finish and the second into a stop at once.
func (a *app) interrupts() (context.Context, <-chan struct{}, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	finish := make(chan struct{})
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	done := make(chan struct{})
	go func() { // waits for signals beside the trials; ends with stop
		defer defect.Catch()
		for first := true; ; first = false {
			select {
			case <-done:
				return
			case <-signals:
			}
			if first {
				close(finish)
				fmt.Fprintln(a.stderr, "\nfinishing the running trial; again to stop at once")
			} else {
				cancel()
			}
		}
	}()
	return ctx, finish, func() {
		signal.Stop(signals)
		close(done)
		cancel()
	}
}

// goOnUnheard lets a run outlive the reader of what it prints (`| head -1`):
// writing then fails, and the trials go on.
func goOnUnheard() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// stopping joins the reasons to stop at a whole block: a time limit, and an
// adaptive experiment's precision.
func (s *study) stopping(w *session.Writer, f runFlags) func(int) (bool, error) {
	started := time.Now()
	return func(block int) (bool, error) {
		stop, err := s.preciseEnough(w, block)
		if err != nil || stop {
			return stop, err
		}
		return f.limit > 0 && time.Since(started) >= f.limit, nil
	}
}

// compareBuilt holds what a continuation built against what the session's
// first part built: trials of two programs are not one session.
func (s *study) compareBuilt(w *session.Writer, built map[string]string) error {
	info := w.Info()
	last := len(info.Parts) - 1
	for name, hash := range info.Parts[0].Built {
		if last > 0 && built[name] != hash {
			reason := fmt.Sprintf("what was built has changed (%s)", name)
			if err := session.AddRemark(w.Dir(), session.AbandonRemark, reason, time.Now()); err != nil {
				return err
			}
			return failed("%s: %s; the session is marked abandoned, `fieldbook run %s` records a new one", s.name, reason, s.name)
		}
	}
	return w.UpdateInfo(func(info *session.Info) { info.Parts[last].Built = built })
}
