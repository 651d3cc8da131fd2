package main

import (
	"slices"

	"github.com/spf13/cobra"
)

func (a *app) compareCmd() *cobra.Command {
	var format string
	var metrics []string
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Set two sessions, or two rendered sites, side by side: what moved beyond its noise, which verdicts changed",
		Long: "Compare judges two sessions, each alone, and says which means and ratios moved from A to B beyond\n" +
			"the noise within them (Welch's interval, Holm's adjustment over all that is shown) and, where four\n" +
			"other sessions of the same work on the same machine are recorded, beyond how far these differ; which\n" +
			"claims changed verdict; and what differs in machine, environment, plan and what was run. A and B are\n" +
			"sessions (a name, NAME/ID or a folder) or experiments, which stand for all sessions in use. Exit code\n" +
			"4 where an estimate moved or a verdict went from supported to refuted or back, 0 where nothing did.\n\n" +
			"Where A and B are folders that `report` rendered, or a site.zip, it says which claims, values,\n" +
			"table rows and figures say something else, and which beyond their intervals; 4 where any does.",
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			if slices.ContainsFunc(args, looksLikeSite) {
				if len(metrics) > 0 {
					return usage("--metric is for sessions; two sites are compared in all that they say")
				}
				return a.compareSites(args[0], args[1], format)
			}
			return a.compareSessions(args[0], args[1], metrics, format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json or csv")
	cmd.Flags().StringSliceVar(&metrics, "metric", nil, "only these `metrics`")
	return cmd
}
