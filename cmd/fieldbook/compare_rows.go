package main

import (
	"strconv"

	"fieldbook/analysis"
)

// rows are all estimates, claims and facts as one table at full precision.
func (c comparison) rows() (head []string, rows [][]string) {
	head = []string{"kind", "metric", "of", "a", "a_lo", "a_hi", "b", "b_lo", "b_hi", "change", "change_lo", "change_hi", "p", "holm", "others", "spread", "moved", "note"}
	blank := func(kind, metric, of string) []string {
		return append([]string{kind, metric, of}, make([]string, len(head)-3)...)
	}
	for _, m := range c.metrics {
		if m.Refused != "" {
			row := blank("metric", m.Metric.Name, "")
			row[len(head)-1] = m.Refused
			rows = append(rows, row)
		}
		for _, s := range m.Values {
			rows = append(rows, shiftRow("value", m, s))
		}
		for _, s := range m.Ratios {
			rows = append(rows, shiftRow("ratio", m, s))
		}
		for _, t := range m.OnlyA {
			row := blank("value", m.Metric.Name, t)
			row[len(head)-1] = "only in a"
			rows = append(rows, row)
		}
		for _, t := range m.OnlyB {
			row := blank("value", m.Metric.Name, t)
			row[len(head)-1] = "only in b"
			rows = append(rows, row)
		}
	}
	for _, p := range c.claims {
		row := blank("claim", p.a.Claim.Metric, p.name)
		row[3], row[6], row[len(head)-2] = string(p.a.Verdict), string(p.b.Verdict), strconv.FormatBool(p.moved)
		if p.differ {
			row[len(head)-1] = "other statements"
		}
		rows = append(rows, row)
	}
	for _, f := range c.facts {
		row := blank("fact", "", f.name)
		row[3], row[6] = f.a, f.b
		rows = append(rows, row)
	}
	return head, rows
}

func shiftRow(kind string, m analysis.MetricShifts, s analysis.Shift) []string {
	return []string{kind, m.Metric.Name, s.Of,
		exact(s.A.Value), exact(s.A.Lo), exact(s.A.Hi), exact(s.B.Value), exact(s.B.Lo), exact(s.B.Hi),
		exact(s.Change.Value), exact(s.Change.Lo), exact(s.Change.Hi), exact(s.P), exact(s.Holm),
		strconv.Itoa(s.Others), exact(s.Spread), strconv.FormatBool(s.Moved()), s.Change.Refused}
}

// object is the comparison as JSON: numbers as numbers, null where there is
// none.
func (c comparison) object() map[string]any {
	metrics := []map[string]any{}
	for _, m := range c.metrics {
		metrics = append(metrics, map[string]any{"metric": m.Metric.Name, "unit": m.Metric.Unit, "refused": m.Refused,
			"values": shiftObjects(m.Values), "ratios": shiftObjects(m.Ratios), "only_a": texts(m.OnlyA), "only_b": texts(m.OnlyB)})
	}
	claims := []map[string]any{}
	for _, p := range c.claims {
		claims = append(claims, map[string]any{"name": p.name, "a": p.a.Verdict, "b": p.b.Verdict, "a_why": claimWhy(p.a), "b_why": claimWhy(p.b),
			"changed": p.moved, "same_statement": !p.differ})
	}
	facts := []map[string]string{}
	for _, f := range c.facts {
		facts = append(facts, map[string]string{"name": f.name, "a": f.a, "b": f.b})
	}
	return map[string]any{"a": c.a.shown, "b": c.b.shown, "moved": c.moved(), "metrics": metrics, "claims": claims, "differences": facts}
}

func shiftObjects(list []analysis.Shift) []map[string]any {
	out := []map[string]any{}
	for _, s := range list {
		out = append(out, map[string]any{"of": s.Of, "a": intervalObject(s.A), "b": intervalObject(s.B), "change": intervalObject(s.Change),
			"p": jsonNumber(s.P), "holm": jsonNumber(s.Holm), "others": s.Others, "spread": jsonNumber(s.Spread), "moved": s.Moved()})
	}
	return out
}

func intervalObject(e analysis.Estimate) map[string]any {
	return map[string]any{"stat": e.Stat, "value": jsonNumber(e.Value), "lo": jsonNumber(e.Lo), "hi": jsonNumber(e.Hi), "n": e.N, "refused": e.Refused}
}

func jsonNumber(v float64) any { return jsonCell("value", exact(v)) }

// texts is the list, never null in JSON.
func texts(list []string) []string { return append([]string{}, list...) }
