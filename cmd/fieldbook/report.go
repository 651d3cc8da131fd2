package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"fieldbook/analysis"
	"fieldbook/internal/diag"
	"fieldbook/report"
)

// reportFlags are the flags of report.
type reportFlags struct {
	out     string
	publish bool
}

func (a *app) reportCmd() *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report [NAME...]",
		Short: "Render the writeups as HTML and Markdown from recorded data",
		Long: "Report evaluates each experiment's writeup.md on its data, or writes a complete default\n" +
			"report where there is none, into site/NAME/ (index.html, report.md, figures/). It runs\n" +
			"nothing. With --publish the Markdown also goes beside the experiment, as README.md.",
		RunE: func(_ *cobra.Command, args []string) error { return a.report(args, f) },
	}
	cmd.Flags().StringVar(&f.out, "out", "", "write the site to this `folder` instead of site")
	cmd.Flags().BoolVar(&f.publish, "publish", false, "also write experiments/NAME/README.md with figures/, and site.zip")
	return cmd
}

func (a *app) report(args []string, f reportFlags) error {
	n, err := a.open()
	if err != nil {
		return err
	}
	names, err := n.choose(args)
	if err != nil {
		return err
	}
	site := cmp.Or(f.out, filepath.Join(n.root, "site"))
	var shown, beside []string
	sh := n.shelf()
	sh.begin(names)
	err = a.eachOf(names, sh.study, func(s *study) error {
		if out := n.withinSite(s.name); f.out == "" && out.Failed() {
			return out
		}
		doc, r, err := a.build(sh, s)
		if err != nil && doc == nil {
			return err
		}
		if werr := writeReport(filepath.Join(site, s.name), doc); werr != nil {
			return werr
		}
		if err == nil && f.publish {
			if err = s.publishBeside(doc); err == nil {
				beside = append(beside, "wrote experiments/"+s.name+"/README.md")
			}
		}
		shown = append(shown, s.shownLine(r))
		return err
	})
	if out := n.within(site); f.out == "" && out.Failed() {
		return cmp.Or(err, error(out))
	}
	if f.out == "" { // another folder may hold the reports of other notebooks, too
		err = errors.Join(err, a.removeGone(n, site))
	}
	if indexErr := sh.index(site); indexErr != nil {
		return errors.Join(err, indexErr)
	}
	if f.publish && err == nil {
		names, err := n.names()
		if err != nil {
			return err
		}
		if err := zipSite(site, filepath.Join(n.root, "site.zip"), names); err != nil {
			return err
		}
		beside = append(beside, "wrote site.zip")
	}
	if !a.quiet {
		for _, line := range shown {
			fmt.Fprintln(a.stdout, diag.Printable(line))
		}
		fmt.Fprintf(a.stdout, "wrote %s\n", diag.Printable(shownPath(filepath.Join(site, "index.html"))))
		for _, line := range beside {
			fmt.Fprintln(a.stdout, diag.Printable(line))
		}
	}
	return err
}

// build evaluates one experiment's writeup, with what is on the shelf. A
// document that holds problems is returned with them.
func (a *app) build(sh *shelf, s *study) (*report.Document, *analysis.Result, error) {
	e, err := sh.evaluate(sh.take(s.name))
	switch {
	case err != nil:
		return nil, nil, err
	case e.problems.Failed():
		return e.doc, e.source.Result, e.problems
	}
	a.printProblems(e.problems)
	return e.doc, e.source.Result, nil
}

// checkWriteup evaluates the writeup on what is recorded and writes nothing.
func (sh *shelf) checkWriteup(s *study) (diag.List, error) {
	if s.writeup == nil {
		return nil, nil
	}
	e, err := sh.evaluate(sh.take(s.name))
	if err != nil {
		return e.problems, err
	}
	return append(e.problems, report.HandTyped(e.source, e.doc)...), nil
}

// source is what the report of an experiment is made of.
func (s *study) source(r *analysis.Result, uses map[string]*analysis.Result) (report.Source, error) {
	src := report.Source{Name: s.name, Writeup: s.writeup, File: s.writeupFile(), Result: r, Uses: uses,
		RunTime: s.runTime(r), Version: version}
	if s.x == nil {
		return src, nil
	}
	src.Listing, src.Trials = s.x.Source, s.trialCommands()
	var err error
	src.Pictures, err = s.pictures()
	return src, err
}

// runTime is how long a whole session takes by the newest recorded durations,
// in seconds; 0: unknown.
func (s *study) runTime(r *analysis.Result) float64 {
	if s.x == nil || len(r.Data.Sessions) == 0 {
		return 0
	}
	p, err := s.plan("1", 0)
	if err != nil {
		return 0
	}
	return expected(p, r.Data)
}

