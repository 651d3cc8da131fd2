package runner

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"sync/atomic"
	"time"

	"fieldbook/internal/experiment"
)

// readiness is the wait until a service is ready; it is made before the
// service starts, since its first line may already be the one.
func (s *services) readiness(in *instance, c *command, t experiment.Treatment, given names, vars []string) (func() error, error) {
	r := in.service.Ready
	if r == nil {
		return func() error { return nil }, nil
	}
	probe, what, err := s.probe(r, c, t, given, vars)
	if err != nil {
		return nil, err
	}
	return func() error { return s.await(in, probe, what, r.Within) }, nil
}

// probe looks once whether a service is ready.
func (s *services) probe(r *experiment.Ready, c *command, t experiment.Treatment, given names, vars []string) (probe func(within time.Duration) bool, what string, err error) {
	env := s.e.set.env(t, given)
	switch {
	case r.TCP != nil:
		address, err := expand(*r.TCP, env)
		return func(within time.Duration) bool { return connects(address, within) }, "no connection to " + address, err
	case r.HTTP != nil:
		url, err := expand(*r.HTTP, env)
		return func(within time.Duration) bool { return answers(url, within) }, "no answer with status 200 to 399 from " + url, err
	case r.Line != "":
		re, err := regexp.Compile(r.Line)
		if err != nil {
			return nil, "", fmt.Errorf("ready: line: %w", err)
		}
		var seen atomic.Bool
		c.line = func(line []byte) {
			if !seen.Load() && re.Match(line) {
				seen.Store(true)
			}
		}
		return func(time.Duration) bool { return seen.Load() }, "no line that matches " + r.Line, nil
	}
	cmd, err := s.e.set.command(r.Command, t, given, vars)
	if err != nil {
		return nil, "", err
	}
	if err := s.e.set.resolve(cmd); err != nil {
		return nil, "", err
	}
	return func(within time.Duration) bool {
		out, err := s.e.exec.run(&work{commands: []*command{cmd}, timeout: within})
		return err == nil && !out.timedOut && out.exits[0].ok()
	}, showCommand(cmd.argv) + " does not exit with 0", nil
}

// await probes again and again, at growing distances, until the service is
// ready, has ended, or is late.
func (s *services) await(in *instance, probe func(time.Duration) bool, what string, within time.Duration) error {
	pause := 2 * time.Millisecond
	for deadline := time.Now().Add(within); ; {
		if e, gone := in.daemon.ended(); gone {
			return fmt.Errorf("it ended before it was ready: %s%s", e, in.said())
		}
		left := time.Until(deadline)
		if left <= 0 {
			return fmt.Errorf("not ready within %s: %s%s", within, what, in.said())
		}
		if probe(left) {
			return in.daemon.adopt()
		}
		if s.e.pause(min(pause, left)) {
			return errInterrupted
		}
		pause = min(pause*3/2, 100*time.Millisecond)
	}
}

// said is the end of what a service wrote.
func (in *instance) said() string {
	stdout, stderr := in.daemon.output()
	for _, text := range [][]byte{stderr, stdout} {
		c := capture{tail: text}
		if lines := c.lastLines(); lines != "" {
			return "\n" + lines
		}
	}
	return ""
}

func connects(address string, within time.Duration) bool {
	conn, err := net.DialTimeout("tcp", address, min(within, time.Second))
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

func answers(url string, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(context.Background(), min(within, 5*time.Second))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, // no proxy, no connection left open
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		return false
	}
	res.Body.Close()
	return 200 <= res.StatusCode && res.StatusCode < 400
}
