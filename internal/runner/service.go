package runner

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldbook/internal/design"
	"fieldbook/internal/experiment"
)

// instance is one running service.
type instance struct {
	service *experiment.Service
	key     string // the levels of `each`
	given   names  // NAME.host, …
	daemon  daemon
}

// services keeps the services that a trial needs up, and no others.
type services struct {
	e    *execution
	unit map[string]unit        // service -> the part of the plan that it is up for
	up   map[string][]*instance // service -> its instances, in the order of their start
	made int
}

func newServices(e *execution) *services {
	return &services{e: e, unit: map[string]unit{}, up: map[string][]*instance{}}
}

// unit is a part of the plan for which a service stays up: what its scope
// leaves open is 0.
type unit struct {
	phase                       string
	block, plot, trial, attempt int
}

// unitOf is the part that a trial belongs to. Where no factor is hard to
// change, the plot is the block.
func unitOf(scope experiment.Scope, t design.Trial, attempt int) unit {
	switch scope {
	case experiment.ScopeTrial:
		return unit{trial: t.Number, attempt: attempt}
	case experiment.ScopeBlock:
		return unit{phase: t.Phase, block: t.Block}
	case experiment.ScopePlot:
		return unit{phase: t.Phase, block: t.Block, plot: t.Plot}
	}
	return unit{}
}

// enter stops the services whose part of the plan is over, starts those that
// this trial needs, and starts again what has died.
func (s *services) enter(t design.Trial, attempt int) error {
	for _, svc := range slices.Backward(s.e.x.Services) {
		over := len(s.up[svc.Name]) > 0 && s.unit[svc.Name] != unitOf(svc.Scope, t, attempt)
		if !over && s.anyDead(&svc) {
			s.e.warn("service %s had ended and is started again", svc.Name)
			over = true
		}
		if over {
			if err := s.stop(&svc); err != nil {
				return err
			}
		}
	}
	for i := range s.e.x.Services {
		if err := s.bring(&s.e.x.Services[i], t, attempt); err != nil {
			return err
		}
	}
	return nil
}

// leave stops the services that live for one trial.
func (s *services) leave() error {
	var errs []error
	for _, svc := range slices.Backward(s.e.x.Services) {
		if svc.Scope == experiment.ScopeTrial {
			errs = append(errs, s.stop(&svc))
		}
	}
	return errors.Join(errs...)
}

// close stops everything.
func (s *services) close() error {
	var errs []error
	for _, svc := range slices.Backward(s.e.x.Services) {
		errs = append(errs, s.stop(&svc))
	}
	return errors.Join(errs...)
}

// bring starts the instances of a service that the trial's part of the plan
// needs, where they are not up.
func (s *services) bring(svc *experiment.Service, t design.Trial, attempt int) error {
	if len(s.up[svc.Name]) > 0 {
		return nil
	}
	s.unit[svc.Name] = unitOf(svc.Scope, t, attempt)
	for _, treatment := range s.treatmentsIn(svc, t, attempt) {
		if s.instance(svc, treatment) != nil {
			continue
		}
		began := time.Now()
		in, err := s.start(svc, treatment)
		if err != nil {
			return err
		}
		s.e.progress(Event{Kind: "service", Text: strings.TrimSpace(svc.Name + " " + in.key), Took: time.Since(began)})
	}
	return nil
}

// treatmentsIn are the treatments of the trials during which the service
// stays up, in the plan's order of treatments.
func (s *services) treatmentsIn(svc *experiment.Service, t design.Trial, attempt int) []experiment.Treatment {
	mine := unitOf(svc.Scope, t, attempt)
	numbers := map[int]bool{}
	for _, o := range s.e.job.Plan.Trials {
		if unitOf(svc.Scope, o, attempt) == mine {
			numbers[o.Treatment] = true
		}
	}
	var all []experiment.Treatment
	for _, treatment := range s.e.job.Plan.Treatments {
		if numbers[treatment.Number] {
			all = append(all, treatment)
		}
	}
	return all
}

// of is a service as it is for a treatment.
func (s *services) of(svc *experiment.Service, t experiment.Treatment) *experiment.Service {
	for _, mine := range s.e.x.ServicesFor(t) {
		if mine.Name == svc.Name {
			return &mine
		}
	}
	return svc
}

