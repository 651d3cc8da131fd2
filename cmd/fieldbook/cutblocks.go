package main

import (
	"fmt"

	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// printCutBlocks prints headline numbers with and without the blocks that
// were interrupted and completed by a later part of their session.
func (a *app) printCutBlocks(r *analysis.Result, metrics []session.Metric) {
	if len(metrics) == 0 {
		return
	}
	n, headlines := r.CutBlocks(metrics[0].Name)
	if n == 0 {
		return
	}
	fmt.Fprintf(a.stdout, "%s interrupted and completed later\n", count(n, "block"))
	rows := [][]string{{"", "with", "without"}}
	for _, h := range headlines {
		rows = append(rows, []string{h.Name, h.With, h.Without})
	}
	columns(a.stdout, rows)
	fmt.Fprintln(a.stdout)
}
