package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fieldbook/internal/design"
	"fieldbook/internal/experiment"
	"fieldbook/internal/machine"
	"fieldbook/internal/runner"
	"fieldbook/internal/session"
)

// runFlags are the flags of run.
type runFlags struct {
	fresh, missing, pilot bool
	note, seed, sync      string
	blocks                int
	limit                 time.Duration
}

func (a *app) runCmd() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [NAME...]",
		Short: "Run the trials of an experiment and record them as a session",
		Long: "Run continues this machine's unfinished session, if there is one. Else, where the recorded\n" +
			"sessions hold the blocks that the experiment asks for, it says so and runs nothing. Else it\n" +
			"records a new session. Every trial is safe on disk before the next one starts.\n\n" +
			"The first Ctrl-C lets the running trial end, the second stops at once; run again to go on.",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			goOnUnheard()
			return a.each(args, func(n *notebook, s *study) error { return a.runStudy(n, s, f) })
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.fresh, "new", false, "record a new session whatever is recorded already")
	flags.BoolVar(&f.missing, "missing", false, "run only experiments that have no sealed session at all")
	flags.BoolVar(&f.pilot, "pilot", false, "mark the session as a pilot: reports leave it out")
	flags.StringVar(&f.note, "note", "", "a `text` to keep with the session")
	flags.StringVar(&f.seed, "seed", "", "draw the order from this `seed`")
	flags.StringVar(&f.sync, "sync", "trial", "make rows durable after each trial, block, or none")
	flags.IntVar(&f.blocks, "blocks", 0, "record this many `blocks` instead of the file's number")
	flags.DurationVar(&f.limit, "for", 0, "stop at the first whole block after this `time`")
	return cmd
}

func (f runFlags) check() error {
	switch {
	case f.fresh && f.missing:
		return usage("--new and --missing exclude each other")
	case f.blocks < 0:
		return usage("--blocks is %d, want 1 or more", f.blocks)
	case f.limit < 0:
		return usage("--for is %v, want a time such as 2h", f.limit)
	case f.sync != "trial" && f.sync != "block" && f.sync != "none":
		return usage("--sync is %q, want trial, block or none", f.sync)
	}
	if f.seed != "" {
		if _, err := design.ParseSeed(f.seed); err != nil {
			return usage("--seed: %v", err)
		}
	}
	return nil
}

func (f runFlags) policy() session.Sync {
	return map[string]session.Sync{"trial": session.SyncTrial, "block": session.SyncBlock, "none": session.SyncNone}[f.sync]
}

// runStudy decides what is to be done for one experiment, in the order of the
// verb's description, and does it.
func (a *app) runStudy(n *notebook, s *study, f runFlags) error {
	if s.x == nil {
		return failed("%s has data but no experiment.yaml: there is nothing to run", s.name)
	}
	label, err := a.machineLabel()
	if err != nil {
		return err
	}
	data, err := session.ReadDataset(s.data, session.Choose{})
	if err != nil {
		return err
	}
	have := s.coverage(data)
	if f.missing && have.sealed > 0 {
		a.note("%-12s %s recorded; nothing to run", s.name, count(have.sealed, "session"))
		return nil
	}
	if missing := s.requirements(); len(missing) > 0 {
		text := fmt.Sprintf("%s requires %s, not found here", s.name, strings.Join(missing, ", "))
		if f.missing {
			a.note("%-12s skipped: %s", s.name, text)
			return nil
		}
		return failed("%s", text)
	}
	if !f.fresh {
		went, err := a.goOn(n, s, label, f)
		if went || err != nil {
			return err
		}
	}
	if !f.fresh && f.blocks == 0 && !f.pilot && have.blocks >= s.x.Design.Min {
		a.note("%-12s %s recorded in %s, fresh; nothing to run (--new records another session)",
			s.name, count(have.blocks, "block"), count(have.fresh, "session"))
		return nil
	}
	s.choose(f, have)
	return a.record(n, s, label, data, f)
}

// choose sets the number of blocks of a new session: the flag's, what is
// missing of the file's number, or all of it.
func (s *study) choose(f runFlags, have coverage) {
	switch d := s.x.Design; {
	case f.blocks > 0:
		s.setBlocks(f.blocks)
	case !f.fresh && !f.pilot && have.blocks > 0 && have.blocks < d.Blocks:
		s.setBlocks(d.Blocks - have.blocks)
		s.roundUp()
	}
}

// roundUp raises the number of blocks to one that the order allows, since
// some orders need a multiple.
func (s *study) roundUp() {
	for range len(s.x.Treatments) * 2 {
		if design.Check(s.x) == nil {
			return
		}
		s.setBlocks(s.x.Design.Blocks + 1)
	}
}

