package runner

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"fieldbook/internal/experiment"
)

// serviceMark stands in the environment of services and of what they start.
const serviceMark = "FIELDBOOK_SERVICE"

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

// open are the names of all services, with values as long as they get.
func (e *execution) open() names {
	all := names{"scratch": e.scratchDir()}
	for _, svc := range e.x.Services {
		all = all.with(names{svc.Name + ".host": loopback, svc.Name + ".port": "65535",
			svc.Name + ".address": loopback + ":65535", svc.Name + ".scratch": e.services.scratch(svc.Name)})
	}
	return all
}
