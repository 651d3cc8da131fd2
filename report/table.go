package report

import (
	"slices"
	"strings"

	"fieldbook/analysis"
)

var tableKinds = []string{"clients", "comparisons", "curves", "effects", "equivalence", "factors", "ranking", "sessions", "treatments"}

// tableOptions are the options that have a meaning for each table.
var tableOptions = map[string][]string{
	"clients":     {"by", "metric", "name", "where"},
	"comparisons": {"compare", "metric", "name", "over", "where"},
	"curves":      {"by", "facet", "metric", "name", "where", "x"},
	"effects":     {"metric", "name", "where"},
	"equivalence": {"claim", "name", "where"},
	"factors":     {"name", "where"},
	"ranking":     {"metric", "name", "published", "stat", "where"},
	"sessions":    {"compare", "metric", "name", "over", "where"},
	"treatments":  {"metric", "name", "published", "stat", "where"},
}

// table is one of the tables of {table}.
func (w *wish) table() []block {
	kind := w.d.Argument
	if kind == "ranking" && betterOf(w.r, w.metric) == "" {
		w.wrong(w.d.ArgumentAt, "say `better: lower` or `better: higher` in the experiment file", "%s has no better direction to rank by", w.metric)
		return nil
	}
	switch kind {
	case "clients":
		return w.clients()
	case "comparisons":
		return w.comparisons()
	case "curves":
		return w.curves()
	case "effects":
		return w.effectBlocks()
	case "equivalence":
		return w.equivalence()
	case "factors":
		return []block{w.factors()}
	case "sessions":
		return w.sessions()
	}
	if w.published {
		return []block{w.publishedTable(kind == "ranking")}
	}
	return []block{w.treatments(kind == "ranking")}
}

// checkTableOptions complains about options that say nothing to a table.
func (w *wish) checkTableOptions(kind string) {
	known := tableOptions[kind]
	for _, o := range w.d.Options {
		if slices.Contains(optionNames["table"], o.Key) && !slices.Contains(known, o.Key) {
			w.wrong(o.KeyAt, "it takes "+strings.Join(known, ", "), "the option %q says nothing to {table} %s", o.Key, kind)
		}
	}
}

// newTable is a table in the wish's place in the document.
func (w *wish) newTable(caption phrase, head ...column) *tableBlock {
	return &tableBlock{ID: w.slot.id, Number: w.slot.number, Caption: w.caption(caption), Head: head}
}

func betterOf(r *analysis.Result, metric string) string {
	for _, m := range r.Metrics {
		if m.Name == metric {
			return m.Better
		}
	}
	return ""
}

// plural is "1 trial", "2 trials".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return itoa(n) + " " + noun + "s"
}
