package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"fieldbook/internal/experiment"
)

// version is the tool's release; a build from a checkout adds its revision.
const version = "0.1.0"

// toolVersion is what sessions record: the release, and the commit where the
// build knows it.
func toolVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return version + "+" + s.Value[:12]
		}
	}
	return version
}

func (a *app) versionCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the tool's version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.stdout, "fieldbook "+toolVersion())
			return err
		},
	}
}

func (a *app) schemaCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of experiment.yaml, for editors",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := a.stdout.Write(experiment.Schema())
			return err
		},
	}
}
