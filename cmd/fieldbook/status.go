package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fieldbook/internal/design"
	"fieldbook/internal/session"
)

func (a *app) statusCmd() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "status [NAME...]",
		Short: "Say for each experiment whether its data is fresh, stale, incomplete or missing",
		Long: "Status compares what is recorded with the experiment as its files stand. Content decides,\n" +
			"never a time stamp. The states are fresh, stale, incomplete, never run, orphaned (data without\n" +
			"an experiment file), and post hoc: the data is fresh, and a claim is younger than it.",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			return a.status(args, format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json or csv")
	return cmd
}

func (a *app) status(args []string, format string) error {
	n, err := a.open()
	if err != nil {
		return err
	}
	names, err := n.chooseRecorded(args)
	if err != nil {
		return err
	}
	head := []string{"experiment", "state", "why", "sessions", "started"}
	var rows [][]string
	err = a.each(names, func(_ *notebook, s *study) error {
		state, why, data, err := s.state()
		if err != nil {
			return err
		}
		state, why = s.withClaims(state, why, data)
		rows = append(rows, []string{s.name, state, why, fmt.Sprint(len(data.Sessions)), fmt.Sprint(data.Started)})
		return nil
	})
	if format != "text" {
		return errors.Join(err, a.writeTable(format, head, rows))
	}
	for i := range rows {
		rows[i] = rows[i][:3]
	}
	columns(a.stdout, rows)
	return err
}

// withClaims adds to the state of the data what is to be said of the claims.
func (s *study) withClaims(state, why string, data *session.Dataset) (string, string) {
	if s.x == nil {
		return state, why
	}
	late := s.lateClaims(data)
	if len(late) == 0 {
		return state, why
	}
	if state == "fresh" {
		state = "post hoc"
	}
	return state, why + "; " + lateText(late)
}

// lateText names claims that are younger than their data.
func lateText(late []lateClaim) string {
	if len(late) == 1 {
		return fmt.Sprintf("claim %s is younger than %s", late[0].name, count(len(late[0].sessions), "session"))
	}
	var names []string
	for _, c := range late {
		names = append(names, c.name)
	}
	return fmt.Sprintf("%d claims are younger than their data: %s", len(late), strings.Join(names, ", "))
}

// state is that of an experiment's recorded data; see stateOf.
func (s *study) state() (state, why string, data *session.Dataset, err error) {
	if data, err = session.ReadDataset(s.data, session.Choose{}); err != nil {
		return "", "", data, err
	}
	state, why = s.stateOf(data)
	return state, why, data, nil
}

// stateOf is fresh, stale, incomplete, never run, or, without an experiment
// file, orphaned; and why.
func (s *study) stateOf(data *session.Dataset) (state, why string) {
	if s.x == nil {
		return "orphaned", "there is data but no experiment.yaml"
	}
	have := s.coverage(data)
	switch want := s.x.Design.Min; {
	case have.sealed == 0 && data.Started > 0:
		return "incomplete", fmt.Sprintf("%s started, none is sealed and in use", count(data.Started, "session"))
	case have.sealed == 0:
		return "never run", ""
	case have.reason != "" && have.missing:
		return "incomplete", have.reason
	case have.reason != "":
		return "stale", have.reason
	case have.blocks < want:
		return "incomplete", fmt.Sprintf("%d of %d blocks recorded", have.blocks, want)
	}
	why = fmt.Sprintf("%s in %s", count(have.blocks, "block"), count(have.fresh, "session"))
	if n := s.accepted(data); n > 0 {
		why += fmt.Sprintf(", %d of them with data that was accepted", n)
	}
	if old := have.sealed - have.fresh; old > 0 {
		why += fmt.Sprintf("; %s stale", count(old, "earlier session"))
	}
	if n := withoutOK(data); n > 0 {
		why += fmt.Sprintf("; %s ended without ok", count(n, "measured trial"))
	}
	if n := cutOff(data); n > 0 {
		why += fmt.Sprintf("; %s not complete", count(n, "session"))
	}
	return "fresh", why
}

// cutOff counts the sessions that were begun and are not at their end.
func cutOff(data *session.Dataset) (n int) {
	for _, l := range data.LeftOut {
		if l.Reason == session.NotComplete {
			n++
		}
	}
	return n
}

// withoutOK counts the measured trials that are over and whose last attempt is
// not ok: blocks that are fresh may still hold no number of a treatment.
func withoutOK(data *session.Dataset) (n int) {
	for _, one := range data.Sessions {
		for _, p := range one.Plan {
			if last, ok := one.Final(p.Trial); ok && p.Phase == design.Measured && last.Status != session.OK {
				n++
			}
		}
	}
	return n
}

// accepted counts the sessions in use that hold changed data as still good.
func (s *study) accepted(data *session.Dataset) int {
	seen := map[string]bool{}
	for _, c := range s.changedTreatments(data) {
		if c.accepted {
			seen[c.one.Info.Session] = true
		}
	}
	return len(seen)
}