// record starts a new session and runs it.
func (a *app) record(n *notebook, s *study, label string, data *session.Dataset, f runFlags) error {
	if err := runner.CheckCPUs(s.x); err != nil {
		return err
	}
	p, err := s.plan(f.seed, data.Started+1)
	if err != nil {
		return err
	}
	env, err := n.environment(s)
	if err != nil {
		return err
	}
	patch, why := machine.Patch(s.folder, s.x.Inputs)
	if env["git_patch"] = "none needed"; why != "" {
		env["git_patch"] = "unavailable: " + why
	} else if len(patch) > 0 {
		env["git_patch"] = "source.patch"
	}
	info := s.info(p, label, env, f)
	w, err := session.Create(s.data, info, planned(s, p), s.x.Source, session.Options{Sync: f.policy(), Alone: true})
	if err != nil {
		return fmt.Errorf("starting a session of %s: %w", s.name, err)
	}
	if len(patch) > 0 {
		if err := w.AddFile("source.patch", patch); err != nil {
			return errors.Join(err, w.Close())
		}
	}
	a.note("%-12s %s, machine %s", s.name, s.summary(p, data), label)
	a.showCommands(s, p)
	return a.execute(n, s, p, w, nil, f)
}

// goOn continues this machine's unfinished session, where there is one and it
// still fits. A session that does not fit is marked abandoned, with the
// difference, and false is returned.
func (a *app) goOn(n *notebook, s *study, label string, f runFlags) (bool, error) {
	dir, ok, err := session.Unfinished(s.data, label)
	if err != nil || !ok {
		return false, err
	}
	if err := session.InUse(dir); err != nil {
		return false, fmt.Errorf("%s cannot go on: %w", relative(n.root, dir), err)
	}
	env, err := n.environment(s)
	if err != nil {
		return false, err
	}
	old, err := session.Read(dir)
	if err != nil {
		return false, err
	}
	p, differs := s.differences(old, env)
	if differs != "" {
		a.note("%-12s session %s cannot go on: %s; it stays on disk, marked abandoned", s.name, old.Info.Session, differs)
		return false, session.AddRemark(dir, session.AbandonRemark, differs, time.Now())
	}
	part := session.Part{Started: stamp(time.Now()), Tool: toolVersion(), Environment: env}
	w, state, notes, err := session.Continue(dir, part, session.Options{Sync: f.policy()})
	if err != nil {
		return false, fmt.Errorf("continuing %s: %w", relative(n.root, dir), err)
	}
	a.printProblems(notes)
	a.note("%-12s going on with %s: %d of %s done", s.name, relative(n.root, dir), doneTrials(s.x, state), count(len(state.Plan), "trial"))
	return true, a.execute(n, s, p, w, state, f)
}

// differences says why an unfinished session cannot go on here and now, and
// gives its plan where it can.
func (s *study) differences(old *session.Session, env map[string]string) (*design.Plan, string) {
	seed, err := design.ParseSeed(old.Seed)
	if err != nil {
		return nil, err.Error()
	}
	if why, _ := s.staleness(old, s.identities()); why != "" {
		return nil, why
	}
	s.setBlocks(old.Blocks)
	s.x.Design.WarmupBlocks = old.WarmupBlocks
	p, err := design.New(s.x, seed)
	if err != nil {
		return nil, err.Error()
	}
	if !samePlan(planned(s, p), old.Plan) {
		return nil, "the plan that the experiment gives now is not the recorded one"
	}
	first := old.Parts[0].Environment
	for _, key := range []string{"kernel", "cpu", "cpus"} {
		if first[key] != env[key] {
			return nil, fmt.Sprintf("%s was %q, is %q", key, first[key], env[key])
		}
	}
	return p, ""
}

func samePlan(x, y []session.Planned) bool {
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		a, b := x[i], y[i]
		if treatmentKey(a.Levels) != treatmentKey(b.Levels) {
			return false
		}
		a.Levels, b.Levels = nil, nil
		if a.Trial != b.Trial || a.Phase != b.Phase || a.Block != b.Block || a.Plot != b.Plot || a.Treatment != b.Treatment || a.Control != b.Control {
			return false
		}
	}
	return true
}

// doneTrials counts the trials of a continued session that need no other
// attempt.
func doneTrials(x *experiment.Experiment, state *session.Session) int {
	n := 0
	for _, p := range state.Plan {
		if state.Done(p.Trial, retries(x, p.Treatment)) {
			n++
		}
	}
	return n
}

// retries is how often a failed attempt at a treatment is tried again.
func retries(x *experiment.Experiment, treatment int) int {
	return x.TrialFor(x.Treatments[treatment-1]).Retries
}

// relative is a path as a person in the notebook would write it.
func relative(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
