package main

import (
	"time"

	"github.com/spf13/cobra"

	"fieldbook/internal/session"
)

func (a *app) acceptCmd() *cobra.Command {
	var because string
	cmd := &cobra.Command{
		Use:   "accept NAME --because TEXT",
		Short: "Take stale data as still good, on record",
		Long: "Accept says that what has changed in an experiment since its data was recorded does not bear on\n" +
			"the numbers. The reason and the exact changes go into the remarks beside each session that holds\n" +
			"stale data. Where a treatment changes again its data is stale again.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := needText("accept", "--because", because); err != nil {
				return err
			}
			return a.each(args, func(n *notebook, s *study) error { return a.accept(n, s, because) })
		},
	}
	cmd.Flags().StringVar(&because, "because", "", "the reason, a `text`")
	return cmd
}

// accept puts the changes since each session in use on record.
func (a *app) accept(n *notebook, s *study, because string) error {
	if s.x == nil {
		return failed("%s has data but no experiment.yaml: nothing says what would be accepted", s.name)
	}
	data, err := session.ReadDataset(s.data, session.Choose{})
	if err != nil {
		return err
	}
	all := s.changedTreatments(data)
	stale := 0
	for _, one := range data.Sessions {
		if !sameFactors(s.x, one) {
			return failed("%s: the factors of session %s are no longer those of the experiment; that cannot be accepted", s.name, one.Info.Session)
		}
		var changes []session.Change
		for _, c := range all {
			if c.one == one && !c.accepted {
				changes = append(changes, c.Change)
				a.note("%-12s %s: treatment %s of %s: %s", "accepted", s.name, s.label(c.treatment), one.Info.Session, s.changed(one, c.treatment))
			}
		}
		if len(changes) == 0 {
			continue
		}
		stale += len(changes)
		if err := session.Accept(one.Dir, because, changes, time.Now()); err != nil {
			return err
		}
	}
	if stale == 0 {
		a.note("%-12s nothing of it is stale", s.name)
	}
	return nil
}
