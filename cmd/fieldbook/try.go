package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fieldbook/internal/design"
	"fieldbook/internal/diag"
	"fieldbook/internal/experiment"
	"fieldbook/internal/expr"
	"fieldbook/internal/runner"
	"fieldbook/internal/session"
)

func (a *app) tryCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "try NAME [factor=level...]",
		Short: "Run one trial, show what it did and what was read, record nothing",
		Long: "Try builds, starts the services, runs one trial of the treatment that the levels name\n" +
			"(the first level of each factor that is not named), and shows its command, its output and\n" +
			"the metrics read from it.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.each(args[:1], func(_ *notebook, s *study) error {
				if s.x == nil {
					return failed("%s has data but no experiment.yaml: there is nothing to try", s.name)
				}
				t, err := s.treatment(args[1:])
				if err != nil {
					return err
				}
				return a.try(s, t)
			})
		},
	}
}

// treatment is the first one that matches all levels named.
func (s *study) treatment(args []string) (experiment.Treatment, error) {
	var quoted []string
	for _, arg := range args {
		if name, level, ok := strings.Cut(arg, "="); ok {
			arg = name + "=" + expr.QuoteLevel(level)
		}
		quoted = append(quoted, arg)
	}
	selection, err := expr.ParseSelection(strings.Join(quoted, " "))
	if err != nil {
		return experiment.Treatment{}, usage("%q: %v", strings.Join(args, " "), err)
	}
	var names []string
	for _, f := range s.x.Factors {
		names = append(names, f.Name)
	}
	for _, term := range selection {
		if _, ok := s.x.Level(s.x.Treatments[0], term.Factor); !ok {
			return experiment.Treatment{}, usage("there is no factor %q; %s", term.Factor, diag.Meant(term.Factor, names))
		}
	}
	for _, t := range s.x.Treatments {
		if selection.Matches(func(factor string) (string, bool) { return s.x.Level(t, factor) }) {
			return t, nil
		}
	}
	return experiment.Treatment{}, usage("no treatment has %s", selection)
}

func (a *app) try(s *study, t experiment.Treatment) error {
	p, err := s.plan("1", 0)
	if err != nil {
		return err
	}
	work, remove, err := runner.WorkFolder()
	if err != nil {
		return err
	}
	defer remove()
	ctx, finish, stop := a.interrupts()
	defer stop()
	lines := a.newProgress(s, p, runFlags{})
	defer lines.end() // also where the trial panics
	tried, err := runner.Try(ctx, runner.Job{Experiment: s.x, Plan: p, Folder: s.folder, Work: work, Machine: "try",
		Session: "try", Part: 1, Progress: lines.event, Finish: finish}, t)
	lines.end()
	if err != nil {
		return err
	}
	return a.printTried(s, t, tried)
}

func (a *app) printTried(s *study, t experiment.Treatment, tried runner.Tried) error {
	r := tried.Record
	fmt.Fprintf(a.stdout, "%-12s %s\n", "treatment", diag.Printable(fmt.Sprintf("%d: %s", t.Number, s.label(t))))
	for _, argv := range tried.Commands {
		fmt.Fprintf(a.stdout, "%-12s %s\n", "command", diag.Printable(runner.ShellWords(argv)))
	}
	for _, v := range tried.Env {
		fmt.Fprintf(a.stdout, "%-12s %s\n", "environment", diag.Printable(v))
	}
	for _, o := range tried.Outputs {
		fmt.Fprintf(a.stdout, "%-12s %d bytes\n", o.Name, o.Bytes)
		a.printKept(string(o.Kept))
	}
	fmt.Fprintf(a.stdout, "%-12s %s\n", "status", diag.Printable(strings.TrimSpace(r.Status+" "+r.Reason)))
	metrics, _, _ := runner.Columns(s.x)
	for i, m := range metrics {
		if i < len(r.Metrics) {
			fmt.Fprintf(a.stdout, "%-12s %s\n", diag.Printable(m.Name), strings.TrimSpace(readable(exact(r.Metrics[i]))+" "+diag.Printable(unitText(m.Unit))))
		}
	}
	if r.Status != session.OK {
		return exit{code: exitFailed}
	}
	return nil
}

// printKept shows what a trial printed, without -v both ends of it alone: what
// was read from it stands below.
func (a *app) printKept(text string) {
	const most, ofLine = 40, 400
	lines := slices.Collect(strings.Lines(text))
	for i, line := range lines {
		line = diag.Printable(strings.TrimRight(line, "\n"))
		switch {
		case a.verbose || len(lines) <= most:
		case i == most/2:
			line = fmt.Sprintf("… %d lines (-v shows them)", len(lines)-most)
		case i > most/2 && i < len(lines)-most/2:
			continue
		}
		if !a.verbose {
			line = ends(line, ofLine)
		}
		fmt.Fprintln(a.stdout, "  | "+line)
	}
}

func readable(number string) string {
	if number == "" {
		return "missing"
	}
	return number
}

func unitText(unit string) string {
	if unit == "1" {
		return ""
	}
	return unit
}

// showCommands prints the distinct commands of a plan before they run.
func (a *app) showCommands(s *study, p *design.Plan) {
	const most = 12
	seen := map[string]bool{}
	for _, t := range p.Treatments {
		line := runner.CommandText(s.x, t)
		if seen[line] {
			continue
		}
		seen[line] = true
		if len(seen) <= most || a.verbose {
			a.note("%-12s %s", "command", line)
		}
	}
	if n := len(seen) - most; n > 0 && !a.verbose {
		a.note("%-12s and %s more (-v shows all)", "", count(n, "command"))
	}
}

// trialCommands are what stands behind the trials of all treatments, what is
// the same for each of them first, and the rest under the treatment's levels.
func (s *study) trialCommands() string {
	var all [][]string
	for _, t := range s.x.Treatments {
		all = append(all, runner.CommandLines(s.x, t))
	}
	shared, rest := sharedLines(all)
	var b strings.Builder
	write := func(head string, lines []string) {
		if len(lines) > 0 {
			if b.Len() > 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "# %s\n%s\n", diag.Printable(head), strings.Join(lines, "\n"))
		}
	}
	if len(rest) > 1 {
		write("for every treatment", shared)
	} else {
		rest = all
	}
	for i, t := range s.x.Treatments {
		write(s.label(t), rest[i])
	}
	return b.String()
}

// sharedLines are the lines that begin every list, and what is left of each.
func sharedLines(lists [][]string) (shared []string, rest [][]string) {
	if len(lists) == 0 {
		return nil, nil
	}
	n := 0
	for n < len(lists[0]) && !slices.ContainsFunc(lists, func(l []string) bool { return n >= len(l) || l[n] != lists[0][n] }) {
		n++
	}
	for _, l := range lists {
		rest = append(rest, l[n:])
	}
	return lists[0][:n], rest
}
