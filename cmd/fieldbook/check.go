package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"fieldbook/internal/diag"
)

func (a *app) checkCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "check [NAME...]",
		Short: "Read everything, run nothing, and say all that is wrong",
		Long: "Check reads the experiment file, the published numbers and the writeup of each experiment,\n" +
			"evaluates every command, formula and claim for every treatment, and prints all problems at once.",
		RunE: func(_ *cobra.Command, args []string) error {
			n, err := a.open()
			if err != nil {
				return err
			}
			names, err := n.choose(args)
			if err != nil {
				return err
			}
			sh := n.shelf()
			sh.begin(names)
			err = a.eachOf(names, sh.study, func(s *study) error {
				if s.x == nil {
					a.note("%s has data but no experiment.yaml: nothing to check", s.name)
					return nil
				}
				problems, err := sh.checkWriteup(s)
				if err != nil {
					return err
				}
				if problems.Failed() {
					return problems
				}
				a.printProblems(problems)
				if missing := s.requirements(); len(missing) > 0 {
					a.printProblems(diag.List{{Pos: diag.Pos{File: s.x.File}, Warning: true,
						Text: fmt.Sprintf("programs that the experiment requires are missing here: %v", missing)}})
				}
				if !a.quiet {
					fmt.Fprintf(a.stdout, "%s: %s, %s, %s: no problems\n", diag.Printable(s.name),
						count(len(s.x.Treatments), "treatment"), count(len(s.x.Metrics), "metric"), count(len(s.x.Claims), "claim"))
				}
				return nil
			})
			return a.worse(err, a.namesPassedOver(n, args))
		},
	}
}

// namesPassedOver are the problems with folders that check was not asked for
// by name and that no verb reads.
func (a *app) namesPassedOver(n *notebook, args []string) error {
	if len(args) > 0 {
		return nil
	}
	problems := n.passedOver()
	if problems.Failed() {
		return problems
	}
	a.printProblems(problems)
	return nil
}
