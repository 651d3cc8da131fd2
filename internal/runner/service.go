package runner

import (
	"errors"
	"fmt"
	"os"
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
