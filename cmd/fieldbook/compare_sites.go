package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fieldbook/internal/diag"
	"fieldbook/report"
)

// difference is one thing that two renderings of a report say differently.
type difference struct {
	Experiment string
	Kind       string // "claim", "value", "table", "figure", "report"
	Name       string
	Old        string
	New        string
	// Noise is "beyond", "within", or "unknown" where there is no interval.
	Noise string
}

// compareSites says which claims, values, tables and figures differ between
// two rendered sites. Where something does, the error carries the exit code.
func (a *app) compareSites(oldPath, newPath, format string) error {
	older, err := readSite(oldPath)
	if err != nil {
		return err
	}
	newer, err := readSite(newPath)
	if err != nil {
		return err
	}
	list := siteDifferences(older, newer)
	if err := a.printDifferences(list, format); err != nil {
		return err
	}
	if len(list) > 0 {
		return exit{exitDiffers, ""}
	}
	return nil
}

// siteDifferences are sorted by experiment; within one claims come first, then
// values, tables and figures.
func siteDifferences(older, newer map[string]report.Answers) []difference {
	names := maps.Clone(older)
	maps.Copy(names, newer)
	var all []difference
	for _, name := range slices.Sorted(maps.Keys(names)) {
		x, before := older[name]
		y, now := newer[name]
		switch {
		case !before:
			all = append(all, difference{name, "report", name, "", "new", noiseUnknown})
		case !now:
			all = append(all, difference{name, "report", name, "was there", "", noiseUnknown})
		default:
			all = append(all, reportDifferences(name, x, y)...)
		}
	}
	return all
}

const (
	noiseBeyond  = "beyond"
	noiseWithin  = "within"
	noiseUnknown = "unknown"
)

func reportDifferences(name string, x, y report.Answers) []difference {
	d := differing{experiment: name}
	d.claims(x.Claims, y.Claims)
	d.values(x.Values, y.Values)
	d.tables(x.Tables, y.Tables)
	d.figures(x.Figures, y.Figures)
	return d.list
}

// differing gathers the differences of one report.
type differing struct {
	experiment string
	list       []difference
}

func (d *differing) add(kind, name, before, now, noise string) {
	d.list = append(d.list, difference{d.experiment, kind, name, before, now, noise})
}

// noise judges two answers to one question.
func noise(x, y report.Answer) string {
	beyond, known := x.Beyond(y)
	switch {
	case !known:
		return noiseUnknown
	case beyond:
		return noiseBeyond
	}
	return noiseWithin
}

// matched calls both for what both lists have, and one for what one has, in
// the order of the newer one, and then what is gone. Of entries of one name the
// first is matched with the first, and so on. It is generic since four kinds of
// entry are matched alike.
func matched[T any](older, newer []T, name func(T) string, both func(x, y T), one func(t T, gone bool)) {
	before := map[string][]T{} // those that are not matched yet
	for _, x := range older {
		before[name(x)] = append(before[name(x)], x)
	}
	for _, y := range newer {
		if left := before[name(y)]; len(left) > 0 {
			both(left[0], y)
			before[name(y)] = left[1:]
		} else {
			one(y, false)
		}
	}
	for _, x := range older {
		for _, gone := range before[name(x)] {
			one(gone, true)
		}
		delete(before, name(x))
	}
}

func (d *differing) claims(older, newer []report.AnsweredClaim) {
	matched(older, newer, func(c report.AnsweredClaim) string { return c.Name }, func(x, y report.AnsweredClaim) {
		if x.Verdict != y.Verdict || x.Text != y.Text {
			d.add("claim", y.Name, x.Text, y.Text, noise(x.Answer, y.Answer))
		}
	}, func(c report.AnsweredClaim, gone bool) { d.single("claim", c.Name, c.Text, gone) })
}

func (d *differing) values(older, newer []report.AnsweredValue) {
	matched(older, newer, func(v report.AnsweredValue) string { return v.Asked }, func(x, y report.AnsweredValue) {
		if x.Text != y.Text {
			d.add("value", y.Asked, x.Text, y.Text, noise(x.Answer, y.Answer))
		}
	}, func(v report.AnsweredValue, gone bool) { d.single("value", v.Asked, v.Text, gone) })
}

// single is what only one of the two has.
func (d *differing) single(kind, name, text string, gone bool) {
	if gone {
		d.add(kind, name, text, "", noiseUnknown)
	} else {
		d.add(kind, name, "", text, noiseUnknown)
	}
}

