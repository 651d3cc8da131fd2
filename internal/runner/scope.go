package runner

import (
	"fmt"
	"slices"
	"strings"

	"fieldbook/internal/design"
	"fieldbook/internal/experiment"
)

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
