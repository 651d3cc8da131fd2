package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fieldbook/internal/diag"
	"fieldbook/internal/machine"
)

// watched is how long doctor looks at the work of others.
const watched = time.Second

func (a *app) doctorCmd() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what on this machine will spoil measurements, and how to mend it",
		Long: "Doctor reads what the system tells of processors, clocks, memory, power, neighbours and the data\n" +
			"folder, and says of each whether it is good, worth a note or a warning, or unknown, and what would\n" +
			"mend it. It changes nothing; the commands are for you to weigh. It works outside of a notebook too.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			return a.doctor(format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json or csv")
	return cmd
}

func (a *app) doctor(format string) error {
	c := machine.Checkup{Look: watched}
	n, err := a.open()
	if err == nil {
		c.Data = dataPlace(n)
	}
	all := machine.Examine(c)
	if n != nil {
		all = append(all, n.missingPrograms()...)
	}
	head := []string{"check", "severity", "found", "mend"}
	var rows [][]string
	for _, f := range all {
		rows = append(rows, []string{f.Check, string(f.Severity), f.Found, f.Mend})
	}
	if format != "text" {
		return a.writeTable(format, head, rows)
	}
	a.printFindings(all)
	return nil
}

// dataPlace is the folder that data goes to, or, where there is none yet, the
// notebook; links followed.
func dataPlace(n *notebook) string {
	for _, dir := range []string{filepath.Join(n.root, "data"), n.root} {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return real
		}
	}
	return ""
}

// missingPrograms are findings for the experiments that cannot run here.
// Those whose files have problems are passed over.
func (n *notebook) missingPrograms() []machine.Finding {
	names, err := n.names()
	if err != nil {
		return nil
	}
	var all []machine.Finding
	for _, name := range names {
		s, err := n.load(name)
		if err != nil || s.x == nil {
			continue
		}
		if missing := s.requirements(); len(missing) > 0 {
			all = append(all, machine.Finding{Check: "requires", Severity: machine.Warning,
				Found: fmt.Sprintf("%s cannot run: %s not found", name, strings.Join(missing, ", ")), Mend: "install what is missing, or put it on PATH"})
		}
	}
	return all
}

// printFindings prints the worst first. What is good and what is unknown takes
// a line for all, the former with -v a line each.
func (a *app) printFindings(all []machine.Finding) {
	number := map[machine.Severity]int{}
	for _, f := range all {
		number[f.Severity]++
	}
	whole, short := []machine.Severity{machine.Warning, machine.Note}, []machine.Severity{machine.Good, machine.Unknown}
	if a.verbose {
		whole, short = append(whole, machine.Good), short[1:]
	}
	for _, severity := range whole {
		for _, f := range all {
			if f.Severity != severity {
				continue
			}
			fmt.Fprintf(a.stdout, "%s%-14s  %s\n", a.severityText(severity), f.Check, diag.Printable(f.Found))
			if f.Mend != "" {
				fmt.Fprintf(a.stdout, "%9s%-14s  → %s\n", "", "", diag.Printable(f.Mend))
			}
		}
	}
	for _, severity := range short {
		var names []string
		for _, f := range all {
			if f.Severity == severity {
				names = append(names, f.Check)
			}
		}
		if len(names) > 0 {
			fmt.Fprintf(a.stdout, "%s%s\n", a.severityText(severity), diag.Printable(strings.Join(names, ", ")))
		}
	}
	fmt.Fprintf(a.stdout, "%s, %s, %d good, %d unknown; nothing was changed\n", count(number[machine.Warning], "warning"),
		count(number[machine.Note], "note"), number[machine.Good], number[machine.Unknown])
}

// severityText is the severity in a column of its own, in colour where the
// terminal has any.
func (a *app) severityText(s machine.Severity) string {
	text := fmt.Sprintf("%-9s", s)
	if !a.colored(a.stdout) {
		return text
	}
	switch s {
	case machine.Warning:
		return "\x1b[33m" + text + "\x1b[0m"
	case machine.Good:
		return "\x1b[32m" + text + "\x1b[0m"
	}
	return text
}
