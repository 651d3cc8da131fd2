package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbook/analysis"
)

// checkNames are what the checks look for.
var checkNames = map[string]string{
	"trend": "trend over trials", "blocks": "trend over blocks", "shift": "change of level", "calls": "warm-up of calls", "neighbours": "likeness of neighbours",
	"carry-over": "carry-over", "outliers": "outliers", "modes": "modes", "sessions": "effects over sessions", "machines": "effects over machines",
	"control": "A/A control", "spread": "noise over levels", "unaffected": "unaffected metrics",
}

// manyChecks is how many checks stand in the open; more are folded.
const manyChecks = 8

// diagnostics says whether the machine was quiet and whether order or drift
// can be seen in the numbers.
func (b *builder) diagnostics(r *analysis.Result) []block {
	b.place("diagnostics", r)
	all := remembered(b.Memory, r, "diagnostics", nil, r.Diagnostics)
	if len(all) == 0 {
		return []block{paragraph{say("There is not enough data to look for order, drift or noise.")}}
	}
	blocks := []block{paragraph{say(strings.TrimSpace(overview(all) + " " + stateWords(r)))}}
	blocks = append(blocks, fixedOrder(r)...)
	if flagged := slices.DeleteFunc(slices.Clone(all), func(d analysis.Diagnostic) bool { return !d.Flag }); len(flagged) > 0 {
		blocks = append(blocks, shortly(flagged, r)...)
	}
	blocks = append(blocks, b.checkPlots(r, all)...)
	t := checkTable(all, len(r.Data.Sessions) > 1, b.of(r))
	if len(all) > manyChecks {
		return append(blocks, fold{Summary: "All " + itoa(len(all)) + " checks", Body: []block{t}})
	}
	return append(blocks, t)
}

// shortly is what the checks found; of much the main metric's first ones in
// the open and all else folded, and single trials in the table alone.
func shortly(flagged []analysis.Diagnostic, r *analysis.Result) []block {
	all := findings(flagged, r)
	if len(all) <= manyChecks {
		return []block{bullets{phrasesOf(all)}}
	}
	flagged = slices.Clone(flagged)
	for i, d := range flagged {
		flagged[i].Text = cmp.Or(d.Brief, d.Text)
	}
	all = findings(flagged, r)
	main := mainMetric(r)
	var open, further, others []finding
	for _, f := range all {
		switch {
		case !slices.Contains(f.metrics, main):
			others = append(others, f)
		case len(open) < manyChecks:
			open = append(open, f)
		default:
			further = append(further, f)
		}
	}
	var blocks []block
	if len(open) > 0 {
		blocks = append(blocks, bullets{phrasesOf(open)})
	}
	if len(further) > 0 {
		blocks = append(blocks, fold{Summary: plural(len(further), "further finding") + " in " + main, Body: []block{bullets{phrasesOf(further)}}})
	}
	if len(others) > 0 {
		blocks = append(blocks, fold{Summary: plural(len(others), "finding") + " in other metrics", Body: []block{bullets{phrasesOf(others)}}})
	}
	return blocks
}

// finding is what checks found alike in some metrics.
type finding struct {
	metrics []string
	text    string // where, and what
}

// phrasesOf are findings as the items of a list.
func phrasesOf(list []finding) []phrase {
	var items []phrase
	for _, f := range list {
		items = append(items, phrase{strong(inWords(f.metrics)), plain(f.text)})
	}
	return items
}

// findings are what the checks found, those of one check of one metric in
// several sessions as one, with the clearest of them, and those of metrics of
// which the same is to be said as one.
func findings(flagged []analysis.Diagnostic, r *analysis.Result) []finding {
	var all []finding
	seen := map[[2]string]bool{}
	for _, d := range flagged {
		key := [2]string{d.Metric, d.Check}
		if d.Session != "" && seen[key] {
			continue
		}
		seen[key] = true
		n, most := 0, d
		for _, o := range flagged {
			if d.Session != "" && o.Session != "" && o.Metric == d.Metric && o.Check == d.Check {
				n++
				if clearer(o, most) {
					most = o
				}
			}
		}
		where := inSession(most, r)
		if n > 1 {
			where = fmt.Sprintf(" in %d of %d sessions, most clearly%s", n, len(r.Data.Sessions), where)
		}
		text := where + ": " + most.Text
		if i := slices.IndexFunc(all, func(f finding) bool { return f.text == text }); i >= 0 && !slices.Contains(all[i].metrics, d.Metric) {
			all[i].metrics = append(all[i].metrics, d.Metric)
			continue
		}
		all = append(all, finding{[]string{d.Metric}, text})
	}
	return all
}

