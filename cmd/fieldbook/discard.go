package main

import (
	"time"

	"github.com/spf13/cobra"

	"fieldbook/internal/session"
)

func (a *app) discardCmd() *cobra.Command {
	var because string
	cmd := &cobra.Command{
		Use:   "discard SESSION --because TEXT",
		Short: "Set a session aside, with the reason on record",
		Long: "Discard marks a session in its remarks, which stand beside its folder and outside the seal. Its\n" +
			"data stays as it is; no statistic uses it any more, and reports count it among the sessions that\n" +
			"were started, with the reason. SESSION is its name, NAME/ID, or its folder.",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := needText("discard", "--because", because); err != nil {
				return err
			}
			return a.remark(args[0], session.DiscardRemark, because)
		},
	}
	cmd.Flags().StringVar(&because, "because", "", "the reason, a `text`")
	return cmd
}

func (a *app) noteCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "note SESSION TEXT",
		Short: "Put a note beside a session, for those who read its data",
		Long: "Note adds a text to a session's remarks, which stand beside its folder and outside the seal. It\n" +
			"changes no number; reports show it. SESSION is its name, NAME/ID, or its folder.",
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := needText("note", "note SESSION", args[1]); err != nil {
				return err
			}
			return a.remark(args[0], session.NoteRemark, args[1])
		},
	}
}

// remark puts a remark beside the session that a word means.
func (a *app) remark(word, kind, text string) error {
	n, err := a.open()
	if err != nil {
		return err
	}
	r, err := n.find(word)
	if err != nil {
		return err
	}
	if err := session.AddRemark(r.dir, kind, text, time.Now()); err != nil {
		return err
	}
	done := map[string]string{session.DiscardRemark: "discarded", session.NoteRemark: "noted"}[kind]
	where := relative(n.root, r.dir)
	a.note("%-12s %s; the remark stands in %s.remarks.csv", done, where, where)
	return nil
}