// levelsOf are a treatment's levels of a service's `each`.
func (s *services) levelsOf(svc *experiment.Service, t experiment.Treatment) string {
	var parts []string
	for _, name := range svc.Each {
		for i, f := range s.e.x.Factors {
			if f.Name == name {
				parts = append(parts, name+"="+t.Levels[i])
			}
		}
	}
	return strings.Join(parts, " ")
}

// instance is the running one that serves a treatment; nil: there is none.
func (s *services) instance(svc *experiment.Service, t experiment.Treatment) *instance {
	key := s.levelsOf(svc, t)
	for _, in := range s.up[svc.Name] {
		if in.key == key {
			return in
		}
	}
	return nil
}

// given are the names that the services up give to a treatment.
func (s *services) given(t experiment.Treatment) names {
	all := s.e.site.given[t.Number]
	for i := range s.e.x.Services {
		if in := s.instance(&s.e.x.Services[i], t); in != nil {
			all = all.with(in.given)
		}
	}
	return all
}

// start starts one instance and waits until it is ready.
func (s *services) start(svc *experiment.Service, t experiment.Treatment) (*instance, error) {
	s.made++
	in := &instance{service: s.of(svc, t), key: s.levelsOf(svc, t)}
	given, err := s.place(svc)
	if err != nil {
		return nil, err
	}
	in.given = given
	all := s.given(t).with(given)
	err = s.launch(in, t, all)
	if err != nil {
		if in.daemon != nil {
			err = errors.Join(err, in.daemon.stop(svc.StopSignal, time.Second))
		}
		if missing, ok := errors.AsType[*cannotStart](err); ok {
			err = errors.New(missing.Error()) // the treatment's own program could start
		}
		return nil, fmt.Errorf("service %s: %w", strings.TrimSpace(svc.Name+" "+in.key), err)
	}
	s.up[svc.Name] = append(s.up[svc.Name], in)
	return in, nil
}

// launch runs before, the service itself, the wait until it is ready, after.
func (s *services) launch(in *instance, t experiment.Treatment, given names) error {
	svc, set := in.service, s.e.set
	vars, err := set.vars(svc.Env, t, set.env(t, given))
	if err != nil {
		return err
	}
	vars = append(vars, serviceMark+"="+svc.Name+"."+strconv.Itoa(s.made))
	if err := s.side(svc.Before, "before", t, given, vars); err != nil {
		return err
	}
	c, err := set.command(&svc.Command, t, given, vars)
	if err != nil {
		return err
	}
	c.cpus = svc.CPUs.At(s.e.x, t)
	if err := set.resolve(c); err != nil {
		return err
	}
	wait, err := s.readiness(in, c, t, given, vars)
	if err != nil {
		return err
	}
	if in.daemon, err = s.e.exec.start(c); err != nil {
		return err
	}
	if err := wait(); err != nil {
		return err
	}
	if err := s.side(svc.After, "after", t, given, vars); err != nil {
		return err
	}
	return in.daemon.adopt()
}

// side runs a service's `before` or `after`.
func (s *services) side(c *experiment.Command, what string, t experiment.Treatment, given names, vars []string) error {
	if c == nil {
		return nil
	}
	cmd, err := s.e.set.command(c, t, given, vars)
	if err != nil {
		return err
	}
	return s.e.set.runOnce(s.e.exec, cmd, once{what: what})
}

// place gives an instance a port of its own and an empty folder.
func (s *services) place(svc *experiment.Service) (names, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	scratch := s.scratch(svc.Name)
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return nil, fmt.Errorf("service %s: making its folder: %w", svc.Name, err)
	}
	return names{
		svc.Name + ".host": loopback, svc.Name + ".port": port,
		svc.Name + ".address": net.JoinHostPort(loopback, port), svc.Name + ".scratch": scratch,
	}, nil
}

// scratch is the folder of the instance that is being made.
func (s *services) scratch(name string) string {
	return filepath.Join(s.e.job.Work, "service", fmt.Sprintf("%s-%06d", name, s.made))
}

const loopback = "127.0.0.1"

