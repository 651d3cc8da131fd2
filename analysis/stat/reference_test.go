package stat

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestReference compares this package with other programs: R, scipy and the
// certified values of NIST. testdata/reference/README.md explains the cases.
func TestReference(t *testing.T) {
	dir := os.Getenv("FIELDBOOK_REFERENCE")
	if dir == "" {
		dir = filepath.Join("testdata", "reference")
	}
	cases := readCases(t, dir)
	passed, unknown := 0, map[string]int{}
	for _, c := range cases {
		method, ok := referenceMethods[c.Method]
		if !ok {
			unknown[c.Method]++
			continue
		}
		if t.Run(c.Method+"/"+c.ID, func(t *testing.T) { c.check(t, method) }) {
			passed++
		}
	}
	for _, m := range sortedKeys(unknown) {
		t.Errorf("no function computes %s (%d cases)", m, unknown[m])
	}
	fmt.Printf("reference: %d of %d cases passed\n", passed, len(cases))
}

// refCase is one case of the corpus, with its input read.
type refCase struct {
	ID        string                     `json:"id"`
	Method    string                     `json:"method"`
	Input     []string                   `json:"input"`
	Params    map[string]json.RawMessage `json:"params"`
	Tolerance refTolerance               `json:"tolerance"`
	Expected  map[string]any             `json:"expected"`
	dir       string
}

// answer is what a method computed, by key; a scalar is a list of one.
type answer map[string][]float64

// refMethod computes what a case asks for. A reason means that the method
// refused, and left undefined what it answers all the same.
type refMethod func(c refCase) (got answer, refused string)

func readCases(t *testing.T, dir string) []refCase {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []refCase
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatalf("reading expected.json: %v", err)
	}
	for i := range cases {
		cases[i].dir = dir
	}
	return cases
}

// check runs the method and compares all expected values.
func (c refCase) check(t *testing.T, method refMethod) {
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("panic: %v", r)
		}
	}()
	got, refused := method(c)
	if _, refuse := c.Expected["refuse"]; refuse {
		if refused == "" {
			t.Errorf("gave %v, must refuse with a reason", got)
		}
		return
	}
	// What is refused is undefined, and a case may expect just that.
	if refused != "" && got == nil {
		t.Fatalf("refused: %s", refused)
	}
	because := ""
	if refused != "" {
		because = ": " + refused
	}
	for _, key := range sortedKeys(c.Expected) {
		want, ok := numbers(c.Expected[key])
		if !ok {
			t.Errorf("%s: the expected value %v is no number", key, c.Expected[key])
			continue
		}
		have, ok := got[key]
		if !ok {
			t.Errorf("%s: not computed, want %v", key, want)
			continue
		}
		c.compare(t, key, have, want, because)
	}
}

func (c refCase) compare(t *testing.T, key string, got, want []float64, because string) {
	if len(got) != len(want) && !(len(got) == 0 && len(want) == 1 && math.IsNaN(want[0])) {
		t.Errorf("%s: %d values %v, want %d: %v", key, len(got), got, len(want), want)
		return
	}
	for i := range got {
		if !c.Tolerance.meets(key, got[i], want[i]) {
			t.Errorf("%s[%d] = %v, want %v (off by %.2g relative)%s", key, i+1, got[i], want[i],
				math.Abs(got[i]-want[i])/math.Abs(want[i]), because)
		}
	}
}

// refTolerance is abs and rel, each one number or one for each key.
type refTolerance struct {
	Abs, Rel perKey
}

// perKey is a number for all keys (""), or one for each.
type perKey map[string]float64

func (p *perKey) UnmarshalJSON(raw []byte) error {
	var all float64
	if json.Unmarshal(raw, &all) == nil {
		*p = perKey{"": all}
		return nil
	}
	return json.Unmarshal(raw, (*map[string]float64)(p))
}

// of is the number for a key: its own, or else the largest of the case.
func (p perKey) of(key string) float64 {
	if v, ok := p[key]; ok {
		return v
	}
	most := 0.0
	for _, v := range p {
		most = math.Max(most, v)
	}
	return most
}

