package runner

import (
	"fmt"
	"math"
	"slices"
	"time"

	"fieldbook/internal/experiment"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
	"golang.org/x/sys/unix"
)

// look is how long the processors are watched for others' work.
const look = 100 * time.Millisecond

// settle waits for quiet, where that is asked for, and notes the machine's
// state.
func (a *attempt) settle() error {
	waited, share := 0.0, math.NaN()
	if q := a.says.Quiet; q != nil {
		var cancelled bool
		if waited, share, cancelled = a.e.quiet(q); cancelled {
			return errInterrupted
		}
	}
	s := a.e.sampler.Sample(a.e.ownCPU)
	if math.IsNaN(share) { // a look just before says more than the window
		share = s.ForeignCPU
	}
	a.rec.State = session.State{Load1: s.Load1, ForeignCPU: share, MHz: s.MHz, TempC: s.TempC, Throttled: s.Throttled, QuietS: waited}
	return nil
}

// quiet watches the processors until others use few enough of them, or the
// wait is over. It returns the seconds waited and the share last seen.
func (e *execution) quiet(q *experiment.Quiet) (waited, share float64, cancelled bool) {
	for began := time.Now(); ; {
		busy := e.sampler.Look(e.ownCPU())
		if e.pause(look) {
			return time.Since(began).Seconds(), share, true
		}
		share = busy(e.ownCPU())
		if waited := time.Since(began); !(share >= q.CPUBelow) || waited >= q.Wait {
			return waited.Seconds(), share, false
		}
	}
}

// ownCPU is the processor time that this process, what it has reaped and its
// services have used so far.
func (e *execution) ownCPU() time.Duration {
	var total time.Duration
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var u unix.Rusage
		if err := unix.Getrusage(who, &u); err == nil {
			total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return total + e.services.usage()
}

// checkCPUs refuses processors that may not be used, before anything runs.
func checkCPUs(x *experiment.Experiment, treatments []experiment.Treatment, allows func(cpus []int) error) error {
	for _, t := range treatments {
		if err := allows(x.TrialFor(t).CPUs.At(x, t)); err != nil {
			return fmt.Errorf("trial of treatment %d: %w", t.Number, err)
		}
		for _, svc := range x.ServicesFor(t) {
			if err := allows(svc.CPUs.At(x, t)); err != nil {
				return fmt.Errorf("service %s of treatment %d: %w", svc.Name, t.Number, err)
			}
		}
	}
	return nil
}

const padStep = 1024

// measurePad finds the size of arguments and environment that all trials can
// be brought to: the largest that any of them needs, rounded up, so that a
// session which continues with a slightly longer path keeps the same.
func (e *execution) measurePad(treatments []experiment.Treatment) error {
	trial, block := 0, 0
	for _, t := range e.job.Plan.Trials {
		trial, block = max(trial, t.Number), max(block, t.Block)
	}
	for _, t := range treatments {
		commands, err := e.set.trialCommands(t, trial, block, e.site.given[t.Number].with(e.open()))
		if err != nil {
			return err
		}
		for _, c := range commands {
			e.padTo = max(e.padTo, c.size()+len(padVar)+1)
		}
	}
	e.padTo = (e.padTo + padStep - 1) / padStep * padStep
	return nil
}

// mentionsScratch says whether trials need a folder of their own.
func mentionsScratch(x *experiment.Experiment) bool {
	var texts []experiment.Text
	for _, t := range x.Treatments {
		trial := x.TrialFor(t)
		for _, c := range []*experiment.Command{&trial.Command, trial.Before, trial.After} {
			if c != nil {
				texts = append(texts, c.Argv.At(x, t)...)
			}
		}
		for _, c := range []*experiment.Choice[experiment.Text]{trial.Stdin, trial.Cwd} {
			if c != nil {
				texts = append(texts, c.At(x, t))
			}
		}
		for _, v := range trial.Env {
			texts = append(texts, v.Value.At(x, t))
		}
	}
	for _, m := range x.Metrics {
		if m.Path != nil {
			texts = append(texts, *m.Path)
		}
	}
	return slices.ContainsFunc(texts, func(t experiment.Text) bool {
		return slices.ContainsFunc(t.Names(), func(n expr.Name) bool { return n.Name == "scratch" })
	})
}
