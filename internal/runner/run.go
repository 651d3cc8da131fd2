package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fieldbook/internal/design"
	"fieldbook/internal/experiment"
	"fieldbook/internal/machine"
	"fieldbook/internal/session"
)

// execution is one run of a plan.
type execution struct {
	ctx      context.Context
	job      Job
	x        *experiment.Experiment
	set      *setting
	exec     executor
	site     *site
	services *services
	reader   *reader
	sampler  *machine.Sampler
	padTo    int
	scratch  bool           // something mentions {scratch}
	maxrss   bool           // a metric reads it
	trying   bool           // outputs are kept of ok attempts too
	cannot   map[int]string // treatment -> why it cannot start
	done     int
	notOK    int
	warned   map[string]bool
}

// turn lets one run at a time touch the world: a second one would take the
// first one's children for processes left behind, and disturb its trials.
var turn = make(chan struct{}, 1)

// open makes an execution; close ends it.
func open(ctx context.Context, job Job) (*execution, error) {
	r, err := newReader(job.Experiment)
	if err != nil {
		return nil, err
	}
	turn <- struct{}{}
	l, err := newLocal(ctx.Done())
	if err != nil {
		<-turn
		return nil, err
	}
	e := &execution{ctx: ctx, job: job, x: job.Experiment, exec: l, reader: r,
		sampler: machine.NewSampler("/"), cannot: map[int]string{}, warned: map[string]bool{}}
	l.cleanUp(e.warn)
	e.set = newSetting(e.x, job.Folder, e.warn)
	e.set.base = l.marked(e.set.base)
	e.site = newSite(e.set, l, job.Work, e.progress)
	e.services = newServices(e)
	e.scratch = mentionsScratch(e.x)
	e.maxrss = slices.ContainsFunc(e.x.Metrics, func(m experiment.Metric) bool { return m.From == experiment.FromRusage && m.Key == "maxrss" })
	e.sampler.Sample(e.ownCPU) // where the first look's window begins
	return e, nil
}

func (e *execution) close() error {
	err := e.services.close()
	_, sweepErr := e.exec.sweep()
	e.sampler.Close()
	e.exec.close()
	<-turn
	return errors.Join(err, sweepErr)
}

// setUp does what comes before the first trial: the checks that need a
// machine, checkouts, builds.
func (e *execution) setUp(treatments []experiment.Treatment) error {
	if err := checkCPUs(e.x, treatments, e.exec.allows); err != nil {
		return err
	}
	for _, t := range treatments {
		if err := e.site.prepare(t); err != nil {
			return err
		}
	}
	if err := e.services.check(); err != nil {
		return err
	}
	if err := e.measurePad(treatments); err != nil {
		return err
	}
	if e.job.Built == nil {
		return nil
	}
	return e.job.Built(e.site.built)
}

// run executes the plan.
func (e *execution) run() (Outcome, error) {
	plan := e.job.Plan
	for _, t := range plan.Trials {
		if e.isDone(t) {
			e.done++
		}
	}
	if err := e.setUp(plan.Treatments); err != nil {
		if errors.Is(err, errInterrupted) {
			err = nil
		}
		return Outcome{Built: e.site.built}, err
	}
	complete, stopped, err := e.trials(plan.Trials)
	return Outcome{Complete: complete, Stopped: stopped, NotOK: e.notOK, Built: e.site.built}, err
}

func (e *execution) isDone(t design.Trial) bool { return e.job.Done != nil && e.job.Done(t.Number) }

// trials executes what is not done, in order. After each measured block that
// ends with a trial of this run, and after one that an earlier run may have
// ended without asking, the caller is asked whether to stop.
func (e *execution) trials(trials []design.Trial) (complete, stopped bool, err error) {
	unasked := 0 // a measured block that is complete
	for i, t := range trials {
		if !e.isDone(t) {
			if stop, err := e.ask(&unasked); stop || err != nil {
				return stop, stop, err
			}
			if e.finishing() {
				return false, false, nil
			}
			if whole, err := e.trial(t); !whole || err != nil {
				return false, false, err
			}
		}
		if t.Phase != design.Measured || t.Block == 0 || i+1 < len(trials) && trials[i+1].Block == t.Block {
			continue
		}
		if unasked = t.Block; !e.isDone(t) {
			if stop, err := e.ask(&unasked); stop || err != nil {
				return stop, stop, err
			}
		}
	}
	return true, false, nil
}

// ask asks whether to stop after a block, once; 0 is none.
func (e *execution) ask(block *int) (stop bool, err error) {
	if *block > 0 && e.job.AfterBlock != nil {
		stop, err = e.job.AfterBlock(*block)
	}
	*block = 0
	return stop, err
}

// finishing says that the run should end before the next trial.
func (e *execution) finishing() bool {
	select {
	case <-e.job.Finish:
		return true
	case <-e.ctx.Done():
		return true
	default:
		return false
	}
}

// trial executes one trial with its further attempts, and hands each record
// on. It is not whole where it was interrupted.
func (e *execution) trial(t design.Trial) (whole bool, err error) {
	treatment, err := e.treatment(t.Treatment)
	if err != nil {
		return false, err
	}
	before := 0
	if e.job.Attempts != nil {
		before = e.job.Attempts(t.Number)
	}
	for retries := 0; ; retries++ {
		a, err := e.attempt(t, treatment, before+retries+1)
		if err != nil {
			return false, err
		}
		rec := a.rec
		again := retries < e.x.TrialFor(treatment).Retries && (rec.Status == session.Failed || rec.Status == session.Timeout)
		if err := e.handOn(rec, again); err != nil {
			return false, err
		}
		if rec.Status == session.Interrupted || e.ctx.Err() != nil {
			return false, nil
		}
		if !again {
			return true, nil
		}
	}
}

// handOn gives a record to the sink, and then tells who watches.
func (e *execution) handOn(rec session.Record, again bool) error {
	if err := e.job.Sink(rec); err != nil {
		return err
	}
	if !again && rec.Status != session.Interrupted {
		e.done++
		if rec.Status != session.OK {
			e.notOK++
		}
	}
	e.progress(Event{Kind: "trial", Record: &rec})
	return nil
}

func (e *execution) treatment(number int) (experiment.Treatment, error) {
	for _, t := range e.job.Plan.Treatments {
		if t.Number == number {
			return t, nil
		}
	}
	return experiment.Treatment{}, fmt.Errorf("the plan has no treatment %d", number)
}

func (e *execution) progress(ev Event) {
	if e.job.Progress == nil {
		return
	}
	ev.Done, ev.Total = e.done, len(e.job.Plan.Trials)
	e.job.Progress(ev)
}

// warn tells something once.
func (e *execution) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !e.warned[text] {
		e.warned[text] = true
		e.progress(Event{Kind: "warning", Text: text})
	}
}

// pause waits, and says whether the run was cancelled meanwhile.
func (e *execution) pause(d time.Duration) (cancelled bool) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return false
	case <-e.ctx.Done():
		return true
	}
}
