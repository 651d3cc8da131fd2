package main

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"fieldbook/analysis"
	"fieldbook/internal/expr"
	"fieldbook/internal/session"
)

// estimateRows is one row for each treatment and metric, in the metric's own
// unit and at full precision.
func estimateRows(s *study, r *analysis.Result, metrics []session.Metric) ([]string, [][]string) {
	head, more := []string{"experiment", "machine", "metric", "unit"}, []string{"stat", "n", "value", "lo", "hi", "confidence", "method", "refused"}
	for _, f := range r.Factors {
		head = append(head, factorColumn(f.Name, head, more))
	}
	head = append(head, more...)
	var rows [][]string
	for _, m := range metrics {
		for _, machine := range r.Machines() {
			on := expr.Selection{{Factor: "machine", Levels: []string{machine}}}
			for _, levels := range r.Treatments() {
				for _, stat := range []string{"median", "geomean", "mean"} {
					e, err := r.Value(analysis.Query{Metric: m.Name, Stat: stat, Selection: slices.Concat(on, selectLevels(r, levels))})
					if err != nil {
						continue
					}
					row := append([]string{s.name, machine, m.Name, m.Unit}, levels...)
					rows = append(rows, append(row, stat, strconv.Itoa(e.N), exact(e.Value), exact(e.Lo), exact(e.Hi), exact(e.Confidence), e.Method, cmp.Or(e.Refused, e.NoInterval())))
				}
			}
		}
	}
	return head, rows
}

// factorColumn is the head of a factor's column among other ones: its name,
// or factor.NAME where another one has that.
func factorColumn(name string, others ...[]string) string {
	if slices.Contains(slices.Concat(others...), name) {
		return "factor." + name
	}
	return name
}

// exact is a number at full precision, and nothing for one that is not
// computable or unbounded.
func exact(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func analysisObject(s *study, r *analysis.Result, metrics []session.Metric) map[string]any {
	head, rows := estimateRows(s, r, metrics)
	estimates := []map[string]any{}
	for _, row := range rows {
		object := map[string]any{}
		for i, cell := range row {
			object[head[i]] = jsonCell(head[i], cell)
		}
		estimates = append(estimates, object)
	}
	claims := []map[string]any{}
	for _, c := range r.Claims {
		claims = append(claims, map[string]any{"name": c.Claim.Name, "says": c.Claim.Says, "statement": c.Claim.Statement,
			"verdict": c.Verdict, "why": c.Why, "published": c.PublishedVerdict, "post_hoc": c.PostHoc})
	}
	var sessions []string
	for _, one := range r.Data.Sessions {
		sessions = append(sessions, one.Info.Session)
	}
	return map[string]any{"experiment": s.name, "sessions": sessions, "sessions_started": r.Data.Started,
		"estimates": estimates, "claims": claims}
}

// jsonCell is a cell as JSON: the columns of numbers as numbers, null where
// there is none.
func jsonCell(column, cell string) any {
	switch column {
	case "n", "value", "lo", "hi", "confidence":
		if cell == "" {
			return nil
		}
		return json.Number(cell)
	}
	return cell
}
