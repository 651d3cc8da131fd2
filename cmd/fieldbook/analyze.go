package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fieldbook/analysis"
	"fieldbook/internal/diag"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

func (a *app) analyzeCmd() *cobra.Command {
	var format, metric string
	var sessions []string
	var strict bool
	cmd := &cobra.Command{
		Use:   "analyze [NAME...]",
		Short: "Print estimates, comparisons and verdicts of what is recorded",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			return a.each(args, func(n *notebook, s *study) error {
				r, err := s.result(sessions)
				if _, chosen := errors.AsType[*session.ChoiceError](err); chosen {
					return usage("--sessions: %v", err)
				}
				if err != nil {
					return err
				}
				if err := a.printAnalysis(s, r, metric, format); err != nil {
					return err
				}
				if strict {
					return strictly(s, r)
				}
				return nil
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&format, "format", "text", "text, json or csv")
	flags.StringVar(&metric, "metric", "", "only this `metric`")
	flags.StringSliceVar(&sessions, "sessions", nil, "only these `sessions`: names, or keys such as machine=x,date=2026-11-01..,commit=abcd,purpose=pilot")
	flags.BoolVar(&strict, "strict", false, "exit 1 unless every claim that was tested is supported")
	return cmd
}

// strictly turns verdicts into an exit code, which they never are unasked.
func strictly(s *study, r *analysis.Result) error {
	var names []string
	for _, c := range r.Claims {
		if c.Claim.Untested == "" && c.Verdict != analysis.Supported {
			names = append(names, c.Claim.Name)
		}
	}
	if len(names) > 0 {
		return failed("%s: not supported: %v", s.name, names)
	}
	return nil
}

// analyzeStudy prints what is recorded of one experiment.
func (a *app) analyzeStudy(_ *notebook, s *study, format string) error {
	r, err := s.result(nil)
	if err != nil {
		return err
	}
	return a.printAnalysis(s, r, "", format)
}

func (a *app) printAnalysis(s *study, r *analysis.Result, only, format string) error {
	metrics, err := shownMetrics(r, only)
	if err != nil {
		return err
	}
	switch format {
	case "json":
		return writeJSON(a.stdout, analysisObject(s, r, metrics))
	case "csv":
		head, rows := estimateRows(s, r, metrics)
		return writeCSV(a.stdout, head, rows)
	}
	if len(r.Data.Sessions) == 0 {
		fmt.Fprintf(a.stdout, "%s: no data; `fieldbook run %s` records a session\n", diag.Printable(s.name), diag.Printable(s.name))
	} else {
		for _, m := range metrics {
			for _, machine := range r.Machines() {
				a.printMetric(r, m, machine)
			}
		}
		a.printOthers(r, metrics)
		a.printStopping(r)
	}
	a.printClaims(r)
	a.printCutBlocks(r, metrics)
	a.printDiagnostics(r, metrics)
	return nil
}

// shownMetrics are those asked for, else those that claims speak of, else the
// first.
func shownMetrics(r *analysis.Result, only string) ([]session.Metric, error) {
	var names []string
	var claimed []session.Metric
	for _, m := range r.Metrics {
		names = append(names, m.Name)
		if m.Name == only {
			return []session.Metric{m}, nil
		}
		if slices.ContainsFunc(r.Claims, func(c analysis.ClaimResult) bool { return c.Claim.Metric == m.Name }) {
			claimed = append(claimed, m)
		}
	}
	switch {
	case only != "":
		return nil, usage("there is no metric %q; %s", only, diag.Meant(only, names))
	case len(claimed) > 0 || len(r.Metrics) == 0:
		return claimed, nil
	}
	return r.Metrics[:1], nil
}

// printOthers names the metrics that are recorded and not shown.
func (a *app) printOthers(r *analysis.Result, shown []session.Metric) {
	var names []string
	for _, m := range r.Metrics {
		if !slices.ContainsFunc(shown, func(s session.Metric) bool { return s.Name == m.Name }) {
			names = append(names, m.Name)
		}
	}
	if len(names) > 0 {
		fmt.Fprintf(a.stdout, "also measured: %s (--metric shows one)\n\n", diag.Printable(strings.Join(names, ", ")))
	}
}

// printMetric prints a row for each treatment on one machine: n, median with
// its interval, and the ratio to the first treatment; then what is to be
// doubted about the ratios.
func (a *app) printMetric(r *analysis.Result, m session.Metric, machine string) {
	treatments := r.Treatments()
	head, numbers := labelCells(r, nil), []string{"n", "median", "95 % interval", "of the first"}
	for i, name := range head {
		head[i] = factorColumn(name, numbers)
	}
	head = append(head, numbers...)
	rows := [][]string{head}
	var doubts []string
	on := expr.Selection{{Factor: "machine", Levels: []string{machine}}}
	for i, levels := range treatments {
		here := slices.Concat(on, selectLevels(r, levels))
		median, err := r.Value(analysis.Query{Metric: m.Name, Stat: "median", Selection: here})
		if err != nil {
			continue
		}
		for _, w := range median.Warnings {
			if w.Code == analysis.CensoredData && !slices.Contains(doubts, w.Text) {
				doubts = append(doubts, w.Text)
			}
		}
		value, interval := brief(median)
		row := append(labelCells(r, levels), strconv.Itoa(median.N), value, interval)
		if i == 0 {
			row = append(row, "1")
		} else if c, err := r.Compare(m.Name, expr.Comparison{Left: selectLevels(r, levels), Right: selectLevels(r, treatments[0]), Where: on}); err == nil {
			row = append(row, c.Ratio.Text())
			for _, w := range c.Ratio.Warnings {
				if !slices.Contains(doubts, w.Text) {
					doubts = append(doubts, w.Text)
				}
			}
		}
		rows = append(rows, row)
	}
	title := metricHead(m)
	if len(r.Machines()) > 1 {
		title += ", on " + machine
	}
	fmt.Fprintln(a.stdout, diag.Printable(title))
	first := len(head) - 4
	columns(a.stdout, rows, first, first+1)
	for _, d := range doubts {
		fmt.Fprintln(a.stdout, diag.Printable("note: "+d))
	}
	fmt.Fprintln(a.stdout)
}

// brief are an estimate's value and interval in a table: "n/a" where there
// is none, and no interval beside a value that has none.
func brief(e analysis.Estimate) (value, interval string) {
	switch {
	case e.Refused != "" && math.IsNaN(e.Value):
		return "n/a", ""
	case e.NoInterval() != "":
		return e.ValueText(), "n/a"
	}
	return e.ValueText(), e.IntervalText()
}

func metricHead(m session.Metric) string {
	text := m.Name
	if m.Unit != "1" && m.Unit != "" {
		text += ", " + m.Unit
	}
	if m.Better != "" {
		text += " (" + m.Better + " is better)"
	}
	return text
}

// claimWhy is why a verdict is what it is, with the part that decides it.
func claimWhy(c analysis.ClaimResult) string {
	if c.Weakest < 0 || len(c.Parts) < 2 || c.Parts[c.Weakest].Label == "" {
		return c.Why
	}
	return c.Why + "; weakest: " + c.Parts[c.Weakest].Label
}

// publishedVerdict is the verdict on an earlier study's numbers, for a column.
func publishedVerdict(c analysis.ClaimResult) string {
	if c.PublishedVerdict == "" {
		return ""
	}
	return "published: " + c.PublishedWords()
}

// labelCells are a treatment's labels, one a factor that varies; of nil, the
// factors' names.
func labelCells(r *analysis.Result, levels []string) []string {
	var cells []string
	for i, f := range r.Factors {
		if len(f.Levels) < 2 && len(r.Factors) > 1 {
			continue
		}
		if levels == nil {
			cells = append(cells, f.Name)
		} else {
			cells = append(cells, levelLabel(f, levels[i]))
		}
	}
	return cells
}

// levelLabel is a level's label, or its text where none is declared.
func levelLabel(f session.Factor, level string) string {
	if i := slices.Index(f.Levels, level); i >= 0 && i < len(f.Labels) {
		return f.Labels[i]
	}
	return level
}

// selectLevels selects exactly one treatment.
func selectLevels(r *analysis.Result, levels []string) expr.Selection {
	var s expr.Selection
	for i, f := range r.Factors {
		s = append(s, expr.Term{Factor: f.Name, Levels: []string{levels[i]}})
	}
	return s
}

// printDiagnostics prints what the looks at order, drift and noise flagged,
// and of the quiet ones only how many there were.
func (a *app) printDiagnostics(r *analysis.Result, metrics []session.Metric) {
	var rows [][]string
	quiet, skipped := 0, 0
	for _, d := range r.Diagnostics() {
		shown := slices.ContainsFunc(metrics, func(m session.Metric) bool { return m.Name == d.Metric })
		switch {
		case !shown:
		case d.Flag || a.verbose:
			rows = append(rows, []string{"order and drift", d.Metric, d.Text})
		case d.Skipped():
			skipped++
		default:
			quiet++
		}
	}
	columns(a.stdout, rows)
	if quiet > 0 && !a.verbose {
		more := ""
		if skipped > 0 {
			more = fmt.Sprintf(", %d could not be made", skipped)
		}
		fmt.Fprintf(a.stdout, "order and drift  %s quiet%s (-v shows them)\n", count(quiet, "check"), more)
	}
}

func (a *app) printClaims(r *analysis.Result) {
	var rows [][]string
	for _, c := range r.Claims {
		row := []string{c.Claim.Name, string(c.Verdict)}
		if r.Published != nil {
			row = append(row, publishedVerdict(c))
		}
		rows = append(rows, append(row, claimWhy(c)))
	}
	if len(rows) > 0 {
		columns(a.stdout, rows)
		fmt.Fprintln(a.stdout)
	}
}
