package report

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fieldbook/analysis/figure"
)

// opened is the table that the page's script makes of the numbers behind a figure.
func opened(t *testing.T, page string) [][]string {
	t.Helper()
	m := regexp.MustCompile(`(?s)<pre[^>]* data-whole="([0-9]+)"[^>]*>(.*?)</pre>`).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("no numbers in %.300s", page)
	}
	whole := 0
	if _, err := fmt.Sscan(m[1], &whole); err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for i, line := range strings.Split(strings.TrimSuffix(html.UnescapeString(m[2]), "\n"), "\n") {
		cells := strings.Split(line, "\t")
		for k := 0; i > 1 && k < whole && cells[k] == ""; k++ {
			cells[k] = rows[i-1][k]
		}
		for i > 0 && len(cells) < len(rows[0]) {
			cells = append(cells, "")
		}
		rows = append(rows, cells)
	}
	return rows
}

func TestNumbersBehindAFigureAreWholeThoughShort(t *testing.T) {
	for _, n := range []int{1, 40, 1440} {
		in := figure.Table{Head: []string{"trial", "object", "clients", "value", "remark"}}
		for i := range n {
			remark := ""
			if i%7 == 0 {
				remark = "far off"
			}
			in.Rows = append(in.Rows, []string{fmt.Sprint(i + 1), []string{"shared", "per-client"}[i*5%2], fmt.Sprint(1 + i*7%4), fmt.Sprintf("%.3f", float64(i*37%1000)/7), remark})
		}
		w := &page{doc: &Document{}}
		w.data("Figure 1", in)
		rows := opened(t, w.b.String())
		if len(rows) != n+1 {
			t.Fatalf("%d rows come back, want %d and the head", len(rows), n)
		}
		at := map[string]int{}
		for i, h := range rows[0] {
			at[h] = i
		}
		for _, want := range in.Rows {
			found := slices.ContainsFunc(rows[1:], func(r []string) bool {
				for i, h := range in.Head {
					if k, ok := at[h]; ok && r[k] != want[i] { // what is alike in all rows stands elsewhere
						return false
					}
				}
				return true
			})
			if !found {
				t.Fatalf("of %d rows, %q does not come back", n, want)
			}
		}
		if size := w.b.Len(); n == 1440 && size > 28*n {
			t.Errorf("%d rows take %d bytes", n, size)
		}
	}
}