// clearer says whether a finding is more certain than another of its kind; of
// outliers, which have no p-value, the one that lies farther off.
func clearer(a, b analysis.Diagnostic) bool {
	if math.IsNaN(a.P) || math.IsNaN(b.P) {
		return math.Abs(a.Value) > math.Abs(b.Value)
	}
	return a.P < b.P
}

// overview counts flags. A flag by chance is to be expected among many checks.
func overview(all []analysis.Diagnostic) string {
	flags, skipped := 0, 0
	metrics := []string{}
	for _, d := range all {
		if d.Flag {
			flags++
		}
		if d.Skipped() {
			skipped++
		}
		if !slices.Contains(metrics, d.Metric) {
			metrics = append(metrics, d.Metric)
		}
	}
	if skipped == len(all) {
		return "No check of order, drift, carry-over, outliers, modes or controls could be made on " + listed(metrics) + "; the table says why."
	}
	checks := fmt.Sprintf("%s of order, drift, carry-over, outliers, modes and controls, on %s", plural(len(all)-skipped, "check"), listed(metrics))
	found := "nothing"
	if flags > 0 {
		found = itoa(flags)
	}
	text := checks + ": " + found + " conspicuous."
	if skipped > 0 {
		text += " " + itoa(skipped) + " more could not be made; the table says why."
	}
	return text
}

// listed is "a, b and c", or the number of them where they are many.
func listed(words []string) string {
	if n := len(words); n > 5 {
		return itoa(n) + " metrics"
	}
	return inWords(words)
}

func inSession(d analysis.Diagnostic, r *analysis.Result) string {
	if d.Session == "" || len(r.Data.Sessions) < 2 {
		return ""
	}
	return " in " + d.Session
}

// loud is the share of the processors that others' work may take before a
// machine is called not quiet.
const loud = 0.25

// stateWords say what else ran on the machine, where it could be read.
func stateWords(r *analysis.Result) string {
	foreign, throttled := math.NaN(), 0.0
	for _, s := range r.Data.Sessions {
		most := 0.0
		for _, row := range s.Rows {
			if f := row.State.ForeignCPU; !math.IsNaN(f) && f > 0 && !(foreign >= f) {
				foreign = f
			}
			if row.State.Throttled > most {
				most = row.State.Throttled
			}
		}
		throttled += most
	}
	var text string
	if !math.IsNaN(foreign) {
		text = fmt.Sprintf("Others' work kept at most %s %% of the processors busy just before a trial.", analysis.NumberText(round(100*foreign)))
		if foreign > loud {
			text += " The machine was not quiet."
		}
	}
	if throttled > 0 {
		text += fmt.Sprintf(" The processor throttled itself %s.", plural(int(throttled), "time"))
	}
	return strings.TrimSpace(text)
}

func checkTable(all []analysis.Diagnostic, sessions bool, of string) *tableBlock {
	t := &tableBlock{Caption: say("Checks of order, drift and noise", of, "."), Head: []column{{Title: "check"}, {Title: "metric"}}}
	if sessions {
		t.Head = append(t.Head, column{Title: "session"})
	}
	t.Head = append(t.Head, column{Title: "finding"})
	for _, d := range all {
		name := checkNames[d.Check]
		if name == "" {
			name = d.Check
		}
		r := row{Heads: 1, Cells: []cell{{Phrase: say(name)}, {Phrase: say(d.Metric)}}}
		if sessions {
			where := d.Session
			if where == "" {
				where = d.Machine
			}
			r.Cells = append(r.Cells, cell{Phrase: say(where)})
		}
		finding := phrase{plain(d.Text)}
		if d.Flag {
			finding = phrase{strong("⚑"), plain(" " + d.Text)}
		}
		t.Rows = append(t.Rows, row{Heads: r.Heads, Cells: append(r.Cells, cell{Phrase: finding})})
	}
	return t
}
