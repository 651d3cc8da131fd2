package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fieldbook/internal/diag"
	"fieldbook/internal/session"
)

// Results of a check.
const (
	checkOK        = "ok"
	checkDiffers   = "differs"
	checkUnchecked = "unchecked" // it could not be made; another check says why
	checkNone      = "none"      // there is nothing to check
)

// check is one line of verify.
type check struct {
	experiment string
	of         string // "seal", "data", "claims", "published"
	result     string
	text       string
}

func (a *app) verifyCmd() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "verify [NAME...]",
		Short: "Check that data, experiment, claims and published report belong together",
		Long: "Verify says of each experiment whether every sealed byte is as it was (seal), whether the data\n" +
			"belongs to the experiment as it stands (data), whether the claims are older than the data\n" +
			"(claims), and whether the report beside the experiment is what the data gives (published). It\n" +
			"changes nothing. Exit code 4 where something differs; a claim that is younger than its data is\n" +
			"marked post hoc, here as in reports, and what was never published does not differ.",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			return a.verify(args, format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json or csv")
	return cmd
}

func (a *app) verify(args []string, format string) error {
	n, err := a.open()
	if err != nil {
		return err
	}
	names, err := n.chooseRecorded(args)
	if err != nil {
		return err
	}
	var all []check
	var worst error
	if len(args) == 0 {
		all = n.unreadData()
	}
	sh := n.shelf()
	for _, name := range names {
		checks, err := a.verifyStudy(sh, name)
		all = append(all, checks...)
		worst = a.worse(worst, err)
	}
	if err := a.printChecks(all, format); err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(c check) bool { return c.result == checkDiffers }) {
		return a.worse(worst, exit{code: exitDiffers})
	}
	return worst
}

func (a *app) printChecks(all []check, format string) error {
	head := []string{"experiment", "check", "result", "text"}
	var rows [][]string
	for _, c := range all {
		rows = append(rows, []string{c.experiment, c.of, c.result, c.text})
	}
	if format != "text" {
		return a.writeTable(format, head, rows)
	}
	if a.quiet {
		rows = slices.DeleteFunc(rows, func(r []string) bool { return r[2] != checkDiffers && r[2] != checkUnchecked })
	}
	columns(a.stdout, rows)
	return nil
}

// verifyStudy makes all checks of one experiment. Those that need its files
// are left out where these have problems, which are the error.
func (a *app) verifyStudy(sh *shelf, name string) ([]check, error) {
	checks := sh.n.sealChecks(name)
	changed := slices.ContainsFunc(checks, func(c check) bool { return c.result == checkDiffers })
	add := func(of, result, text string) {
		checks = append(checks, check{experiment: name, of: of, result: result, text: text})
	}
	k := sh.take(name)
	if k.err != nil {
		add("data", checkUnchecked, "the files of the experiment have problems")
		return checks, k.err
	}
	s := k.study
	data, err := session.ReadDataset(s.data, session.Choose{})
	switch {
	case err != nil && changed:
		add("data", checkUnchecked, "data that is not as it was recorded is not read")
		return checks, nil
	case err != nil:
		add("data", checkDiffers, err.Error())
		return checks, nil
	case s.x == nil:
		add("data", checkNone, "there is no experiment.yaml that it could belong to")
		return checks, nil
	}
	checks = append(checks, s.dataChecks(data)...)
	if c, ok := s.claimCheck(data); ok {
		checks = append(checks, c)
	}
	published, err := a.publishedChecks(sh, s)
	return append(checks, published...), err
}

// unreadData are the folders of data/ that hold sessions under a name that no
// experiment can have.
func (n *notebook) unreadData() (checks []check) {
	data := filepath.Join(n.root, "data")
	entries, err := os.ReadDir(data)
	if err != nil {
		return nil // what cannot be read, or is not there, is told where it is needed
	}
	for _, e := range entries {
		ids, err := session.IDs(filepath.Join(data, e.Name()))
		if why := wrongName(e.Name()); why != "" && e.IsDir() && err == nil && len(ids) > 0 {
			checks = append(checks, check{e.Name(), "seal", checkDiffers, fmt.Sprintf("data/%s: %s is not read: %s", e.Name(), count(len(ids), "session"), why)})
		}
	}
	return checks
}

