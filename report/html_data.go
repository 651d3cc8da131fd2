package report

import (
	"slices"

	"fieldbook/analysis/figure"
)

// varying takes out the columns of a table in which all rows are alike, and
// gives their heads and values.
func varying(t figure.Table) (figure.Table, []string) {
	var same []string
	var keep []int
	for i, h := range t.Head {
		alike := len(t.Rows) > 1
		for _, r := range t.Rows {
			alike = alike && i < len(r) && r[i] == t.Rows[0][i]
		}
		if !alike {
			keep = append(keep, i)
		} else if t.Rows[0][i] != "" {
			same = append(same, h, t.Rows[0][i])
		}
	}
	pick := func(cells []string) []string {
		var out []string
		for _, i := range keep {
			if i < len(cells) {
				out = append(out, cells[i])
			}
		}
		return out
	}
	out := figure.Table{Head: pick(t.Head)}
	for _, r := range t.Rows {
		out.Rows = append(out.Rows, pick(r))
	}
	return out, same
}

// manyRows is from how many rows on the numbers behind a figure are grouped.
const manyRows = 500

// grouped brings columns of few values to the front and rows that agree in them
// together, so that most of what they say is what the row above says. Short
// tables stay in their order.
func grouped(t figure.Table) figure.Table {
	if len(t.Rows) < manyRows {
		return t
	}
	ranks := make([]map[string]int, len(t.Head)) // by column, of each value, by first appearance
	var few, many []int
	for i := range t.Head {
		ranks[i] = map[string]int{}
		for _, r := range t.Rows {
			if _, ok := ranks[i][r[i]]; !ok {
				ranks[i][r[i]] = len(ranks[i])
			}
		}
		if _, empty := ranks[i][""]; !empty && len(ranks[i])*10 <= len(t.Rows) {
			few = append(few, i)
		} else {
			many = append(many, i)
		}
	}
	rows := slices.Clone(t.Rows)
	slices.SortStableFunc(rows, func(a, b []string) int {
		for _, i := range few {
			if c := ranks[i][a[i]] - ranks[i][b[i]]; c != 0 {
				return c
			}
		}
		return 0
	})
	order := append(few, many...)
	pick := func(cells []string) []string {
		out := make([]string, len(order))
		for k, i := range order {
			out[k] = cells[i]
		}
		return out
	}
	out := figure.Table{Head: pick(t.Head)}
	for _, r := range rows {
		out.Rows = append(out.Rows, pick(r))
	}
	return out
}

// wholeColumns counts the first columns that have no empty cell.
func wholeColumns(t figure.Table) int {
	for i := range t.Head {
		if slices.ContainsFunc(t.Rows, func(r []string) bool { return i >= len(r) || r[i] == "" }) {
			return i
		}
	}
	return len(t.Head)
}

// ditto empties the cells that say what the row above says, of the first so
// many up to the first that differs, and drops empty ones at the end.
func ditto(r, above []string, whole int) []string {
	out := slices.Clone(r)
	for i := 0; i < whole-1 && r[i] == above[i]; i++ {
		out[i] = ""
	}
	for len(out) > 1 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}
