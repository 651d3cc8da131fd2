package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"fieldbook/internal/session"
)

func (a *app) statusCmd() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "status [NAME...]",
		Short: "Say for each experiment whether its data is fresh, stale, incomplete or missing",
		Long: "Status compares what is recorded with the experiment as its files stand. Content decides,\n" +
			"never a time stamp.",
		RunE: func(_ *cobra.Command, args []string) error {
			head := []string{"experiment", "state", "why", "sessions", "started"}
			var rows [][]string
			err := a.each(args, func(_ *notebook, s *study) error {
				state, why, data, err := s.state()
				if err != nil {
					return err
				}
				rows = append(rows, []string{s.name, state, why, fmt.Sprint(len(data.Sessions)), fmt.Sprint(data.Started)})
				return nil
			})
			switch format {
			case "text":
				for i := range rows {
					rows[i] = rows[i][:3]
				}
				columns(a.stdout, rows)
			case "json":
				_ = writeJSON(a.stdout, objects(head, rows))
			case "csv":
				_ = writeCSV(a.stdout, head, rows)
			default:
				return badFormat(format)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json or csv")
	return cmd
}

// state is fresh, stale, incomplete, never run, or, without an experiment
// file, orphaned; and why.
func (s *study) state() (state, why string, data *session.Dataset, err error) {
	data, err = session.ReadDataset(s.data, session.Choose{})
	if err != nil {
		return "", "", data, err
	}
	if s.x == nil {
		return "orphaned", "there is data but no experiment.yaml", data, nil
	}
	have := s.coverage(data)
	switch want := s.x.Design.Min; {
	case have.sealed == 0 && data.Started > 0:
		return "incomplete", fmt.Sprintf("%s started, none is sealed and in use", count(data.Started, "session")), data, nil
	case have.sealed == 0:
		return "never run", "", data, nil
	case have.reason != "" && have.missing:
		return "incomplete", have.reason, data, nil
	case have.reason != "":
		return "stale", have.reason, data, nil
	case have.blocks < want:
		return "incomplete", fmt.Sprintf("%d of %d blocks recorded", have.blocks, want), data, nil
	}
	return "fresh", fmt.Sprintf("%s in %s", count(have.blocks, "block"), count(have.sealed, "session")), data, nil
}