// freePort is a port of the loopback that nobody listens on just now.
func freePort() (string, error) {
	l, err := net.Listen("tcp", loopback+":0")
	if err != nil {
		return "", fmt.Errorf("looking for a free port: %w", err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}

// stop stops a service's instances, the last first.
func (s *services) stop(svc *experiment.Service) error {
	var errs []error
	for _, in := range slices.Backward(s.up[svc.Name]) {
		within := in.service.StopWithin
		if s.e.ctx.Err() != nil {
			within = min(within, grace) // all is to stop at once
		}
		if err := in.daemon.stop(in.service.StopSignal, within); err != nil {
			errs = append(errs, fmt.Errorf("service %s: %w", svc.Name, err))
		}
		os.RemoveAll(in.given[svc.Name+".scratch"]) // in the run's own folder, which its maker removes anyway
	}
	delete(s.up, svc.Name)
	delete(s.unit, svc.Name)
	return errors.Join(errs...)
}

// anyDead says whether an instance has ended.
func (s *services) anyDead(svc *experiment.Service) bool {
	return slices.ContainsFunc(s.up[svc.Name], func(in *instance) bool { _, gone := in.daemon.ended(); return gone })
}

// died tells which service has ended by itself, and how; empty: none.
func (s *services) died() string {
	for _, svc := range s.e.x.Services {
		for _, in := range s.up[svc.Name] {
			if e, gone := in.daemon.ended(); gone {
				return fmt.Sprintf("service %s ended during the trial: %s", strings.TrimSpace(svc.Name+" "+in.key), e)
			}
		}
	}
	return ""
}

// usage is the processor time that all services have used.
func (s *services) usage() time.Duration {
	var sum time.Duration
	for _, list := range s.up {
		for _, in := range list {
			sum += in.daemon.usage()
		}
	}
	return sum
}

// outputs are the heads and tails of what all services wrote.
func (s *services) outputs(into map[string][]byte) {
	for _, svc := range s.e.x.Services {
		for i, in := range s.up[svc.Name] {
			name := "service-" + svc.Name
			if len(svc.Each) > 0 {
				name += "-" + strconv.Itoa(i+1)
			}
			stdout, stderr := in.daemon.output()
			into[name+"-stdout"], into[name+"-stderr"] = stdout, stderr
		}
	}
}

// onlyTrialScope says that no service outlives a trial.
func (s *services) onlyTrialScope() bool {
	return !slices.ContainsFunc(s.e.x.Services, func(svc experiment.Service) bool { return svc.Scope != experiment.ScopeTrial })
}

// check refuses a service whose text changes while it should stay up: then
// it would have to start anew within its scope, cold for some trials only.
func (s *services) check() error {
	for i := range s.e.x.Services {
		if err := s.checkOne(&s.e.x.Services[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *services) checkOne(svc *experiment.Service) error {
	texts, keys := map[int]string{}, map[int]string{} // by treatment
	for _, t := range s.e.job.Plan.Treatments {
		text, err := s.text(svc, t)
		if err != nil {
			return err
		}
		texts[t.Number], keys[t.Number] = text, s.levelsOf(svc, t)
	}
	type place struct {
		unit unit
		key  string
	}
	seen := map[place]string{}
	for _, t := range s.e.job.Plan.Trials {
		at, text := place{unitOf(svc.Scope, t, 1), keys[t.Treatment]}, texts[t.Treatment]
		if other, ok := seen[at]; ok && other != text {
			return fmt.Errorf("%s: service %s changes from treatment to treatment while it stays up (%s; %s): name the factor under each, or give it the scope trial", svc.Pos, svc.Name, other, text)
		}
		seen[at] = text
	}
	return nil
}

// text is a service's command for a treatment, with the names of services
// left open.
func (s *services) text(svc *experiment.Service, t experiment.Treatment) (string, error) {
	mine := s.of(svc, t)
	argv, err := s.e.set.argv(&mine.Command, t, s.e.set.env(t, s.e.site.given[t.Number].with(s.e.open())))
	return showCommand(argv) + fmt.Sprint(mine.CPUs.At(s.e.x, t)), err
}

// open are the names of all services, with values as long as they get.
func (e *execution) open() names {
	all := names{"scratch": e.scratchDir()}
	for _, svc := range e.x.Services {
		all = all.with(names{svc.Name + ".host": loopback, svc.Name + ".port": "65535",
			svc.Name + ".address": loopback + ":65535", svc.Name + ".scratch": e.services.scratch(svc.Name)})
	}
	return all
}