// shownLine says which sessions a report shows, where they were recorded and
// how long a new one would take.
func (s *study) shownLine(r *analysis.Result) string {
	if len(r.Data.Sessions) == 0 {
		return fmt.Sprintf("%s: no data yet", s.name)
	}
	machines := map[string]bool{}
	for _, one := range r.Data.Sessions {
		machines[one.Machine] = true
	}
	line := fmt.Sprintf("%s: %s recorded on %s, the newest %s", s.name, count(len(r.Data.Sessions), "session"),
		strings.Join(slices.Sorted(maps.Keys(machines)), ", "), r.Data.Sessions[len(r.Data.Sessions)-1].Info.Session)
	if seconds := s.runTime(r); seconds > 0 {
		line += "; `make run` takes about " + roughly(time.Duration(seconds*float64(time.Second)))
	}
	return line
}

func writeReport(folder string, doc *report.Document) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(folder, "index.html"), doc.HTML()); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(folder, "report.md"), doc.Markdown()); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(folder, "report.json"), doc.Answers()); err != nil {
		return err
	}
	return writeFigures(folder, doc.Files())
}

// writeFigures writes the files that a page refers to and removes figures of
// an earlier rendering.
func writeFigures(folder string, files map[string][]byte) error {
	for _, path := range renderedFigures(folder) {
		if _, still := files["figures/"+filepath.Base(path)]; !still {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("figure name %q leaves its folder", name)
		}
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := writeFile(path, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// renderedFigures are the figures beside a report that a rendering has made:
// those named for a theme that begin as ours do.
func renderedFigures(folder string) []string {
	light, _ := filepath.Glob(filepath.Join(globSafe(folder), "figures", "*-light.svg")) // the patterns are well formed
	dark, _ := filepath.Glob(filepath.Join(globSafe(folder), "figures", "*-dark.svg"))
	return slices.DeleteFunc(append(light, dark...), func(path string) bool {
		text, err := readOwn(path)
		return err != nil || !bytes.HasPrefix(text, []byte(figureStart))
	})
}

// globSafe is a path in which no character means a pattern.
func globSafe(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// figureStart is how each figure that is written to a file begins.
const figureStart = `<svg xmlns="http://www.w3.org/2000/svg" class="fig`

// writeFile replaces a file at once, so that nothing half-written is seen.
func writeFile(path string, data []byte) error { return renameio.WriteFile(path, data, 0o644) }

// publishBeside writes the report where a code host shows it. What a person
// has written there is not written over.
func (s *study) publishBeside(doc *report.Document) error {
	path := filepath.Join(s.folder, "README.md")
	if text, err := readOwn(path); err == nil && len(bytes.TrimSpace(text)) > 0 && !madeReport(text) {
		var problems diag.List
		problems.Errorf(diag.Pos{File: "experiments/" + s.name + "/README.md"}, "`report --publish` would write over it, and has not written it")
		problems.Hint("put what it says into writeup.md, or give it another name")
		return problems
	}
	if err := writeFile(path, doc.Markdown()); err != nil {
		return err
	}
	return writeFigures(s.folder, doc.Files())
}

// index writes the page that lists all experiments of the notebook that have
// a report in the site.
func (sh *shelf) index(site string) error {
	names, err := sh.n.names()
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !isFile(filepath.Join(site, name, "index.html")) })
	if err := os.MkdirAll(site, 0o755); err != nil {
		return err
	}
	return writeFile(filepath.Join(site, "index.html"), report.Index(sh.n.title(), sh.entries(names)))
}

// entries are what the index says of experiments. One that cannot be read has
// none: its own turn says why.
func (sh *shelf) entries(names []string) []report.Entry {
	var entries []report.Entry
	for _, name := range names {
		k := sh.take(name)
		all := k.outcome(nil)
		if all.err != nil {
			continue
		}
		state, _ := k.study.stateOf(all.data)
		entries = append(entries, report.Entry{Name: name, Result: all.r, State: state})
	}
	return entries
}

// untitled is what a notebook without a title is called.
const untitled = "Notebook"

// title is the first heading of the notebook's README, or untitled.
func (n *notebook) title() string {
	path := filepath.Join(n.root, "README.md")
	if n.within(path).Failed() {
		return untitled
	}
	src, _ := os.ReadFile(path)
	for line := range strings.Lines(string(src)) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(title)
		}
	}
	return untitled
}

// shownPath is a path relative to the working directory where that is shorter.
func shownPath(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(wd, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