func (tol refTolerance) meets(key string, got, want float64) bool {
	switch {
	case math.IsNaN(want):
		return math.IsNaN(got)
	case math.IsInf(want, 0):
		return got == want
	}
	return math.Abs(got-want) <= math.Max(tol.Abs.of(key), tol.Rel.of(key)*math.Abs(want))
}

// numbers reads an expected value as a list.
func numbers(v any) ([]float64, bool) {
	switch v := v.(type) {
	case nil:
		return []float64{math.NaN()}, true
	case float64:
		return []float64{v}, true
	case string:
		f, err := strconv.ParseFloat(v, 64)
		return []float64{f}, err == nil
	case []any:
		out := []float64{}
		for _, e := range v {
			one, ok := numbers(e)
			if !ok || len(one) != 1 {
				return nil, false
			}
			out = append(out, one[0])
		}
		return out, true
	}
	return nil, false
}

// table is one CSV file, by column.
type table struct {
	columns []string
	text    map[string][]string
}

// table reads the i-th input file.
func (c refCase) table(i int) table {
	rows := c.rows(i)
	tab := table{columns: rows[0], text: map[string][]string{}}
	for _, row := range rows[1:] {
		for j, name := range rows[0] {
			tab.text[name] = append(tab.text[name], row[j])
		}
	}
	return tab
}

func (c refCase) rows(i int) [][]string {
	f, err := os.Open(filepath.Join(c.dir, c.Input[i]))
	if err != nil {
		panic(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) == 0 {
		panic(fmt.Sprintf("%s: %v", c.Input[i], err))
	}
	return rows
}

func (tab table) has(name string) bool { return tab.text[name] != nil }

// floats is a column of numbers.
func (tab table) floats(name string) []float64 {
	out := make([]float64, len(tab.text[name]))
	for i, s := range tab.text[name] {
		out[i] = mustFloat(s)
	}
	return out
}

// where keeps the rows in which the column has the value.
func (tab table) where(name, value string) table {
	out := table{columns: tab.columns, text: map[string][]string{}}
	for i, v := range tab.text[name] {
		if v == value {
			for _, col := range tab.columns {
				out.text[col] = append(out.text[col], tab.text[col][i])
			}
		}
	}
	return out
}

// sortBy orders the rows by a numeric column.
func (tab table) sortBy(name string) table {
	key := tab.floats(name)
	order := make([]int, len(key))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(sign(key[a] - key[b])) })
	out := table{columns: tab.columns, text: map[string][]string{}}
	for _, i := range order {
		for _, col := range tab.columns {
			out.text[col] = append(out.text[col], tab.text[col][i])
		}
	}
	return out
}

// levels are the distinct values of a column, by number where all are
// numbers, else by text.
func (tab table) levels(name string) []string {
	out := slices.Clone(tab.text[name])
	slices.SortFunc(out, func(a, b string) int {
		x, errX := strconv.ParseFloat(a, 64)
		y, errY := strconv.ParseFloat(b, 64)
		if errX == nil && errY == nil {
			return int(sign(x - y))
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(out)
}

// index is the 0-based level of each row.
func (tab table) index(name string) []int {
	levels := tab.levels(name)
	out := make([]int, len(tab.text[name]))
	for i, v := range tab.text[name] {
		out[i] = slices.Index(levels, v)
	}
	return out
}

// groups splits a column of numbers by the levels of another.
func (tab table) groups(by, value string) [][]float64 {
	var out [][]float64
	for _, level := range tab.levels(by) {
		out = append(out, tab.where(by, level).floats(value))
	}
	return out
}

func mustFloat(s string) float64 {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		panic(err)
	}
	return f
}

// one is a scalar answer.
func one(x float64) []float64 { return []float64{x} }

// yes is 1 for true.
func yes(b bool) []float64 {
	if b {
		return one(1)
	}
	return one(0)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// valueColumn is the column of a one-sample file.
func (c refCase) values() []float64 { return c.table(0).floats("value") }

// twoGroups are the values of the first and the second group, and the
// confidence handed through.
func (c refCase) twoGroups(conf float64) (a, b []float64, confidence float64) {
	g := c.table(0).groups("group", "value")
	return g[0], g[1], conf
}

// pairs are the two sides by block.
func (c refCase) pairs() (a, b []float64) {
	tab := c.table(0)
	return tab.floats("a"), tab.floats("b")
}