func (d *differing) tables(older, newer []report.AnsweredTable) {
	matched(older, newer, func(t report.AnsweredTable) string { return t.Name }, func(x, y report.AnsweredTable) {
		if !slices.Equal(x.Columns, y.Columns) {
			d.add("table", y.Name, "columns "+strings.Join(x.Columns, ", "), "columns "+strings.Join(y.Columns, ", "), noiseUnknown)
			return
		}
		matched(x.Rows, y.Rows, func(r report.AnsweredRow) string { return r.Name }, func(r, s report.AnsweredRow) { d.row(y, r, s) },
			func(r report.AnsweredRow, gone bool) { d.single("table", rowName(y, r), "a row", gone) })
	}, func(t report.AnsweredTable, gone bool) { d.single("table", t.Name, "a table", gone) })
}

func rowName(t report.AnsweredTable, r report.AnsweredRow) string { return t.Name + ", row " + r.Name }

// row compares a row cell by cell. It is one difference, beyond noise where
// one of its numbers is.
func (d *differing) row(t report.AnsweredTable, r, s report.AnsweredRow) {
	var before, now []string
	worst := ""
	for i := range min(len(r.Cells), len(s.Cells), len(t.Columns)) {
		x, y := r.Cells[i], s.Cells[i]
		if x.Text == y.Text {
			continue
		}
		before, now = append(before, t.Columns[i]+" "+x.Text), append(now, t.Columns[i]+" "+y.Text)
		if n := noise(x, y); worst == "" || n == noiseBeyond || worst == noiseUnknown {
			worst = n
		}
	}
	if len(before) > 0 {
		d.add("table", rowName(t, s), strings.Join(before, "; "), strings.Join(now, "; "), worst)
	}
}

// figures are compared by the rows of data behind them: how many there are
// that the other has not.
func (d *differing) figures(older, newer []report.AnsweredFigure) {
	matched(older, newer, func(f report.AnsweredFigure) string { return f.Name }, func(x, y report.AnsweredFigure) {
		if !slices.Equal(x.Rows, y.Rows) {
			d.add("figure", y.Name, figureRows(x.Rows, y.Rows), figureRows(y.Rows, x.Rows), noiseUnknown)
		}
	}, func(f report.AnsweredFigure, gone bool) { d.single("figure", f.Name, "a figure", gone) })
}

// figureRows says how many rows of a figure are not in the other.
func figureRows(own, other []string) string {
	left := map[string]int{}
	for _, r := range other {
		left[r]++
	}
	changed := 0
	for _, r := range own {
		if left[r] == 0 {
			changed++
		} else {
			left[r]--
		}
	}
	return fmt.Sprintf("%d of %s", changed, count(len(own), "row"))
}

// printDifferences writes the list, and in text how many there are of each.
func (a *app) printDifferences(list []difference, format string) error {
	head := []string{"experiment", "kind", "name", "old", "new", "noise"}
	var rows [][]string
	for _, d := range list {
		rows = append(rows, []string{d.Experiment, d.Kind, d.Name, d.Old, d.New, d.Noise})
	}
	if format != "text" {
		return a.writeTable(format, head, rows)
	}
	a.differencesText(list)
	return nil
}

var noiseWords = map[string]string{noiseBeyond: "beyond its noise", noiseWithin: "within its noise", noiseUnknown: ""}

// differencesText prints the list for a person, and how many there are.
func (a *app) differencesText(list []difference) {
	if len(list) == 0 {
		fmt.Fprintln(a.stdout, "the two sites say the same")
		return
	}
	counts, beyond, last := map[string]int{}, 0, ""
	for _, d := range list {
		if d.Experiment != last {
			fmt.Fprintln(a.stdout, diag.Printable(d.Experiment))
			last = d.Experiment
		}
		fmt.Fprintf(a.stdout, "  %-7s %s\n", d.Kind, diag.Printable(d.Name))
		fmt.Fprintf(a.stdout, "          %s -> %s", orNothing(d.Old), orNothing(d.New))
		if words := noiseWords[d.Noise]; words != "" {
			fmt.Fprintf(a.stdout, ", %s", words)
		}
		fmt.Fprintln(a.stdout)
		counts[d.Kind]++
		if d.Noise == noiseBeyond {
			beyond++
		}
	}
	fmt.Fprintf(a.stdout, "%s; %d beyond noise\n", differenceCounts(counts), beyond)
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return diag.Printable(text)
}

// differenceCounts is "1 claim, 2 values, 3 table rows differ".
func differenceCounts(n map[string]int) string {
	var parts []string
	for _, kind := range [][2]string{{"report", "report"}, {"claim", "claim"}, {"value", "value"}, {"table", "table row"}, {"figure", "figure"}} {
		if n[kind[0]] > 0 {
			parts = append(parts, count(n[kind[0]], kind[1]))
		}
	}
	verb := " differ"
	if len(parts) == 1 && strings.HasPrefix(parts[0], "1 ") {
		verb = " differs"
	}
	return strings.Join(parts, ", ") + verb
}