// sealChecks compares every session of an experiment with its seal, also
// those that are set aside.
func (n *notebook) sealChecks(name string) (checks []check) {
	data := filepath.Join(n.root, "data", name)
	add := func(result, text string) {
		checks = append(checks, check{experiment: name, of: "seal", result: result, text: text})
	}
	ids, err := session.IDs(data)
	if err != nil {
		add(checkDiffers, err.Error())
		return checks
	}
	sealed, whole := 0, 0
	for _, id := range ids {
		dir := filepath.Join(data, id)
		if !isFile(filepath.Join(dir, session.PackageFile)) {
			add(unsealed(n, dir, name))
			continue
		}
		sealed++
		found, err := session.Verify(dir)
		if err != nil {
			add(checkDiffers, fmt.Sprintf("%s cannot be compared: %v", relative(n.root, dir), err))
		}
		for _, d := range found {
			add(checkDiffers, relative(n.root, dir)+"/"+d.String())
		}
		if err == nil && len(found) == 0 {
			whole++
		}
	}
	gone, err := session.Gone(data)
	if err != nil {
		add(checkDiffers, err.Error())
	}
	for _, id := range gone {
		add(checkDiffers, relative(n.root, filepath.Join(data, id))+": the session is gone; only its remarks are there")
	}
	unread, err := session.Unread(data)
	if err != nil {
		add(checkDiffers, err.Error())
	}
	for _, d := range unread {
		add(checkDiffers, relative(n.root, data)+"/"+d.String())
	}
	if whole > 0 {
		checks = append([]check{{name, "seal", checkOK, asSealed(whole, sealed)}}, checks...)
	}
	return checks
}

func asSealed(whole, sealed int) string {
	if whole < sealed {
		return fmt.Sprintf("%d of %s as sealed", whole, count(sealed, "session"))
	}
	return count(sealed, "session") + " as sealed"
}

// unsealed says of a session without a seal why that is. One whose plan is
// complete has been sealed, or lost its seal: nothing else ends with the last
// row.
func unsealed(n *notebook, dir, name string) (result, text string) {
	where := relative(n.root, dir)
	if isFile(dir+".lock") && errors.Is(session.InUse(dir), session.ErrLocked) {
		return checkNone, where + ": being recorded"
	}
	one, err := session.Read(dir)
	if err != nil {
		return checkDiffers, err.Error()
	}
	done := 0
	for _, p := range one.Plan {
		if _, ok := one.Final(p.Trial); ok {
			done++
		}
	}
	if one.Aside() == "" && done == len(one.Plan) {
		return checkDiffers, fmt.Sprintf("%s/%s: missing, and every trial is recorded; `fieldbook run %s` seals a session that was cut off just before", where, session.PackageFile, name)
	}
	return checkNone, fmt.Sprintf("%s: not sealed, %d of %s recorded", where, done, count(len(one.Plan), "trial"))
}

// dataChecks says whether the data in use belongs to the experiment.
func (s *study) dataChecks(data *session.Dataset) []check {
	var checks []check
	add := func(result, text string) { checks = append(checks, check{s.name, "data", result, text}) }
	for _, one := range data.Sessions {
		if !sameFactors(s.x, one) {
			add(checkDiffers, fmt.Sprintf("the factors of session %s are no longer those of the experiment", one.Info.Session))
		}
	}
	for _, c := range s.changedTreatments(data) {
		if !c.accepted && !c.replaced {
			add(checkDiffers, fmt.Sprintf("treatment %s is stale: %s since session %s", s.label(c.treatment), s.changed(c.one, c.treatment), c.one.Info.Session))
		}
	}
	if len(checks) > 0 {
		return checks
	}
	switch state, why := s.stateOf(data); {
	case state == "never run":
		add(checkNone, "never run")
	case state == "fresh":
		add(checkOK, "fresh: "+why)
	default:
		add(checkOK, state+": "+why)
	}
	return checks
}

// claimCheck says which claims are younger than their data.
func (s *study) claimCheck(data *session.Dataset) (check, bool) {
	if len(s.x.Claims) == 0 || len(data.Sessions) == 0 {
		return check{}, false
	}
	text := count(len(s.x.Claims), "claim") + " older than the data"
	if late := s.lateClaims(data); len(late) > 0 {
		var names []string
		for _, c := range late {
			names = append(names, fmt.Sprintf("%s (since %s)", c.name, count(len(c.sessions), "session")))
		}
		text = fmt.Sprintf("%d of %s post hoc: %s", len(late), count(len(s.x.Claims), "claim"), strings.Join(names, ", "))
	}
	return check{s.name, "claims", checkOK, text}, true
}

// publishedChecks renders the report anew and compares it with the one beside
// the experiment. A writeup that cannot be rendered is the error.
func (a *app) publishedChecks(sh *shelf, s *study) ([]check, error) {
	add := func(result, text string) []check { return []check{{s.name, "published", result, text}} }
	if !published(s.folder) {
		return add(checkNone, "never published"), nil
	}
	doc, _, err := a.build(sh, s)
	if err != nil {
		if errors.As(err, new(diag.List)) {
			return add(checkUnchecked, "the writeup has problems"), err
		}
		return add(checkUnchecked, err.Error()), err
	}
	differences := publishedDifferences(s.folder, doc)
	if len(differences) == 0 {
		return add(checkOK, "the report is what the data gives"), nil
	}
	var checks []check
	for _, d := range differences {
		checks = append(checks, add(checkDiffers, relative(sh.n.root, s.folder)+"/"+d)...)
	}
	return checks, nil
}
